/* SPDX-License-Identifier: MIT */
/* From two snapshots to the counts between them. */
#include "core/solve/solve.h"
#include "tests/support/unit.h"

#include <errno.h>
#include <math.h>
#include <string.h>

enum { MOST = 9 };

/* Two snapshots of one or more events, 1000 ns apart and counted all the time. */
struct pair {
    const struct td_uarch *uarch;
    struct td_sample s0[MOST], s1[MOST];
    struct td_snap from, to;
};

static uint16_t event(const struct td_uarch *u, const char *name)
{
    int e = td_uarch_event_number(u, name);

    CU_ASSERT_FATAL(e >= 0);
    return (uint16_t)e;
}

static void pair_start(struct pair *p, const char *uarch, enum td_encoding encoding)
{
    *p = (struct pair){.uarch = td_uarch_by_name(uarch)};
    CU_ASSERT_PTR_NOT_NULL_FATAL(p->uarch);
    p->from = (struct td_snap){.time = 5000, .epoch = 3, .encoding = encoding, .bits = 64, .s = p->s0};
    p->to = p->from;
    p->to.time = 6000;
    p->to.s = p->s1;
}

static void pair_add(struct pair *p, uint16_t e, uint64_t value0, uint64_t value1)
{
    size_t i = p->to.n++;

    p->from.n++;
    p->s0[i] = (struct td_sample){.value = value0, .enabled = 100, .running = 100, .event = e, .text = e};
    p->s1[i] = (struct td_sample){.value = value1, .enabled = 1100, .running = 1100, .event = e, .text = e};
}

/* The only count between two values of one event. */
static struct td_count one(const struct pair *p)
{
    struct td_counts k = {0};
    struct td_count c = {.status = TD_EPOCH_CHANGED};

    CU_ASSERT_EQUAL(td_snap_delta(&p->from, &p->to, p->uarch, &k), 0);
    CU_ASSERT_EQUAL(k.n, 1);
    CU_ASSERT_EQUAL(k.status, TD_OK);
    if (k.n == 1)
        c = k.c[0];
    td_counts_free(&k);
    return c;
}

static void assert_step(unsigned bits, uint64_t value0, uint64_t value1, double value, enum td_status status)
{
    struct td_count c;
    struct pair p;

    pair_start(&p, "spr", TD_ENC_COUNTS);
    p.from.bits = p.to.bits = bits;
    pair_add(&p, event(p.uarch, "TOPDOWN.SLOTS"), value0, value1);
    c = one(&p);
    CU_ASSERT_EQUAL(c.value, value);
    CU_ASSERT_EQUAL(c.status, status);
    CU_ASSERT_EQUAL(c.err, 0);
}

static void counters_wrap(void)
{
    const uint64_t half = UINT64_C(1) << 47;

    assert_step(64, 10, 35, 25, TD_OK);
    assert_step(64, 7, 7, 0, TD_OK);
    assert_step(48, 10, 35, 25, TD_OK);
    assert_step(48, 2 * half - 10, 5, 15, TD_OK);
    assert_step(48, 2 * half - 1, 0, 1, TD_OK);
    assert_step(32, UINT64_C(0xfffffff0), 0x10, 0x20, TD_OK);
    assert_step(40, UINT64_C(0xffffffffff), 9, 10, TD_OK);
    /* half the range or more in one interval: reset, not wrapped */
    assert_step(48, half + 1, 0, 140737488355327.0, TD_OK);
    assert_step(48, half, 0, 0, TD_COUNTER_RESET);
    assert_step(48, 1000, 999, 0, TD_COUNTER_RESET);
    assert_step(32, 1000, 0, 0, TD_COUNTER_RESET);
    assert_step(64, 1000, 999, 0, TD_COUNTER_RESET);
    assert_step(64, UINT64_MAX, 0, 0, TD_COUNTER_RESET);
    assert_step(64, UINT64_C(1) << 63, (UINT64_C(1) << 63) + 3, 3, TD_OK);
}

