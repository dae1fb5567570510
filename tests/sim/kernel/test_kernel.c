/* SPDX-License-Identifier: MIT */
/* The rules of the simulated kernel: groups, metrics, counters, and what counts when. */
#include "tests/support/sim_text.h"

static void counting(void)
{
    struct sim_reading r;
    int fd;

    if (!begin(BUSY))
        return;
    fd = open_on(0xc2, 0, -1);
    CU_ASSERT_EQUAL(open_on(0x3c, 0, fd), fd + 1);
    CU_ASSERT_EQUAL(pass(1000), TD_OS_TIME); /* disabled: nothing counts, no time runs */
    CU_ASSERT_EQUAL(ioctl_group(fd, PERF_EVENT_IOC_ENABLE), 0);
    pass(1000);
    CU_ASSERT_EQUAL(take(fd, &r), 5 * 8); /* the read itself takes 1 us */
    CU_ASSERT_TRUE(r.n == 2 && r.enabled == 1000001000 && r.running == 1000001000);
    CU_ASSERT_TRUE(r.value[0] == 500000500 && r.value[1] == 250000250);
    ioctl_group(fd, PERF_EVENT_IOC_DISABLE);
    pass(1000);
    take(fd, &r);
    CU_ASSERT_TRUE(r.enabled == 1000002000 && r.value[0] == 500001000);
    ioctl_group(fd, PERF_EVENT_IOC_RESET);
    take(fd, &r);
    CU_ASSERT_TRUE(r.enabled == 1000002000 && r.value[0] == 0 && r.value[1] == 0);
    end();
}

/* 0.2 is 51/255 and 0.4 is 102/255 exactly. */
static void metrics(void)
{
    struct sim_reading r, later;
    int fd;

    if (!begin(BUSY))
        return;
    fd = open_metrics(0);
    ioctl_group(fd, PERF_EVENT_IOC_ENABLE);
    pass(1000);
    CU_ASSERT_EQUAL(take(fd, &r), 12 * 8);
    CU_ASSERT_TRUE(r.n == 9 && r.value[0] == 1000001000 && r.value[1] == 200000200 && r.value[4] == 400000400 &&
                   r.value[8] == 200000200);
    CU_ASSERT_EQUAL(take(fd + 3, &later), 12 * 8); /* through any of them; 1000 slots later */
    CU_ASSERT_TRUE(later.value[0] == 1000002000 && later.value[1] == 200000400);
    end();
}

/* Each reading cuts slots * field / 255 to an integer, and starts from zero. */
static void reading_resets(void)
{
    struct sim_reading r;
    int fd;

    if (!begin(
            MAGIC
            "cpus 0\npmu cpu type=4 cpus=0 general=2 fixed=0-3 metrics=4 rounding=truncate\nworkload w rate=1001000000\n"
            "phase ms=1000 retiring=0.5 bad=0.25 frontend=0.25 backend=0\nrun w cpus=0\n"))
        return;
    fd = open_on(SLOTS, 0, -1);
    open_on(RETIRING, 0, fd);
    ioctl_group(fd, PERF_EVENT_IOC_ENABLE);
    for (int i = 0; i < 3; i++)
        take(fd, &r); /* 1001 slots: field 127 of 255, 498.5 */
    CU_ASSERT_TRUE(r.value[0] == 3003 && r.value[1] == 3 * 498);
    end();
}

static void metric_rules(void)
{
    struct perf_event_attr attr = attr_of(RETIRING);
    int slots, other;

    if (!begin(BUSY))
        return;
    slots = open_on(SLOTS, 0, -1);
    other = open_on(0xc2, 0, -1);
    CU_ASSERT_EQUAL(open_on(RETIRING, 0, -1), -EINVAL); /* alone */
    CU_ASSERT_EQUAL(open_on(RETIRING, 0, other), -EINVAL); /* another leader */
    CU_ASSERT_EQUAL(open_on(RETIRING, 1, slots), -EINVAL); /* another CPU */
    CU_ASSERT_EQUAL(open_on(RETIRING | 1 << 18, 0, slots), -EINVAL); /* edge */
    attr.config1 = 1;
    CU_ASSERT_EQUAL(os->perf_open(os->ctx, &attr, -1, 0, slots, 0), -EINVAL);
    attr.config1 = 0;
    attr.sample_period = 1000;
    CU_ASSERT_EQUAL(os->perf_open(os->ctx, &attr, -1, 0, slots, 0), -EINVAL);
    attr.config = SLOTS;
    other = os->perf_open(os->ctx, &attr, -1, 1, -1, 0);
    CU_ASSERT_TRUE(other > 0); /* slots alone may sample, but can then lead no metrics */
    CU_ASSERT_EQUAL(open_on(RETIRING, 1, other), -EINVAL);
    CU_ASSERT_TRUE(open_on(RETIRING, 0, slots) > 0);
    CU_ASSERT_EQUAL(open_on(RETIRING, 0, slots), -EINVAL); /* a metric exists only once in a group */
    CU_ASSERT_EQUAL(open_on(0x8800, 0, slots) > 0, true); /* not a metric: an event that counts nothing */
    end();
    if (!begin(MAGIC "cpus 0\npmu cpu type=4 cpus=0 general=2 fixed=0-3 metrics=4\n"))
        return;
    slots = open_on(SLOTS, 0, -1);
    CU_ASSERT_TRUE(open_on(0x8300, 0, slots) > 0);
    CU_ASSERT_EQUAL(open_on(0x8400, 0, slots), -EINVAL); /* level 2 on Ice Lake */
    end();
}

