/* SPDX-License-Identifier: MIT */
/* Events that sample: when, what a sample holds, and what it costs. */
#include "tests/support/sim_sampling.h"

/* 10 ms are 2500000 cycles, but for the two us of the calls; both members overflow together. */
static void every_period(void)
{
    uint64_t began;

    begin_sampling(ON_CPU, &of_cpu_0);
    began = os->now(os->ctx);
    enable_with(25000, 25000);
    pass(10);
    take_ring();
    CU_ASSERT_EQUAL(now.n, 200);
    for (size_t i = 0; i < now.n; i++) {
        const struct sample *s = &now.sample[i];

        CU_ASSERT_EQUAL(s->period, 25000);
        CU_ASSERT_EQUAL(s->id, now.id[1 + i % 2]);
        CU_ASSERT_EQUAL(s->member[1].value, 25000 * (i / 2 + 1));
        CU_ASSERT_TRUE(s->ip == HOT || s->ip == COLD);
        /* ns, and a us for each call */
        CU_ASSERT_DOUBLE_EQUAL((double)(s->time - began), 100000.0 * (double)(i / 2 + 1), 5000);
        CU_ASSERT_TRUE(s->pid == 0 && s->cpu == 0 && s->n == MEMBERS && s->enabled == s->running);
        for (size_t m = 0; m < MEMBERS; m++)
            CU_ASSERT_EQUAL(s->member[m].id, now.id[m]);
        CU_ASSERT_EQUAL(s->member[0].value, 100000 * (i / 2 + 1)); /* 4 slots a cycle */
    }
    close_sampling();
}

/* PERF_EVENT_IOC_PERIOD zeroes what is left of the period: what passes between two calls is the distance of the
 * samples. Takes those of 10 ms. */
static void take_pairs(const char *description)
{
    begin_sampling(description, &of_cpu_0);
    ioctl_group(now.fd[0], PERF_EVENT_IOC_ENABLE);
    set_period(1, 100000);
    os->spin(os->ctx, 19000);
    set_period(2, 100000); /* the call takes 1 us: 20 us are 5000 cycles */
    take_ring();
    now.n = 0; /* those of the first period */
    pass(10);
    take_ring();
}

/* The counts of the short interval are of it alone. */
static void a_pair(void)
{
    take_pairs(ON_CPU);
    CU_ASSERT_TRUE(now.n >= 48 && now.n <= 50);
    for (size_t i = 0; i + 1 < now.n; i += 2) {
        const struct sample *a = &now.sample[i], *b = a + 1;

        CU_ASSERT_TRUE(a->id == now.id[1] && b->id == now.id[2]);
        CU_ASSERT_EQUAL(b->member[1].value - a->member[1].value, 5000);
        CU_ASSERT_EQUAL(b->member[0].value - a->member[0].value, 20000);
        CU_ASSERT_TRUE(a->ip != b->ip ||
                       b->member[a->ip == HOT ? 3 : 6].value - a->member[a->ip == HOT ? 3 : 6].value == 20000);
    }
    close_sampling();
}

/* More than 400 samples of an event in a tick of 4 ms: its counter stops until the next. */
static void throttled(void)
{
    begin_sampling(ON_CPU, &(struct sampling){.pid = -1, .ring = (1 + 64) * PAGE});
    set_period(2, 1u << 30);
    ioctl_group(now.fd[0], PERF_EVENT_IOC_ENABLE);
    pass(4);
    pass(1);
    take_ring();
    CU_ASSERT_TRUE(now.throttled == 1 && now.unthrottled == 1 && !now.lost);
    CU_ASSERT_TRUE(now.n > 400 && now.sample[399].time < now.sample[400].time - MSEC);
    CU_ASSERT_TRUE(now.sample[400].member[1].value == 401 * PERIOD &&
                   now.sample[400].member[0].value > 4 * 401 * PERIOD + MSEC);
    close_sampling();
}

/* Before the fix each metric finds what the handler executed since the one before it: of "cold", of which
 * nothing is frontend bound, a share of it is. */
static uint64_t frontend_of(const char *line, bool kernel)
{
    char text[1024];
    uint64_t n;

    snprintf(text, sizeof(text), "%s%s", ON_CPU, line);
    begin_sampling(text, &(struct sampling){.pid = -1, .ring = RING, .kernel = kernel});
    enable_with(25000, 1u << 30);
    pass(10);
    take_ring();
    n = now.n ? now.sample[now.n - 1].member[5].value / now.n : 0;
    close_sampling();
    return n;
}

static void handler(void)
{
    CU_ASSERT_EQUAL(frontend_of("", true), 0);
    CU_ASSERT_EQUAL(frontend_of("sampling handler=500\n", false), 0);
    CU_ASSERT_TRUE(frontend_of("sampling handler=500\n", true) > 1000);
}