static void reset_hits_one_event(void)
{
    struct td_counts k = {0};
    struct pair p;

    pair_start(&p, "spr", TD_ENC_COUNTS);
    pair_add(&p, event(p.uarch, "TOPDOWN.SLOTS"), 1000, 2000);
    pair_add(&p, event(p.uarch, "topdown-retiring"), 500, 100);
    pair_add(&p, event(p.uarch, "topdown-be-bound"), 100, 350);
    CU_ASSERT_EQUAL(td_snap_delta(&p.from, &p.to, p.uarch, &k), 0);
    CU_ASSERT_EQUAL_FATAL(k.n, 3);
    CU_ASSERT_EQUAL(k.c[0].status, TD_OK);
    CU_ASSERT_EQUAL(k.c[0].value, 1000);
    CU_ASSERT_EQUAL(k.c[1].status, TD_COUNTER_RESET);
    CU_ASSERT_EQUAL(k.c[1].value, 0);
    CU_ASSERT_EQUAL(k.c[1].err, 0);
    CU_ASSERT_EQUAL(k.c[2].status, TD_OK);
    CU_ASSERT_EQUAL(k.c[2].value, 250);
    td_counts_free(&k);
}

static int delta(const struct pair *p)
{
    struct td_counts k = {0};
    int err = td_snap_delta(&p->from, &p->to, p->uarch, &k);

    td_counts_free(&k);
    return err;
}

/* Slots from 1000 to 3000, and the register */
static void pair_packed(struct pair *p, uint64_t metrics0, uint64_t metrics1)
{
    pair_start(p, "spr", TD_ENC_PACKED);
    pair_add(p, event(p->uarch, "TOPDOWN.SLOTS"), 1000, 3000);
    pair_add(p, TD_EVENT_PACKED, metrics0, metrics1);
}

static void snapshots_that_do_not_match(void)
{
    struct pair p;

    pair_packed(&p, 0, 0);
    CU_ASSERT_EQUAL(delta(&p), 0);
    p.to.epoch++;
    CU_ASSERT_EQUAL(delta(&p), -ESTALE);
    p.to.epoch -= 2;
    CU_ASSERT_EQUAL(delta(&p), -ESTALE);
    p.to.epoch++;
    p.to.time = p.from.time - 1;
    CU_ASSERT_EQUAL(delta(&p), -ERANGE);
    p.to.time = p.from.time;
    CU_ASSERT_EQUAL(delta(&p), 0);
    p.to.encoding = TD_ENC_COUNTS;
    CU_ASSERT_EQUAL(delta(&p), -EINVAL);
    pair_packed(&p, 0, 0);
    p.s1[0].value = 999;
    CU_ASSERT_EQUAL(delta(&p), -ESTALE);
    p.from.bits = p.to.bits = 48; /* a register that overflowed cannot be used either */
    CU_ASSERT_EQUAL(delta(&p), -ESTALE);
}

static void packed_without_slots(void)
{
    struct pair p;

    pair_packed(&p, 0, 0);
    p.s0[0].event = event(p.uarch, "TOPDOWN.SLOTS_P");
    CU_ASSERT_EQUAL(delta(&p), -EINVAL);
    p.s1[0].event = p.s0[0].event;
    CU_ASSERT_EQUAL(delta(&p), -EINVAL);
    pair_packed(&p, 0, 0);
    p.s0[0].group = p.s1[0].group = 1;
    CU_ASSERT_EQUAL(delta(&p), -EINVAL);
    pair_packed(&p, 0, 0);
    p.s0[0].modes = p.s1[0].modes = TD_MODE_USER;
    CU_ASSERT_EQUAL(delta(&p), -EINVAL);
    pair_packed(&p, 0, 0);
    p.from.n = 1; /* the register is in the second snapshot only */
    CU_ASSERT_EQUAL(delta(&p), -EINVAL);
}

static const struct td_count *find(const struct td_counts *k, uint16_t e)
{
    for (size_t i = 0; i < k->n; i++)
        if (k->c[i].event == e)
            return &k->c[i];
    CU_FAIL_FATAL("no such count");
    return NULL;
}