/* Slots that already run started at -(2^47 - 1). */
static void metrics_join_late(void)
{
    struct sim_reading r;
    int fd;

    if (!begin(BUSY))
        return;
    fd = open_on(SLOTS, 0, -1);
    ioctl_group(fd, PERF_EVENT_IOC_ENABLE);
    open_on(RETIRING, 0, fd);
    take(fd, &r);
    CU_ASSERT_TRUE(r.value[0] > UINT64_C(1) << 47);
    end();
}

/* No group is taken that can never have its counters together. */
static void groups_that_never_fit(void)
{
    int fd;

    if (!begin(BIG))
        return;
    fd = open_on(0xc2, 0, -1);
    CU_ASSERT_TRUE(open_on(0x10e, 0, fd) > 0);
    CU_ASSERT_EQUAL(open_on(0x1c2, 0, fd), -EINVAL); /* two general counters */
    CU_ASSERT_TRUE(open_on(0xc0, 0, fd) > 0); /* fixed 0, */
    CU_ASSERT_TRUE(open_on(0x3c, 0, fd) > 0); /* fixed 1 */
    CU_ASSERT_EQUAL(open_on(0x3c, 0, fd), -EINVAL); /* and no general one left for it */
    CU_ASSERT_TRUE(open_on(0x300, 0, fd) > 0);
    end();
    if (!begin(MAGIC
               "cpus 0\npmu cpu type=4 cpus=0 general=4 fixed=0-2\nworkload w rate=1000000000\nphase ms=10 " SHARES
               "count 0x4a4 0.1 on=0\ncount 0x8a4 0.1 on=0\n"))
        return;
    fd = open_on(0x4a4, 0, -1);
    CU_ASSERT_EQUAL(open_on(0x8a4, 0, fd), -EINVAL);
    CU_ASSERT_EQUAL(open_on(SLOTS, 0, -1), -EINVAL); /* no fixed 3 */
    end();
}

/* Three groups of two events, two counters: 4 ms each. */
static void multiplexing(void)
{
    struct sim_reading r;
    int fd[3];

    if (!begin(BUSY))
        return;
    for (size_t i = 0; i < 3; i++) {
        fd[i] = open_on(0xc2, 0, -1);
        open_on(0x10e, 0, fd[i]);
    }
    for (size_t i = 0; i < 3; i++)
        ioctl_group(fd[i], PERF_EVENT_IOC_ENABLE);
    pass(120); /* ten rounds */
    for (size_t i = 0; i < 3; i++) {
        take(fd[i], &r);
        CU_ASSERT_TRUE(r.running > 39 * MSEC && r.running < 41 * MSEC && r.enabled > 120 * MSEC);
        CU_ASSERT_TRUE(r.value[0] == r.running / 2 && r.value[1] == r.running / 4);
    }
    end();
}

static void taken_counters(void)
{
    struct sim_reading r;
    int fd;

    if (!begin(MAGIC "cpus 0\npmu cpu type=4 cpus=0 general=2 fixed=0-3 taken=1\n" WORK COUNTS "run w cpus=0\n"))
        return;
    fd = open_on(0xc2, 0, -1);
    CU_ASSERT_TRUE(open_on(0x10e, 0, fd) > 0); /* on an empty PMU it could be counted */
    ioctl_group(fd, PERF_EVENT_IOC_ENABLE);
    pass(100);
    take(fd, &r);
    CU_ASSERT_TRUE(r.enabled > 100 * MSEC && r.running == 0 && r.value[0] == 0);
    end();
}

