/* SPDX-License-Identifier: MIT */
/* Events that sample. The workloads make 1 slot per ns and a cycle for every 4 of them, so a period of
 * 1000 cycles is 4 us. Two functions take turns: "hot" of 40 us retires, "cold" of 60 us waits. */
#include "tests/support/sim_text.h"

enum {
    CYCLES = 0x3c, HOT = 0x401000, COLD = 0x402000, PERIOD = 1000, RING = (1 + 16) * 4096, PAGE = 4096,
    TYPE = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_READ,
    MEMBERS = 7, RECORDS = 1000,
};

#define TURNS(hot, cold) \
    MAGIC "cpus 0-1\npmu cpu type=4 cpus=0-1 general=2 fixed=0-3 metrics=4\nworkload w rate=1000000000 file=/bin/app at=0x400000 size=0x10000\n" \
    "phase us=" hot " function=0x401000 retiring=1 bad=0 frontend=0 backend=0\ncount 0x3c 0.25\n" \
    "phase us=" cold " function=0x402000 retiring=0 bad=0 frontend=0 backend=1\ncount 0x3c 0.25\n"
#define PROGRAM TURNS("40", "60")
#define ON_CPU PROGRAM "run w cpus=0\n"

/* A sample of the group, as TYPE and its read_format order the fields. */
struct sample {
    struct perf_event_header header;
    uint64_t ip;
    uint32_t pid, tid;
    uint64_t time, id;
    uint32_t cpu, reserved;
    uint64_t period, n, enabled, running;
    struct {
        uint64_t value, id;
    } member[MEMBERS];
};

/* What sample_id_all ends other records with. */
struct trailer {
    uint32_t pid, tid;
    uint64_t time, id;
    uint32_t cpu, reserved;
};

static struct {
    int fd[MEMBERS]; /* slots, s1, s2, the four metrics */
    uint64_t id[MEMBERS];
    struct perf_event_mmap_page *page;
    struct sample sample[RECORDS];
    size_t n;
    unsigned throttled, unthrottled, lost_records;
    uint64_t lost;
    unsigned char other[RECORDS][128]; /* further records */
    size_t nother;
} now;

/* When those who wait for the ring are woken: bytes, samples of the second member. */
static unsigned watermark, wakes_after;
static bool inherits;
static unsigned frequency;

static struct perf_event_attr attr_at(size_t i)
{
    struct perf_event_attr a = attr_of(i == 0 ? SLOTS : i < 3 ? CYCLES : RETIRING + 0x100 * (i - 3));

    a.read_format |= PERF_FORMAT_GROUP | PERF_FORMAT_ID;
    a.sample_type = TYPE;
    a.disabled = i == 0;
    a.inherit = inherits;
    a.sample_id_all = 1;
    a.freq = i == 1 && frequency;
    a.sample_period = i == 1 && frequency ? frequency : i == 1 || i == 2 ? PERIOD : 0;
    a.comm = a.mmap = a.mmap2 = a.task = i == 1;
    a.watermark = i == 1 && watermark;
    a.wakeup_watermark = i == 1 ? watermark : 0; /* in a union with wakeup_events */
    if (i == 2)
        a.wakeup_events = wakes_after;
    return a;
}

static void map_ring(size_t size)
{
    void *at = NULL;

    CU_ASSERT_EQUAL(os->map(os->ctx, now.fd[1], size, &at), 0);
    now.page = at;
    CU_ASSERT_EQUAL(os->perf_ioctl(os->ctx, now.fd[2], PERF_EVENT_IOC_SET_OUTPUT, (unsigned long)now.fd[1]), 0);
}

static void open_sampling(pid_t pid, int cpu, bool kernel)
{
    memset(&now, 0, sizeof(now));
    for (size_t i = 0; i < MEMBERS; i++) {
        struct perf_event_attr a = attr_at(i);

        a.exclude_kernel = !kernel;
        now.fd[i] = os->perf_open(os->ctx, &a, pid, cpu, i ? now.fd[0] : -1, 0);
        CU_ASSERT_TRUE_FATAL(now.fd[i] >= 0);
        CU_ASSERT_EQUAL(os->perf_ioctl(os->ctx, now.fd[i], PERF_EVENT_IOC_ID, (unsigned long)&now.id[i]), 0);
    }
}

