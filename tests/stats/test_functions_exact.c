/* SPDX-License-Identifier: MIT */
/* What is known of functions, from results that are written out here: what they weigh, whose metrics they are, what
 * their bounds are widened by, which loss comes first. */
#include "stats/functions.h"

#include "tests/support/chance.h"
#include "tests/support/made_interval.h"
#include "tests/support/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define LENGTH(a) (sizeof(a) / sizeof(*(a)))

static void add(struct td_functions *f, const struct made_interval *m)
{
    CU_ASSERT_EQUAL_FATAL(td_functions_add(f, &m->r), 0);
}

static void add_whole(struct td_functions *f, const struct made_interval *m)
{
    CU_ASSERT_EQUAL_FATAL(td_functions_whole(f, &m->r), 0);
}

static const struct td_function *function_of(const struct td_functions *f, const char *name)
{
    for (size_t i = 0; i < f->n; i++)
        if (!strcmp(f->function[i]->name, name))
            return f->function[i];
    CU_FAIL_FATAL("a function is missing");
    return NULL;
}

/* The mean of a metric over all intervals that end there. */
static double mean_of(const struct td_function *f, const char *metric)
{
    for (size_t i = 0; i < f->of->metrics; i++)
        if (!strcmp(f->of->metric[i]->name, metric))
            return td_function_naive(f, i);
    CU_FAIL_FATAL("a metric is missing");
    return NAN;
}

/* ---- what intervals weigh ------------------------------------------------------------------- */

/* The slots; else the cycles times the width, which is 6; else the first of cycles, instructions and seconds that is
 * known; else 1. */
static void weights(void)
{
    static const struct {
        double value[3]; /* of slots, cycles, instructions; 0: not counted */
        const char *cpu;
        uint64_t duration;
        double weight;
    } rows[] = {
        {{1000, 200, 300}, "spr", 2000000000, 1000}, {{0, 200, 300}, "spr", 2000000000, 1200},
        {{0, 200, 300}, "none", 2000000000, 200},    {{0, 0, 300}, "spr", 2000000000, 300},
        {{0, 0, 0}, "spr", 2000000000, 2},           {{0, 0, 0}, "spr", 0, 1},
    };
    struct td_functions f = {.seed = 1};
    struct made_interval m;

    for (size_t i = 0; i < LENGTH(rows); i++) {
        const enum td_sample_start start = i % 2 ? TD_START_THROTTLED : TD_START_SAMPLE;
        const struct td_left_out before = f.left[start];

        made_interval(&m, "f", 0, 1);
        m.counts.n = 3;
        for (size_t k = 0; k < 3; k++)
            m.count[k] = (struct td_count){.text = (uint32_t)k,
                                           .value = rows[i].value[k],
                                           .status = rows[i].value[k] > 0 ? TD_OK : TD_NOT_COUNTED};
        m.r.cpu = rows[i].cpu;
        m.r.at.duration = rows[i].duration;
        m.r.at.start = start;
        add(&f, &m);
        CU_ASSERT_EQUAL(f.left[start].n, before.n + 1);
        CU_ASSERT_EQUAL(f.left[start].slots, before.slots + rows[i].weight);
    }
    CU_ASSERT_EQUAL(td_functions_finish(&f), 0);
    CU_ASSERT_EQUAL(f.slots, 1000 + 1200 + 200 + 300 + 2 + 1);
    CU_ASSERT(isnan(f.seconds) && f.intervals == 6 && f.n == 1);
    td_functions_free(&f);
}

/* Of one sample's chain the first interval is weighed, and what the others have besides is not looked at. Each first
 * interval of a chain, and each that is alone, has the distance of its pair. */