static void leaders_close(void)
{
    struct td_sim_calls calls;
    struct sim_reading r;
    int fd, cycles;

    if (!begin(BUSY))
        return;
    fd = open_metrics(0);
    cycles = open_on(0x3c, 0, fd);
    ioctl_group(fd, PERF_EVENT_IOC_ENABLE);
    pass(10);
    CU_ASSERT_EQUAL(os->close(os->ctx, fd), 0);
    CU_ASSERT_EQUAL(take(fd, &r), -EBADF);
    CU_ASSERT_EQUAL(take(fd + 1, &r), 0); /* a metric without slots is in error */
    pass(10);
    CU_ASSERT_EQUAL(take(cycles, &r), 4 * 8); /* the others continue on their own */
    CU_ASSERT_TRUE(r.n == 1 && r.enabled > 20 * MSEC && r.value[0] > 5 * MSEC);
    td_sim_calls(sim, &calls);
    CU_ASSERT_TRUE(calls.open_fds == 9 && calls.perf_open == 10 && calls.close == 1 && calls.read == 3 &&
                   calls.ioctl == 1);
    end();
}

static void buffers(void)
{
    struct perf_event_attr attr = attr_of(0xc2);
    uint64_t out[4];
    int fd;

    if (!begin(BUSY))
        return;
    attr.read_format |= PERF_FORMAT_ID;
    fd = os->perf_open(os->ctx, &attr, -1, 0, -1, 0);
    CU_ASSERT_EQUAL(os->read(os->ctx, fd, out, 3 * 8), -ENOSPC);
    CU_ASSERT_EQUAL(os->read(os->ctx, fd, out, sizeof(out)), 4 * 8);
    CU_ASSERT_EQUAL(os->read(os->ctx, 99, out, sizeof(out)), -EBADF);
    CU_ASSERT_EQUAL(os->close(os->ctx, 99), -EBADF);
    CU_ASSERT_EQUAL(open_on(0xc2, 0, -1), fd + 1);
    CU_ASSERT_EQUAL(open_on(0xc2, 0, -1), fd + 2);
    os->close(os->ctx, fd + 1);
    os->close(os->ctx, fd);
    /* the lowest */
    CU_ASSERT_TRUE(open_on(0xc2, 0, -1) == fd && open_on(0xc2, 0, -1) == fd + 1 && open_on(0xc2, 0, -1) == fd + 3);
    end();
}

static void hybrids(void)
{
    struct perf_event_attr attr = attr_of(0xc2);
    struct sim_reading big, small;
    int p, e;

    if (!begin(HYBRID "task 7 x w cpus=0,2 slice=5\n"))
        return;
    p = open_task(0xc2, 7, -1);
    attr.type = 8;
    attr.read_format |= PERF_FORMAT_GROUP;
    e = os->perf_open(os->ctx, &attr, 7, -1, -1, 0);
    CU_ASSERT_EQUAL(os->perf_open(os->ctx, &attr, -1, 0, -1, 0), -ENOENT);
    CU_ASSERT_TRUE(os->perf_open(os->ctx, &attr, -1, 3, -1, 0) > 0);
    CU_ASSERT_EQUAL(os->perf_open(os->ctx, &attr, 7, -1, p, 0), -EINVAL); /* two PMUs in a group */
    CU_ASSERT_EQUAL(open_on(0xc2, 2, -1), -ENOENT);
    attr.type = 9;
    CU_ASSERT_EQUAL(os->perf_open(os->ctx, &attr, 7, -1, -1, 0), -ENOENT);
    pass(100);
    take(p, &big);
    take(e, &small);
    CU_ASSERT_TRUE(big.enabled > 99 * MSEC && big.running > 49 * MSEC && big.running < 51 * MSEC);
    CU_ASSERT_TRUE(small.running > 49 * MSEC && small.running < 51 * MSEC);
    CU_ASSERT_TRUE(big.value[0] == big.running / 2 && small.value[0] == small.running / 4);
    end();
}

/* The registers go with the task; a count that runs backwards is dropped. */
static void tasks_move(void)
{
    struct sim_reading r;
    uint64_t sum;
    int fd;

    if (!begin(
            MAGIC
            "cpus 0-1\npmu cpu type=4 cpus=0-1 general=2 fixed=0-3 metrics=4\nworkload w rate=1000000000\n"
            "phase ms=100 retiring=1 bad=0 frontend=0 backend=0\nphase ms=100 retiring=0 bad=0 frontend=0 backend=1\n"
            "task 7 x w cpus=0,1 slice=10\n"))
        return;
    fd = open_task(SLOTS, 7, -1);
    ioctl_group(fd, PERF_EVENT_IOC_DISABLE);
    for (uint64_t i = 0; i < 4; i++)
        open_task(RETIRING + 0x100 * i, 7, fd);
    ioctl_group(fd, PERF_EVENT_IOC_ENABLE);
    pass(200);
    take(fd, &r);
    sum = r.value[1] + r.value[2] + r.value[3] + r.value[4];
    CU_ASSERT_TRUE(r.value[0] == r.enabled && r.running == r.enabled);
    CU_ASSERT_TRUE(sum >= r.value[0] - 4 && sum < r.value[0] + r.value[0] / 20); /* upwards, by a few 255ths */
    CU_ASSERT_TRUE(r.value[1] >= 99 * MSEC && r.value[4] >= 99 * MSEC);
    end();
}

