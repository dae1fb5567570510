/* SPDX-License-Identifier: MIT */
/* A group that samples on the simulated machine, its ring and what is taken of it. The workloads make 1 slot per ns and
 * a cycle for every 4 of them, so a period of 1000 cycles is 4 us. Two functions take turns: "hot" of 40 us retires,
 * "cold" of 60 us waits. */
#ifndef SIM_SAMPLING_H
#define SIM_SAMPLING_H

#include "tests/support/sim_text.h"

enum {
    CYCLES = 0x3c,
    HOT = 0x401000,
    COLD = 0x402000,
    PERIOD = 1000,
    PAGE = 4096,
    RING = (1 + 16) * PAGE,
    TYPE = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD |
           PERF_SAMPLE_READ,
    MEMBERS = 7,
    RECORDS = 1000,
};

#define MACHINE_OF(cpus) \
    MAGIC "cpus " cpus "\npmu cpu type=4 cpus=" cpus " general=2 fixed=0-3 metrics=4\n" \
          "workload w rate=1000000000 file=/bin/app at=0x400000 size=0x10000\n"
#define PROGRAM_OF(cpus) \
    MACHINE_OF(cpus) \
    "phase us=40 function=0x401000 retiring=1 bad=0 frontend=0 backend=0\ncount 0x3c 0.25\n" \
    "phase us=60 function=0x402000 retiring=0 bad=0 frontend=0 backend=1\ncount 0x3c 0.25\n"
#define PROGRAM PROGRAM_OF("0-1")
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

/* What is sampled, and how. */
struct sampling {
    pid_t pid;
    int cpu;
    size_t ring; /* bytes; 0: none */
    bool kernel, inherits, switches;
    unsigned frequency; /* of the first that samples; 0: it has a period */
    /* when those who wait for the ring are woken: bytes, samples of the second that samples */
    unsigned watermark, wakes_after;
};

static const struct sampling of_cpu_0 = {.pid = -1, .ring = RING};

static struct {
    int fd[MEMBERS]; /* slots, s1, s2, the four metrics */
    uint64_t id[MEMBERS];
    struct perf_event_mmap_page *page;
    size_t ring;
    struct sample sample[RECORDS];
    size_t n;
    unsigned throttled, unthrottled, lost_records;
    uint64_t lost;
    unsigned char other[RECORDS][128]; /* further records */
    size_t nother;
} now;

static inline struct perf_event_attr attr_at(size_t i, const struct sampling *s)
{
    struct perf_event_attr a = attr_of(i == 0 ? SLOTS : i < 3 ? CYCLES : RETIRING + 0x100 * (i - 3));

    a.read_format |= PERF_FORMAT_GROUP | PERF_FORMAT_ID;
    a.sample_type = TYPE;
    a.disabled = i == 0;
    a.inherit = s->inherits;
    a.exclude_kernel = !s->kernel;
    a.sample_id_all = 1;
    a.freq = i == 1 && s->frequency;
    a.sample_period = i == 1 && s->frequency ? s->frequency : i == 1 || i == 2 ? PERIOD : 0;
    a.comm = a.mmap = a.mmap2 = a.task = i == 1;
    a.context_switch = i == 1 && s->switches;
    a.watermark = i == 1 && s->watermark;
    a.wakeup_watermark = i == 1 ? s->watermark : 0; /* in a union with wakeup_events */
    if (i == 2)
        a.wakeup_events = s->wakes_after;
    return a;
}

static inline void map_ring(size_t size)
{
    void *at = NULL;

    CU_ASSERT_EQUAL(os->map(os->ctx, now.fd[1], size, &at), 0);
    now.page = at;
    now.ring = size;
    CU_ASSERT_EQUAL(os->perf_ioctl(os->ctx, now.fd[2], PERF_EVENT_IOC_SET_OUTPUT, (unsigned long)now.fd[1]), 0);
}

static inline void open_sampling(const struct sampling *s)
{
    memset(&now, 0, sizeof(now));
    for (size_t i = 0; i < MEMBERS; i++) {
        struct perf_event_attr a = attr_at(i, s);

        now.fd[i] = os->perf_open(os->ctx, &a, s->pid, s->cpu, i ? now.fd[0] : -1, 0);
        CU_ASSERT_TRUE_FATAL(now.fd[i] >= 0);
        CU_ASSERT_EQUAL(os->perf_ioctl(os->ctx, now.fd[i], PERF_EVENT_IOC_ID, (unsigned long)&now.id[i]), 0);
    }
    if (s->ring)
        map_ring(s->ring);
}

static inline void begin_sampling(const char *description, const struct sampling *s)
{
    CU_ASSERT_TRUE_FATAL(begin(description));
    open_sampling(s);
}

static inline void set_period(size_t member, uint64_t period)
{
    CU_ASSERT_EQUAL(os->perf_ioctl(os->ctx, now.fd[member], PERF_EVENT_IOC_PERIOD, (unsigned long)&period), 0);
}

/* Sets the periods of both that sample, and begins. */
static inline void enable_with(uint64_t first, uint64_t second)
{
    set_period(1, first);
    set_period(2, second);
    ioctl_group(now.fd[0], PERF_EVENT_IOC_ENABLE);
}

static inline void take_record(const unsigned char *at, const struct perf_event_header *h)
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
static inline void take_ring(void)
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

/* Waits for the rings for at most some ms: for how many us, and what ended it. */
static inline int wait_rings(int rings, uint64_t ms, uint64_t *us)
{
    const uint64_t began = os->now(os->ctx);
    struct td_os_event e;

    CU_ASSERT_EQUAL(os->wait(os->ctx, began + ms * MSEC, rings, &e), 0);
    *us = (os->now(os->ctx) - began + 500) / 1000;
    return (int)e.what;
}

static inline void close_events(void)
{
    for (size_t i = MEMBERS; i-- > 0;)
        CU_ASSERT_EQUAL(os->close(os->ctx, now.fd[i]), 0);
}

static inline void close_sampling(void)
{
    os->unmap(os->ctx, now.page, now.ring);
    close_events();
    end();
}

#endif