static void chains(void)
{
    static const struct {
        uint32_t course, nth;
        double slots, value;
        enum td_sample_pair pair;
        /* afterwards, of that function: */
        double weight, mean;
        uint64_t distances, left;
    } rows[] = {
        {0, 1, 10, 0.5, TD_PAIR_SHORT, 10, 0.5, 1, 1},     {0, 2, 90, 0.25, TD_PAIR_SHORT, 10, 0.5, 1, 1},
        {0, 3, 80, 0.125, TD_PAIR_SHORT, 10, 0.5, 1, 1},   {1, 1, 20, 0.75, TD_PAIR_REST, 20, 0.75, 1, 2},
        {0, 2, 40, 0.25, TD_PAIR_SHORT, 40, 0.25, 1, 2}, /* of another chain than the one before it */
        {0, 2, 30, 0.375, TD_PAIR_SHORT, 30, 0.375, 1, 2}, {0, 1, 4, 0.5, TD_PAIR_SHORT, 4, 0.5, 2, 3},
        {0, 1, 8, 0.25, TD_PAIR_SHORT, 8, 0.25, 3, 4},     {0, 1, 16, 0.125, TD_PAIR_FAR, 16, 0.125, 3, 5},
        {0, 3, 2, 1, TD_PAIR_SHORT, 2, 1, 3, 5},
    };
    static const char *const names[] = {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"};
    struct td_functions f = {.seed = 1};
    struct made_interval m;

    for (size_t i = 0; i < LENGTH(rows); i++) {
        made_interval(&m, names[i], rows[i].slots, 2);
        m.r.at.course = rows[i].course;
        m.r.at.nth = rows[i].nth;
        m.r.at.pair = rows[i].pair;
        m.r.at.distance = TD_PAIR_LEAST;
        m.metric[0].value = m.metric[1].value = rows[i].value;
        add(&f, &m);
        CU_ASSERT_EQUAL(f.distances.n, rows[i].distances);
        CU_ASSERT_EQUAL(f.left[TD_START_SAMPLE].n, rows[i].left);
    }
    CU_ASSERT_EQUAL(f.left[TD_START_SAMPLE].slots, 10 + 20 + 4 + 8 + 16);
    CU_ASSERT_EQUAL_FATAL(td_functions_finish(&f), 0);
    CU_ASSERT_EQUAL_FATAL(f.n, LENGTH(rows));
    for (size_t i = 0; i < LENGTH(rows); i++) {
        const struct td_function *one = function_of(&f, names[i]);

        CU_ASSERT_EQUAL(one->slots, rows[i].weight);
        CU_ASSERT_EQUAL(td_function_naive(one, 0), rows[i].mean);
        CU_ASSERT_EQUAL(td_function_naive(one, 1), rows[i].mean);
    }
    td_functions_free(&f);
}

/* One that is alone is of no chain. */
static void alone(void)
{
    struct td_functions f = {.seed = 1};
    struct made_interval m;

    for (uint32_t i = 1; i < 3; i++) {
        made_interval(&m, "f", i, 1);
        m.r.at.pair = TD_PAIR_SHORT;
        m.r.at.distance = TD_PAIR_LEAST;
        add(&f, &m);
        CU_ASSERT(f.distances.n == i && f.left[TD_START_SAMPLE].n == i);
    }
    CU_ASSERT_EQUAL(f.left[TD_START_SAMPLE].slots, 1 + 2);
    td_functions_free(&f);
}

/* ---- whose metrics they are ------------------------------------------------------------------ */

/* Each kind of core has the metrics of its own first interval, found by name wherever later ones have them; what has no
 * value is not in the mean, and what the first one lacks is not known of any. */
static void kinds_of_cores(void)
{
    struct td_functions f = {.seed = 1};
    const struct td_function *one;
    struct made_interval m, p;

    made_interval(&p, "f", 2, 3); /* retiring 1/8, a 2/8, b 3/8 */
    p.uarch.core = 'P';
    p.r.at.dso = "program";
    p.r.at.symbols = TD_SYMBOLS_NONE;
    add(&f, &p);
    made_interval(&m, "e", 4, 1);
    m.uarch.core = 'E';
    m.r.cpu = "other", m.r.formula = "another";
    m.r.at.scope_kind = TD_KIND_INSTRUCTION;
    add(&f, &m);
    m.r.at.began = "only here";
    m.r.at.duration = 5;
    m.r.nmetrics = 3; /* the others are not of this kind */
    add(&f, &m);
    p.metric[0] = made_share("b", 1);
    p.metric[1] = made_share("x", 1);
    p.metric[2] = made_share("retiring", 1);
    p.r.at.dso = "another";
    add(&f, &p);
    p.metric[2].status = TD_IMPOSSIBLE;
    p.r.nmetrics = 3;
    add(&f, &p);
    p.r.at.scope = "g";
    p.r.at.scope_kind = TD_KIND_LINE;
    add(&f, &p);
    p.r.at.began = NULL;
    add(&f, &p);
    CU_ASSERT_STRING_EQUAL(f.cpu, "spr");
    CU_ASSERT_STRING_EQUAL(f.formula, "perf_metrics");
    CU_ASSERT_STRING_EQUAL(f.kind, "function");
    /* these; P, retiring, "", slots, a, b; E, instruction; line */
    CU_ASSERT_EQUAL(f.texts, 3 + 6 + 2 + 1);
    CU_ASSERT_EQUAL(f.cores, 2);
    CU_ASSERT_EQUAL_FATAL(td_functions_finish(&f), 0);
    CU_ASSERT(f.n == 3 && f.intervals == 6 && f.slots == 4 * 2 + 2 * 4 && isnan(f.seconds));
    one = function_of(&f, "f");
    CU_ASSERT_STRING_EQUAL(one->kind, "function");
    CU_ASSERT_STRING_EQUAL(one->dso, "program");
    CU_ASSERT(one->symbols == TD_SYMBOLS_NONE && one->of->metrics == 3 && one->slots == 6 && one->intervals == 3);
    CU_ASSERT_STRING_EQUAL(one->of->core, "P");
    CU_ASSERT_EQUAL(mean_of(one, "retiring"), (0.125 + 1) / 2);
    CU_ASSERT_EQUAL(mean_of(one, "a"), 0.25);
    CU_ASSERT_EQUAL(mean_of(one, "b"), (0.375 + 1 + 1) / 3);
    CU_ASSERT_EQUAL(td_function_pure(one), 3);
    CU_ASSERT_EQUAL(td_function_share(one), 6.0 / 16);
    one = function_of(&f, "e");
    CU_ASSERT_STRING_EQUAL(one->kind, "instruction");
    CU_ASSERT_STRING_EQUAL(one->of->core, "E");
    CU_ASSERT(!one->dso && one->of->metrics == 1 && one->slots == 8 && td_function_pure(one) == 1);
    CU_ASSERT_EQUAL(td_function_share(one), 8.0 / 16);
    one = function_of(&f, "g");
    CU_ASSERT_STRING_EQUAL(one->kind, "line");
    CU_ASSERT(one->intervals == 1 && td_function_pure(one) == 0 && isnan(mean_of(one, "a")));
    for (size_t i = 0; i < 3; i++) { /* what it has is what all without an estimate have */
        CU_ASSERT(one->of->metric[i]->status == TD_NOT_COUNTED && isnan(one->of->metric[i]->value));
        CU_ASSERT(isnan(one->of->metric[i]->low) && isnan(one->of->metric[i]->high));
    }
    td_functions_free(&f);
    CU_ASSERT(!f.function && !f.core && !f.cores && !f.texts && !f.n);
}

/* How long both kinds took; whether the groups of either took turns. */
static void both_kinds(void)
{
    for (unsigned turning = 0; turning < 4; turning++) {
        struct td_functions f = {.seed = 1};
        struct made_interval m;

        for (unsigned i = 0; i < 4; i++) {
            made_interval(&m, "f", 1, 1);
            m.uarch.core = i / 2 ? 'E' : 'P';
            m.r.at.duration = (i + 1) * 1000000000ULL;
            m.r.at.pair = i % 2 && turning >> i / 2 & 1 ? TD_PAIR_REST : TD_PAIR_NONE;
            add(&f, &m);
        }
        CU_ASSERT_EQUAL_FATAL(td_functions_finish(&f), 0);
        CU_ASSERT(f.turns == (turning > 0) && f.slots == 4 && f.seconds == 1 + 2 + 3 + 4);
        CU_ASSERT_EQUAL(f.intervals, turning == 3 ? 2 : turning ? 3 : 4);
        CU_ASSERT(f.n == 2 && f.function[0]->slots == 2 && td_function_share(f.function[1]) == 0.5);
        td_functions_free(&f);
    }
}

/* A sum whose metrics are in another order, or are others, has the means of all intervals in that order. */
static void another_order(void)
{
    static const struct {
        size_t n;
        const char *name[5];
        double mean[5]; /* of intervals with 1/8, 2/8, 3/8, 4/8 */
    } rows[] = {
        {4, {"retiring", "a", "b", "c"}, {0.125, 0.25, 0.375, 0.5}},
        {4, {"a", "retiring", "b", "c"}, {0.25, 0.125, 0.375, 0.5}},
        {4, {"retiring", "a", "c", "b"}, {0.125, 0.25, 0.5, 0.375}},
        {4, {"other", "a", "b", "c"}, {NAN, 0.25, 0.375, 0.5}},
        {4, {"retiring", "a", "b", "other"}, {0.125, 0.25, 0.375, NAN}},
        {3, {"retiring", "a", "b"}, {0.125, 0.25, 0.375}},
        {5, {"other", "c", "retiring", "b", "a"}, {NAN, 0.5, 0.125, 0.375, 0.25}},
        {5, {"retiring", "a", "b", "c", "other"}, {0.125, 0.25, 0.375, 0.5, NAN}},
        {1, {"c"}, {0.5}},
    };

    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct td_functions f = {.seed = 1};
        const struct td_function *one;
        struct made_interval m;

        made_interval(&m, "f", 2, 4);
        add(&f, &m);
        for (size_t k = 0; k < rows[i].n; k++)
            m.metric[k].name = rows[i].name[k];
        m.r.nmetrics = rows[i].n;
        add_whole(&f, &m);
        CU_ASSERT_EQUAL_FATAL(td_functions_finish(&f), 0);
        one = function_of(&f, "f");
        CU_ASSERT_EQUAL_FATAL(one->of->metrics, rows[i].n);
        for (size_t k = 0; k < rows[i].n; k++) {
            CU_ASSERT_STRING_EQUAL(one->of->metric[k]->name, rows[i].name[k]);
            CU_ASSERT(isnan(rows[i].mean[k]) ? isnan(td_function_naive(one, k))
                                             : td_function_naive(one, k) == rows[i].mean[k]);
        }
        td_functions_free(&f);
    }
}