static void packed_becomes_counts(void)
{
    const struct td_count *c;
    struct td_counts k = {0};
    struct pair p;

    pair_packed(&p, UINT64_C(0xff00000000000033), UINT64_C(0x8000000000000066));
    p.s1[0].running = p.s1[1].running = 600; /* half of the time */
    CU_ASSERT_EQUAL(td_snap_delta(&p.from, &p.to, p.uarch, &k), 0);
    CU_ASSERT_EQUAL(k.n, 1 + TD_FIELDS);
    c = find(&k, event(p.uarch, "TOPDOWN.SLOTS"));
    CU_ASSERT_EQUAL(c->value, 4000);
    CU_ASSERT_EQUAL(c->err, 0);
    c = find(&k, event(p.uarch, "topdown-retiring"));
    CU_ASSERT_EQUAL(c->value, 2 * 1000); /* 3000 * 102 / 255 - 1000 * 51 / 255 = 1200 - 200 */
    CU_ASSERT_DOUBLE_EQUAL(c->err, 2 * 4000 / 255.0, 1e-12);
    CU_ASSERT_EQUAL(c->enabled, 1000);
    CU_ASSERT_EQUAL(c->running, 500);
    c = find(&k, event(p.uarch, "topdown-mem-bound"));
    CU_ASSERT_DOUBLE_EQUAL(c->value, 2 * (3000 * 128 / 255.0 - 1000), 1e-9);
    c = find(&k, event(p.uarch, "topdown-bad-spec"));
    CU_ASSERT_EQUAL(c->value, 0);
    CU_ASSERT_DOUBLE_EQUAL(c->err, 2 * 4000 / 255.0, 1e-12);
    p.s1[1].enabled = 99;
    CU_ASSERT_EQUAL(td_snap_delta(&p.from, &p.to, p.uarch, &k), 0);
    CU_ASSERT_EQUAL(find(&k, event(p.uarch, "topdown-retiring"))->status, TD_COUNTER_RESET);
    p.uarch = td_uarch_by_name("icl"); /* Ice Lake's register has four fields */
    p.s0[0].event = p.s1[0].event = event(p.uarch, "TOPDOWN.SLOTS");
    CU_ASSERT_EQUAL(td_snap_delta(&p.from, &p.to, p.uarch, &k), 0);
    CU_ASSERT_EQUAL(k.n, 1 + 4);
    td_counts_free(&k);
}

static void multiplexing(void)
{
    struct td_count c;
    struct pair p;

    pair_start(&p, "spr", TD_ENC_COUNTS);
    pair_add(&p, event(p.uarch, "INT_MISC.UOP_DROPPING"), 1000, 2000);
    p.s1[0].running = 350;
    c = one(&p);
    CU_ASSERT_EQUAL(c.value, 4000); /* 1000 in 250 of 1000 ns */
    CU_ASSERT_EQUAL(c.enabled, 1000);
    CU_ASSERT_EQUAL(c.running, 250);
    p.to.scaled = true;
    c = one(&p);
    CU_ASSERT_EQUAL(c.value, 1000);
    CU_ASSERT_EQUAL(c.running, 250); /* but the fact that it ran part of the time is still known */
    p.s1[0].running = p.s0[0].running;
    c = one(&p);
    CU_ASSERT_EQUAL(c.status, TD_NOT_COUNTED);
    CU_ASSERT_EQUAL(c.value, 0);
    p.to.scaled = false;
    CU_ASSERT_EQUAL(one(&p).status, TD_NOT_COUNTED);
    p.s1[0].running = 99;
    CU_ASSERT_EQUAL(one(&p).status, TD_COUNTER_RESET);
}

/* linux arch/x86/events/intel/core.c: td_total_slots.scale is 4, and 2 with the sibling on */
static void sysfs_scale(void)
{
    struct pair p;

    pair_start(&p, "hsw", TD_ENC_COUNTS);
    pair_add(&p, event(p.uarch, "topdown-total-slots"), 50, 150);
    CU_ASSERT_EQUAL(one(&p).value, 400);
    p.from.smt = p.to.smt = true;
    CU_ASSERT_EQUAL(one(&p).value, 200);
    p.s1[0].running = 600; /* ran half of the time: both factors apply */
    CU_ASSERT_EQUAL(one(&p).value, 400);
    p.from.scaled = p.to.scaled = true;
    CU_ASSERT_EQUAL(one(&p).value, 100);
    p.from.smt = p.to.smt = false;
    CU_ASSERT_EQUAL(one(&p).value, 100);
}

