/* SPDX-License-Identifier: MIT */
/* The promise of honest numbers: what really happened in a region is inside
 * the bounds, whatever the register's rounding and however old its epoch. */
#include "tests/support/random_pmu.h"
#include "core/solve/solve.h"
#include "tests/support/unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

__extension__ typedef __int128 wide;

enum {
    PHASES = 6,
    LONGEST = 36, /* bits of a region's slots */
    SLOTS = TD_FIELDS, /* index of that sample, after those of the fields */
};

/* A metric is a category, or a category less its part, never below 0
 * (formula glc-perf-metrics; without UOP_DROPPING nothing else is involved). */
struct node {
    const char *name;
    int field, less;
};

static const struct node nodes[] = {
    {"retiring", TD_FIELD_RETIRING, -1},
    {"bad_speculation", TD_FIELD_BAD_SPECULATION, -1},
    {"frontend_bound", TD_FIELD_FRONTEND_BOUND, -1},
    {"backend_bound", TD_FIELD_BACKEND_BOUND, -1},
    {"heavy_operations", TD_FIELD_HEAVY_OPERATIONS, -1},
    {"light_operations", TD_FIELD_RETIRING, TD_FIELD_HEAVY_OPERATIONS},
    {"branch_mispredicts", TD_FIELD_BRANCH_MISPREDICTS, -1},
    {"machine_clears", TD_FIELD_BAD_SPECULATION, TD_FIELD_BRANCH_MISPREDICTS},
    {"fetch_latency", TD_FIELD_FETCH_LATENCY, -1},
    {"fetch_bandwidth", TD_FIELD_FRONTEND_BOUND, TD_FIELD_FETCH_LATENCY},
    {"memory_bound", TD_FIELD_MEMORY_BOUND, -1},
    {"core_bound", TD_FIELD_BACKEND_BOUND, TD_FIELD_MEMORY_BOUND},
};

/* One region: the truth, and what the registers show of it, computed here
 * from the definitions, not by the library. */
struct region {
    uint64_t age, slots;
    double truth[TD_FIELDS]; /* share of slots */
    double count[TD_FIELDS], err; /* slots, and half the width of the uncertainty from the 8 bits */
    double noise; /* rounding of a count in double arithmetic */
    double sum; /* of the level-1 counts */
};

struct bench {
    struct unit_random random;
    struct td_forms *forms;
    struct td_result result;
    struct td_counts counts;
    uint16_t event[SLOTS + 1];
    bool packed; /* the register itself; else through read(2) */
    struct td_pmu pmu;
    struct td_pmu_counts kernel; /* what read(2) returns */
    struct td_pmu_phase phases[PHASES];
    unsigned long bad, bounded, unbounded;
    unsigned long sums[256 * 4];
};

static void bench_open(struct bench *b, uint64_t seed, bool packed)
{
    static const char *const names[] = {
        "topdown-retiring",      "topdown-bad-spec",  "topdown-fe-bound",  "topdown-be-bound", "topdown-heavy-ops",
        "topdown-br-mispredict", "topdown-fetch-lat", "topdown-mem-bound", "TOPDOWN.SLOTS",
    };
    const struct td_uarch *u = td_uarch_by_name("spr");

    *b = (struct bench){.random = {.state = seed}, .packed = packed};
    CU_ASSERT_FATAL(u && td_forms_new(u, &b->forms) == 0);
    for (size_t i = 0; i <= SLOTS; i++) {
        int event = td_uarch_event_number(u, names[i]);

        CU_ASSERT_FATAL(event >= 0);
        b->event[i] = (uint16_t)event;
    }
}

static void bench_close(struct bench *b)
{
    td_counts_free(&b->counts);
    td_forms_free(b->forms);
    td_result_free(&b->result);
}

/* 1..2^bits - 1, each magnitude as likely as the others */
static uint64_t random_size(struct unit_random *r, unsigned bits)
{
    uint64_t x = unit_random(r) >> (64 - bits + unit_random_below(r, bits));

    return x ? x : 1;
}