/* ---- which loss comes first ------------------------------------------------------------------- */

/* Of a function without a verdict: the largest loss of level 1, of equal ones the first. */
static void losses(void)
{
    static const struct {
        const char *first; /* where that is not retiring, it is a loss */
        double value[5]; /* of the first, a metric that is no node, one of level 2, a, b */
        const char *limit;
        double weight; /* half of the slots are of that function */
    } rows[] = {
        {"first", {0.875, 1, 1, 0.125, 0.25}, "first", 0.4375},
        {"retiring", {0.875, 1, 1, 0.125, 0.25}, "b", 0.125},
        {"retiring", {0.875, 1, 1, 0.25, 0.125}, "a", 0.125},
        {"retiring", {0.875, 1, 1, 0.25, 0.25}, "a", 0.125},
        {"retiring", {0.875, 1, 1, 0, 0}, NULL, 0},
        {"retiring", {0.875, 1, 1, 0, 0.0625}, "b", 0.03125},
        {"retiring", {0.875, 1, 1, -0.5, NAN}, NULL, 0},
    };

    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct td_functions f = {.seed = 1};
        const struct td_function *one;
        struct made_interval m;

        made_interval(&m, "g", 3, 5);
        for (size_t k = 0; k < 5; k++)
            m.metric[k].value = (double)NAN;
        m.metric[1].name = "ipc", m.metric[1].kind = TD_METRIC_INFO;
        m.metric[2].name = "below", m.metric[2].level = TD_LEVEL_TOP + 1;
        m.metric[3].name = "a", m.metric[4].name = "b";
        m.metric[0].name = rows[i].first;
        add(&f, &m);
        m.r.at.scope = "f";
        for (size_t k = 0; k < 5; k++)
            m.metric[k].value = rows[i].value[k];
        add(&f, &m);
        m.r.at.scope = "nothing"; /* of a function without slots nothing is said */
        m.count[0].value = 0;
        add(&f, &m);
        CU_ASSERT_EQUAL_FATAL(td_functions_finish(&f), 0);
        CU_ASSERT_EQUAL(f.n, 2);
        one = function_of(&f, "f");
        CU_ASSERT(rows[i].limit ? one->limit && !strcmp(one->limit->name, rows[i].limit) : !one->limit);
        CU_ASSERT(one->weight == rows[i].weight && isnan(td_function_lost(one)));
        CU_ASSERT(!td_function_estimated(one) && !td_functions_estimated(&f));
        td_functions_free(&f);
    }
}

