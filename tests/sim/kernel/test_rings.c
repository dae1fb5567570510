/* SPDX-License-Identifier: MIT */
/* Rings of samples: who waits for one, what finds no room in it, and who writes to whose. */
#include "tests/support/sim_sampling.h"

static int begin_rings(const char *description, unsigned bytes, unsigned samples)
{
    int rings;

    begin_sampling(description,
                   &(struct sampling){.pid = -1, .ring = RING, .watermark = bytes, .wakes_after = samples});
    rings = os->rings(os->ctx);
    CU_ASSERT_TRUE(rings >= 0);
    CU_ASSERT_EQUAL(os->rings_add(os->ctx, rings, now.fd[1]), 0);
    enable_with(25000 /* 100 us */, 50000);
    return rings;
}

static void close_rings(int rings)
{
    CU_ASSERT_EQUAL(os->close(os->ctx, rings), 0);
    close_sampling();
}

/* Each third sample of the second member wakes, at its time, and once; the first member's do not. */
static void woken_by_samples(void)
{
    const int rings = begin_rings(ON_CPU, 0, 3);
    uint64_t us;

    CU_ASSERT_EQUAL(wait_rings(rings, 10, &us), TD_OS_INPUT);
    CU_ASSERT_TRUE(us >= 597 && us <= 603);
    CU_ASSERT_EQUAL(wait_rings(rings, 10, &us), TD_OS_INPUT);
    CU_ASSERT_TRUE(us >= 597 && us <= 603);
    take_ring();
    CU_ASSERT_EQUAL(now.n, 12 + 6);
    close_rings(rings);
}

/* So many bytes wake, and half of the ring where none are asked for: 3 samples each 200 us, two of them at the end. */
static void woken_by_bytes(void)
{
    static const unsigned bytes[] = {1000, 0};

    for (size_t i = 0; i < 2; i++) {
        const uint64_t samples = (bytes[i] ? bytes[i] : 16 * PAGE / 2) / sizeof(struct sample) + 1;
        const int rings = begin_rings(ON_CPU, bytes[i], 0);
        uint64_t us;

        CU_ASSERT_EQUAL(wait_rings(rings, 100, &us), TD_OS_INPUT);
        take_ring();
        CU_ASSERT_TRUE(now.n == samples || now.n == samples + 1);
        CU_ASSERT_TRUE(us + 3 >= samples * 200 / 3 && us <= samples * 200 / 3 + 203);
        close_rings(rings);
    }
}

/* More than 1000 bytes are 6 samples, at 400 us; more than 2000 are 11, at 800 us. */
static void woken_again(void)
{
    const int rings = begin_rings(ON_CPU, 1000, 0);
    uint64_t us;

    for (int i = 0; i < 2; i++) {
        CU_ASSERT_EQUAL(wait_rings(rings, 10, &us), TD_OS_INPUT);
        CU_ASSERT_TRUE(us >= 397 && us <= 403);
    }
    close_rings(rings);
}

/* Nothing wakes who waits for a CPU that is idle, or for events that do not count; a wait for ever is refused. */
static void not_woken(void)
{
    int rings = begin_rings(ON_CPU, 1, 1);
    struct td_os_event e;
    uint64_t us;

    CU_ASSERT_EQUAL(os->perf_ioctl(os->ctx, now.fd[0], PERF_EVENT_IOC_DISABLE, 0), 0);
    wait_rings(rings, 1, &us);
    CU_ASSERT_EQUAL(wait_rings(rings, 7, &us), TD_OS_TIME);
    CU_ASSERT_EQUAL(us, 7000);
    close_rings(rings);
    rings = begin_rings(PROGRAM, 1, 1);
    CU_ASSERT_EQUAL(wait_rings(rings, 7, &us), TD_OS_TIME);
    CU_ASSERT_EQUAL(os->wait(os->ctx, UINT64_MAX, rings, &e), -EDEADLK);
    CU_ASSERT_EQUAL(os->rings_add(os->ctx, rings, 999), -EBADF);
    CU_ASSERT_EQUAL(os->rings_add(os->ctx, now.fd[0], now.fd[1]), -EINVAL);
    close_rings(rings);
}