static void random_pmu(struct bench *b)
{
    size_t n = 1 + unit_random_below(&b->random, PHASES);
    enum td_pmu_rounding rounding = (enum td_pmu_rounding)unit_random_below(&b->random, 3);

    for (size_t i = 0; i < n; i++)
        random_phase(&b->random, random_size(&b->random, LONGEST), &b->phases[i]);
    b->bad += !td_pmu_init(&b->pmu, b->phases, n, rounding, (int)unit_random_below(&b->random, 5) - 2);
}

static void set_truth(struct region *g, const struct td_pmu_truth *from, const struct td_pmu_truth *to)
{
    g->slots = to->slots - from->slots;
    for (size_t f = 0; f < TD_FIELDS; f++)
        g->truth[f] = (double)(to->part[f] - from->part[f]) / TD_PMU_WHOLE / (double)g->slots;
}

/* The published formula: categories over their sum; differences not below 0. */
static double formula(const double *x, double sum, const struct node *n)
{
    double v = x[n->field] / sum;

    if (n->less >= 0) /* the parent's own max0 applies */
        v = fmax(0, (n->field == TD_FIELD_BAD_SPECULATION ? fmax(0, v) : v) - x[n->less] / sum);
    return n->field == TD_FIELD_BAD_SPECULATION ? fmax(0, v) : v;
}

/* Bounds can be given if no level-1 count decreased and the divisor cannot be 0. */
static bool can_be_bounded(const struct region *g)
{
    double least = 0;

    for (size_t f = 0; f < TD_PMU_LEVEL1; f++) {
        if (g->count[f] < 0)
            return false;
        least += fmax(0, g->count[f] - g->err);
    }
    return least > 1e-6 * g->err;
}

static bool bounds_right(struct bench *b, const struct region *g, const struct td_metric *m, double truth)
{
    double slack;

    if (isnan(m->low) || isnan(m->high)) {
        b->unbounded++;
        return isnan(m->low) && isnan(m->high) && m->flags & TD_FLAG_NO_BOUNDS && !can_be_bounded(g);
    }
    b->bounded++;
    slack = 1e-12 * (1 + m->high - m->low);
    return m->low <= m->value && m->value <= m->high && m->low <= truth + slack && truth <= m->high + slack &&
           !(m->flags & TD_FLAG_NO_BOUNDS);
}

/* By what factor the four's possible sums exceed or fall short of the slots: beyond 2 no CPU has them. */
static double times_off(const struct region *g)
{
    double least = 0, most = 0, slots = (double)g->slots;

    for (size_t f = 0; f < TD_PMU_LEVEL1; f++) {
        least += fmin(g->count[f], fmax(0, g->count[f] - g->err));
        most += g->count[f] + g->err;
    }
    return fmax(least / slots, slots / most);
}

static bool metric_right(struct bench *b, const struct region *g, const struct td_metric *m, const struct node *n)
{
    const unsigned fine = TD_FLAG_NEGATIVE | TD_FLAG_OVER_ONE | TD_FLAG_NO_BOUNDS | TD_FLAG_CORRECTION_MISSING;
    double want = formula(g->count, g->sum, n), close = 8 * g->noise / fabs(g->sum) * (1 + fabs(want)) + 1e-12;
    double times = times_off(g);
    /* four errors: such a sum means nothing */
    bool off = want < -0.05 || want > 1.05 || times > 2 || g->sum <= 4e-9 * g->err;
    bool at_limit = fabs(want + 0.05) < close || fabs(want - 1.05) < close || fabs(times - 2) < 1e-9;

    if (fabs(g->sum) <= 8 * g->noise) /* 0, or 0 except for rounding */
        return m->status == TD_NO_SLOTS ||
               (g->noise > 0 && (m->status == TD_IMPOSSIBLE || m->status == TD_ZERO_DIVISOR));
    if (m->status == TD_IMPOSSIBLE)
        return (off || at_limit) && fabs(m->raw - want) <= close && isnan(m->low) && isnan(m->value);
    return m->status == TD_OK && (!off || at_limit) && !(m->flags & ~fine) && fabs(m->value - want) <= close &&
           bounds_right(b, g, m, formula(g->truth, 1, n));
}