/* ---- what bounds are widened by --------------------------------------------------------------- */

enum { PURE = 20 };

/* So many intervals of a function, of 100 slots, in which all is as in the sum. */
static void add_pure(struct td_functions *f, struct made_interval *m, const struct made_interval *whole,
                     const char *core)
{
    for (size_t i = 0; i < PURE; i++) {
        *m = *whole;
        m->r.uarch = &m->uarch, m->r.metrics = m->metric, m->r.counts = &m->counts, m->counts.c = m->count;
        m->r.given = &m->given;
        m->uarch.core = *core;
        for (size_t k = 0; k < MADE_INTERVAL_METRICS; k++)
            m->metric[k].status = TD_OK;
        add(f, m);
    }
}

/* 19 triples: 2.645 of 21 may have been elsewhere. */
static const double odds = 2.645 / 21 / (1 - 2.645 / 21);

/* By hand: fields of 8 bits are cut off once, and as often as switches restore them, which is once where nothing is
 * known of them. */
static void open_fields(void)
{
    static const double field = 1.0 / 255;
    static const unsigned open = TD_FLAG_SWITCHES_UNKNOWN;
    const struct {
        double value, low, high;
        unsigned flags;
        enum td_bounds bounds;
        enum td_metric_kind kind;
        double wanted_low, wanted_high; /* NAN: no bounds */
    } rows[][3] = {
        {
            {0.5, NAN, NAN, open, TD_BOUNDS_NONE, TD_METRIC_NODE, 0.5 - 2 * field - 0.5 * odds,
             0.5 + 2 * field + 0.5 * odds},
            {0.5, NAN, NAN, 0, TD_BOUNDS_NONE, TD_METRIC_NODE, NAN, NAN},
            {0.5, NAN, 0.75, 0, TD_BOUNDS_SOUND, TD_METRIC_NODE, NAN, 0.75 + 0.5 * odds},
        },
        {
            {0.5, 0.375, 0.625, open, TD_BOUNDS_LIKELY, TD_METRIC_NODE, 0.375 - 0.5 * odds, 0.625 + 0.5 * odds},
            {0.5, 0.375, 0.625, 0, TD_BOUNDS_NONE, TD_METRIC_NODE, 0.375 - 0.5 * odds, 0.625 + 0.5 * odds},
            {0.5, 0.375, 0.625, open, TD_BOUNDS_NONE, TD_METRIC_INFO, 0.375, 0.625 + 0.5 * odds},
        },
        {
            /* counted by groups that take turns: the bounds have chance, unless they are scaled up too */
            {0.5, 0.375, 0.625, open | TD_FLAG_SPLIT_GROUPS, TD_BOUNDS_NONE, TD_METRIC_NODE, 0.375 - 0.5 * odds,
             0.625 + 0.5 * odds},
            {0.5, 0.375, 0.625, open | TD_FLAG_SPLIT_GROUPS | TD_FLAG_MULTIPLEXED, TD_BOUNDS_NONE, TD_METRIC_NODE,
             0.5 - 2 * field - 0.5 * odds, 0.5 + 2 * field + 0.5 * odds},
            {0.5, 0.375, 0.625, open | TD_FLAG_MULTIPLEXED, TD_BOUNDS_NONE, TD_METRIC_NODE,
             0.5 - 2 * field - 0.5 * odds, 0.5 + 2 * field + 0.5 * odds},
        },
        {
            {0.001, NAN, NAN, open, TD_BOUNDS_NONE, TD_METRIC_NODE, 0, 0.001 + 2 * field + 0.001 * odds},
            {0.999, NAN, NAN, open, TD_BOUNDS_NONE, TD_METRIC_NODE, 0.999 - 2 * field - 0.001 * odds, 1},
            {-0.125, NAN, NAN, open, TD_BOUNDS_NONE, TD_METRIC_NODE, -0.125, -0.125 + 2 * field - 0.125 * odds},
        },
        {
            {1.125, NAN, NAN, open, TD_BOUNDS_NONE, TD_METRIC_NODE, 1.125 - 2 * field, 1.125},
            {0, NAN, NAN, open, TD_BOUNDS_NONE, TD_METRIC_NODE, 0, 2 * field},
            {1, NAN, NAN, open, TD_BOUNDS_NONE, TD_METRIC_NODE, 1 - 2 * field, 1},
        },
    };

    for (size_t i = 0; i < LENGTH(rows) && chance_available(); i++) {
        struct td_functions f = {.seed = 1, .confidence = 0.95};
        const struct td_function *one;
        struct made_interval m, whole;

        made_interval(&whole, "f", 100, 5);
        for (size_t k = 0; k < 3; k++) {
            whole.metric[k].value = rows[i][k].value;
            whole.metric[k].low = rows[i][k].low;
            whole.metric[k].high = rows[i][k].high;
            whole.metric[k].flags = rows[i][k].flags;
            whole.metric[k].bounds = rows[i][k].bounds;
            whole.metric[k].kind = rows[i][k].kind;
        }
        whole.metric[3].status = TD_IMPOSSIBLE;
        whole.metric[3].low = 0.25, whole.metric[3].raw = 3;
        add_pure(&f, &m, &whole, "");
        whole.metric[4] = made_share("other", 0.5); /* no interval has it */
        whole.metric[4].low = whole.metric[4].high = 0.5;
        whole.metric[4].flags = TD_FLAG_SPLIT_GROUPS;
        add_whole(&f, &whole);
        whole.metric[4].low = 7; /* a second sum of the same function is none */
        add_whole(&f, &whole);
        CU_ASSERT_EQUAL_FATAL(td_functions_finish(&f), 0);
        one = function_of(&f, "f");
        CU_ASSERT(one->status == TD_PLACE_OK && td_function_estimated(one) && one->of->metrics == 5);
        for (size_t k = 0; k < 3; k++) {
            const struct td_metric *got = one->of->metric[k];
            const bool bounded = !isnan(rows[i][k].wanted_low) && !isnan(rows[i][k].wanted_high);

            CU_ASSERT_EQUAL(got->bounds, bounded ? TD_BOUNDS_LIKELY : TD_BOUNDS_NONE);
            if (!(isnan(rows[i][k].wanted_low) ? isnan(got->low) : fabs(got->low - rows[i][k].wanted_low) < 1e-5) ||
                !(isnan(rows[i][k].wanted_high) ? isnan(got->high) : fabs(got->high - rows[i][k].wanted_high) < 1e-5)) {
                printf("\n    case %zu, %zu: %.9g to %.9g", i, k, got->low, got->high);
                CU_FAIL("bounds");
            }
        }
        CU_ASSERT(one->of->metric[3]->status == TD_IMPOSSIBLE && one->of->metric[3]->low == 0.25);
        CU_ASSERT(one->of->metric[4]->bounds == TD_BOUNDS_NONE && isnan(one->of->metric[4]->low) &&
                  isnan(one->of->metric[4]->high));
        td_functions_free(&f);
    }
}