static void take_record(const unsigned char *at, const struct perf_event_header *h)
{
    uint64_t word;

    memcpy(&word, at + 16, sizeof(word));
    if (h->type == PERF_RECORD_SAMPLE && now.n < RECORDS) {
        CU_ASSERT_EQUAL_FATAL(h->size, sizeof(struct sample));
        memcpy(&now.sample[now.n++], at, sizeof(struct sample));
    }
    now.throttled += h->type == PERF_RECORD_THROTTLE;
    now.unthrottled += h->type == PERF_RECORD_UNTHROTTLE;
    now.lost_records += h->type == PERF_RECORD_LOST;
    now.lost += h->type == PERF_RECORD_LOST ? word : 0;
    if (h->type != PERF_RECORD_SAMPLE && now.nother < RECORDS)
        memcpy(now.other[now.nother++], at, h->size < 128 ? h->size : 128);
}

/* Takes all records of the ring, whose data may go around its end, and gives it back. */
static void take_ring(void)
{
    const unsigned char *data = (const unsigned char *)now.page + now.page->data_offset;
    uint64_t tail = now.page->data_tail;
    const uint64_t head = __atomic_load_n(&now.page->data_head, __ATOMIC_ACQUIRE);

    while (tail < head) {
        unsigned char record[1024];
        struct perf_event_header h;

        for (size_t i = 0; i < sizeof(h); i++)
            record[i] = data[(tail + i) % now.page->data_size];
        memcpy(&h, record, sizeof(h));
        CU_ASSERT_TRUE_FATAL(h.size >= sizeof(h) && h.size <= sizeof(record));
        for (size_t i = 0; i < h.size; i++)
            record[i] = data[(tail + i) % now.page->data_size];
        take_record(record, &h);
        tail += h.size;
    }
    __atomic_store_n(&now.page->data_tail, head, __ATOMIC_RELEASE);
}

static void close_sampling(void)
{
    os->unmap(os->ctx, now.page, RING);
    for (size_t i = MEMBERS; i-- > 0;)
        CU_ASSERT_EQUAL(os->close(os->ctx, now.fd[i]), 0);
    end();
}

static void set_period(size_t member, uint64_t period)
{
    CU_ASSERT_EQUAL(os->perf_ioctl(os->ctx, now.fd[member], PERF_EVENT_IOC_PERIOD, (unsigned long)&period), 0);
}

/* 10 ms are 2500000 cycles, but for the two us of the calls; both members overflow together. */
static void every_period(void)
{
    if (!begin(ON_CPU))
        return;
    open_sampling(-1, 0, false);
    map_ring(RING);
    set_period(1, 25000);
    set_period(2, 25000);
    ioctl_group(now.fd[0], PERF_EVENT_IOC_ENABLE);
    pass(10);
    take_ring();
    CU_ASSERT_EQUAL(now.n, 200);
    for (size_t i = 0; i < now.n; i++) {
        const struct sample *s = &now.sample[i];

        CU_ASSERT_EQUAL(s->period, 25000);
        CU_ASSERT_EQUAL(s->id, now.id[1 + i % 2]);
        CU_ASSERT_EQUAL(s->member[1].value, 25000 * (i / 2 + 1));
        CU_ASSERT_TRUE(s->ip == HOT || s->ip == COLD);
        CU_ASSERT_TRUE(s->pid == 0 && s->cpu == 0 && s->n == MEMBERS && s->enabled == s->running);
        for (size_t m = 0; m < MEMBERS; m++)
            CU_ASSERT_EQUAL(s->member[m].id, now.id[m]);
        CU_ASSERT_EQUAL(s->member[0].value, 100000 * (i / 2 + 1)); /* 4 slots a cycle */
    }
    close_sampling();
}

/* PERF_EVENT_IOC_PERIOD zeroes what is left of the period: what passes between two calls is the distance of the samples. The
 * counts of the short interval are of it alone. */
