/* SPDX-License-Identifier: MIT */
/* The PERF_METRICS register: its fields, the slots between two readings, the
 * model of it that other tests rely on, and the summing of its counts. */
#include "core/choice/copies.h"
#include "sim/machine/pmu.h"
#include "core/solve/solve.h"
#include "tests/support/unit.h"

#include <errno.h>
#include <math.h>
#include <string.h>

__extension__ typedef __int128 wide;

/* Linux arch/x86/include/asm/perf_event.h, INTEL_TD_METRIC_*: one byte each, lowest first */
static void fields_by_position(void)
{
    for (unsigned f = 0; f < 8; f++)
        CU_ASSERT_EQUAL(td_metrics_field(UINT64_C(0x8899aabbccddeeff), (enum td_field)f), 0xff - 0x11 * f);
}

/* Each value of each byte, with the other bytes all clear and all set. */
static void fields_do_not_mix(void)
{
    unsigned bad = 0;

    for (unsigned f = 0; f < 8; f++)
        for (uint64_t b = 0; b < 256; b++) {
            uint64_t alone = b << 8 * f, others = ~(UINT64_C(0xff) << 8 * f);

            bad += td_metrics_field(alone, (enum td_field)f) != b;
            bad += td_metrics_field(alone | others, (enum td_field)f) != b;
        }
    CU_ASSERT_EQUAL(bad, 0);
    CU_ASSERT_EQUAL(td_metrics_field(UINT64_MAX, TD_FIELDS), 0); /* no such fields */
    CU_ASSERT_EQUAL(td_metrics_field(UINT64_MAX, (enum td_field) - 1), 0);
}

struct hand {
    enum td_field field;
    uint64_t slots0, metrics0, slots1, metrics1;
    double slots, err; /* by hand: (slots1 * b1 - slots0 * b0) / 255, (slots0 + slots1) / 255 */
};

static void delta_by_hand(void)
{
    static const struct hand hands[] = {
        /* 102 of 255 parts of 510000 are 204000, 51 of 255 of 255000 are 51000 */
        {TD_FIELD_RETIRING, 255000, 51, 510000, 102, 153000, 3000},
        {TD_FIELD_BAD_SPECULATION, 0, 0, 2550, 0x8000, 1280, 10},
        {TD_FIELD_FRONTEND_BOUND, 0, 0, 255, 0xff0000, 255, 1},
        {TD_FIELD_BACKEND_BOUND, 255, UINT64_C(0xff000000), 510, UINT64_C(0x80000000), 1, 3},
        {TD_FIELD_HEAVY_OPERATIONS, 1020, UINT64_C(0x1000000000), 2040, UINT64_C(0x1000000000), 64, 12},
        {TD_FIELD_BRANCH_MISPREDICTS, 510, UINT64_C(0x030000000000), 510, UINT64_C(0x030000000000), 0, 4},
        {TD_FIELD_FETCH_LATENCY, 0, 0, 0, 0, 0, 0},
        /* the top bit of the register is not a sign */
        {TD_FIELD_MEMORY_BOUND, 255, UINT64_C(0x7f00000000000000), 25500, UINT64_C(0x8000000000000000), 12673, 101},
        /* the share fell by one unit while almost no slots passed: negative, but within err */
        {TD_FIELD_RETIRING, 25500, 11, 25510, 10, (255100.0 - 280500.0) / 255, 51010.0 / 255},
        /* returned unchanged: interpreting it is not the decoder's task */
        {TD_FIELD_RETIRING, 255, 200, 255, 100, -100, 2},
    };

    for (size_t i = 0; i < sizeof(hands) / sizeof(*hands); i++) {
        const struct hand *h = &hands[i];
        double slots = NAN, err = NAN;

        CU_ASSERT_EQUAL(td_metrics_delta(h->field, h->slots0, h->metrics0, h->slots1, h->metrics1, &slots, &err), 0);
        CU_ASSERT_EQUAL(slots, h->slots);
        CU_ASSERT_EQUAL(err, h->err);
    }
}