static void statuses(void)
{
    struct pair p;

    pair_start(&p, "spr", TD_ENC_COUNTS);
    pair_add(&p, event(p.uarch, "TOPDOWN.SLOTS"), 10, 30);
    p.s1[0].status = TD_NOT_COUNTED;
    CU_ASSERT_EQUAL(one(&p).status, TD_NOT_COUNTED);
    CU_ASSERT_EQUAL(one(&p).value, 0);
    p.s1[0].status = TD_NOT_SUPPORTED;
    CU_ASSERT_EQUAL(one(&p).status, TD_NOT_SUPPORTED);
    p.s0[0].status = TD_NOT_SUPPORTED;
    p.s1[0].status = TD_OK;
    CU_ASSERT_EQUAL(one(&p).status, TD_NOT_SUPPORTED);
    p.s0[0].status = TD_NOT_COUNTED; /* it had not run yet */
    p.s0[0].value = 0;
    CU_ASSERT_EQUAL(one(&p).status, TD_OK);
    CU_ASSERT_EQUAL(one(&p).value, 30);
    p.from.n = 0; /* it joined later: how much of it belongs to the interval is unknown */
    CU_ASSERT_EQUAL(one(&p).status, TD_NOT_COUNTED);
    CU_ASSERT_EQUAL(one(&p).value, 0);
    p.s1[0].status = TD_NOT_SUPPORTED;
    CU_ASSERT_EQUAL(one(&p).status, TD_NOT_SUPPORTED);
}

/* The same event in another group or mode is another count; order does not matter. */
static void copies_are_told_apart(void)
{
    struct td_counts k = {0};
    struct td_sample first;
    struct pair p;

    pair_start(&p, "spr", TD_ENC_COUNTS);
    for (unsigned i = 0; i < 4; i++) {
        pair_add(&p, event(p.uarch, "TOPDOWN.SLOTS"), 100 * i, 100 * i + 1 + i);
        p.s0[i].group = p.s1[i].group = (uint16_t)(i & 1);
        p.s0[i].modes = p.s1[i].modes = i & 2 ? TD_MODE_USER : 0;
    }
    first = p.s1[0];
    p.s1[0] = p.s1[3];
    p.s1[3] = first;
    CU_ASSERT_EQUAL(td_snap_delta(&p.from, &p.to, p.uarch, &k), 0);
    CU_ASSERT_EQUAL_FATAL(k.n, 4);
    for (size_t i = 0; i < 4; i++)
        CU_ASSERT_EQUAL(k.c[i].value, 1 + k.c[i].group + (k.c[i].modes ? 2 : 0));
    td_counts_free(&k);
}

static void advance(struct unit_random *r, struct pair *p)
{
    uint64_t time = unit_random_below(r, 1000000), slots = unit_random_below(r, UINT64_C(1) << 40);

    p->to.time += time;
    for (size_t i = 0; i < p->to.n; i++) {
        p->s1[i].enabled += time;
        p->s1[i].running += time;
    }
    p->s1[0].value += slots;
    p->s1[1].value = unit_random(r);
    p->s1[2].value = (p->s1[2].value + unit_random_below(r, UINT64_C(1) << 40)) & ((UINT64_C(1) << 48) - 1);
}

/* Whatever the readings in between, the parts sum to the whole. */
static bool splits_add_up(struct unit_random *r, const struct pair *start)
{
    struct pair whole = *start, part;
    struct td_counts sum = {0}, k = {0};
    bool good = true;

    whole.from.s = whole.s0;
    whole.to.s = whole.s1;
    for (unsigned n = 0; n < 5; n++) {
        memcpy(part.s0, whole.s1, sizeof(part.s0));
        part.from = whole.to;
        advance(r, &whole);
        memcpy(part.s1, whole.s1, sizeof(part.s1));
        part.to = whole.to;
        part.from.s = part.s0;
        part.to.s = part.s1;
        good &= !td_snap_delta(&part.from, &part.to, whole.uarch, &k) && !td_counts_add(&sum, &k, NULL);
    }
    good &= !td_snap_delta(&whole.from, &whole.to, whole.uarch, &k) && sum.n == k.n && k.n == 2 + TD_FIELDS;
    for (size_t i = 0; good && i < k.n; i++) {
        bool field = whole.uarch->events[k.c[i].event].field >= 0;

        good = sum.c[i].event == k.c[i].event && sum.c[i].enabled == k.c[i].enabled &&
               sum.c[i].running == k.c[i].running &&
               (field ? fabs(sum.c[i].value - k.c[i].value) <= 1e-12 * k.c[i].err : sum.c[i].value == k.c[i].value) &&
               sum.c[i].err >= k.c[i].err * (1 - 1e-12); /* readings in between make nothing more certain */
    }
    td_counts_free(&sum);
    td_counts_free(&k);
    return good;
}