static void a_pair(void)
{
    if (!begin(ON_CPU))
        return;
    open_sampling(-1, 0, false);
    map_ring(RING);
    ioctl_group(now.fd[0], PERF_EVENT_IOC_ENABLE);
    set_period(1, 100000);
    os->spin(os->ctx, 19000);
    set_period(2, 100000); /* the call takes 1 us: 20 us are 5000 cycles */
    take_ring();
    now.n = 0; /* those of the first period */
    pass(10);
    take_ring();
    CU_ASSERT_TRUE(now.n >= 48 && now.n <= 50);
    for (size_t i = 0; i + 1 < now.n; i += 2) {
        const struct sample *a = &now.sample[i], *b = a + 1;

        CU_ASSERT_TRUE(a->id == now.id[1] && b->id == now.id[2]);
        CU_ASSERT_EQUAL(b->member[1].value - a->member[1].value, 5000);
        CU_ASSERT_EQUAL(b->member[0].value - a->member[0].value, 20000);
        CU_ASSERT_TRUE(a->ip != b->ip || b->member[a->ip == HOT ? 3 : 6].value - a->member[a->ip == HOT ? 3 : 6].value == 20000);
    }
    close_sampling();
}

/* A ring that nobody empties: what finds no room is lost, and the next record says how many. */
static void lost(void)
{
    const size_t room = (2 * PAGE - 1) / sizeof(struct sample);

    if (!begin(ON_CPU))
        return;
    open_sampling(-1, 0, false);
    map_ring(3 * PAGE);
    set_period(2, 1u << 30);
    set_period(1, 25000);
    ioctl_group(now.fd[0], PERF_EVENT_IOC_ENABLE);
    pass(10);
    take_ring();
    CU_ASSERT_TRUE(now.n == room && !now.lost_records);
    pass(2);
    take_ring();
    CU_ASSERT_TRUE(now.lost_records == 1 && now.n + now.lost == now.sample[now.n - 1].member[1].value / 25000);
    for (int i = 0; i < 20; i++) { /* many times around */
        pass(2);
        take_ring();
    }
    CU_ASSERT_TRUE(now.lost_records == 1 && now.n + now.lost == now.sample[now.n - 1].member[1].value / 25000);
    close_sampling();
}

/* More than 400 samples of an event in a tick of 4 ms: its counter stops until the next. */
static void throttled(void)
{
    if (!begin(ON_CPU))
        return;
    open_sampling(-1, 0, false);
    map_ring((1 + 64) * PAGE);
    set_period(2, 1u << 30);
    ioctl_group(now.fd[0], PERF_EVENT_IOC_ENABLE);
    pass(4);
    pass(1);
    take_ring();
    CU_ASSERT_TRUE(now.throttled == 1 && now.unthrottled == 1 && !now.lost);
    CU_ASSERT_TRUE(now.n > 400 && now.sample[399].time < now.sample[400].time - MSEC);
    CU_ASSERT_TRUE(now.sample[400].member[1].value == 401 * PERIOD && now.sample[400].member[0].value > 4 * 401 * PERIOD + MSEC);
    os->unmap(os->ctx, now.page, (1 + 64) * PAGE);
    for (size_t i = MEMBERS; i-- > 0;)
        os->close(os->ctx, now.fd[i]);
    end();
}

/* Before the fix each metric finds what the handler executed since the one before it: of "cold", of which
 * nothing is frontend bound, a share of it is. */
