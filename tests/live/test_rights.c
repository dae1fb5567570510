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

/* ---- what a process may ---------------------------------------------------------------------------- */

#define FIRST "         0          0 4294967295\n"
enum { ADMIN = 1, PERFMON = 2, GRANTABLE = 4, SECCOMP = 8, NAMESPACE = 16, LOCKDOWN = 32, CONTAINER = 64 };

/* From the lines of /proc/self/status, the namespace's users, the kernel's lockdown and a container's marks.
 * CAP_PERFMON is bit 38, CAP_SYS_ADMIN bit 21. */
static void found(void)
{
    static const struct {
        const char *status, *uids, *lockdown, *mark;
        unsigned rights;
    } rows[] = {
        {NULL, NULL, NULL, NULL, GRANTABLE}, /* nothing is known */
        {"Name:\tx\n", FIRST, NULL, NULL, GRANTABLE},
        {"Name:\tx\nCapEff:\t0000000000200000\n", FIRST, NULL, NULL, ADMIN | GRANTABLE},
        {"Name:\tx\nCapEff:\t0000004000000000\n", FIRST, NULL, NULL, PERFMON | GRANTABLE},
        {"Name:\tx\nCapEff:\t000001ffffffffff\n", FIRST, NULL, NULL, ADMIN | PERFMON | GRANTABLE},
        {"Name:\tx\nCapEff:\t000001ffffffffff\n", NULL, NULL, NULL, ADMIN | PERFMON | GRANTABLE},
        {"Name:\tx\nCapEff:\t000001ffffffffff\n", "0 1000 1\n", NULL, NULL, NAMESPACE},
        {"Name:\tx\nCapEff:\t0\n", "1 0 4294967295\n", NULL, NULL, NAMESPACE},
        {"Name:\tx\nCapEff:\t0\n", "0 0 4294967294\n", NULL, NULL, NAMESPACE},
        {"Name:\tx\nCapPrm:\t0000004000000000\nCapEff:\t0\n", FIRST, NULL, NULL, GRANTABLE}, /* none in force */
        {"Name:\tx\nCapBnd:\t000001bfffffffff\n", FIRST, NULL, NULL, 0},
        {"Name:\tx\nCapBnd:\t0000004000000000\n", FIRST, NULL, NULL, GRANTABLE},
        {"Name:\tx\nNoNewPrivs:\t1\n", FIRST, NULL, NULL, 0},
        {"Name:\tx\nNoNewPrivs:\t0\nSeccomp:\t2\n", FIRST, NULL, NULL, GRANTABLE | SECCOMP},
        {"Name:\tx\nSeccomp:\t0\n", FIRST, "none [integrity] confidentiality\n", NULL, GRANTABLE},
        {"Name:\tx\n", FIRST, "none integrity [confidentiality]\n", NULL, GRANTABLE | LOCKDOWN},
        {"Name:\tx\n", FIRST, NULL, "/.dockerenv", GRANTABLE | CONTAINER},
        {"Name:\tx\n", FIRST, NULL, "/run/.containerenv", GRANTABLE | CONTAINER},
        {"Name:\tx\n", FIRST, NULL, "/run/systemd/container", GRANTABLE | CONTAINER},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct fake_os f;
        struct td_rights r;

        begin(&f);
        fake_put(&f, rows[i].status, "/proc/self/status");
        fake_put(&f, rows[i].uids, "/proc/self/uid_map");
        fake_put(&f, rows[i].lockdown, "/sys/kernel/security/lockdown");
        if (rows[i].mark)
            fake_put(&f, "x\n", "%s", rows[i].mark);
        td_rights_find(&f.os, &r);
        CU_ASSERT_EQUAL((r.admin ? ADMIN : 0) | (r.perfmon ? PERFMON : 0) | (r.grantable ? GRANTABLE : 0) |
                            (r.seccomp ? SECCOMP : 0) | (r.user_namespace ? NAMESPACE : 0) |
                            (r.lockdown ? LOCKDOWN : 0) | (r.container ? CONTAINER : 0),
                        (int)rows[i].rights);
        CU_ASSERT_EQUAL(r.capable, (rows[i].rights & (ADMIN | PERFMON)) != 0);
    }
}

static const CU_TestInfo tests[] = {
    {"kernels that refuse even that", shut},
    {"what siblings do", any_thread},
    {"what a process may", found},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("rights", tests);
