/* SPDX-License-Identifier: MIT */
/* Event pages of the simulated kernel and the counters that they show. The
 * workload makes 1 slot per ns: 0.2 of them are 51/255, 0.4 are 102/255. */
#include "tests/support/read_self.h"

#include <pthread.h>

#define FIELDS UINT64_C(0x3333333366333333)

static uint64_t rdpmc(uint32_t ecx)
{
    uint64_t value = 0;

    CU_ASSERT_EQUAL(td_sim_rdpmc(sim, ecx, &value), 0);
    return value;
}

static uint64_t mrs(uint32_t n)
{
    uint64_t value = 0;

    CU_ASSERT_EQUAL(td_sim_mrs(sim, n, &value), 0);
    return value;
}

static uint64_t count_of(const struct perf_event_mmap_page *p)
{
    uint64_t n = 0;

    CU_ASSERT_TRUE(read_count(p, rdpmc, &n));
    return n;
}

static bool topdown_is(const struct perf_event_mmap_page *p, uint64_t slots, uint64_t metrics)
{
    uint64_t s = 0, m = 0;

    return read_topdown(p, rdpmc, &s, &m) && s == slots && m == metrics;
}

/* Read by instruction and by read(2); only the thread's own instructions count. */
static void ordinary(void)
{
    struct perf_event_mmap_page *p, *fixed;
    struct sim_reading r;
    int fd;

    if (!begin(BIG SPIN))
        return;
    fd = open_self(0xc2, -1);
    p = map_fd(fd);
    fixed = map_fd(open_self(0x3c, fd));
    CU_ASSERT_TRUE(p->cap_user_rdpmc && p->cap_bit0_is_deprecated && !p->cap_user_time && p->pmc_width == 48);
    CU_ASSERT_TRUE(p->index == 1 && fixed->index == 0x40000002 && !(p->lock & 1));
    CU_ASSERT_EQUAL(count_of(p), 0);
    CU_ASSERT_EQUAL(rdpmc(0), (UINT64_C(1) << 47) + 1); /* -(2^47 - 1), as the kernel starts a counter */
    CU_ASSERT_EQUAL(td_sim_self_run(sim, 1000), 0);
    CU_ASSERT_TRUE(count_of(p) == 500 && count_of(fixed) == 250 && true_slots(4) == 1000);
    take(fd, &r);
    CU_ASSERT_TRUE(r.value[0] == 500 && r.value[1] == 250 && count_of(p) == 500);
    os->spin(os->ctx, 1000);
    CU_ASSERT_TRUE(count_of(p) == 1000 && true_slots(4) == 2000);
    end();
}

static void topdown(void)
{
    struct perf_event_mmap_page *p, *metric;
    int fd;

    if (!begin(BIG SPIN))
        return;
    fd = open_metrics_of(0);
    p = map_fd(fd);
    metric = map_fd(fd + 8);
    CU_ASSERT_TRUE(p->index == SLOTS_INDEX && metric->index == METRICS_INDEX);
    CU_ASSERT_TRUE(topdown_is(p, 0, 0));
    td_sim_self_run(sim, 1000000);
    CU_ASSERT_TRUE(topdown_is(p, 1000000, FIELDS));
    CU_ASSERT_EQUAL(true_slots(4), 1000000);
    end();
}

/* The registers go with the thread, even if another task uses them meanwhile. */
static void switches(void)
{
    struct perf_event_mmap_page *p, *c;
    struct sim_reading r;
    uint32_t lock;
    int fd, other;

    if (!begin(BIG "spin w cpus=0\ntask 7 x w cpus=0\n"))
        return;
    other = open_metrics_of(7);
    fd = open_metrics_of(0);
    p = map_fd(fd);
    c = map_fd(open_self(0xc2, fd));
    td_sim_self_run(sim, 1000000);
    lock = p->lock;
    CU_ASSERT_EQUAL(td_sim_self_away(sim, 5000), 0);
    CU_ASSERT_EQUAL(p->lock, lock + 4); /* off and on */
    CU_ASSERT_TRUE(topdown_is(p, 1000000, FIELDS) && count_of(c) == 500000);
    td_sim_self_run(sim, 255);
    CU_ASSERT_TRUE(topdown_is(p, 1000255, FIELDS));
    CU_ASSERT_EQUAL(true_slots(4), 1000255);
    take(other, &r);
    CU_ASSERT_EQUAL(r.value[0], 16000); /* 5 us, and the 11 calls until the thread took the CPU */
    end();
}