static const struct node *node_of(const struct td_metric *m)
{
    for (size_t n = 0; n < sizeof(nodes) / sizeof(*nodes); n++)
        if (!strcmp(nodes[n].name, m->name))
            return &nodes[n];
    return NULL;
}

static void solve(struct bench *b, const struct td_snap *from, const struct td_snap *to)
{
    static const struct td_solve_ask ask = {.level = 2, .fixed = true};

    b->bad += td_snap_delta(from, to, td_forms_uarch(b->forms), &b->counts) != 0;
    b->bad += td_solve(b->forms, &b->counts, &ask, &b->result) != 0;
}

static void check(struct bench *b, const struct region *g)
{
    for (size_t i = 0; i < b->result.nmetrics; i++) {
        const struct td_metric *m = &b->result.metrics[i];
        const struct node *n = node_of(m);

        if (!n || metric_right(b, g, m, n) || b->bad++)
            continue;
        fprintf(stderr, "%s: status %d flags %#x, %.17g in %.17g..%.17g, truth %.17g; %.0f slots, age %.0f\n", m->name,
                (int)m->status, m->flags, m->value, m->low, m->high, formula(g->truth, 1, n), (double)g->slots,
                (double)g->age);
    }
}

struct reading {
    struct td_sample s[SLOTS + 1];
    struct td_snap snap;
    struct td_pmu_truth truth;
};

static void read_sample(const struct bench *b, struct reading *p, size_t i, uint64_t value)
{
    struct td_sample *s = &p->s[b->packed && i == SLOTS ? 1 : i];
    uint16_t event = b->packed && i != SLOTS ? TD_EVENT_PACKED : b->event[i];

    *s = (struct td_sample){.value = value, .enabled = p->snap.time, .running = p->snap.time, .event = event};
}

static void read_pmu(struct bench *b, uint64_t time, struct reading *p)
{
    td_pmu_truth(&b->pmu, &p->truth);
    p->snap = (struct td_snap){.time = time, .bits = 64, .n = SLOTS + 1, .s = p->s};
    if (b->packed) {
        p->snap.encoding = TD_ENC_PACKED;
        p->snap.n = 2;
        read_sample(b, p, 0, td_pmu_metrics(&b->pmu));
        read_sample(b, p, SLOTS, td_pmu_slots(&b->pmu));
        return;
    }
    td_pmu_read(&b->pmu, &b->kernel);
    for (size_t f = 0; f < TD_FIELDS; f++)
        read_sample(b, p, f, b->kernel.field[f]);
    read_sample(b, p, SLOTS, b->kernel.slots);
}

static unsigned byte(const struct reading *p, size_t field)
{
    return (unsigned)(p->s[0].value >> 8 * field & 255);
}

static void region_packed(struct region *g, const struct reading *p, const struct reading *q)
{
    uint64_t slots0 = p->s[1].value, slots1 = q->s[1].value;
    wide sum = 0;

    for (size_t f = 0; f < TD_FIELDS; f++) {
        wide parts = (wide)slots1 * byte(q, f) - (wide)slots0 * byte(p, f);

        g->count[f] = (double)parts / 255;
        sum += f < TD_PMU_LEVEL1 ? parts : 0;
    }
    g->sum = (double)sum / 255;
    g->err = ((double)slots0 + (double)slots1) / 255;
    g->noise = 0x1p-52 * 255 * g->err;
}

static void region_counted(struct region *g, const struct reading *p, const struct reading *q)
{
    for (size_t f = 0; f < TD_FIELDS; f++) {
        g->count[f] = (double)(q->s[f].value - p->s[f].value);
        g->sum += f < TD_PMU_LEVEL1 ? g->count[f] : 0;
    }
    g->err = (double)g->slots / 255 + 1; /* the kernel's division truncates */
}

/* From a region that starts at the reset to one 1000 times shorter than the register's age. */
static uint64_t random_age(struct unit_random *r, uint64_t slots)
{
    static const unsigned most[] = {0, 1, 10, 100, 1000};
    uint64_t times = most[unit_random_below(r, 5)];

    return times ? unit_random_below(r, times * slots + 1) : 0;
}