/* ---- by frequency, and what samples cost ------------------------------------------------------ */

/* Half a second at 250 cycles a us, and then at 125. */
#define SLOWER \
    MACHINE_OF("0-1") \
    "phase ms=500 function=0x401000 retiring=1 bad=0 frontend=0 backend=0\ncount 0x3c 0.25\n" \
    "phase ms=500 function=0x402000 retiring=0 bad=0 frontend=0 backend=1\ncount 0x3c 0.125\nrun w cpus=0\n"

/* The samples of 100 ms. */
static size_t samples_of_100_ms(void)
{
    take_ring();
    now.n = 0;
    for (int i = 0; i < 10; i++) { /* the ring holds 90 */
        pass(10);
        take_ring();
    }
    return now.n;
}

/* 1000 Hz are 1000 samples a second after some 30 of them; each says the period that it ends. */
static void by_frequency(void)
{
    size_t n;

    begin_sampling(SLOWER, &(struct sampling){.pid = -1, .ring = RING, .frequency = 1000});
    ioctl_group(now.fd[0], PERF_EVENT_IOC_ENABLE);
    set_period(2, UINT64_C(1) << 40);
    pass(100);
    n = samples_of_100_ms();
    CU_ASSERT_TRUE(n >= 99 && n <= 101);
    for (size_t i = 1; i < n; i++)
        CU_ASSERT_EQUAL(now.sample[i].member[1].value - now.sample[i - 1].member[1].value, now.sample[i].period);
    CU_ASSERT_DOUBLE_EQUAL((double)now.sample[n - 1].period, 250000, 2500);
    pass(400);
    n = samples_of_100_ms();
    CU_ASSERT_TRUE(n >= 99 && n <= 101);
    CU_ASSERT_DOUBLE_EQUAL((double)now.sample[n - 1].period, 125000, 1250);
    close_sampling();
}

/* Of an event with a frequency PERF_EVENT_IOC_PERIOD sets that, which its periods come to in time; the one that runs
 * begins anew. More than the kernel allows is refused, and changes nothing. */
static void another_frequency(void)
{
    uint64_t began, most = 100001;
    size_t n;

    begin_sampling(ON_CPU, &(struct sampling){.pid = -1, .ring = RING, .frequency = 1000});
    ioctl_group(now.fd[0], PERF_EVENT_IOC_ENABLE);
    set_period(2, UINT64_C(1) << 40);
    pass(50);
    samples_of_100_ms();
    os->spin(os->ctx, 300000);
    set_period(1, 500);
    began = os->now(os->ctx);
    CU_ASSERT_EQUAL(os->perf_ioctl(os->ctx, now.fd[1], PERF_EVENT_IOC_PERIOD, (unsigned long)&most), -EINVAL);
    take_ring();
    now.n = 0;
    pass(10);
    take_ring();
    CU_ASSERT_TRUE_FATAL(now.n > 1);
    CU_ASSERT_DOUBLE_EQUAL((double)now.sample[0].period, 250000, 2500);
    CU_ASSERT_DOUBLE_EQUAL((double)(now.sample[0].time - began), 1e6, 1e4);
    pass(60);
    n = samples_of_100_ms();
    CU_ASSERT_TRUE(n >= 49 && n <= 51);
    CU_ASSERT_DOUBLE_EQUAL((double)now.sample[n - 1].period, 500000, 5000);
    close_sampling();
}

/* Pairs whose first sample takes 3 us: nothing is counted meanwhile. */
static void costly(void)
{
    take_pairs(ON_CPU "sampling cost=3000\n");
    CU_ASSERT_TRUE(now.n >= 46 && now.n <= 50);
    for (size_t i = 0; i + 1 < now.n; i += 2) {
        const struct sample *a = &now.sample[i], *b = a + 1;

        CU_ASSERT_EQUAL((b->member[1].value - a->member[1].value) * 4 + 3000, b->running - a->running);
        CU_ASSERT_EQUAL(b->time - a->time, b->running - a->running);
    }
    CU_ASSERT_EQUAL(now.sample[2].time - now.sample[0].time, 400000 + 2 * 3000);
    close_sampling();
}

/* ---- of a task ------------------------------------------------------------------------------ */

/* What sample_id_all ends other records with. */
struct trailer {
    uint32_t pid, tid;
    uint64_t time, id;
    uint32_t cpu, reserved;
};