/* A read(2) sets both registers to zero and no page shows it; a reset changes the page. */
static void resets(void)
{
    struct perf_event_mmap_page *p, *c;
    struct sim_reading r;
    uint64_t raw;
    uint32_t lock;
    int fd;

    if (!begin(BIG SPIN))
        return;
    fd = open_metrics_of(0);
    p = map_fd(fd);
    c = map_fd(open_self(0xc2, fd));
    td_sim_self_run(sim, 1000);
    lock = p->lock;
    take(fd + 3, &r);
    CU_ASSERT_TRUE(p->lock == lock && r.value[0] == 1000 && r.value[9] == 500);
    CU_ASSERT_TRUE(topdown_is(p, 0, 0) && count_of(c) == 500);
    td_sim_self_run(sim, 255);
    CU_ASSERT_TRUE(topdown_is(p, 255, FIELDS));
    raw = rdpmc(0);
    ioctl_group(fd, PERF_EVENT_IOC_RESET);
    CU_ASSERT_EQUAL(rdpmc(0), raw); /* the offset changes, not the counter */
    CU_ASSERT_TRUE(p->lock != lock && topdown_is(p, 0, 0) && count_of(c) == 0);
    td_sim_self_run(sim, 100);
    CU_ASSERT_TRUE(count_of(c) == 50 && r.value[0] == 1000);
    take(fd, &r);
    CU_ASSERT_TRUE(r.value[0] == 100 && r.value[9] == 50);
    ioctl_group(fd, PERF_EVENT_IOC_DISABLE);
    td_sim_self_run(sim, 1000);
    map_fd(fd + 9); /* this writes the page again */
    CU_ASSERT_TRUE(!read_count(c, rdpmc, &raw) && raw == 50);
    end();
}

/* Two groups for one counter: 4 ms each, and index 0 in between. */
static void rotation(void)
{
    struct perf_event_mmap_page *p[2];
    uint64_t slots, metrics;
    unsigned on[2] = {0, 0};

    if (!begin(BIG SPIN))
        return;
    for (size_t i = 0; i < 2; i++)
        p[i] = map_fd(open_metrics_of(0));
    for (unsigned i = 0; i < 80; i++) {
        bool first = read_topdown(p[0], rdpmc, &slots, &metrics);

        on[0] += first;
        on[1] += read_topdown(p[1], rdpmc, &slots, &metrics);
        CU_ASSERT_TRUE(p[first]->index == 0); /* the other one */
        td_sim_self_run(sim, MSEC);
    }
    CU_ASSERT_TRUE(on[0] + on[1] == 80 && on[0] == 40);
    end();
}

/* An event leaves its counter to one that can be on no other. */
static void moving(void)
{
    struct perf_event_mmap_page *p, *only;

    if (!begin(MAGIC "cpus 0\npmu cpu type=4 cpus=0 general=2\n" WORK "count 0xc2 0.5\ncount 0x4a4 0.25 on=0\n" SPIN))
        return;
    p = map_fd(open_self(0xc2, -1));
    CU_ASSERT_EQUAL(p->index, 1);
    td_sim_self_run(sim, 1000);
    only = map_fd(open_self(0x4a4, -1));
    CU_ASSERT_TRUE(p->index == 2 && only->index == 1);
    td_sim_self_run(sim, 1000);
    CU_ASSERT_TRUE(count_of(p) == 1000 && count_of(only) == 250);
    end();
}