static void other_epoch(void)
{
    double slots = 7, err = 8;

    CU_ASSERT_EQUAL(td_metrics_delta(TD_FIELD_RETIRING, 1000, 1, 999, 255, &slots, &err), -ESTALE);
    CU_ASSERT_EQUAL(td_metrics_delta(TD_FIELD_RETIRING, 1, 1, 0, 0, &slots, &err), -ESTALE);
    CU_ASSERT_EQUAL(td_metrics_delta(TD_FIELD_RETIRING, UINT64_MAX, 1, UINT64_MAX - 1, 1, &slots, &err), -ESTALE);
    CU_ASSERT_EQUAL(slots, 7);
    CU_ASSERT_EQUAL(err, 8);
}

static uint64_t random_slots(struct unit_random *r)
{
    return unit_random(r) >> (17 + unit_random_below(r, 40));
}

/* Compared with 128-bit integers; a double holds each product to 2^-53 of itself. */
static void delta_against_integers(void)
{
    struct unit_random r = {.state = 11};
    unsigned long bad = 0;

    for (unsigned long n = 0; n < unit_rounds(200000); n++) {
        uint64_t s0 = random_slots(&r), s1 = s0 + random_slots(&r);
        uint64_t m0 = unit_random(&r), m1 = unit_random(&r);
        unsigned shift = 8 * (unsigned)(n % 8);
        wide big = (wide)s1 * (wide)(m1 >> shift & 255), small = (wide)s0 * (wide)(m0 >> shift & 255);
        double slots, err;

        if (td_metrics_delta((enum td_field)(n % 8), s0, m0, s1, m1, &slots, &err)) {
            bad++;
            continue;
        }
        bad += fabs(slots - (double)(big - small) / 255) > 0x1p-51 * (double)(big + small) / 255;
        bad += fabs(err - (double)((wide)s0 + (wide)s1) / 255) > 0x1p-51 * err;
    }
    CU_ASSERT_EQUAL(bad, 0);
}

enum { HALF = TD_PMU_WHOLE / 2 };

/* 10 slots retire, half of them as heavy operations; 30 wait, half of them for memory. */
static const struct td_pmu_phase two_phases[] = {
    {.slots = 10, .weight = {TD_PMU_WHOLE, 0, 0, 0, HALF, 0, 0, 0}},
    {.slots = 30, .weight = {0, 0, 0, TD_PMU_WHOLE, 0, 0, 0, HALF}},
};

static void model_by_hand(void)
{
    struct td_pmu_counts k = {0};
    struct td_pmu_truth truth;
    struct td_pmu p;

    CU_ASSERT_TRUE_FATAL(td_pmu_init(&p, two_phases, 2, TD_PMU_TRUNCATE, 0));
    CU_ASSERT_EQUAL(td_pmu_metrics(&p), 0);
    td_pmu_read(&p, &k);
    td_pmu_advance(&p, 20); /* 10 of 20 are 127.5 of 255, 5 of 20 are 63.75 */
    CU_ASSERT_TRUE(td_pmu_slots(&p) == 20 && k.slots == 0);
    CU_ASSERT_EQUAL(td_pmu_metrics(&p), UINT64_C(0x3f00003f7f00007f));
    p.rounding = TD_PMU_NEAREST;
    CU_ASSERT_EQUAL(td_pmu_metrics(&p), UINT64_C(0x4000004080000080));
    p.skew = 2; /* 128 and 128 cannot rise, an exact 0 can */
    CU_ASSERT_EQUAL(td_pmu_metrics(&p), UINT64_C(0x4000004080000180));
    td_pmu_init(&p, two_phases, 2, TD_PMU_TRUNCATE, 0);
    td_pmu_advance(&p, 20);
    td_pmu_read(&p, &k);
    CU_ASSERT_TRUE(td_pmu_slots(&p) == 0 && td_pmu_metrics(&p) == 0);
    CU_ASSERT_TRUE(k.slots == 20 && k.field[0] == 9 && k.field[3] == 9 && k.field[4] == 4 && k.field[7] == 4 &&
                   k.field[1] == 0);
    td_pmu_advance(&p, 20);
    td_pmu_read(&p, &k); /* 20 * 255 / 255 and 20 * 127 / 255 more */
    CU_ASSERT_TRUE(k.slots == 40 && k.field[0] == 9 && k.field[3] == 29 && k.field[4] == 4 && k.field[7] == 13);
    td_pmu_advance(&p, 40001);
    td_pmu_truth(&p, &truth);
    CU_ASSERT_EQUAL(truth.slots, 40041);
    CU_ASSERT_EQUAL(truth.part[TD_FIELD_RETIRING], UINT64_C(10011) * TD_PMU_WHOLE);
    CU_ASSERT_EQUAL(truth.part[TD_FIELD_MEMORY_BOUND], UINT64_C(15015) * TD_PMU_WHOLE);
    CU_ASSERT_EQUAL(td_pmu_slots(&p), 40001);
}

