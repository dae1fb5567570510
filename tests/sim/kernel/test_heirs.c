/* SPDX-License-Identifier: MIT */
/* Counts and samples of events that threads and children inherit. */
#include "tests/support/sim_sampling.h"

/* A process of 20 ms on CPU 0, its thread of 10 ms from 5 ms on, and its child of 3 ms from 8 ms on. 250 cycles are a
 * us. */
static const char *const family = PROGRAM_OF(
    "0-2") "command w ms=20 cpus=0 name=app\nstart w at=5 ms=10 cpus=1 thread\nstart w at=8 ms=3 cpus=2 name=kid\n";

static uint64_t read_cycles(int fd, uint64_t id)
{
    uint64_t values[3 + 2 * MEMBERS];

    CU_ASSERT_EQUAL_FATAL(os->read(os->ctx, fd, values, sizeof(values)), (ssize_t)sizeof(values));
    CU_ASSERT_EQUAL(values[4], id);
    return values[5];
}

/* All samples on a CPU are of one thread, and each has what that thread has counted since it began. */
static void check_heir(uint32_t cpu, uint32_t pid, uint32_t tid, uint64_t ms)
{
    CU_ASSERT_EQUAL(now.n, ms * 10);
    for (size_t i = 0; i < now.n; i++) {
        const struct sample *s = &now.sample[i];

        CU_ASSERT_TRUE(s->pid == pid && s->tid == tid && s->cpu == cpu && s->id == now.id[1]);
        CU_ASSERT_EQUAL(s->member[1].value, 25000 * (i + 1));
        CU_ASSERT_EQUAL(s->member[0].value, 100000 * (i + 1));
        CU_ASSERT_EQUAL(s->member[1].id, now.id[1]);
        CU_ASSERT_TRUE(s->enabled == s->running && s->running == MSEC / 10 * (i + 1));
    }
}

/* Starts the program with an inherited group. A period: there is a ring, too. */
static pid_t begin_inherited(const char *text, int cpu, uint64_t period)
{
    char *const argv[] = {"app", NULL};
    pid_t pid;

    CU_ASSERT_TRUE_FATAL(begin(text));
    pid = os->spawn(os->ctx, argv);
    open_sampling(&(struct sampling){.pid = pid, .cpu = cpu, .ring = period ? RING : 0, .inherits = true});
    enable_with(period ? period : 1u << 30, 1u << 30);
    return pid;
}

/* Groups for a CPU each, as perf record opens them; the one of the CPU that is asked for is looked at. */
static void inherited_on(int cpu, uint32_t tid, bool process, uint64_t ms)
{
    const pid_t pid = begin_inherited(family, cpu, 25000);

    CU_ASSERT_EQUAL(os->release(os->ctx), 0);
    pass(10);
    /* the child ends at 11 ms: what it counts by now is of one that lives, later of one that has ended */
    CU_ASSERT_DOUBLE_EQUAL((double)read_cycles(now.fd[0], now.id[0]),
                           cpu == 0   ? 2500000
                           : cpu == 1 ? 1250000
                                      : 500000,
                           1000);
    pass(12);
    take_ring();
    check_heir((uint32_t)cpu, (uint32_t)pid + (process ? tid : 0), (uint32_t)pid + tid, ms);
    CU_ASSERT_DOUBLE_EQUAL((double)read_cycles(now.fd[0], now.id[0]), (double)ms * 250000, 1000);
    close_sampling();
}

static void inherited(void)
{
    inherited_on(0, 0, true, 20);
    inherited_on(1, 1, false, 10);
    inherited_on(2, 2, true, 3);
}

/* All of it at once: for 6 ms, not for 4, in which the child is born, and for 3 ms. Then it is closed while it counts.
 */
static void closed_early(void)
{
    begin_inherited(family, -1, 0);
    CU_ASSERT_EQUAL(os->map(os->ctx, now.fd[1], RING, (void **)&now.page), -EINVAL);
    CU_ASSERT_EQUAL(os->release(os->ctx), 0);
    pass(6);
    os->perf_ioctl(os->ctx, now.fd[0], PERF_EVENT_IOC_DISABLE, PERF_IOC_FLAG_GROUP);
    pass(4);
    CU_ASSERT_DOUBLE_EQUAL((double)read_cycles(now.fd[0], now.id[0]), 7 * 250000, 3000);
    ioctl_group(now.fd[0], PERF_EVENT_IOC_ENABLE);
    pass(3);
    CU_ASSERT_DOUBLE_EQUAL((double)read_cycles(now.fd[0], now.id[0]), 14 * 250000, 5000);
    close_events();
    pass(10);
    end();
}

/* A process that is on CPU 0 for 5 ms, on CPU 1 for 5 ms and so on, and its thread on CPU 0 meanwhile: the group of CPU
 * 0 counts each on its own, and is enabled while the process is elsewhere. */
