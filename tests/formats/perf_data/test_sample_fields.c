/* SPDX-License-Identifier: MIT */
/* Samples of any fields, written here in the order of perf_event_open(2), read back: what is used has its value,
 * whatever is before it, and a sample that is a byte shorter has not all of its fields. */
#include "formats/perf_data/data_sample.h"
#include "tests/support/unit.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

enum {
    BITS = 25, /* of sample_type */
    HW_INDEX = 1 << 17,
    COUNTERS = 1 << 19, /* of enum perf_branch_sample_type; the second since Linux 6.8 */
    LOST = 16, /* PERF_FORMAT_LOST */
};

struct written {
    unsigned char at[4096];
    size_t n;
    struct td_perf_data_event event;
    struct td_perf_sample is; /* what must be read */
    uint64_t value[3], id[3], chain[3];
    size_t nchain;
};

static void put(struct written *w, uint64_t value, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        w->at[w->n++] = (unsigned char)(value >> 8 * i);
}

static void put_bytes(struct written *w, struct unit_random *r, size_t n)
{
    while (n--)
        put(w, unit_random_below(r, 256), 1);
}

/* struct { u64 value; u64 id; u64 lost } of one counter, with what of it was asked for. */
static void put_value(struct written *w, size_t i, bool with_value)
{
    if (with_value)
        put(w, w->value[i], 8);
    if (w->event.read_format & PERF_FORMAT_ID)
        put(w, w->id[i], 8);
    if (w->event.read_format & LOST)
        put(w, 99, 8);
}

static void put_read(struct written *w, struct unit_random *r)
{
    const bool group = w->event.read_format & PERF_FORMAT_GROUP;

    w->is.nvalues = group ? unit_random_below(r, 4) : 0;
    for (size_t i = 0; i < 3; i++) {
        w->value[i] = unit_random(r);
        w->id[i] = w->event.read_format & PERF_FORMAT_ID ? unit_random(r) : 0;
    }
    put(w, group ? w->is.nvalues : w->value[0], 8);
    if (w->event.read_format & PERF_FORMAT_TOTAL_TIME_ENABLED)
        put(w, w->is.enabled = unit_random(r), 8);
    if (w->event.read_format & PERF_FORMAT_TOTAL_TIME_RUNNING)
        put(w, w->is.running = unit_random(r), 8);
    if (!group)
        put_value(w, 0, false);
    for (size_t i = 0; i < w->is.nvalues; i++)
        put_value(w, i, true);
}

static void put_registers(struct written *w, struct unit_random *r, uint64_t mask)
{
    const uint64_t abi = unit_random_below(r, 3);

    put(w, abi, 8);
    for (uint64_t bit = 1; abi && bit; bit <<= 1)
        if (mask & bit)
            put(w, unit_random(r), 8);
}

static void put_branches(struct written *w, struct unit_random *r)
{
    const uint64_t n = unit_random_below(r, 4);

    put(w, n, 8);
    if (w->event.branch_type & HW_INDEX)
        put(w, unit_random(r), 8);
    put_bytes(w, r, 24 * n); /* from, to, flags */
    if (w->event.branch_type & COUNTERS)
        put_bytes(w, r, 8 * n);
}

static void put_stack(struct written *w, struct unit_random *r)
{
    const uint64_t size = 8 * unit_random_below(r, 4);

    put(w, size, 8);
    put_bytes(w, r, size);
    if (size)
        put(w, unit_random(r), 8); /* how much of it is used */
}

static void put_front(struct written *w, struct unit_random *r)
{
    const uint64_t type = w->event.sample_type;

    if (type & PERF_SAMPLE_IDENTIFIER)
        put(w, w->is.id = unit_random(r), 8);
    if (type & PERF_SAMPLE_IP)
        put(w, w->is.ip = unit_random(r), 8);
    if (type & PERF_SAMPLE_TID) {
        put(w, w->is.pid = (uint32_t)unit_random(r), 4);
        put(w, w->is.tid = (uint32_t)unit_random(r), 4);
    }
    if (type & PERF_SAMPLE_TIME)
        put(w, w->is.time = unit_random(r), 8);
    if (type & PERF_SAMPLE_ADDR)
        put(w, unit_random(r), 8);
    if (type & PERF_SAMPLE_ID)
        put(w, w->is.id = type & PERF_SAMPLE_IDENTIFIER ? w->is.id : unit_random(r), 8);
    if (type & PERF_SAMPLE_STREAM_ID)
        put(w, unit_random(r), 8);
    if (type & PERF_SAMPLE_CPU) {
        put(w, w->is.cpu = (uint32_t)unit_random(r), 4);
        put(w, unit_random(r), 4);
    }
    if (type & PERF_SAMPLE_PERIOD)
        put(w, unit_random(r), 8);
}