/* One metric of one function is enough: a function with many intervals, whose sum has a value for that one metric or
 * for none, between two that have few. */
static void estimated(void)
{
    enum { METRICS = 3 };

    for (size_t valued = 0; valued <= METRICS; valued++) {
        struct td_functions f = {.seed = 1, .confidence = 0.95};
        struct made_interval m, whole;

        made_interval(&m, "more", 10000, METRICS);
        add(&f, &m);
        made_interval(&m, "less", 1, METRICS);
        add(&f, &m);
        add_whole(&f, &m);
        made_interval(&whole, "f", 100, METRICS);
        add_pure(&f, &m, &whole, "");
        for (size_t k = 0; k < METRICS; k++)
            whole.metric[k].status = k == valued ? TD_OK : TD_NOT_COUNTED;
        add_whole(&f, &whole);
        CU_ASSERT_EQUAL_FATAL(td_functions_finish(&f), 0);
        CU_ASSERT(f.n == 3 && td_functions_sort(&f, TD_FUNCTIONS_BY_SLOTS) == 0);
        CU_ASSERT_EQUAL(td_functions_estimated(&f), valued < METRICS);
        for (size_t i = 0; i < 3; i++)
            CU_ASSERT_EQUAL(td_function_estimated(f.function[i]), i == 1 && valued < METRICS);
        f.n = 1;
        CU_ASSERT_FALSE(td_functions_estimated(&f));
        td_functions_free(&f);
    }
}