static void model_refuses(void)
{
    struct td_pmu_phase f = {.slots = 10, .weight = {TD_PMU_WHOLE - 1}};
    struct td_pmu p;

    CU_ASSERT_FALSE(td_pmu_init(&p, &f, 1, TD_PMU_NEAREST, 0));
    f.weight[2] = 1;
    CU_ASSERT_TRUE(td_pmu_init(&p, &f, 1, TD_PMU_NEAREST, 0));
    f.weight[6] = 2;
    CU_ASSERT_FALSE(td_pmu_init(&p, &f, 1, TD_PMU_NEAREST, 0));
    f = (struct td_pmu_phase){.weight = {TD_PMU_WHOLE}};
    CU_ASSERT_FALSE(td_pmu_init(&p, &f, 1, TD_PMU_NEAREST, 0));
    CU_ASSERT_FALSE(td_pmu_init(&p, &f, 0, TD_PMU_NEAREST, 0));
}

/* true: each field is within limit/2 units of the exact fraction, and not above it when down */
static bool fields_true(const struct td_pmu *p, unsigned limit, bool down)
{
    uint64_t m = td_pmu_metrics(p);
    wide whole = (wide)td_pmu_slots(p) * TD_PMU_WHOLE;

    for (size_t i = 0; i < TD_PMU_FIELDS; i++) {
        wide off = (wide)(m >> 8 * i & 255) * whole - (wide)255 * (wide)(p->total.part[i] - p->at_reset.part[i]);

        if ((down && off > 0) || (off < 0 ? -off : off) * 2 > whole * limit)
            return false;
    }
    return true;
}

static void model_is_within_one_unit(void)
{
    struct unit_random r = {.state = 41};
    unsigned long bad = 0;

    for (unsigned long n = 0; n < unit_rounds(50000); n++) {
        enum td_pmu_rounding rounding = (enum td_pmu_rounding)(n % 3);
        int skew = n % 2 ? (int)unit_random_below(&r, 5) - 2 : 0;
        uint64_t first = random_slots(&r), second = random_slots(&r) >> 4;
        struct td_pmu p, q;

        bad += !td_pmu_init(&p, two_phases, 2, rounding, skew) || !td_pmu_init(&q, two_phases, 2, rounding, skew);
        td_pmu_advance(&p, first);
        td_pmu_advance(&p, second);
        td_pmu_advance(&q, first + second);
        bad += memcmp(&p.total, &q.total, sizeof(p.total)) != 0 || p.left != q.left || p.phase != q.phase;
        bad += td_pmu_slots(&p) != first + second || td_pmu_metrics(&p) != td_pmu_metrics(&q);
        bad += !fields_true(&p, !skew && rounding == TD_PMU_NEAREST ? 1 : 2, !skew && rounding == TD_PMU_TRUNCATE);
    }
    CU_ASSERT_EQUAL(bad, 0);
}

static struct td_counts interval(struct td_count *c, size_t n)
{
    return (struct td_counts){.n = n, .room = n, .c = c};
}

static void assert_count(const struct td_count *c, double value, double err, double enabled, double running)
{
    CU_ASSERT_EQUAL(c->status, TD_OK);
    CU_ASSERT_TRUE(c->value == value && c->err == err && c->enabled == enabled && c->running == running);
}