static void put_rest(struct written *w, struct unit_random *r)
{
    const uint64_t type = w->event.sample_type;

    if (type & PERF_SAMPLE_CALLCHAIN) {
        put(w, w->nchain = unit_random_below(r, 4), 8);
        for (size_t i = 0; i < w->nchain; i++)
            put(w, w->chain[i] = unit_random(r), 8);
    }
    if (type & PERF_SAMPLE_RAW) {
        const size_t size = 4 + 8 * unit_random_below(r, 4);

        put(w, size, 4);
        put_bytes(w, r, size);
    }
    if (type & PERF_SAMPLE_BRANCH_STACK)
        put_branches(w, r);
    if (type & PERF_SAMPLE_REGS_USER)
        put_registers(w, r, w->event.regs_user);
    if (type & PERF_SAMPLE_STACK_USER)
        put_stack(w, r);
    if (type & (PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT))
        put(w, unit_random(r), 8);
    if (type & PERF_SAMPLE_DATA_SRC)
        put(w, unit_random(r), 8);
    if (type & PERF_SAMPLE_TRANSACTION)
        put(w, unit_random(r), 8);
    if (type & PERF_SAMPLE_REGS_INTR)
        put_registers(w, r, w->event.regs_intr);
    if (type & PERF_SAMPLE_PHYS_ADDR)
        put(w, unit_random(r), 8);
    if (type & PERF_SAMPLE_CGROUP)
        put(w, w->is.cgroup = unit_random(r), 8);
    if (type & PERF_SAMPLE_DATA_PAGE_SIZE)
        put(w, unit_random(r), 8);
    if (type & PERF_SAMPLE_CODE_PAGE_SIZE)
        put(w, unit_random(r), 8);
    if (type & PERF_SAMPLE_AUX) {
        const size_t size = 8 * unit_random_below(r, 4);

        put(w, size, 8);
        put_bytes(w, r, size);
    }
}

static void write_sample(struct written *w, struct unit_random *r, uint64_t type)
{
    if (type & PERF_SAMPLE_WEIGHT) /* the kernel takes one of the two */
        type &= ~(uint64_t)PERF_SAMPLE_WEIGHT_STRUCT;
    w->n = w->nchain = 0;
    w->is = (struct td_perf_sample){.id = 0};
    w->event = (struct td_perf_data_event){.sample_type = type,
                                           .read_format = unit_random_below(r, 32),
                                           .branch_type = unit_random(r) & (HW_INDEX | COUNTERS | 8),
                                           .regs_user = unit_random(r) & 0x8001000000000ff3,
                                           .regs_intr = unit_random(r) & 0x8000800000fff};
    put_front(w, r);
    if (type & PERF_SAMPLE_READ)
        put_read(w, r);
    put_rest(w, r);
}

/* Whether the sample has what was written. */
static bool agrees(const struct written *w, struct td_perf_sample *s)
{
    const struct td_perf_sample *is = &w->is;
    uint64_t id, value;
    bool good = s->id == is->id && s->ip == is->ip && s->time == is->time && s->cgroup == is->cgroup &&
                s->pid == is->pid && s->tid == is->tid && s->cpu == is->cpu && s->enabled == is->enabled &&
                s->running == is->running && s->nvalues == is->nvalues && s->chain.n == 8 * w->nchain;

    for (size_t i = 0; good && i < w->nchain; i++)
        good = td_perf_u64_at(s->chain.at + 8 * i) == w->chain[i];
    for (size_t i = 0; good && i < is->nvalues; i++)
        good = td_perf_value(&w->event, &s->values, &id, &value) && value == w->value[i] &&
               (id == w->id[i] || !(w->event.read_format & PERF_FORMAT_ID));
    return good && (!is->nvalues || !td_perf_value(&w->event, &s->values, &id, &value));
}