static void migration(void)
{
    struct perf_event_attr attr = attr_of(0xc2);
    struct perf_event_mmap_page *p, *e;
    uint64_t slots, metrics, n = 0;

    if (!begin(HYBRID "spin w cpus=0-3\n"))
        return;
    p = map_fd(open_metrics_of(0));
    attr.type = 8;
    e = map_fd(os->perf_open(os->ctx, &attr, 0, -1, -1, 0));
    CU_ASSERT_EQUAL(os->here(os->ctx), 0);
    td_sim_self_run(sim, 2550);
    CU_ASSERT_EQUAL(td_sim_self_move(sim, 2), 0);
    CU_ASSERT_TRUE(os->here(os->ctx) == 2 && p->index == 0 && e->index == 1);
    CU_ASSERT_FALSE(read_topdown(p, rdpmc, &slots, &metrics));
    CU_ASSERT_EQUAL(td_sim_rdpmc(sim, READ_METRICS, &metrics), -ENXIO);
    CU_ASSERT_EQUAL(td_sim_rdpmc(sim, READ_SLOTS, &metrics), -ENXIO);
    td_sim_self_run(sim, 1000); /* at half the rate */
    CU_ASSERT_TRUE(count_of(e) == 250 && true_slots(8) == 500);
    CU_ASSERT_EQUAL(td_sim_self_move(sim, 1), 0);
    CU_ASSERT_FALSE(read_count(e, rdpmc, &n));
    CU_ASSERT_TRUE(n == 250 && topdown_is(p, 2550, FIELDS) && true_slots(4) == 2550);
    CU_ASSERT_EQUAL(td_sim_self_move(sim, 4), -EINVAL);
    CU_ASSERT_EQUAL(td_sim_self_move(sim, -1), -EINVAL);
    CU_ASSERT_EQUAL(td_sim_self_truth(sim, 9, &(struct td_pmu_truth){0}), -ENOENT);
    end();
}

/* Reading across zero before the overflow interrupt comes, and after it. */
static void overflows(void)
{
    struct perf_event_mmap_page *p;
    uint32_t lock;
    int fd;

    if (!begin(BIG SPIN))
        return;
    fd = open_self(0xc2, -1);
    p = map_fd(fd);
    td_sim_self_run(sim, 1000);
    lock = p->lock;
    CU_ASSERT_EQUAL(td_sim_counter_set(sim, fd, (UINT64_C(1) << 48) - 100), 0);
    CU_ASSERT_EQUAL(p->lock, lock + 2);
    CU_ASSERT_TRUE(rdpmc(0) == (UINT64_C(1) << 48) - 100 && count_of(p) == 500);
    lock = p->lock;
    td_sim_self_run(sim, 198);
    CU_ASSERT_TRUE(rdpmc(0) == (UINT64_C(1) << 48) - 1 && count_of(p) == 599);
    td_sim_self_run(sim, 202);
    CU_ASSERT_TRUE(rdpmc(0) == 100 && count_of(p) == 700 && p->lock == lock);
    td_sim_self_run(sim, 2000);
    CU_ASSERT_TRUE(rdpmc(0) >> 47 == 1 && count_of(p) == 1700 && p->lock == lock + 2);
    CU_ASSERT_EQUAL(td_sim_counter_set(sim, 99, 0), -EBADF);
    CU_ASSERT_EQUAL(td_sim_counter_set(sim, open_metrics_of(0), 0), -EINVAL);
    end();
}

struct writer {
    int fd;
    bool stop;
};

static void *write_on(void *arg)
{
    struct writer *w = arg;

    for (uint64_t i = 0; !__atomic_load_n(&w->stop, __ATOMIC_RELAXED); i++)
        td_sim_counter_set(sim, w->fd, i * UINT64_C(0x9e3779b97f4a7c15));
    return NULL;
}

/* The counter and the page change all the time; the count never does. */
static void seqlock(void)
{
    struct writer w = {0};
    struct perf_event_mmap_page *p;
    unsigned long wrong = 0;
    pthread_t thread;
    uint32_t lock;

    if (!begin(BIG SPIN))
        return;
    w.fd = open_self(0xc2, -1);
    p = map_fd(w.fd);
    td_sim_self_run(sim, 2468);
    lock = p->lock;
    CU_ASSERT_EQUAL(pthread_create(&thread, NULL, write_on, &w), 0);
    while (page_begin(p) == lock)
        ; /* until it writes */
    for (unsigned long i = unit_rounds(100000); i-- > 0;)
        wrong += count_of(p) != 1234;
    __atomic_store_n(&w.stop, true, __ATOMIC_RELAXED);
    pthread_join(thread, NULL);
    CU_ASSERT_EQUAL(wrong, 0);
    end();
}