static uint64_t frontend_of(const char *line, bool kernel)
{
    char text[1024];
    uint64_t n = 0;

    snprintf(text, sizeof(text), "%s%s", ON_CPU, line);
    if (!begin(text))
        return 0;
    open_sampling(-1, 0, kernel);
    map_ring(RING);
    set_period(1, 25000);
    set_period(2, 1u << 30);
    ioctl_group(now.fd[0], PERF_EVENT_IOC_ENABLE);
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
    MAGIC "cpus 0-1\npmu cpu type=4 cpus=0-1 general=2 fixed=0-3 metrics=4\nworkload w rate=1000000000 file=/bin/app at=0x400000 size=0x10000\n" \
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

    if (!begin(SLOWER))
        return;
    frequency = 1000;
    open_sampling(-1, 0, false);
    frequency = 0;
    map_ring(RING);
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

/* A pair 20 us apart, as in a_pair(), whose first sample takes 3 us: nothing is counted meanwhile. */
static void costly(void)
{
    if (!begin(ON_CPU "sampling cost=3000\n"))
        return;
    open_sampling(-1, 0, false);
    map_ring(RING);
    ioctl_group(now.fd[0], PERF_EVENT_IOC_ENABLE);
    set_period(1, 100000);
    os->spin(os->ctx, 19000);
    set_period(2, 100000);
    take_ring();
    now.n = 0;
    pass(10);
    take_ring();
    CU_ASSERT_TRUE(now.n >= 46 && now.n <= 50);
    for (size_t i = 0; i + 1 < now.n; i += 2) {
        const struct sample *a = &now.sample[i], *b = a + 1;

        CU_ASSERT_EQUAL((b->member[1].value - a->member[1].value) * 4 + 3000, b->running - a->running);
        CU_ASSERT_EQUAL(b->time - a->time, b->running - a->running);
    }
    CU_ASSERT_EQUAL(now.sample[2].time - now.sample[0].time, 400000 + 2 * 3000);
    close_sampling();
}

/* ---- who waits ------------------------------------------------------------------------- */

/* Waits for the rings for at most some ms: for how many us, and what ended it. */
static int wait_rings(int rings, uint64_t ms, uint64_t *us)
{
    const uint64_t began = os->now(os->ctx);
    struct td_os_event e;

    CU_ASSERT_EQUAL(os->wait(os->ctx, began + ms * MSEC, rings, &e), 0);
    *us = (os->now(os->ctx) - began + 500) / 1000;
    return (int)e.what;
}

static int begin_rings(unsigned bytes, unsigned samples)
{
    int rings;

    watermark = bytes;
    wakes_after = samples;
    open_sampling(-1, 0, false);
    watermark = wakes_after = 0;
    map_ring(RING);
    rings = os->rings(os->ctx);
    CU_ASSERT_TRUE(rings >= 0);
    CU_ASSERT_EQUAL(os->rings_add(os->ctx, rings, now.fd[1]), 0);
    set_period(1, 25000); /* 100 us */
    set_period(2, 50000);
    ioctl_group(now.fd[0], PERF_EVENT_IOC_ENABLE);
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
    uint64_t us;
    int rings;

    if (!begin(ON_CPU))
        return;
    rings = begin_rings(0, 3);
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
        uint64_t us;
        int rings;

        if (!begin(ON_CPU))
            return;
        rings = begin_rings(bytes[i], 0);
        CU_ASSERT_EQUAL(wait_rings(rings, 100, &us), TD_OS_INPUT);
        take_ring();
        CU_ASSERT_TRUE(now.n == samples || now.n == samples + 1);
        CU_ASSERT_TRUE(us + 3 >= samples * 200 / 3 && us <= samples * 200 / 3 + 203);
        close_rings(rings);
    }
}

/* Nothing wakes who waits for a CPU that is idle, or for events that do not count; a wait for ever is refused. */
static void not_woken(void)
{
    struct td_os_event e;
    uint64_t us;
    int rings;

    if (!begin(ON_CPU))
        return;
    rings = begin_rings(1, 1);
    CU_ASSERT_EQUAL(os->perf_ioctl(os->ctx, now.fd[0], PERF_EVENT_IOC_DISABLE, 0), 0);
    wait_rings(rings, 1, &us);
    CU_ASSERT_EQUAL(wait_rings(rings, 7, &us), TD_OS_TIME);
    CU_ASSERT_EQUAL(us, 7000);
    close_rings(rings);
    if (!begin(PROGRAM))
        return;
    rings = begin_rings(1, 1);
    CU_ASSERT_EQUAL(wait_rings(rings, 7, &us), TD_OS_TIME);
    CU_ASSERT_EQUAL(os->wait(os->ctx, UINT64_MAX, rings, &e), -EDEADLK);
    CU_ASSERT_EQUAL(os->rings_add(os->ctx, rings, 999), -EBADF);
    CU_ASSERT_EQUAL(os->rings_add(os->ctx, now.fd[0], now.fd[1]), -EINVAL);
    close_rings(rings);
}

