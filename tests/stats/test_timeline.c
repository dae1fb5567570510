/* SPDX-License-Identifier: MIT */
/* The shares of level 1 over time: which intervals join the line of their scope, when each began, and its phases. */
#include "stats/timeline.h"

#include "core/result.h"
#include "stats/chance.h"
#include "stats/phases.h"
#include "tests/support/unit.h"

#include <stdlib.h>

enum { NODES = 2, METRICS = 5 };

/* An interval of two nodes of level 1, among others that are none of it. */
struct interval {
    struct td_metric metric[METRICS];
    struct td_result r;
};

static void make(struct interval *v, const char *scope, uint64_t time, uint64_t lasted, double first, double second)
{
    *v = (struct interval){
        .metric = {{.name = "info", .kind = TD_METRIC_INFO, .level = TD_LEVEL_TOP, .value = 7},
                   {.name = "first", .kind = TD_METRIC_NODE, .level = TD_LEVEL_TOP, .value = first},
                   {.name = "deeper", .kind = TD_METRIC_NODE, .level = TD_LEVEL_TOP + 1, .value = 8},
                   {.name = "none", .kind = TD_METRIC_NODE, .level = TD_LEVEL_TOP, .status = TD_NOT_ON_THIS_CPU},
                   {.name = "second", .kind = TD_METRIC_NODE, .level = TD_LEVEL_TOP, .value = second}},
        .r.at = {.has_time = true, .time = time, .duration = lasted, .scope = scope, .scope_kind = TD_KIND_CPU},
        .r.nmetrics = METRICS,
        .r.uarch = td_uarch_by_name("skl"),
    };
    v->r.metrics = v->metric;
}

static struct td_timeline_scope *add(struct td_timeline *t, struct interval *v)
{
    struct td_timeline_scope *taken = (struct td_timeline_scope *)(void *)t;

    v->r.metrics = v->metric;
    CU_ASSERT_EQUAL_FATAL(td_timeline_add(t, &v->r, &taken), 0);
    return taken;
}

/* Many intervals of two scopes in turn, each value its own. */
static void lines(void)
{
    enum { MANY = 300 };
    struct td_timeline t = {.n = 0};
    struct interval v;

    for (unsigned i = 0; i < 2 * MANY; i++) {
        make(&v, i % 2 ? "CPU1" : "CPU0", 100 + i, 30, i, 1000 + i);
        CU_ASSERT_PTR_EQUAL(add(&t, &v), &t.scope[i % 2]);
    }
    CU_ASSERT_EQUAL_FATAL(t.n, 2);
    for (size_t s = 0; s < 2; s++) {
        CU_ASSERT_EQUAL(t.scope[s].nodes, NODES);
        CU_ASSERT_EQUAL_FATAL(t.scope[s].n, MANY);
        CU_ASSERT_EQUAL(t.scope[s].begin, 70 + s); /* 100 + s - 30 */
        for (size_t i = 0; i < MANY; i++) {
            CU_ASSERT_EQUAL(t.scope[s].value[i * NODES], (double)(2 * i + s));
            CU_ASSERT_EQUAL(t.scope[s].value[i * NODES + 1], (double)(1000 + 2 * i + s));
            CU_ASSERT_EQUAL(t.scope[s].end[i], 100 + 2 * i + s);
        }
        make(&v, s ? "CPU1" : "CPU0", 0, 0, 0, 0);
        CU_ASSERT_PTR_EQUAL(td_timeline_find(&t, &v.r), &t.scope[s]);
        CU_ASSERT_STRING_EQUAL(td_timeline_id(&t, &t.scope[s])->name, s ? "CPU1" : "CPU0");
    }
    make(&v, "CPU2", 0, 0, 0, 0);
    CU_ASSERT_PTR_NULL(td_timeline_find(&t, &v.r));
    td_timeline_free(&t);
}

/* When a line begins: where its first interval did, if that is known. */
static void beginnings(void)
{
    static const struct {
        uint64_t time, lasted, begin;
    } all[] = {{100, 30, 70}, {100, 99, 1}, {100, 100, 0}, {100, 101, 0}, {100, 0, 0}};

    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
        struct td_timeline t = {.n = 0};
        struct interval v;

        make(&v, "CPU0", all[i].time, all[i].lasted, 1, 2);
        add(&t, &v);
        make(&v, "CPU0", all[i].time + 50, 20, 1, 2); /* which began 30 later */
        add(&t, &v);
        CU_ASSERT_EQUAL_FATAL(t.n, 1);
        CU_ASSERT_EQUAL(t.scope[0].begin, all[i].begin);
        CU_ASSERT_EQUAL(t.scope[0].n, 2);
        td_timeline_free(&t);
    }
}