/* A busy sibling takes half of the slots, but no cycles. */
static void siblings(void)
{
    static const uint64_t configs[] = {0xc2, 0x3c, 0x20003c, 0x23c};
    uint64_t alone[4], shared[4], other[4];
    struct sim_reading r;

    for (int both = 0; both < 2; both++) {
        int fd[2];

        if (!begin(
                both ? MAGIC
                    "cpus 0-1 smt=2\npmu cpu type=4 cpus=0-1 general=4 fixed=0-2\n" WORK
                    "count 0xc2 0.5\ncount 0x3c 0.25 clock\ncount 0x20003c 0.25 core\ncount 0x23c 0.125 alone\nrun w cpus=0-1\n"
                     : MAGIC
                    "cpus 0-1 smt=2\npmu cpu type=4 cpus=0-1 general=4 fixed=0-2\n" WORK
                    "count 0xc2 0.5\ncount 0x3c 0.25 clock\ncount 0x20003c 0.25 core\ncount 0x23c 0.125 alone\nrun w cpus=0\n"))
            return;
        for (int cpu = 0; cpu < 2; cpu++) {
            fd[cpu] = open_on(configs[0], cpu, -1);
            for (size_t i = 1; i < 4; i++)
                open_on(configs[i], cpu, fd[cpu]);
            ioctl_group(fd[cpu], PERF_EVENT_IOC_ENABLE);
        }
        pass(1000);
        take(fd[0], &r);
        memcpy(both ? shared : alone, r.value, sizeof(alone));
        take(fd[1], &r);
        if (!both)
            memcpy(other, r.value, sizeof(other));
        end();
    }
    CU_ASSERT_TRUE(alone[0] / 1000000 == 500 && alone[1] / 1000000 == 250 && alone[2] / 1000000 == 250 &&
                   alone[3] / 1000000 == 125);
    CU_ASSERT_TRUE(other[0] == 0 && other[1] == 0 && other[2] / 1000000 == 250 && other[3] == 0);
    CU_ASSERT_TRUE(shared[0] / 1000000 == 250 && shared[1] / 1000000 == 250 && shared[2] / 1000000 == 250 &&
                   shared[3] == 0);
}

static void generic_events(void)
{
    struct perf_event_attr attr = attr_of(PERF_COUNT_HW_CPU_CYCLES);
    uint64_t out[3];
    int fd;

    if (!begin(BUSY))
        return;
    attr.type = PERF_TYPE_HARDWARE;
    fd = os->perf_open(os->ctx, &attr, -1, 0, -1, 0);
    pass(8);
    CU_ASSERT_EQUAL(os->read(os->ctx, fd, out, sizeof(out)), 3 * 8);
    CU_ASSERT_TRUE(out[0] == 2 * MSEC + 250);
    attr.config = PERF_COUNT_HW_CACHE_MISSES;
    CU_ASSERT_EQUAL(os->perf_open(os->ctx, &attr, -1, 0, -1, 0), -ENOENT);
    attr.type = PERF_TYPE_SOFTWARE;
    attr.config = PERF_COUNT_SW_CPU_CLOCK;
    fd = os->perf_open(os->ctx, &attr, -1, 0, -1, 0);
    pass(8);
    os->read(os->ctx, fd, out, sizeof(out));
    CU_ASSERT_TRUE(out[0] == 8 * MSEC + 1000 && out[1] == out[0]);
    end();
}

static const CU_TestInfo tests[] = {
    {"ordinary events count", counting},
    {"slots and metrics", metrics},
    {"a read resets the registers", reading_resets},
    {"rules of the metrics", metric_rules},
    {"a metric that joins late", metrics_join_late},
    {"groups that never fit", groups_that_never_fit},
    {"multiplexing", multiplexing},
    {"counters of somebody else", taken_counters},
    {"a leader closes", leaders_close},
    {"buffers and descriptors", buffers},
    {"hybrids", hybrids},
    {"tasks move", tasks_move},
    {"siblings", siblings},
    {"generic events", generic_events},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("kernel", tests);