/* A task's samples; its name, mapping, thread and end are told. */
static void of_a_task(void)
{
    char *const argv[] = {"app", NULL};
    pid_t pid;

    if (!begin(PROGRAM "command w ms=20 cpus=0 name=app\nstart w at=5 ms=5 cpus=1 thread\n"))
        return;
    pid = os->spawn(os->ctx, argv);
    CU_ASSERT_TRUE(pid > 0);
    open_sampling(pid, -1, false);
    map_ring(RING);
    set_period(1, 25000);
    set_period(2, 1u << 30);
    ioctl_group(now.fd[0], PERF_EVENT_IOC_ENABLE);
    CU_ASSERT_EQUAL(os->release(os->ctx), 0);
    CU_ASSERT_EQUAL(pass(30), TD_OS_EXIT);
    take_ring();
    CU_ASSERT_EQUAL(now.n, 200);
    CU_ASSERT_TRUE(now.sample[0].pid == (uint32_t)pid && now.sample[0].tid == (uint32_t)pid && now.sample[199].cpu == 0);
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
            CU_ASSERT_TRUE(i != 2 || (ids[1] == (uint32_t)pid && ids[2] == (uint32_t)pid + 1 && ids[3] == (uint32_t)pid));
        }
        CU_ASSERT_STRING_EQUAL((char *)now.other[0] + 16, "app");
        CU_ASSERT_STRING_EQUAL((char *)now.other[1] + 72, "/bin/app");
    }
    close_sampling();
}

/* ---- what is inherited ------------------------------------------------------------------- */

/* A process of 20 ms on CPU 0, its thread of 10 ms from 5 ms on, and its child of 3 ms from 8 ms on. 250 cycles are a us. */
#define FAMILY "command w ms=20 cpus=0 name=app\nstart w at=5 ms=10 cpus=1 thread\nstart w at=8 ms=3 cpus=2 name=kid\n"
#define ON_THREE "cpus 0-2\npmu cpu type=4 cpus=0-2 general=2 fixed=0-3 metrics=4\n"

#define PROGRAM_ON_THREE \
    MAGIC ON_THREE "workload w rate=1000000000 file=/bin/app at=0x400000 size=0x10000\n" \
    "phase us=40 function=0x401000 retiring=1 bad=0 frontend=0 backend=0\ncount 0x3c 0.25\n" \
    "phase us=60 function=0x402000 retiring=0 bad=0 frontend=0 backend=1\ncount 0x3c 0.25\n"
static const char *const family = PROGRAM_ON_THREE FAMILY;

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
    inherits = true;
    open_sampling(pid, cpu, false);
    inherits = false;
    if (period)
        map_ring(RING);
    set_period(1, period ? period : 1u << 30);
    set_period(2, 1u << 30);
    ioctl_group(now.fd[0], PERF_EVENT_IOC_ENABLE);
    return pid;
}

/* Groups for a CPU each, as perf record opens them; the one of the CPU that is asked for is looked at. */
static void inherited_on(int cpu, uint32_t tid, bool process, uint64_t ms)
{
    const pid_t pid = begin_inherited(family, cpu, 25000);

    CU_ASSERT_EQUAL(os->release(os->ctx), 0);
    pass(10);
    /* the child ends at 11 ms: what it counts by now is of one that lives, later of one that has ended */
    CU_ASSERT_DOUBLE_EQUAL((double)read_cycles(now.fd[0], now.id[0]), cpu == 0 ? 2500000 : cpu == 1 ? 1250000 : 500000, 1000);
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

/* All of it at once: for 6 ms, not for 4, in which the child is born, and for 3 ms. Then it is closed while it counts. */
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
    for (size_t i = MEMBERS; i-- > 0;)
        CU_ASSERT_EQUAL(os->close(os->ctx, now.fd[i]), 0);
    pass(10);
    end();
}

