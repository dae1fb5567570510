/* SPDX-License-Identifier: MIT */
/* What kernel.perf_event_paranoid leaves to a process, as the kernel's trial of an event of its own tells. */
#include "live/rights.h"
#include "tests/support/fake_os.h"
#include "tests/support/unit.h"

#include <errno.h>
#include <linux/perf_event.h>

static int answer; /* to opening an event: a descriptor, or an error */
static int opened, closed;

/* The event is one that no kernel of kernel.org refuses: a software event of the process itself in user mode. */
static int open_event(void *ctx, const struct perf_event_attr *a, pid_t pid, int cpu, int group, unsigned long flags)
{
    (void)ctx;
    opened++;
    CU_ASSERT(a->type == PERF_TYPE_SOFTWARE && a->config == PERF_COUNT_SW_DUMMY && a->size == sizeof(*a));
    CU_ASSERT(a->disabled && a->exclude_kernel && a->exclude_hv && !a->exclude_user && !a->inherit);
    CU_ASSERT(pid == 0 && cpu == -1 && group == -1 && flags == PERF_FLAG_FD_CLOEXEC);
    return answer;
}

static int close_event(void *ctx, int fd)
{
    (void)ctx;
    CU_ASSERT_EQUAL(fd, answer);
    closed++;
    return 0;
}

static void begin(struct fake_os *f)
{
    fake_begin(f);
    f->os.perf_open = open_event;
    f->os.close = close_event;
    opened = closed = 0;
}

/* 2 is the last value that means something at kernel.org; 100 stands for one that cannot be read. */
static void shut(void)
{
    static const struct {
        int paranoid, answer;
        bool tried, shut;
    } rows[] = {
        {-1, -EACCES, false, false},  {1, -EACCES, false, false}, {2, -EACCES, false, false},
        {3, -EACCES, true, true},     {4, -EACCES, true, true},   {99, -EACCES, true, true},
        {100, -EACCES, false, false}, {101, -EACCES, true, true}, {3, -EPERM, true, false},
        {3, -ENOSYS, true, false},    {3, 5, true, false},        {3, 0, true, false},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct fake_os f;
        struct td_host h = {.paranoid = rows[i].paranoid};

        begin(&f);
        h.os = &f.os;
        answer = rows[i].answer;
        CU_ASSERT_EQUAL(td_rights_shut(&h), rows[i].shut);
        CU_ASSERT_EQUAL(opened, rows[i].tried);
        CU_ASSERT_EQUAL(closed, rows[i].tried && answer >= 0);
        CU_ASSERT_EQUAL(td_rights_trial(&f.os), answer < 0 ? answer : 0);
    }
}

/* What a sibling thread does may be counted at 0 and below, or with CAP_PERFMON (bit 38) or CAP_SYS_ADMIN (bit 21). */
static void any_thread(void)
{
    static const struct {
        int paranoid;
        const char *capabilities;
        bool may;
    } rows[] = {
        {-1, "0", true},          {0, "0", true},          {1, "0", false},      {2, "0", false},
        {1, "4000000000", true},  {2, "4000000000", true}, {1, "200000", true},  {1, "8000000000", false},
        {1, "2000000000", false}, {1, "400000", false},    {1, "100000", false}, {1, "ffffffbfffdfffff", false},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct fake_os f;
        struct td_host h = {.paranoid = rows[i].paranoid};
        char status[100];

        begin(&f);
        h.os = &f.os;
        snprintf(status, sizeof(status), "Name:\tx\nCapEff:\t%s\n", rows[i].capabilities);
        fake_put(&f, status, "/proc/self/status");
        fake_put(&f, "         0          0 4294967295\n", "/proc/self/uid_map");
        CU_ASSERT_EQUAL(td_rights_any_thread(&h), rows[i].may);
    }
}

static const CU_TestInfo tests[] = {
    {"kernels that refuse even that", shut},
    {"what siblings do", any_thread},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("rights", tests);