static void parts_add_up(void)
{
    struct unit_random r = {.state = 31};
    unsigned long bad = 0;
    struct pair p;

    for (unsigned long n = 0; n < unit_rounds(20000); n++) {
        uint64_t slots = unit_random_below(&r, UINT64_C(1) << 44), metrics = unit_random(&r),
                 other = unit_random(&r) >> 16;

        pair_start(&p, "spr", TD_ENC_PACKED);
        p.from.bits = p.to.bits = 48;
        p.to.time = p.from.time;
        pair_add(&p, event(p.uarch, "TOPDOWN.SLOTS"), slots, slots);
        pair_add(&p, TD_EVENT_PACKED, metrics, metrics);
        pair_add(&p, event(p.uarch, "INT_MISC.UOP_DROPPING"), other, other);
        memcpy(p.s1, p.s0, sizeof(p.s1));
        bad += !splits_add_up(&r, &p);
    }
    CU_ASSERT_EQUAL(bad, 0);
}

/* Counted modulo 2^31: half of the 32-bit lock in a page. */
static void restores(void)
{
    CU_ASSERT_EQUAL(td_packed_restores(5, 5), 0);
    CU_ASSERT_EQUAL(td_packed_restores(5, 9), 4);
    CU_ASSERT_EQUAL(td_packed_restores(0, 0x7fffffff), 0x7fffffff);
    CU_ASSERT_EQUAL(td_packed_restores(0x7fffffff, 0), 1);
    CU_ASSERT_EQUAL(td_packed_restores(0x60000000, 0x20000001), 0x40000001);
}

/* Two readings of one event, and what it counted between them: parts of values and of times may be below their points.
 */
struct parts {
    uint64_t value[2], enabled[2], running[2];
    double fraction[2], enabled_fraction[2], running_fraction[2];
};

static struct td_count of_parts(const struct parts *x)
{
    struct pair p;

    pair_start(&p, "spr", TD_ENC_COUNTS);
    pair_add(&p, event(p.uarch, "INT_MISC.UOP_DROPPING"), x->value[0], x->value[1]);
    for (size_t i = 0; i < 2; i++) {
        struct td_sample *s = i ? p.s1 : p.s0;

        s->enabled = x->enabled[i];
        s->running = x->running[i];
        s->fraction = x->fraction[i];
        s->enabled_fraction = x->enabled_fraction[i];
        s->running_fraction = x->running_fraction[i];
    }
    return one(&p);
}

static void below_the_point(void)
{
    static const uint64_t wraps = UINT64_C(0x7fffffffffffffff);
    const struct {
        struct parts x;
        double value, enabled, running;
        enum td_status status;
    } rows[] = {
        {{{10, 10}, {7, 8}, {5, 6}, {0.25, 0.75}, {0, 0}, {0, 0}}, 0.5, 1, 1, TD_OK},
        {{{10, 11}, {7, 8}, {5, 6}, {0.75, 0.25}, {0, 0}, {0, 0}}, 0.5, 1, 1, TD_OK},
        {{{10, 10}, {7, 8}, {5, 6}, {0.5, 0.5}, {0, 0}, {0, 0}}, 0, 1, 1, TD_OK},
        {{{10, 10}, {7, 8}, {5, 6}, {0.75, 0.5}, {0, 0}, {0, 0}}, 0, 1, 1, TD_COUNTER_RESET},
        {{{10, 12}, {7, 7}, {5, 5}, {0, 0}, {0.25, 0.75}, {0.125, 0.625}}, 2, 0.5, 0.5, TD_OK},
        {{{10, 12}, {7, 8}, {5, 5}, {0, 0}, {0.25, 0.75}, {0.125, 0.625}},
         6,
         1.5,
         0.5,
         TD_OK}, /* a third of the time */
        {{{10, 12}, {7, 8}, {5, 6}, {0, 0}, {0.75, 0.25}, {0.875, 0.375}}, 2, 0.5, 0.5, TD_OK},
        {{{10, 12}, {7, 8}, {5, 5}, {0, 0}, {0, 0}, {0.75, 0.25}}, 0, 1, 0, TD_NOT_COUNTED},
        {{{10, 12}, {7, 7}, {5, 6}, {0, 0}, {0.75, 0.25}, {0, 0}}, 2, 0, 1, TD_OK},
        /* no time has ever begun again within so many ns */
        {{{10, 12}, {wraps, 0}, {5, 6}, {0, 0}, {0, 0}, {0, 0}}, 0, 0, 0, TD_COUNTER_RESET},
        {{{10, 12}, {7, 8}, {wraps, 0}, {0, 0}, {0, 0}, {0, 0}}, 0, 0, 0, TD_COUNTER_RESET},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const struct td_count c = of_parts(&rows[i].x);

        CU_ASSERT_EQUAL(c.status, rows[i].status);
        CU_ASSERT_DOUBLE_EQUAL(c.value, rows[i].value, 1e-12);
        CU_ASSERT(c.enabled == rows[i].enabled && c.running == rows[i].running);
    }
}