/* A process that is on CPU 0 for 5 ms, on CPU 1 for 5 ms and so on, and its thread on CPU 0 meanwhile: the group of CPU 0 counts each
 * on its own, and is enabled while the process is elsewhere. */
static void in_turns_on_a_cpu(void)
{
    const pid_t pid = begin_inherited(PROGRAM_ON_THREE "command w ms=15 cpus=0,1 slice=5 name=app\nstart w at=6 ms=3 cpus=0 thread\n", 0, 25000);

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

    begin_inherited(PROGRAM_ON_THREE "command w ms=5 cpus=0 name=app\nstart w at=3 ms=10 cpus=1 name=kid\n", 0, 1u << 30);
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
    a = attr_at(1);
    CU_ASSERT_TRUE(open_with(a) >= 0);
    a.freq = 1;
    a.sample_freq = 100001;
    CU_ASSERT_EQUAL(open_with(a), -EINVAL);
    a.sample_freq = 100000;
    CU_ASSERT_TRUE(open_with(a) >= 0);
    a = attr_at(1);
    a.inherit = 1;
    CU_ASSERT_TRUE(open_with(a) >= 0);
    a.sample_type &= ~(uint64_t)PERF_SAMPLE_TID;
    CU_ASSERT_EQUAL(open_with(a), -EINVAL);
    a = attr_at(1);
    a.sample_type |= PERF_SAMPLE_BRANCH_STACK;
    CU_ASSERT_EQUAL(open_with(a), -EINVAL);
    a = attr_at(1);
    fd = os->perf_open(os->ctx, &a, -1, 0, -1, 0);
    CU_ASSERT_EQUAL(os->perf_ioctl(os->ctx, fd, PERF_EVENT_IOC_PERIOD, (unsigned long)&zero), -EINVAL);
    CU_ASSERT_EQUAL(os->map(os->ctx, fd, 4 * PAGE, &at), -EINVAL);
    CU_ASSERT_EQUAL(os->perf_ioctl(os->ctx, fd, PERF_EVENT_IOC_SET_OUTPUT, 99), -EBADF);
    os->close(os->ctx, fd);
    a = attr_at(0);
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
    a = attr_at(1);
    CU_ASSERT_TRUE(open_with(a) >= 0);
    a.inherit = 1;
    CU_ASSERT_EQUAL(open_with(a), -EINVAL);
    a.sample_type &= ~(uint64_t)PERF_SAMPLE_READ;
    CU_ASSERT_TRUE(open_with(a) >= 0);
    end();
}

static int redirect(int fd, int to)
{
    return os->perf_ioctl(os->ctx, fd, PERF_EVENT_IOC_SET_OUTPUT, (unsigned long)to);
}

/* A ring of its own can be mapped by an event that does not write to another's: __perf_mmap() and perf_event_set_output() of
 * Linux kernel/events/core.c. */