static void in_turns_on_a_cpu(void)
{
    const pid_t pid = begin_inherited(
        PROGRAM_OF("0-2") "command w ms=15 cpus=0,1 slice=5 name=app\nstart w at=6 ms=3 cpus=0 thread\n", 0, 25000);

    CU_ASSERT_EQUAL(os->release(os->ctx), 0);
    pass(16);
    take_ring();
    CU_ASSERT_EQUAL_FATAL(now.n, 50 + 30 + 50);
    for (size_t i = 0; i < now.n; i++) {
        const struct sample *s = &now.sample[i];
        const bool thread = i >= 50 && i < 80;
        const uint64_t nth = 1 + (i < 50 ? i : thread ? i - 50 : i - 30);

        CU_ASSERT_EQUAL(s->tid, (uint32_t)pid + thread);
        CU_ASSERT_EQUAL(s->member[1].value, 25000 * nth);
        CU_ASSERT_EQUAL(s->running, nth * MSEC / 10);
        CU_ASSERT_EQUAL(s->enabled, nth * MSEC / 10 + (i < 80 ? 0 : 5 * MSEC));
    }
    close_sampling();
}

/* The end of the process wakes who waits only when the child that it left has ended, too. */
static void outlived(void)
{
    struct td_os_event e;
    uint64_t us;
    int rings;

    begin_inherited(PROGRAM_OF("0-2") "command w ms=5 cpus=0 name=app\nstart w at=3 ms=10 cpus=1 name=kid\n", 0,
                    1u << 30);
    rings = os->rings(os->ctx);
    CU_ASSERT_EQUAL(os->rings_add(os->ctx, rings, now.fd[1]), 0);
    CU_ASSERT_EQUAL(os->release(os->ctx), 0);
    CU_ASSERT_EQUAL(os->wait(os->ctx, UINT64_MAX, rings, &e), 0);
    CU_ASSERT_EQUAL(e.what, TD_OS_EXIT);
    CU_ASSERT_EQUAL(wait_rings(rings, 20, &us), TD_OS_INPUT);
    CU_ASSERT_TRUE(us > 7900 && us < 8100);
    CU_ASSERT_EQUAL(os->close(os->ctx, rings), 0);
    close_sampling();
}

/* What a child counted that has ended is in the sum, and in that of no child born later. */
static void one_after_the_other(void)
{
    uint64_t values[3 + 2 * MEMBERS];

    begin_inherited(
        PROGRAM_OF(
            "0-2") "command w ms=20 cpus=0 name=app\nstart w at=2 ms=3 cpus=1 name=kid\nstart w at=10 ms=3 cpus=2 name=late\n",
        -1, 0);
    CU_ASSERT_EQUAL(os->release(os->ctx), 0);
    pass(25);
    CU_ASSERT_DOUBLE_EQUAL((double)read_cycles(now.fd[0], now.id[0]), 26 * 250000, 1000);
    CU_ASSERT_EQUAL(os->read(os->ctx, now.fd[0], values, sizeof(values)), (ssize_t)sizeof(values));
    CU_ASSERT_DOUBLE_EQUAL((double)values[1] /* enabled */, 26.0 * MSEC, 10000);
    CU_ASSERT_DOUBLE_EQUAL((double)values[2] /* running */, 26.0 * MSEC, 10000);
    close_events();
    end();
}

/* The process has too many samples in the tick from 4 to 8 ms, and leaves the CPU; its thread begins there at 7 ms with
 * none yet. */
static void throttled_apart(void)
{
    const pid_t pid = begin_inherited(
        PROGRAM_OF("0-2") "command w ms=15 cpus=0,1 slice=6 name=app\nstart w at=7 ms=3 cpus=0 thread\n", 0, PERIOD);

    CU_ASSERT_EQUAL(os->release(os->ctx), 0);
    for (int i = 0; i < 6; i++) { /* the ring does not hold all */
        pass(1);
        take_ring();
    }
    CU_ASSERT_EQUAL(now.throttled, 2);
    now.n = 0;
    pass(1);
    os->spin(os->ctx, MSEC / 2);
    take_ring();
    CU_ASSERT_TRUE_FATAL(now.n > 100 && now.n <= 125);
    CU_ASSERT_EQUAL(now.sample[now.n - 1].tid, (uint32_t)pid + 1);
    CU_ASSERT_EQUAL(now.sample[now.n - 1].member[1].value, PERIOD * now.n);
    CU_ASSERT_EQUAL(now.unthrottled, 1); /* of the process, at 4 ms */
    close_sampling();
}

static CU_TestInfo tests[] = {
    {"each thread and child has its own inherited counts", inherited},
    {"inherited counts of one CPU are kept apart by thread", in_turns_on_a_cpu},
    {"who waits is woken when the last heir ends", outlived},
    {"children one after the other", one_after_the_other},
    {"a thread is not throttled with its process", throttled_apart},
    {"inherited counts add up, stop and end with what was opened", closed_early},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("inherited events", tests);
