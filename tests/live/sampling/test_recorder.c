/* SPDX-License-Identifier: MIT */
/* What a recorder says of records that no kernel should write. */
#include "live/sampling/recorder.h"
#include "live/meter.h"
#include "tests/support/unit.h"

#include <errno.h>
#include <string.h>

enum { PAGE = 4096 };
static union {
    struct perf_event_mmap_page page;
    unsigned char bytes[2 * PAGE]; /* the page, and one of records */
} mapped;

/* A record of a size, and of this many bytes that are there, in a recorder's only ring. */
static int take(uint16_t size, uint64_t there, struct td_log *log)
{
    const struct perf_event_header h = {.type = PERF_RECORD_THROTTLE, .size = size};
    const struct td_meter meter = {.log = log};
    static unsigned char bounce[PAGE];
    struct td_sampled group = {.teller = -1, .fd = {-1}, .ring = {&mapped.page, sizeof(mapped), bounce}};
    struct td_sampled *groups[] = {&group};
    struct td_recorder r = {.meter = &meter, .group = groups, .ngroups = 1, .rings = -1};

    memset(&mapped, 0, sizeof(mapped));
    mapped.page.data_head = there;
    memcpy(mapped.bytes + PAGE, &h, sizeof(h));
    return td_recorder_take(&r);
}

static void impossible_size(void)
{
    struct td_log log = {.error = ""};

    CU_ASSERT_EQUAL(take(0, 0, &log), 0);
    CU_ASSERT_STRING_EQUAL(log.error, "");
    CU_ASSERT_EQUAL(take(12, 16, &log), -EIO);
    CU_ASSERT_PTR_NOT_NULL(strstr(log.error, "a record of no possible size: report this as a bug"));
}

static const CU_TestInfo tests[] = {{"a record of no possible size", impossible_size}, CU_TEST_INFO_NULL};
UNIT_SUITE("recorder", tests);