static void sums(void)
{
    struct td_count a[] = {
        {.value = 10, .err = 1, .enabled = 100, .running = 100, .text = 1},
        {.status = TD_NOT_COUNTED, .value = 98, .err = 98, .enabled = 100, .text = 2},
        {.value = 5, .enabled = 100, .running = 50, .text = 1, .group = 1},
    };
    struct td_count b[] = {
        {.value = 7, .err = 2, .enabled = 10, .running = 10, .text = 2},
        {.status = TD_COUNTER_RESET, .value = 99, .err = 99, .enabled = 10, .running = 10, .text = 1},
        {.value = 3, .enabled = 10, .running = 10, .text = 1, .modes = TD_MODE_USER},
    };
    struct td_counts sum = {0}, ka = interval(a, 3), kb = interval(b, 3);

    CU_ASSERT_EQUAL(td_counts_add(&sum, &ka, NULL), 0);
    CU_ASSERT_EQUAL(td_counts_add(&sum, &kb, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(sum.n, 4);
    assert_count(&sum.c[0], 10, 1, 100, 100); /* counts from before a reset are not valid for any time */
    assert_count(&sum.c[1], 7, 2, 110, 10);
    assert_count(&sum.c[2], 5, 0, 100, 50);
    assert_count(&sum.c[3], 3, 0, 10, 10);
    /* each ran all of the time, but in different intervals */
    CU_ASSERT_FALSE(td_copies_together(&sum.c[0], &sum.c[3]));
    CU_ASSERT_TRUE(td_copies_together(&sum.c[1], &sum.c[1]));
    ka.status = TD_EPOCH_CHANGED;
    CU_ASSERT_EQUAL(td_counts_add(&sum, &ka, NULL), 0);
    assert_count(&sum.c[0], 10, 1, 100, 100);
    ka.status = TD_OK;
    CU_ASSERT_EQUAL(td_counts_add(&sum, &ka, NULL), 0);
    assert_count(&sum.c[0], 20, 2, 200, 200);
    assert_count(&sum.c[1], 7, 2, 210, 10);
    /* [1] and [3] were counted in one interval of two, and represent both */
    td_counts_balance(&sum);
    assert_count(&sum.c[1], 14, 4, 420, 10);
    assert_count(&sum.c[2], 10, 0, 200, 100);
    assert_count(&sum.c[3], 6, 0, 20, 10);
    td_counts_free(&sum);
}

/* Two groups took turns, of 3 intervals with 1,000 cycles and of 1 with 2,000, beside 2,000 and 8,000 of the core's
 * clock. All is scaled to 3,000 cycles; where the second has no cycles of its own, to 10,000 of the core; and where
 * they have no clock in common, by the intervals. */
static void turns(void)
{
    static const double scales[][2] = {{3, 1.5}, {5, 1.25}, {1, 3}};
    const struct td_uarch *u = td_uarch_by_name("skl");
    const uint16_t core = (uint16_t)td_uarch_event_number(u, "CPU_CLK_UNHALTED.THREAD_ANY"),
                   cycles = (uint16_t)td_uarch_event_number(u, "cycles"),
                   other = (uint16_t)td_uarch_event_number(u, "UOPS_ISSUED.ANY"),
                   second[][2] = {{core, cycles}, {core, other}, {other, other}};

    for (size_t i = 0; i < sizeof(scales) / sizeof(*scales); i++) {
        struct td_count c[] = {
            {.value = 2000, .event = core, .enabled = 3, .running = 3, .intervals = 3},
            {.value = 1000, .event = cycles, .enabled = 3, .running = 3, .intervals = 3},
            {.value = 16, .err = 2, .event = other, .enabled = 3, .running = 3, .intervals = 3},
            {.value = 64, .err = 4, .event = other, .enabled = 1, .running = 1, .intervals = 1, .group = 1},
            {.value = 8000, .event = second[i][0], .enabled = 1, .running = 1, .intervals = 1, .group = 1},
            {.value = 2000, .event = second[i][1], .enabled = 1, .running = 1, .intervals = 1, .group = 1},
        };
        struct td_counts sum = interval(c, sizeof(c) / sizeof(*c));

        td_counts_balance_turns(&sum, u);
        for (size_t k = 0; k < sum.n; k++) {
            static const double values[] = {2000, 1000, 16, 64, 8000, 2000}, errors[] = {0, 0, 2, 4, 0, 0};

            CU_ASSERT_EQUAL(c[k].value, values[k] * scales[i][k > 2]);
            CU_ASSERT_EQUAL(c[k].err, errors[k] * scales[i][k > 2]);
        }
        CU_ASSERT_EQUAL(sum.balanced, i < 2 ? 4 : 3);
    }
}

static void too_many(void)
{
    struct td_count c = {.value = 1};
    struct td_counts k = {0}, more = interval(&c, 1);

    for (c.text = 0; c.text < 4096; c.text++)
        CU_ASSERT_EQUAL_FATAL(td_counts_append(&k, &c), 0);
    CU_ASSERT_EQUAL(td_counts_append(&k, &c), -E2BIG);
    CU_ASSERT_EQUAL(td_counts_add(&k, &more, NULL), -E2BIG);
    c.text = 200;
    CU_ASSERT_EQUAL(td_counts_add(&k, &more, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(k.n, 4096);
    CU_ASSERT_EQUAL(k.c[200].value, 2);
    td_counts_free(&k);
}

enum { COUNTS = 1 + TD_FIELDS };

/* slots, then the fields, as one group that a read(2) returned */
static struct td_counts group(const struct td_uarch *u, const double *values, struct td_count *c)
{
    static const char *const names[COUNTS] = {
        "TOPDOWN.SLOTS",     "topdown-retiring",      "topdown-bad-spec",  "topdown-fe-bound",  "topdown-be-bound",
        "topdown-heavy-ops", "topdown-br-mispredict", "topdown-fetch-lat", "topdown-mem-bound",
    };

    for (size_t i = 0; i < COUNTS; i++)
        c[i] = (struct td_count){.value = values[i],
                                 .enabled = 10,
                                 .running = 10,
                                 .text = (uint32_t)i,
                                 .event = (uint16_t)td_uarch_event_number(u, names[i])};
    return interval(c, COUNTS);
}

/* Through read(2): slots / 255 for the eight bits and 1 for the kernel's division. */
static void quantised(void)
{
    static const double values[COUNTS] = {2550, 1000, 500, 400, 600, 300, 0, 0, 0};
    const struct td_uarch *u = td_uarch_by_name("spr");
    struct td_count c[COUNTS];
    struct td_counts k = group(u, values, c);

    c[3].status = TD_NOT_COUNTED;
    c[4].err = 5; /* known already */
    CU_ASSERT_EQUAL(td_counts_quantise(&k, u, 1), 0);
    CU_ASSERT_TRUE(c[0].err == 0 && c[1].err == 11 && c[3].err == 0 && c[4].err == 5 && c[5].err == 11 &&
                   c[8].err == 11);
    k = group(u, values, c);
    c[2].intervals = 3; /* in a sum, the division is done in each reading of each interval */
    CU_ASSERT_EQUAL(td_counts_quantise(&k, u, 2), 0);
    CU_ASSERT_TRUE(c[1].err == 12 && c[2].err == 16);
    k = group(u, values, c);
    c[0].group = 7; /* the slots of another group are from another time */
    CU_ASSERT_EQUAL(td_counts_quantise(&k, u, 1), 0);
    CU_ASSERT_TRUE(c[1].err >= 2500 / 255.0 + 1 && c[1].err < 12);
    k = group(u, values, c);
    c[0].modes = TD_MODE_USER;
    c[1].group = 3;
    CU_ASSERT_EQUAL(td_counts_quantise(&k, u, 1), 0);
    CU_ASSERT_TRUE(c[1].err >= 1000 / 255.0 + 1 && c[1].err < 6);
    CU_ASSERT_TRUE(c[5].err >= 1500 / 255.0 + 1 && c[5].err < 8);
}

/* What td_counts_quantise() computes, one count at a time. */
static double error_of(const struct td_counts *k, const struct td_uarch *u, const struct td_count *c)
{
    double slots = 0, sum = 0;
    bool known = false;

    if (u->events[c->event].field < 0 || c->status != TD_OK)
        return 0;
    for (size_t i = 0; i < k->n; i++) {
        const struct td_count *o = &k->c[i];
        const int field = u->events[o->event].field;

        if (o->group != c->group || o->modes != c->modes || o->status != TD_OK)
            continue;
        if (!known && o->event == td_uarch_slots(u)) {
            known = true;
            slots = o->value;
        }
        sum += field >= 0 && field < 4 ? o->value : 0;
    }
    return (known ? slots : sum) / 255 + 1;
}

/* As many counts as a reading has, in rising groups and in any order, some twice, some without their slots. */
static void quantised_in_any_order(void)
{
    const struct td_uarch *u = td_uarch_by_name("spr");
    const unsigned long rounds = unit_rounds(20);
    struct unit_random random = {5};
    struct td_counts k = {0};

    for (unsigned long round = 0; round < rounds; round++) {
        bool rising = round % 2;
        size_t wrong = 0;

        k.n = 0;
        for (unsigned i = 0; i < TD_READING_ROWS; i++) {
            struct td_count c = {.value = 1 + (double)unit_random_below(&random, 1000000),
                                 .event = (uint16_t)unit_random_below(&random, u->nevents)};

            c.group = (uint16_t)(rising ? i / 10 : unit_random_below(&random, 400));
            c.modes = (uint8_t)(rising ? i / 10 % 2 : unit_random_below(&random, 2));
            c.status = unit_random_below(&random, 10) ? TD_OK : TD_NOT_COUNTED;
            CU_ASSERT_EQUAL_FATAL(td_counts_append(&k, &c), 0);
        }
        CU_ASSERT_EQUAL_FATAL(td_counts_quantise(&k, u, 1), 0);
        for (size_t i = 0; i < k.n; i++)
            wrong += fabs(k.c[i].err - error_of(&k, u, &k.c[i])) > 1e-9 * k.c[i].err;
        CU_ASSERT_EQUAL(wrong, 0);
    }
    td_counts_free(&k);
}

static void solve(const struct td_counts *k, struct td_result *out)
{
    static const struct td_solve_ask ask = {.level = 2, .fixed = true};
    struct td_forms *f;

    CU_ASSERT_EQUAL_FATAL(td_forms_new(td_uarch_by_name("spr"), &f), 0);
    memset(out, 0, sizeof(*out));
    CU_ASSERT_EQUAL(td_solve(f, k, &ask, out), 0);
    td_forms_free(f);
}

/* A sum of k identical intervals has the same ratios. */
static void ratios_do_not_depend_on_length(void)
{
    static const double values[COUNTS] = {1e9, 3.1e8, 0.7e8, 2.6e8, 3.6e8, 1e7, 6e7, 2e8, 1e8};
    struct td_result once, often;
    struct td_count c[COUNTS];
    struct td_counts sum = {0}, k = group(td_uarch_by_name("spr"), values, c);

    CU_ASSERT_EQUAL(td_counts_quantise(&k, td_uarch_by_name("spr"), 1), 0);
    for (int i = 0; i < 7; i++)
        CU_ASSERT_EQUAL(td_counts_add(&sum, &k, NULL), 0);
    CU_ASSERT_EQUAL(sum.c[1].value, 7 * 3.1e8);
    solve(&k, &once);
    solve(&sum, &often);
    CU_ASSERT_EQUAL(once.flags, often.flags);
    for (size_t i = 0; i < 12; i++) {
        CU_ASSERT_EQUAL(once.metrics[i].status, TD_OK);
        CU_ASSERT_DOUBLE_EQUAL(once.metrics[i].value, often.metrics[i].value, 1e-15);
        CU_ASSERT_DOUBLE_EQUAL(once.metrics[i].low, often.metrics[i].low, 1e-15);
        CU_ASSERT_DOUBLE_EQUAL(once.metrics[i].high, often.metrics[i].high, 1e-15);
    }
    td_result_free(&once);
    td_result_free(&often);
    td_counts_free(&sum);
}

static void assert_sum_off(double retiring, bool off)
{
    const double values[COUNTS] = {255000, retiring, 20000, 80000, 100000, 10000, 10000, 60000, 50000};
    struct td_count c[COUNTS];
    struct td_counts k = group(td_uarch_by_name("spr"), values, c);
    struct td_result r;

    CU_ASSERT_EQUAL(td_counts_quantise(&k, td_uarch_by_name("spr"), 1), 0);
    solve(&k, &r);
    CU_ASSERT_EQUAL(r.flags & TD_FLAG_SUM_OFF, off ? TD_FLAG_SUM_OFF : 0);
    for (size_t i = 0; i < 12; i++) {
        CU_ASSERT_EQUAL(r.metrics[i].status, TD_OK);
        CU_ASSERT_FALSE(isnan(r.metrics[i].value));
        CU_ASSERT_EQUAL(r.metrics[i].flags & (TD_FLAG_SUM_OFF | TD_FLAG_NO_BOUNDS), off ? TD_FLAG_SUM_OFF : 0);
        CU_ASSERT_TRUE(!isnan(r.metrics[i].low) == !off && !isnan(r.metrics[i].high) == !off);
    }
    td_result_free(&r);
}

/* Four fields of 1000 slots, and one more slot: the sum may be 4004 off, as quantisation could do. */
static void sum_off(void)
{
    assert_sum_off(55000, false);
    assert_sum_off(55000 + 4003, false);
    assert_sum_off(55000 + 4005, true);
    assert_sum_off(55000 - 4003, false);
    assert_sum_off(55000 - 4005, true);
    assert_sum_off(55000 + 7650, true); /* 3 % */
}

static const CU_TestInfo decode_tests[] = {
    {"fields by position", fields_by_position},
    {"fields do not mix", fields_do_not_mix},
    {"delta by hand", delta_by_hand},
    {"other epoch", other_epoch},
    {"delta against 128-bit integers", delta_against_integers},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("decode", decode_tests);

static const CU_TestInfo pmu_model_tests[] = {
    {"model by hand", model_by_hand},
    {"faulty phases", model_refuses},
    {"fields within one unit", model_is_within_one_unit},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("pmu model", pmu_model_tests);

/* An interval whose counts come in another order than those of the sum, so many that an index is made of them; each
 * event has two copies that nothing tells apart, of which the first there meets the first here. */
static void other_orders(void)
{
    enum { EVENTS = 300, COPIES = 2 };
    static struct td_count c[EVENTS * COPIES];
    struct td_counts sum = {0}, k = {.c = c, .n = sizeof(c) / sizeof(*c), .room = sizeof(c) / sizeof(*c)};

    for (unsigned round = 0; round < 3; round++) { /* forwards, backwards, and with steps of 7 */
        for (unsigned i = 0; i < EVENTS; i++)
            for (unsigned copy = 0; copy < COPIES; copy++) {
                const unsigned e = round == 0 ? i : round == 1 ? EVENTS - 1 - i : i * 7 % EVENTS;

                c[i * COPIES + copy] =
                    (struct td_count){.value = 1000 * copy + e, .enabled = 1, .running = 1, .text = e};
            }
        CU_ASSERT_EQUAL_FATAL(td_counts_add(&sum, &k, NULL), 0);
        CU_ASSERT_EQUAL_FATAL(sum.n, EVENTS * COPIES);
    }
    for (unsigned i = 0; i < EVENTS; i++) {
        CU_ASSERT_EQUAL(sum.c[i * COPIES].text, i);
        CU_ASSERT_EQUAL(sum.c[i * COPIES].value, 3 * i);
        CU_ASSERT_EQUAL(sum.c[i * COPIES + 1].value, 3000 + 3 * i);
    }
    td_counts_free(&sum);
}

static const CU_TestInfo counts_tests[] = {
    {"other orders", other_orders},
    {"sums of intervals", sums},
    {"groups that took turns", turns},
    {"too many counts", too_many},
    {"uncertainty of counts", quantised},
    {"uncertainty in any order", quantised_in_any_order},
    {"ratios do not depend on length", ratios_do_not_depend_on_length},
    {"sum_off", sum_off},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("counts", counts_tests);