/* The loss that a verdict names, or that is the first among those it leaves open, is the limit, and its value what is
 * lost; where there is no verdict, the largest one. */
static void verdicts(void)
{
    static const struct {
        double a, b, open; /* values; how far each may be off */
        const char *limit;
        double weight;
        size_t named, among;
    } rows[] = {
        {0.5, 0.0625, 0, "a", 0.5, 1, 0},
        {0.0625, 0.5, 0, "b", 0.5, 1, 0},
        {0.5, 0.4375, 0.375, "a", 0.5, 0, 2},
        {0.4375, 0.5, 0.375, "b", 0.5, 0, 2},
    };

    for (size_t i = 0; i < LENGTH(rows) && chance_available(); i++) {
        struct td_functions f = {.seed = 1, .confidence = 0.95};
        const struct td_function *one;
        struct made_interval m, whole;

        made_interval(&whole, "f", 100, 3);
        whole.metric[0].value = 0.03125;
        whole.metric[1].value = rows[i].a;
        whole.metric[2].value = rows[i].b;
        for (size_t k = 0; k < 3; k++) {
            whole.metric[k].low = whole.metric[k].value - (k ? rows[i].open : 0);
            whole.metric[k].high = whole.metric[k].value + (k ? rows[i].open : 0);
            whole.metric[k].bounds = TD_BOUNDS_SOUND;
        }
        add_pure(&f, &m, &whole, "");
        add_whole(&f, &whole);
        CU_ASSERT_EQUAL_FATAL(td_functions_finish(&f), 0);
        one = function_of(&f, "f");
        CU_ASSERT_EQUAL(one->of->verdict->npath, rows[i].named);
        CU_ASSERT_EQUAL(one->of->verdict->namong, rows[i].among);
        CU_ASSERT_FATAL(one->limit != NULL);
        CU_ASSERT_STRING_EQUAL(one->limit->name, rows[i].limit);
        CU_ASSERT_EQUAL(one->weight, rows[i].weight);
        CU_ASSERT_EQUAL(td_function_lost(one), rows[i].weight);
        td_functions_free(&f);
    }
}

/* How often switches restored a field: where either the wait or the time is not known, once. */
static void restored(void)
{
    static const struct {
        bool waits;
        uint64_t waited, duration;
        double times;
    } rows[] = {
        {false, 0, 1000000, 1},          {true, 0, 0, 1},      {true, 0, 1000000, 0}, {true, 1000, 1000000, 0},
        {true, 1001, 1000000, 7.158312}, {true, 501, 1000, 1}, /* (11 + sqrt(11)) / 2; 1.01, 501 > 500.5 */
    };

    for (size_t i = 0; i < LENGTH(rows) && chance_available(); i++) {
        struct td_functions f = {.seed = 1, .confidence = 0.95};
        const double times = i == LENGTH(rows) - 1 ? (1.01 + sqrt(1.01)) / 2 : rows[i].times;
        const struct td_metric *m;
        struct made_interval each, whole;

        made_interval(&whole, "f", 100, 1);
        whole.metric[0].value = 0.5;
        whole.metric[0].flags = TD_FLAG_SWITCHES_UNKNOWN;
        whole.r.waits = rows[i].waits;
        whole.r.waited = rows[i].waited;
        whole.r.at.duration = rows[i].duration;
        add_pure(&f, &each, &whole, "");
        add_whole(&f, &whole);
        CU_ASSERT_EQUAL_FATAL(td_functions_finish(&f), 0);
        m = function_of(&f, "f")->of->metric[0];
        CU_ASSERT_DOUBLE_EQUAL(m->low, 0.5 - (1 + times) / 255 - 0.5 * odds, 1e-8);
        CU_ASSERT_DOUBLE_EQUAL(m->high, 0.5 + (1 + times) / 255 + 0.5 * odds, 1e-8);
        td_functions_free(&f);
    }
}