/* A sum of samples of a latency is not scaled up; what it had before may only grow. */
static void sampled_latencies(void)
{
    static const struct {
        struct td_latencies_sampled from, to;
        uint64_t running;
        double value;
        enum td_status status;
    } rows[] = {
        {{true, 5, 100}, {true, 8, 300}, 600, 50, TD_OK},
        {{true, 5, 100}, {true, 5, 100}, 600, 50, TD_OK},
        {{true, 5, 100}, {true, 4, 300}, 600, 0, TD_COUNTER_RESET},
        {{true, 5, 100}, {true, 8, 99}, 600, 0, TD_COUNTER_RESET},
        {{true, 5, 100}, {true, 8, 300}, 100, 0, TD_NOT_COUNTED},
        {{false, 0, 0}, {false, 0, 0}, 600, 100, TD_OK},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct td_count c;
        struct pair p;

        pair_start(&p, "spr", TD_ENC_COUNTS);
        pair_add(&p, event(p.uarch, "INT_MISC.UOP_DROPPING"), 20, 70);
        p.s0[0].sampled = rows[i].from;
        p.s1[0].sampled = rows[i].to;
        p.s1[0].running = rows[i].running; /* from 100 on, of 1000 */
        c = one(&p);
        CU_ASSERT_EQUAL(c.status, rows[i].status);
        CU_ASSERT_EQUAL(c.value, rows[i].value);
        CU_ASSERT_EQUAL(c.sampled.any, rows[i].to.any);
        if (c.status == TD_OK)
            CU_ASSERT(c.sampled.n == rows[i].to.n - rows[i].from.n &&
                      c.sampled.squares == rows[i].to.squares - rows[i].from.squares);
    }
}

/* Without times there is nothing to scale by, but for what a tick of the event is worth. */
static void times_unknown(void)
{
    struct td_count c;
    struct pair p;

    pair_start(&p, "hsw", TD_ENC_COUNTS);
    pair_add(&p, event(p.uarch, "topdown-total-slots"), 50, 150);
    p.s0[0].enabled = p.s0[0].running = p.s1[0].enabled = p.s1[0].running = 0;
    p.from.coverage_unknown = p.to.coverage_unknown = true;
    c = one(&p);
    CU_ASSERT(c.status == TD_OK && c.value == 400 && c.enabled == 0 && c.running == 0);
}

/* The register, of 3000 slots in the end: each of its fields lacks what the slots, or it itself at the beginning, lack.
 * 3000 / 255 for each time that it may have been written back. */