static void random_region(struct bench *b, struct region *g, struct reading *p, struct reading *q)
{
    random_pmu(b);
    td_pmu_advance(&b->pmu, unit_random(&b->random) >> 20); /* the epoch begins anywhere in the phases */
    td_pmu_reset(&b->pmu);
    td_pmu_advance(&b->pmu, g->age);
    read_pmu(b, 1000, p);
    td_pmu_advance(&b->pmu, g->slots);
    read_pmu(b, 2000, q);
    set_truth(g, &p->truth, &q->truth);
    if (b->packed)
        region_packed(g, p, q);
    else
        region_counted(g, p, q);
}

static void check_regions(struct bench *b, unsigned long rounds)
{
    for (unsigned long i = 0; i < rounds; i++) {
        struct region g = {.slots = random_size(&b->random, LONGEST)};
        struct reading p, q;

        g.age = random_age(&b->random, g.slots);
        random_region(b, &g, &p, &q);
        solve(b, &p.snap, &q.snap);
        check(b, &g);
        b->sums[byte(&q, 0) + byte(&q, 1) + byte(&q, 2) + byte(&q, 3)]++;
    }
    CU_ASSERT_EQUAL(b->bad, 0);
}

static void packed_bounds(void)
{
    unsigned long rounds = unit_long_rounds(1000000);
    struct bench b;

    bench_open(&b, 21, true);
    check_regions(&b, rounds);
    /* both easy and hard cases must occur */
    CU_ASSERT_TRUE(b.bounded > 5 * rounds && b.unbounded > rounds / 100);
    for (unsigned sum = 253; sum <= 257; sum++)
        CU_ASSERT_TRUE(b.sums[sum] > rounds / 200);
    bench_close(&b);
}

static void counted_bounds(void)
{
    unsigned long rounds = unit_long_rounds(1000000);
    struct bench b;

    bench_open(&b, 22, false);
    check_regions(&b, rounds);
    CU_ASSERT_TRUE(b.bounded > 8 * rounds);
    bench_close(&b);
}

/* A field x of a sum S means (x +- 1) / (S +- 2) as a share of all, and
 * (x +- 1) / (S -+ 4) over the sum, where S is at least 252: that wide, no wider. */
static double widest(double value, const struct node *n)
{
    if (n->less >= 0)
        return (2 + 4) / 251.0 + (2 + 8) / 250.0;
    return n->field < TD_PMU_LEVEL1 ? (2 + 4 * value) / 251 : (2 + 8 * value) / 250;
}

static void check_widths(struct bench *b)
{
    for (size_t i = 0; i < b->result.nmetrics; i++) {
        const struct td_metric *m = &b->result.metrics[i];
        const struct node *n = node_of(m);
        /* regions do not count UOP_DROPPING, which is likely to be no more than a 50th of the slots */
        const double term = m->flags & TD_FLAG_CORRECTION_MISSING ? 0.02 : 0;
        double width = m->high - m->low - term;

        b->bounded += n != NULL;
        /* at least one unit to at least one side: less cannot be known */
        b->bad += n && !(width <= widest(m->value, n) + 1e-6 && width + term >= 0.99 / 255);
        b->bad += n && m->level == 1 && m->value <= 0.5 && width > 4 / 251.0 + 1e-6;
    }
}

/* Regions that start at a reset: their bounds are useful. */
static void bounds_are_narrow(void)
{
    unsigned long rounds = unit_rounds(20000);
    struct bench b;

    bench_open(&b, 23, true);
    for (unsigned long i = 0; i < rounds; i++) {
        struct region g = {.slots = (UINT64_C(1) << 32) + random_size(&b.random, LONGEST)};
        struct reading p, q;

        b.packed = i & 1;
        random_region(&b, &g, &p, &q);
        solve(&b, &p.snap, &q.snap);
        check_widths(&b);
    }
    CU_ASSERT_EQUAL(b.bad, 0);
    CU_ASSERT_EQUAL(b.bounded, 12 * rounds);
    bench_close(&b);
}

static const CU_TestInfo tests[] = {
    {"truth within bounds: packed register", packed_bounds},
    {"truth within bounds: read(2)", counted_bounds},
    {"fresh bounds are narrow", bounds_are_narrow},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("bounds", tests);