/* The handler of the interrupt may have 24,000 slots of each pair's, of any node: where these are all slots, nothing is
 * known. Of 20 pairs that all stay, 2.645 of 22 may have been elsewhere. */
static void handlers(void)
{
    static const struct {
        bool handler;
        enum td_sample_pair pair;
        double slots, value;
        double low, high; /* before what may have been elsewhere */
    } rows[] = {
        {true, TD_PAIR_SHORT, 96000, 0.5, 0.25 / 0.75, 0.5 / 0.75},
        {true, TD_PAIR_SHORT, 96000, 0.125, 0, 0.125 / 0.75},
        {true, TD_PAIR_SHORT, 96000, 0.875, 0.625 / 0.75, 1},
        {true, TD_PAIR_SHORT, 24000, 0.5, NAN, NAN},
        {true, TD_PAIR_SHORT, 16000, 0.5, NAN, NAN},
        {true, TD_PAIR_SHORT, 0, 0.5, NAN, NAN},
        {true, TD_PAIR_NONE, 96000, 0.5, 0.5, 0.5},
        {false, TD_PAIR_SHORT, 96000, 0.5, 0.5, 0.5},
    };

    for (size_t i = 0; i < LENGTH(rows) && chance_available(); i++) {
        const double value = rows[i].value, hidden = 2.645 / (rows[i].pair == TD_PAIR_SHORT ? 22 : 21),
                     these = hidden / (1 - hidden);
        struct td_functions f = {.seed = 1, .confidence = 0.95, .handler = rows[i].handler};
        const struct td_metric *m;
        struct made_interval each, whole;

        made_interval(&whole, "f", rows[i].slots, 2);
        whole.r.at.pair = rows[i].pair;
        whole.r.at.distance = TD_PAIR_LEAST;
        for (size_t k = 0; k < 2; k++) {
            whole.metric[k].value = whole.metric[k].low = whole.metric[k].high = value;
            whole.metric[k].bounds = TD_BOUNDS_SOUND;
        }
        whole.metric[1].kind = TD_METRIC_INFO;
        add_pure(&f, &each, &whole, "");
        add_whole(&f, &whole);
        whole.r.at.scope = whole.r.at.began = "g";
        whole.count[0].value = 1;
        add(&f, &whole);
        CU_ASSERT_EQUAL_FATAL(td_functions_finish(&f), 0);
        if (rows[i].slots > 0) {
            m = function_of(&f, "f")->of->metric[0];
            CU_ASSERT_EQUAL(m->bounds, isnan(rows[i].low) ? TD_BOUNDS_NONE : TD_BOUNDS_LIKELY);
            CU_ASSERT(isnan(rows[i].low) ? isnan(m->low) && isnan(m->high)
                                         : fabs(m->low - fmax(0, rows[i].low - these * (1 - value))) < 1e-9 &&
                                               fabs(m->high - fmin(1, rows[i].high + these * value)) < 1e-9);
            m = function_of(&f, "f")->of->metric[1]; /* what is no share may be anything there */
            CU_ASSERT_EQUAL(m->bounds, rows[i].low == value ? TD_BOUNDS_LIKELY : TD_BOUNDS_NONE);
        }
        td_functions_free(&f);
    }
}

/* ---- whether there is resampling --------------------------------------------------------------- */

/* So many pure intervals of a function with as many metrics. */
static void add_many(struct td_functions *f, struct made_interval *m, struct td_metric *metric, size_t metrics,
                     size_t n)
{
    m->r.metrics = metric;
    m->r.nmetrics = metrics;
    for (size_t i = 0; i < n; i++)
        add(f, m);
}

/* 200,000 points of chunks and metrics are the most: 100 pure intervals each of two functions, of 1,000 metrics; and of
 * another kind of core one interval of one metric, if it is no instruction. */