/* A task's samples; its name, mapping, thread and end are told. */
static void of_a_task(void)
{
    char *const argv[] = {"app", NULL};
    pid_t pid;

    if (!begin(PROGRAM "command w ms=20 cpus=0 name=app\nstart w at=5 ms=5 cpus=1 thread\n"))
        return;
    pid = os->spawn(os->ctx, argv);
    CU_ASSERT_TRUE(pid > 0);
    open_sampling(&(struct sampling){.pid = pid, .cpu = -1, .ring = RING});
    enable_with(25000, 1u << 30);
    CU_ASSERT_EQUAL(os->release(os->ctx), 0);
    CU_ASSERT_EQUAL(pass(30), TD_OS_EXIT);
    take_ring();
    CU_ASSERT_EQUAL(now.n, 200);
    CU_ASSERT_TRUE(now.sample[0].pid == (uint32_t)pid && now.sample[0].tid == (uint32_t)pid &&
                   now.sample[199].cpu == 0);
    CU_ASSERT_EQUAL_FATAL(now.nother, 4);
    {
        static const uint32_t types[] = {PERF_RECORD_COMM, PERF_RECORD_MMAP2, PERF_RECORD_FORK, PERF_RECORD_EXIT};

        for (size_t i = 0; i < 4; i++) {
            struct perf_event_header h;
            struct trailer t;
            uint32_t ids[4];

            memcpy(&h, now.other[i], sizeof(h));
            memcpy(ids, now.other[i] + 8, sizeof(ids));
            CU_ASSERT_EQUAL(h.type, types[i]);
            memcpy(&t, now.other[i] + h.size - sizeof(t), sizeof(t));
            CU_ASSERT_TRUE(t.id == now.id[1] && t.cpu == 0 && ids[0] == (uint32_t)pid);
            CU_ASSERT_TRUE(i != 2 ||
                           (ids[1] == (uint32_t)pid && ids[2] == (uint32_t)pid + 1 && ids[3] == (uint32_t)pid));
        }
        CU_ASSERT_STRING_EQUAL((char *)now.other[0] + 16, "app");
        CU_ASSERT_STRING_EQUAL((char *)now.other[1] + 72, "/bin/app");
    }
    close_sampling();
}

/* Each switch of the CPU has two records: that of the thread that leaves names the next one, and that of the one that
 * comes the one before it; the CPU idles as thread 0. In turns of 3 ms, two or three tasks have CPU 0, or one has it
 * every other time. */
static void switches(void)
{
    static const struct {
        const char *machine, *tasks;
        uint32_t thread[4]; /* who has the CPU, turn by turn */
    } machines[] = {
        {PROGRAM, "task 70 first w cpus=0-1 slice=3\ntask 71 second w cpus=0-1 slice=3\n", {70, 71, 70, 71}},
        {PROGRAM_OF("0-2"), "task 70 first w cpus=0-2 slice=3 threads=71,72\n", {70, 72, 71, 70}},
        {PROGRAM, "task 70 first w cpus=0-1 slice=3\n", {70, 0, 70, 0}},
    };

    for (size_t m = 0; m < sizeof(machines) / sizeof(*machines); m++) {
        enum { OUT = PERF_RECORD_MISC_SWITCH_OUT };
        char text[2048];

        snprintf(text, sizeof(text), "%s%s", machines[m].machine, machines[m].tasks);
        begin_sampling(text, &(struct sampling){.pid = -1, .ring = RING, .switches = true});
        enable_with(250000, 1u << 30);
        pass(10);
        take_ring();
        CU_ASSERT_EQUAL_FATAL(now.nother, 6);
        for (size_t i = 0; i < 6; i++) {
            const uint32_t before = machines[m].thread[i / 2], after = machines[m].thread[i / 2 + 1];
            const bool out = i % 2 == 0, preempted = out && i / 2 % 2 == 0;
            struct perf_event_header h;
            struct trailer t;
            uint32_t other[2];

            memcpy(&h, now.other[i], sizeof(h));
            memcpy(other, now.other[i] + 8, sizeof(other));
            memcpy(&t, now.other[i] + h.size - sizeof(t), sizeof(t));
            CU_ASSERT(h.type == PERF_RECORD_SWITCH_CPU_WIDE && h.size == 8 + 8 + sizeof(t));
            CU_ASSERT_EQUAL(h.misc, preempted ? OUT | PERF_RECORD_MISC_SWITCH_OUT_PREEMPT : out ? OUT : 0);
            CU_ASSERT(!other[0] == !other[1] && other[1] == (out ? after : before));
            CU_ASSERT(t.tid == (out ? before : after) && t.id == now.id[1] && t.cpu == 0);
        }
        close_sampling();
    }
}