static void packed_statuses(void)
{
    static const struct {
        enum td_status slots_to, slots_from, from, to, wanted;
        uint32_t restores[2];
        double times; /* units of error besides those of reading it */
    } rows[] = {
        {TD_OK, TD_OK, TD_OK, TD_OK, TD_OK, {7, 7}, 0},
        {TD_OK, TD_OK, TD_OK, TD_OK, TD_OK, {7, 8}, 1},
        {TD_OK, TD_OK, TD_OK, TD_OK, TD_OK, {5, 9}, 4},
        {TD_NOT_SUPPORTED, TD_OK, TD_OK, TD_OK, TD_NOT_SUPPORTED, {0, 0}, 0},
        {TD_NOT_SUPPORTED, TD_NOT_COUNTED, TD_NOT_COUNTED, TD_OK, TD_NOT_SUPPORTED, {0, 0}, 0},
        {TD_OK, TD_NOT_COUNTED, TD_OK, TD_OK, TD_NOT_COUNTED, {0, 0}, 0},
        {TD_OK, TD_NOT_SUPPORTED, TD_NOT_COUNTED, TD_OK, TD_NOT_SUPPORTED, {0, 0}, 0},
        {TD_OK, TD_OK, TD_NOT_COUNTED, TD_OK, TD_NOT_COUNTED, {0, 0}, 0},
        {TD_OK, TD_OK, TD_NOT_SUPPORTED, TD_OK, TD_NOT_SUPPORTED, {0, 0}, 0},
        {TD_OK, TD_OK, TD_OK, TD_NOT_COUNTED, TD_NOT_COUNTED, {0, 0}, 0},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const struct td_count *c;
        struct td_counts k = {0};
        struct pair p;

        pair_packed(&p, UINT64_C(0xff00000000000033), UINT64_C(0x8000000000000066));
        p.from.restores = rows[i].restores[0];
        p.to.restores = rows[i].restores[1];
        p.s1[0].status = rows[i].slots_to;
        p.s0[0].status = rows[i].slots_from;
        p.s0[1].status = rows[i].from;
        p.s1[1].status = rows[i].to;
        CU_ASSERT_EQUAL(td_snap_delta(&p.from, &p.to, p.uarch, &k), 0);
        c = find(&k, event(p.uarch, "topdown-retiring"));
        CU_ASSERT_EQUAL(c->status, rows[i].wanted);
        CU_ASSERT_EQUAL(c->value, rows[i].wanted == TD_OK ? 1000 : 0); /* as in packed_becomes_counts() */
        if (rows[i].wanted == TD_OK)
            CU_ASSERT_DOUBLE_EQUAL(c->err, (4000 + rows[i].times * 3000) / 255, 1e-9);
        td_counts_free(&k);
    }
}

/* 510 slots are 2 for each of the 255 parts of a field, and each reader of it truncates. */
static void readers(void)
{
    static const unsigned numbers[] = {0, 1, 2, 3};
    static const double errors[] = {3, 3, 4, 5};

    for (size_t i = 0; i < 4; i++) {
        struct td_counts k = {0};
        struct pair p;

        pair_start(&p, "spr", TD_ENC_COUNTS);
        pair_add(&p, event(p.uarch, "TOPDOWN.SLOTS"), 1000, 1510);
        pair_add(&p, event(p.uarch, "topdown-retiring"), 500, 600);
        p.to.readers = numbers[i];
        CU_ASSERT_EQUAL(td_snap_delta(&p.from, &p.to, p.uarch, &k), 0);
        CU_ASSERT(k.n == 2 && k.c[0].err == 0 && k.c[1].err == errors[i] && k.c[1].value == 100);
        CU_ASSERT_EQUAL(td_snap_restarted(&p.to, p.uarch, &k), 0);
        CU_ASSERT(k.n == 2 && k.status == TD_EPOCH_CHANGED && k.c[0].value == 0);
        td_counts_free(&k);
    }
}

static const CU_TestInfo tests[] = {
    {"counters wrap or were reset", counters_wrap},
    {"a reset hits one event", reset_hits_one_event},
    {"snapshots that do not match", snapshots_that_do_not_match},
    {"packed register without slots", packed_without_slots},
    {"packed register becomes counts", packed_becomes_counts},
    {"multiplexing", multiplexing},
    {"sysfs scale", sysfs_scale},
    {"restores", restores},
    {"statuses", statuses},
    {"copies are told apart", copies_are_told_apart},
    {"parts add up to the whole", parts_add_up},
    {"below the point", below_the_point},
    {"sampled latencies", sampled_latencies},
    {"times that are not known", times_unknown},
    {"packed register without counts", packed_statuses},
    {"readers", readers},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("delta", tests);