static void check(struct unit_random *r, uint64_t type)
{
    static struct written w;
    struct td_perf_sample s;
    unsigned char *exact;
    uint64_t id = 0;

    write_sample(&w, r, type);
    exact = malloc(w.n + !w.n); /* so that a read beyond its end is noticed */
    CU_ASSERT_PTR_NOT_NULL_FATAL(exact);
    memcpy(exact, w.at, w.n);
    if (!td_perf_sample_read(&w.event, (struct td_perf_view){exact, w.n}, &s) || !agrees(&w, &s)) {
        printf("\n    the fields 0x%llx", (unsigned long long)w.event.sample_type);
        CU_FAIL("another sample");
    }
    CU_ASSERT(!w.n || !td_perf_sample_read(&w.event, (struct td_perf_view){exact, w.n - 1}, &s));
    CU_ASSERT_EQUAL(td_perf_sample_id(&w.event, (struct td_perf_view){exact, w.n}, &id),
                    (type & (PERF_SAMPLE_ID | PERF_SAMPLE_IDENTIFIER)) != 0);
    CU_ASSERT_EQUAL(id, w.is.id);
    CU_ASSERT_EQUAL(td_perf_sample_time(&w.event, (struct td_perf_view){exact, w.n}), w.is.time);
    free(exact);
}

static void each_field(void)
{
    struct unit_random r = {7};

    for (unsigned bit = 0; bit < BITS; bit++)
        for (unsigned n = 0; n < 40; n++) {
            check(&r, UINT64_C(1) << bit);
            check(&r, UINT64_C(1) << bit | PERF_SAMPLE_CGROUP | PERF_SAMPLE_AUX);
            check(&r, UINT64_C(1) << bit | PERF_SAMPLE_TIME | PERF_SAMPLE_READ | PERF_SAMPLE_CALLCHAIN);
        }
}

static void any_fields(void)
{
    struct unit_random r = {11};

    for (unsigned n = 0; n < 2000; n++)
        check(&r, unit_random(&r) & ((UINT64_C(1) << BITS) - 1));
}

/* Other records end with pid and tid, time, id, stream, CPU and the identifier, in this order. */
static void trailers(void)
{
    struct unit_random r = {13};

    for (unsigned n = 0; n < 500; n++) {
        static struct written w;
        const uint64_t type = unit_random(&r) & ((UINT64_C(1) << BITS) - 1);
        const bool there = n % 4;
        struct td_perf_sample s;
        struct td_perf_view v = {w.at, 0};

        w.n = 0;
        w.is = (struct td_perf_sample){.id = 0};
        w.event = (struct td_perf_data_event){.sample_type = type, .flags = there ? 1 << 18 /* sample_id_all */ : 0};
        put_bytes(&w, &r, 16); /* the record's own */
        if (type & PERF_SAMPLE_TID) {
            put(&w, w.is.pid = (uint32_t)unit_random(&r), 4);
            put(&w, w.is.tid = (uint32_t)unit_random(&r), 4);
        }
        if (type & PERF_SAMPLE_TIME)
            put(&w, w.is.time = unit_random(&r), 8);
        if (type & PERF_SAMPLE_ID)
            put(&w, w.is.id = unit_random(&r), 8);
        if (type & PERF_SAMPLE_STREAM_ID)
            put(&w, unit_random(&r), 8);
        if (type & PERF_SAMPLE_CPU) {
            put(&w, w.is.cpu = (uint32_t)unit_random(&r), 4);
            put(&w, 0, 4);
        }
        if (type & PERF_SAMPLE_IDENTIFIER)
            put(&w, w.is.id = unit_random(&r), 8);
        v.n = w.n;
        td_perf_trailer(&w.event, &v, &s);
        w.is = there ? w.is : (struct td_perf_sample){.id = 0};
        CU_ASSERT_EQUAL(v.n, there ? 16 : w.n);
        CU_ASSERT(s.pid == w.is.pid && s.tid == w.is.tid && s.time == w.is.time && s.id == w.is.id &&
                  s.cpu == w.is.cpu);
        v.n = w.n - 17; /* it has no room for all of them, if there are any */
        td_perf_trailer(&w.event, &v, &s);
        CU_ASSERT(w.n == 16 || !there || (v.n == w.n - 17 && !s.pid && !s.tid && !s.time && !s.id && !s.cpu));
    }
}

static const CU_TestInfo tests[] = {
    {"each field", each_field},
    {"any fields", any_fields},
    {"the ends of other records", trailers},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("fields of samples", tests);