/* An interval that lacks a node of level 1, or has more of them than the line, does not join it. */
static void left_out(void)
{
    struct td_timeline t = {.n = 0};
    struct interval v;

    make(&v, "CPU0", 100, 10, 1, 2);
    v.metric[1].status = TD_MISSING_EVENT;
    CU_ASSERT_PTR_NULL(add(&t, &v));
    make(&v, "CPU0", 110, 10, 3, 4);
    v.metric[4].status = TD_IMPOSSIBLE;
    CU_ASSERT_PTR_NULL(add(&t, &v));
    make(&v, "CPU0", 120, 10, 5, 6);
    CU_ASSERT_PTR_NOT_NULL(add(&t, &v));
    v.metric[0].kind = TD_METRIC_NODE;
    CU_ASSERT_PTR_NULL(add(&t, &v));
    v.metric[0].kind = TD_METRIC_INFO;
    v.metric[4].level = TD_LEVEL_TOP + 1;
    CU_ASSERT_PTR_NULL(add(&t, &v));
    v.metric[4].level = TD_LEVEL_TOP;
    v.metric[2].status = TD_MISSING_EVENT; /* it is of no interest */
    CU_ASSERT_PTR_NOT_NULL(add(&t, &v));
    CU_ASSERT_EQUAL(td_timeline_add(&t, &v.r, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(t.n, 1);
    CU_ASSERT_EQUAL(t.scope[0].n, 3);
    CU_ASSERT_EQUAL(t.scope[0].begin, 110);
    CU_ASSERT(t.scope[0].value[0] == 5 && t.scope[0].value[1] == 6);
    td_timeline_free(&t);
}

/* The phase of each interval by where the phases begin, and when they do. */
static void phases(void)
{
    enum { INTERVALS = 10 };
    static const struct {
        size_t first[4], phases, of[INTERVALS];
    } all[] = {
        {{0}, 1, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0}},          {{0, 1}, 2, {0, 1, 1, 1, 1, 1, 1, 1, 1, 1}},
        {{0, 9}, 2, {0, 0, 0, 0, 0, 0, 0, 0, 0, 1}},       {{0, 3, 7}, 3, {0, 0, 0, 1, 1, 1, 1, 2, 2, 2}},
        {{0, 1, 2, 5}, 4, {0, 1, 2, 2, 2, 3, 3, 3, 3, 3}},
    };

    for (size_t a = 0; a < sizeof(all) / sizeof(*all); a++) {
        uint64_t end[INTERVALS];
        struct td_timeline_scope s = {.end = end,
                                      .begin = 5,
                                      .n = INTERVALS,
                                      .first = (size_t *)(uintptr_t)all[a].first,
                                      .phases = all[a].phases};

        for (unsigned i = 0; i < INTERVALS; i++) {
            end[i] = 100 * (i + 1);
            CU_ASSERT_EQUAL(td_timeline_phase(&s, i), all[a].of[i]);
        }
        CU_ASSERT_EQUAL(td_timeline_begin(&s, 0), 5);
        for (size_t p = 1; p < all[a].phases; p++) /* where the interval before ended */
            CU_ASSERT_EQUAL(td_timeline_begin(&s, p), 100 * all[a].first[p]);
    }
}

/* A step after half of one scope's intervals, and nothing at all in the other's. */
static void cut(void)
{
    enum { EACH = 40 };
    struct td_timeline t = {.n = 0};
    struct interval v;

    for (unsigned i = 0; i < EACH; i++) {
        make(&v, "CPU0", 100 + i, 1, (i < EACH / 2 ? 0.2 : 0.8) + 0.01 * (i % 3), 0.5);
        add(&t, &v);
        make(&v, "CPU1", 100 + i, 1, 0.3, 0.5);
        add(&t, &v);
    }
    CU_ASSERT_EQUAL_FATAL(td_timeline_cut(&t), 0);
    CU_ASSERT_EQUAL_FATAL(t.scope[0].phases, 2);
    CU_ASSERT(t.scope[0].first[0] == 0 && t.scope[0].first[1] == EACH / 2);
    CU_ASSERT_EQUAL(t.scope[1].phases, 1);
    td_timeline_free(&t);
}

/* Whether a line's values are cut as often with this chance. */
static bool cut_alike(const struct td_timeline_scope *s, double chance)
{
    size_t *first, phases;

    CU_ASSERT_EQUAL_FATAL(td_phases(s->value, s->n, s->nodes, chance, &first, &phases), 0);
    free(first);
    return phases == s->phases;
}

/* Steps that are more or less clear: each line is cut as one in 20 without a step is, others than with one in 10 or
 * one in 40. */
static void clear_cuts(void)
{
    struct unit_random random = {3};
    unsigned wrong = 0, more = 0, fewer = 0;

    for (unsigned i = 0; i < 300; i++) {
        const double step = 3 * unit_random_ratio(&random);
        struct td_timeline t = {.n = 0};
        struct interval v;

        for (unsigned k = 0; k < 20; k++) {
            make(&v, "CPU0", 100 + k, 1, unit_random_ratio(&random) + (k < 10 ? 0 : step), 0.5);
            add(&t, &v);
        }
        CU_ASSERT_EQUAL_FATAL(td_timeline_cut(&t), 0);
        wrong += !cut_alike(t.scope, 0.05);
        more += !cut_alike(t.scope, 0.1);
        fewer += !cut_alike(t.scope, 0.025);
        td_timeline_free(&t);
    }
    CU_ASSERT(wrong == 0 && more > 0 && fewer > 0);
}

static void cut_where_possible(void)
{
    if (td_chance_available()) {
        cut();
        clear_cuts();
    }
}

static const CU_TestInfo tests[] = {
    {"lines", lines},   {"beginnings", beginnings},  {"left out", left_out},
    {"phases", phases}, {"cut", cut_where_possible}, CU_TEST_INFO_NULL,
};
UNIT_SUITE("timeline", tests);