static void resampling(void)
{
    enum { METRICS = 1000 };
    static char name[METRICS][8];
    static struct td_metric metric[METRICS];

    for (size_t i = 0; i < METRICS; i++) {
        snprintf(name[i], sizeof(name[i]), "%zu", i);
        metric[i] = made_share(name[i], (double)NAN);
        metric[i].status = TD_NOT_COUNTED;
    }
    for (int many = 0; many < 3; many++) {
        struct td_functions f = {.seed = 1};
        const struct td_chance *chance;
        struct made_interval m;

        made_interval(&m, "f", 1, 1);
        add_many(&f, &m, metric, METRICS, 100);
        made_interval(&m, "g", 1, 1);
        add_many(&f, &m, metric, METRICS, 100);
        m.r.at.began = "only here";
        add(&f, &m);
        made_interval(&m, "e", 1, 1);
        m.uarch.core = 'E';
        m.r.at.scope_kind = many == 1 ? TD_KIND_INSTRUCTION : TD_KIND_FUNCTION;
        if (many)
            add_many(&f, &m, metric, 1, 1);
        m.r.at.scope = "none";
        CU_ASSERT_EQUAL(td_functions_whole(&f, &m.r), 0);
        CU_ASSERT_EQUAL(f.chance != NULL, td_chance_available() && many < 2);
        chance = f.chance;
        CU_ASSERT_EQUAL(td_functions_whole(&f, &m.r), 0);
        CU_ASSERT_PTR_EQUAL(f.chance, chance);
        td_functions_free(&f);
    }
}

/* ---- what is fetched ahead ---------------------------------------------------------------------- */

/* Of functions of which any number of metrics has values. */
static void fetch_all(size_t metrics)
{
    enum { MANY = 40 };
    static char name[MANY][4];
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    struct td_functions f = {.seed = 1}, few;
    struct td_function **end;
    struct made_interval m;
    char *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    CU_ASSERT_FATAL(pages != MAP_FAILED && !mprotect(pages + page, page, PROT_NONE));
    for (size_t i = 0; i < MANY; i++) {
        snprintf(name[i], sizeof(name[i]), "%zu", i);
        made_interval(&m, name[i], 1, metrics);
        add(&f, &m);
    }
    m.r.nmetrics = 1;
    add_whole(&f, &m);
    CU_ASSERT_EQUAL_FATAL(td_functions_finish(&f), 0);
    CU_ASSERT_EQUAL_FATAL(f.n, MANY);
    end = (struct td_function **)(void *)(pages + page);
    memcpy(end - MANY, f.function, MANY * sizeof(*f.function));
    few = f;
    for (few.n = 0; few.n <= MANY; few.n++) {
        few.function = end - few.n;
        CU_ASSERT_FALSE(td_functions_estimated(&few));
        for (enum td_functions_order by = TD_FUNCTIONS_BY_LOST; by <= TD_FUNCTIONS_BY_NAME; by++)
            CU_ASSERT_EQUAL(td_functions_sort(&few, by), 0);
        for (size_t i = 0; i < few.n; i++)
            td_functions_fetch(&few, i);
    }
    td_functions_free(&f);
    munmap(pages, 2 * page);
}

/* Nothing is read beyond the last function: after it is memory that nobody may read. */
static void fetched(void)
{
    for (size_t metrics = 0; metrics < 3; metrics++)
        fetch_all(metrics);
}

/* ---- without memory ------------------------------------------------------------------------------ */

/* Two kinds of cores, more functions than there is room for at first, texts of each kind. */
static int all_of_it(void *ctx)
{
    static const char names[34] = "";
    struct td_functions f = {.seed = 1};
    struct made_interval m;
    int err = 0;

    (void)ctx;
    for (size_t i = 0; i < LENGTH(names) && !err; i++) {
        made_interval(&m, &names[i], 1, 3);
        m.uarch.core = i % 2 ? 'E' : 'P';
        m.r.at.scope_kind = i < 4 ? TD_KIND_FUNCTION : TD_KIND_LINE;
        err = td_functions_add(&f, &m.r);
    }
    for (size_t i = 0; i < 4 && !err; i++) {
        made_interval(&m, &names[i], 1, 3);
        m.uarch.core = i % 2 ? 'E' : 'P';
        m.metric[i % 3].status = TD_MISSING_EVENT;
        m.metric[i % 3].event = "EVENT";
        m.metric[i % 2].why = "a reason";
        m.metric[2].name = i > 1 ? "other" : m.metric[2].name;
        m.metric[0].parent = i > 2 ? "parent" : m.metric[0].parent;
        m.metric[0].unit = i > 2 ? "unit" : m.metric[0].unit;
        err = td_functions_whole(&f, &m.r);
    }
    err = err ? err : td_functions_finish(&f);
    td_functions_free(&f);
    return err;
}

static void without_memory(void)
{
    CU_ASSERT(memory_each(all_of_it, NULL, 1, false) > 60);
}

static const CU_TestInfo tests[] = {
    {"weights", weights},
    {"chains", chains},
    {"alone", alone},
    {"kinds of cores", kinds_of_cores},
    {"both kinds of cores", both_kinds},
    {"metrics in another order", another_order},
    {"losses", losses},
    {"open fields", open_fields},
    {"estimated", estimated},
    {"verdicts", verdicts},
    {"restored fields", restored},
    {"handlers", handlers},
    {"resampling", resampling},
    {"fetched ahead", fetched},
    {"without memory", without_memory},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("functions of results", tests);