/* A task's events are told when it is switched, not with which other one: it moves to another CPU three times. */
static void own_switches(void)
{
    begin_sampling(PROGRAM "task 70 first w cpus=0-1 slice=3\n",
                   &(struct sampling){.pid = 70, .cpu = -1, .ring = RING, .switches = true});
    enable_with(250000, 1u << 30);
    pass(10);
    take_ring();
    for (size_t i = 0; i < now.nother; i++) {
        struct perf_event_header h;

        memcpy(&h, now.other[i], sizeof(h));
        CU_ASSERT(h.type == PERF_RECORD_SWITCH && h.size == 8 + sizeof(struct trailer));
        CU_ASSERT_EQUAL(h.misc & ~PERF_RECORD_MISC_SWITCH_OUT_PREEMPT, i % 2 ? 0 : PERF_RECORD_MISC_SWITCH_OUT);
        CU_ASSERT_EQUAL(h.misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT,
                        i % 4 ? 0 : PERF_RECORD_MISC_SWITCH_OUT_PREEMPT); /* it is pre-empted, then it waits */
    }
    CU_ASSERT_EQUAL(now.nother, 6);
    close_sampling();
}

/* ---- what is refused ----------------------------------------------------------------------- */

static int open_with(struct perf_event_attr a)
{
    const int fd = os->perf_open(os->ctx, &a, -1, 0, -1, 0);

    if (fd >= 0)
        os->close(os->ctx, fd);
    return fd;
}

static void refused(void)
{
    struct perf_event_attr a;
    uint64_t zero = 0;
    void *at;
    int fd;

    if (!begin(ON_CPU))
        return;
    a = attr_at(1, &of_cpu_0);
    CU_ASSERT_TRUE(open_with(a) >= 0);
    a.freq = 1;
    a.sample_freq = 100001;
    CU_ASSERT_EQUAL(open_with(a), -EINVAL);
    a.sample_freq = 100000;
    CU_ASSERT_TRUE(open_with(a) >= 0);
    a = attr_at(1, &of_cpu_0);
    a.inherit = 1;
    CU_ASSERT_TRUE(open_with(a) >= 0);
    a.sample_type &= ~(uint64_t)PERF_SAMPLE_TID;
    CU_ASSERT_EQUAL(open_with(a), -EINVAL);
    a = attr_at(1, &of_cpu_0);
    a.sample_type |= PERF_SAMPLE_BRANCH_STACK;
    CU_ASSERT_EQUAL(open_with(a), -EINVAL);
    a = attr_at(1, &of_cpu_0);
    fd = os->perf_open(os->ctx, &a, -1, 0, -1, 0);
    CU_ASSERT_EQUAL(os->perf_ioctl(os->ctx, fd, PERF_EVENT_IOC_PERIOD, (unsigned long)&zero), -EINVAL);
    CU_ASSERT_EQUAL(os->map(os->ctx, fd, 4 * PAGE, &at), -EINVAL);
    CU_ASSERT_EQUAL(os->perf_ioctl(os->ctx, fd, PERF_EVENT_IOC_SET_OUTPUT, 99), -EBADF);
    os->close(os->ctx, fd);
    a = attr_at(0, &of_cpu_0);
    fd = os->perf_open(os->ctx, &a, -1, 0, -1, 0);
    zero = 5;
    CU_ASSERT_EQUAL(os->perf_ioctl(os->ctx, fd, PERF_EVENT_IOC_PERIOD, (unsigned long)&zero), -EINVAL);
    os->close(os->ctx, fd);
    end();
}

/* Before Linux 6.13 no event is inherited whose samples have readings. */
static void refused_inheritance(void)
{
    struct perf_event_attr a;

    if (!begin(ON_CPU "sampling inherit=no\n"))
        return;
    a = attr_at(1, &of_cpu_0);
    CU_ASSERT_TRUE(open_with(a) >= 0);
    a.inherit = 1;
    CU_ASSERT_EQUAL(open_with(a), -EINVAL);
    a.sample_type &= ~(uint64_t)PERF_SAMPLE_READ;
    CU_ASSERT_TRUE(open_with(a) >= 0);
    end();
}

static CU_TestInfo tests[] = {
    {"each period has its sample, with the counts of the group", every_period},
    {"a period begun later overflows later", a_pair},
    {"too many samples in a tick are throttled", throttled},
    {"the handler's own slots enter before the kernel's fix", handler},
    {"samples and other records of a task", of_a_task},
    {"switches of a CPU between tasks", switches},
    {"switches of a task", own_switches},
    {"the period follows the frequency", by_frequency},
    {"another frequency", another_frequency},
    {"samples take time", costly},
    {"what the kernel refuses", refused},
    {"inherited readings that an older kernel refuses", refused_inheritance},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("sim_sampling", tests);