static void arm(void)
{
    struct perf_event_mmap_page *p, *cycles, *large, *without;
    uint64_t n = 0;

    if (!begin(ARM ACCESS))
        return;
    CU_ASSERT_EQUAL(open_arm(0x3b, 2, 0), -EINVAL); /* of a CPU */
    without = map_fd(open_arm(0x3b, 0, -1));
    CU_ASSERT_EQUAL(td_sim_mrs(sim, 0, &n), -EPERM);
    p = map_fd(open_arm(0x3b, 2, -1));
    cycles = map_fd(open_arm(0x11, 2, -1));
    large = map_fd(open_arm(0x3b, 3, -1));
    CU_ASSERT_TRUE(without->index == 0 && !without->cap_user_rdpmc);
    CU_ASSERT_TRUE(p->index == 2 && p->pmc_width == 32 && cycles->index == 32 && large->pmc_width == 64);
    td_sim_self_run(sim, UINT64_C(24000) * MSEC); /* 1.2e10: the counters overflow several times */
    CU_ASSERT_TRUE(read_count(p, mrs, &n) && n == UINT64_C(12000000000));
    CU_ASSERT_TRUE(read_count(cycles, mrs, &n) && n == UINT64_C(6000000000));
    CU_ASSERT_TRUE(read_count(large, mrs, &n) && n == UINT64_C(12000000000));
    CU_ASSERT_EQUAL(mrs(1) >> 32, 0x5a5a5a5a); /* unknown, so it must not be used */
    CU_ASSERT_EQUAL(td_sim_mrs(sim, 6, &n), -ENXIO);
    CU_ASSERT_EQUAL(td_sim_mrs(sim, 30, &n), -ENXIO);
    CU_ASSERT_EQUAL(td_sim_rdpmc(sim, 0, &n), -ENXIO);
    end();
    if (!begin(ARM))
        return;
    CU_ASSERT_TRUE(file_is("/proc/sys/kernel/perf_user_access", "0\n"));
    p = map_fd(open_arm(0x3b, 2, -1));
    CU_ASSERT_TRUE(p->cap_user_rdpmc && p->index == 0);
    CU_ASSERT_EQUAL(td_sim_mrs(sim, 0, &n), -EPERM);
    end();
}

/* While the thread sleeps in wait(), its clock stops; in calls the clock goes on and nothing counts. */
static void sleeping(void)
{
    struct perf_event_mmap_page *p;
    struct sim_reading r, later;
    int fd;

    if (!begin(BUSY SPIN))
        return;
    fd = open_self(0xc2, -1);
    p = map_fd(fd);
    take(fd, &r);
    pass(10);
    take(fd, &later);
    CU_ASSERT_TRUE(later.enabled - r.enabled == 1000 && later.running - r.running == 1000 && later.value[0] == 0);
    CU_ASSERT_EQUAL(count_of(p), 0);
    CU_ASSERT_TRUE(p->time_enabled <= later.enabled && p->time_running == p->time_enabled);
    end();
    if (!begin(BIG))
        return;
    CU_ASSERT_EQUAL(td_sim_self_run(sim, 1), -ENODEV); /* without "spin" it has no workload, */
    fd = open_self(0xc2, -1);
    p = map_fd(fd);
    CU_ASSERT_TRUE(p->index == 1 && os->here(os->ctx) == 0 && count_of(p) == 0); /* but a CPU */
    end();
}

static const CU_TestInfo tests[] = {
    {"ordinary events", ordinary},
    {"slots and metrics", topdown},
    {"context switches", switches},
    {"read and reset", resets},
    {"rotation", rotation},
    {"moving to another counter", moving},
    {"migration between kinds of CPU", migration},
    {"overflows", overflows},
    {"a page that changes", seqlock},
    {"Arm", arm},
    {"sleeping", sleeping},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("event pages", tests);