static void redirected(void)
{
    struct perf_event_attr a;
    void *ring, *own;
    int fd[4];

    if (!begin(ON_CPU))
        return;
    a = attr_at(1);
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

/* A sample of one event of a CPU, with the weight where perf_event_open(2) has it: after the call chain, before nothing. */
struct weighed {
    struct perf_event_header header;
    uint64_t id, value, frames, frame[2];
    union perf_sample_weight weight;
};

static const struct {
    uint64_t which;
    unsigned precise;
    int err;
} weights[] = {
    {PERF_SAMPLE_WEIGHT_STRUCT, 1, 0}, {PERF_SAMPLE_WEIGHT_STRUCT, 0, 0}, {PERF_SAMPLE_WEIGHT, 1, 0},
    {PERF_SAMPLE_WEIGHT_STRUCT, 3, -EOPNOTSUPP}, {PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT, 1, -EINVAL},
};

static struct perf_event_attr weighed_attr(size_t i)
{
    struct perf_event_attr a = attr_of(0xc2);

    a.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_READ | PERF_SAMPLE_CALLCHAIN | weights[i].which;
    a.read_format = 0;
    a.sample_period = 2000;
    a.precise_ip = weights[i].precise & 3u;
    return a;
}

/* The mean of var3_w of 500 samples, evenly distributed from 0 to 200: 100, within four standard errors of 57.7 / sqrt(500). */
static void check_weights(size_t i)
{
    const double mean = weights[i].which == PERF_SAMPLE_WEIGHT_STRUCT && weights[i].precise ? 100 : 0;
    double sum = 0;
    unsigned n = 0;

    for (uint64_t at = 0; at < now.page->data_head; n++) {
        struct weighed w;

        memcpy(&w, (const char *)now.page + now.page->data_offset + at, sizeof(w));
        CU_ASSERT_TRUE_FATAL(w.header.type == PERF_RECORD_SAMPLE && w.header.size == sizeof(w));
        CU_ASSERT_TRUE(w.frames == 2 && w.weight.var1_dw == 0 && w.weight.var2_w == 0 && w.weight.var3_w <= 2 * mean);
        CU_ASSERT_TRUE(w.value == 2000 * (n + 1));
        sum += w.weight.var3_w;
        at += w.header.size;
    }
    CU_ASSERT_EQUAL(n, 500);
    CU_ASSERT_TRUE(sum / n >= mean - 10.3 && sum / n <= mean + 10.3 && (mean > 0) == (sum > 0));
}

/* Of two events whose latencies differ, with max_precise 2. */
static void weighed(void)
{
    for (size_t i = 0; i < sizeof(weights) / sizeof(*weights); i++) {
        struct perf_event_attr a = weighed_attr(i);
        void *at = NULL;
        int fd;

        if (!begin(MAGIC "cpus 0-1\npmu cpu type=4 cpus=0-1 general=4 fixed=0-3 metrics=8\ncaps cpu max_precise = 2\n" WORK
                   "count 0xc3 0.5 latency=7\ncount 0xc2 0.1 latency=100\nrun w cpus=0\n"))
            return;
        fd = os->perf_open(os->ctx, &a, -1, 0, -1, 0);
        CU_ASSERT_TRUE(weights[i].err ? fd == weights[i].err : fd >= 0);
        if (fd >= 0) {
            CU_ASSERT_EQUAL(os->map(os->ctx, fd, (1 + 32) * PAGE, &at), 0);
            now.page = at;
            os->perf_ioctl(os->ctx, fd, PERF_EVENT_IOC_ENABLE, 0);
            pass(10);
            check_weights(i);
            os->unmap(os->ctx, at, (1 + 32) * PAGE);
            os->close(os->ctx, fd);
        }
        a.sample_period = 0;
        if (!weights[i].err)
            CU_ASSERT_EQUAL(os->perf_open(os->ctx, &a, -1, 0, -1, 0), a.precise_ip ? -EINVAL : fd);
        end();
    }
}

static CU_TestInfo tests[] = {
    {"weights of samples are retire latencies of precise events", weighed},
    {"each period has its sample, with the counts of the group", every_period},
    {"a period begun later overflows later", a_pair},
    {"samples without room are lost, and counted", lost},
    {"too many samples in a tick are throttled", throttled},
    {"the handler's own slots enter before the kernel's fix", handler},
    {"samples and other records of a task", of_a_task},
    {"the period follows the frequency", by_frequency},
    {"samples take time", costly},
    {"who waits is woken by samples", woken_by_samples},
    {"who waits is woken by bytes", woken_by_bytes},
    {"nothing wakes without samples", not_woken},
    {"each thread and child has its own inherited counts", inherited},
    {"inherited counts of one CPU are kept apart by thread", in_turns_on_a_cpu},
    {"who waits is woken when the last heir ends", outlived},
    {"inherited counts add up, stop and end with what was opened", closed_early},
    {"what the kernel refuses", refused},
    {"inherited readings that an older kernel refuses", refused_inheritance},
    {"events whose ring ends have none", redirected},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("sim_sampling", tests);