/* The last record that is no sample: whose samples are lost, and what all such records end with. */
static void check_lost(void)
{
    const struct {
        struct perf_event_header header;
        uint64_t id, n;
        uint32_t pid, tid;
        uint64_t time, by;
        uint32_t cpu, reserved;
    } *r = (const void *)now.other[now.nother - 1];

    CU_ASSERT_TRUE(r->header.type == PERF_RECORD_LOST && !r->header.misc && r->header.size == sizeof(*r));
    CU_ASSERT_TRUE(r->id == now.id[1] && r->n == now.lost && !r->pid && !r->tid && r->by == now.id[1] && !r->cpu);
    CU_ASSERT_TRUE(r->time > now.sample[0].time && r->time <= os->now(os->ctx));
}

/* A ring that nobody empties: what finds no room is lost, and the next record says how many. */
static void lost(void)
{
    const size_t room = (2 * PAGE - 1) / sizeof(struct sample);

    begin_sampling(ON_CPU, &(struct sampling){.pid = -1, .ring = 3 * PAGE});
    enable_with(25000, 1u << 30);
    pass(10);
    take_ring();
    CU_ASSERT_TRUE(now.n == room && !now.lost_records);
    pass(2);
    take_ring();
    CU_ASSERT_TRUE(now.lost_records == 1 && now.n + now.lost == now.sample[now.n - 1].member[1].value / 25000);
    check_lost();
    for (int i = 0; i < 20; i++) { /* many times around */
        pass(2);
        take_ring();
    }
    CU_ASSERT_TRUE(now.lost_records == 1 && now.n + now.lost == now.sample[now.n - 1].member[1].value / 25000);
    close_sampling();
}

static int redirect(int fd, int to)
{
    return os->perf_ioctl(os->ctx, fd, PERF_EVENT_IOC_SET_OUTPUT, (unsigned long)to);
}

/* A ring of its own can be mapped by an event that does not write to another's: __perf_mmap() and
 * perf_event_set_output() of Linux kernel/events/core.c. */
static void redirected(void)
{
    struct perf_event_attr a;
    void *ring, *own;
    int fd[4];

    if (!begin(ON_CPU))
        return;
    a = attr_at(1, &of_cpu_0);
    for (size_t i = 0; i < 4; i++)
        fd[i] = os->perf_open(os->ctx, &a, -1, 0, -1, 0);
    CU_ASSERT_EQUAL(os->map(os->ctx, fd[0], RING, &ring), 0);
    for (size_t i = 1; i < 4; i++) {
        CU_ASSERT_EQUAL(redirect(fd[i], fd[0]), 0);
        CU_ASSERT_EQUAL(redirect(fd[i], fd[0]), 0);
    }
    CU_ASSERT_EQUAL(redirect(fd[1], -1), 0);
    CU_ASSERT_EQUAL(redirect(fd[2], fd[1]), 0);
    CU_ASSERT_EQUAL(os->map(os->ctx, fd[3], RING, &own), -EINVAL);
    os->unmap(os->ctx, ring, RING);
    os->close(os->ctx, fd[0]); /* ends: only the last one wrote to it */
    CU_ASSERT_EQUAL(os->map(os->ctx, fd[2], RING, &own), -EINVAL);
    CU_ASSERT_EQUAL(os->map(os->ctx, fd[3], RING, &own), 0);
    os->unmap(os->ctx, own, RING);
    os->close(os->ctx, fd[2]);
    os->close(os->ctx, fd[1]);
    os->close(os->ctx, fd[3]);
    end();
}

static CU_TestInfo tests[] = {
    {"who waits is woken by samples", woken_by_samples},
    {"who waits is woken by bytes", woken_by_bytes},
    {"who waits is woken each so many bytes", woken_again},
    {"nothing wakes without samples", not_woken},
    {"samples without room are lost, and counted", lost},
    {"events whose ring ends have none", redirected},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("rings of samples", tests);
