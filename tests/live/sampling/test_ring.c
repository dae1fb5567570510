/* SPDX-License-Identifier: MIT */
/* A ring of records: perf_event_open(2), "MMAP layout". One page of the kernel's, then the records. */
#include "live/sampling/ring.h"
#include "tests/support/unit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    PAGE = 4096,
    PAGES = 32,
    DATA = PAGES * PAGE,
    LARGEST = 65528 /* the most that 16 bits have, in words of 8 bytes */
};

static union {
    struct perf_event_mmap_page page;
    unsigned char bytes[PAGE + DATA];
} mapped;

static int map_err;
static size_t unmapped;

static int map(void *ctx, int fd, size_t size, void **out)
{
    (void)ctx;
    CU_ASSERT(fd == 7 && size == sizeof(mapped));
    *out = map_err ? NULL : &mapped;
    return map_err;
}

static void unmap(void *ctx, void *at, size_t size)
{
    (void)ctx;
    CU_ASSERT(at == &mapped && size == sizeof(mapped));
    unmapped++;
}

static const struct td_os os = {.name = "a ring", .map = map, .unmap = unmap};

/* Puts a record at the head: its header, then bytes that count up. */
static void put(uint16_t size)
{
    const struct perf_event_header h = {.type = PERF_RECORD_LOST, .size = size};

    for (size_t i = 0; i < size; i++)
        mapped.bytes[PAGE + (mapped.page.data_head + i) % DATA] =
            i < sizeof(h) ? ((const unsigned char *)&h)[i] : (unsigned char)i;
    mapped.page.data_head += size;
}

struct seen {
    size_t n, bytes;
    int err; /* of the last record */
};

static int see(void *ctx, const struct perf_event_header *h)
{
    struct seen *s = ctx;

    for (size_t i = sizeof(*h); i < h->size; i++)
        if (((const unsigned char *)h)[i] != (unsigned char)i)
            CU_FAIL_FATAL("another byte");
    s->n++;
    s->bytes += h->size;
    return s->err;
}

static struct td_ring begin(uint64_t position)
{
    struct td_ring r;

    memset(&mapped, 0, sizeof(mapped));
    mapped.page.data_head = mapped.page.data_tail = position;
    map_err = 0;
    CU_ASSERT_EQUAL_FATAL(td_ring_map(&r, &os, 7, PAGES), 0);
    return r;
}

/* Wherever in the ring they begin, so that each of them goes around its end in turn. */
static void records(void)
{
    for (uint64_t position = 0; position < 3 * (uint64_t)DATA; position += 8 * 97) {
        struct td_ring r = begin(position);
        struct seen s = {0};

        put(8);
        put(LARGEST);
        put(24);
        put(LARGEST - 64);
        CU_ASSERT_EQUAL(td_ring_take(&r, see, &s), 0);
        CU_ASSERT(s.n == 4 && s.bytes == 8 + LARGEST + 24 + LARGEST - 64);
        CU_ASSERT_EQUAL(mapped.page.data_tail, mapped.page.data_head);
        CU_ASSERT(!td_ring_take(&r, see, &s) && s.n == 4);
        td_ring_unmap(&r, &os);
    }
}

/* A size that is less than the header's, no whole words, or more than there is. */
static void broken(void)
{
    static const struct {
        uint16_t size;
        uint64_t there;
        int err;
    } of[] = {{0, 16, -EBADMSG},  {7, 16, -EBADMSG}, {8, 8, 0},          {9, 16, -EBADMSG},  {12, 16, -EBADMSG},
              {15, 16, -EBADMSG}, {16, 16, 0},       {24, 16, -EBADMSG}, {16, 15, -EBADMSG}, {4, 4, -EBADMSG}};

    for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++) {
        struct td_ring r = begin(0);
        struct seen s = {0};

        put(of[i].size);
        mapped.page.data_head = of[i].there;
        CU_ASSERT_EQUAL(td_ring_take(&r, see, &s), of[i].err);
        CU_ASSERT_EQUAL(s.n, !of[i].err);
        td_ring_unmap(&r, &os);
    }
}

/* What ends the taking is the last that was taken. */
static void ended(void)
{
    struct td_ring r = begin(160);
    struct seen s = {.err = -ENOSPC};

    put(24);
    put(32);
    CU_ASSERT_EQUAL(td_ring_take(&r, see, &s), -ENOSPC);
    CU_ASSERT(s.n == 1 && mapped.page.data_tail == 184);
    td_ring_unmap(&r, &os);
}

static void mapping(void)
{
    struct td_ring r = begin(0);

    unmapped = 0;
    CU_ASSERT(r.page == &mapped.page && r.size == sizeof(mapped));
    td_ring_unmap(&r, &os);
    CU_ASSERT(unmapped == 1 && !r.page && !r.bounce);
    td_ring_unmap(&r, &os);
    CU_ASSERT_EQUAL(unmapped, 1);
    map_err = -EPERM;
    CU_ASSERT_EQUAL(td_ring_map(&r, &os, 7, PAGES), -EPERM);
    CU_ASSERT(!r.page && !r.bounce);
    td_ring_unmap(&r, &os);
    CU_ASSERT_EQUAL(unmapped, 1);
}

static const CU_TestInfo tests[] = {
    {"records", records}, {"broken", broken}, {"ended", ended}, {"mapping", mapping}, CU_TEST_INFO_NULL,
};
UNIT_SUITE("rings of records", tests);
