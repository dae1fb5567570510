/* SPDX-License-Identifier: MIT */
/* Estimates of places: what is alike is kept once, and nothing else is. */
#include "stats/estimates.h"

#include "tests/support/made_interval.h"
#include "tests/support/memory.h"
#include "tests/support/unit.h"

#include <errno.h>
#include <math.h>

enum { KINDS = 15 };

static struct td_metric without(void)
{
    return (struct td_metric){.name = "retiring",
                              .parent = "",
                              .level = 1,
                              .unit = "slots",
                              .status = TD_MISSING_EVENT,
                              .value = (double)NAN,
                              .low = (double)NAN,
                              .high = (double)NAN,
                              .kind = TD_METRIC_NODE};
}

/* One without a value, and others that differ from it in one thing each. */
static void fill(struct td_metric m[KINDS])
{
    for (int i = 0; i < KINDS; i++)
        m[i] = without();
    m[1].name = "backend_bound";
    m[2].parent = "retiring";
    m[3].level = 2;
    m[4].unit = "cycles";
    m[5].status = TD_NOT_COUNTED;
    m[6].flags = TD_FLAG_MULTIPLEXED;
    m[7].corrections = 1;
    m[8].event = "SLOTS";
    m[9].why = "no reason";
    m[10].kind = TD_METRIC_INFO;
    m[11].over = TD_OVER_YES;
    m[12].latencies = 1;
    m[13].named = true;
    m[14].event = "slots";
}

static void without_a_value(void)
{
    struct td_estimates_store s = {0};
    struct td_estimates *a = td_estimates_new(&s, 0, false), *b = td_estimates_new(&s, 0, false);
    struct td_metric m[KINDS], turned[KINDS];

    fill(m);
    for (int i = 0; i < KINDS; i++)
        turned[i] = m[KINDS - 1 - i];
    CU_ASSERT_FATAL(a && b && !td_estimates_set(&s, a, m, KINDS) && !td_estimates_set(&s, b, turned, KINDS));
    CU_ASSERT_EQUAL(a->metrics, KINDS);
    for (int i = 0; i < KINDS; i++) {
        CU_ASSERT_PTR_NOT_EQUAL(a->metric[i], &m[i]);
        CU_ASSERT_STRING_EQUAL(a->metric[i]->name, m[i].name);
        CU_ASSERT_EQUAL(a->metric[i]->status, m[i].status);
        CU_ASSERT_PTR_EQUAL(b->metric[KINDS - 1 - i], a->metric[i]);
        for (int k = 0; k < i; k++)
            CU_ASSERT_PTR_NOT_EQUAL(a->metric[i], a->metric[k]);
    }
    td_estimates_free(&s);
    CU_ASSERT(!s.own && !s.alike && !s.without && s.n == 0);
}

/* A value, and what a formula gave that cannot be, are each place's own. */
static void with_a_value(void)
{
    struct td_estimates_store s = {0};
    struct td_estimates *a = td_estimates_new(&s, 0, false), *b = td_estimates_new(&s, 0, false);
    struct td_metric m[] = {without(), without(), without(), without()};

    m[0].status = TD_OK, m[0].value = 0.25;
    m[1].status = TD_IMPOSSIBLE, m[1].raw = -0.125;
    m[2].status = TD_IMPOSSIBLE, m[2].raw = (double)NAN;
    CU_ASSERT_FATAL(a && b && !td_estimates_set(&s, a, m, 4));
    m[0].value = 0.75, m[1].raw = 2;
    CU_ASSERT_FATAL(!td_estimates_set(&s, b, m, 4));
    CU_ASSERT_EQUAL(a->metric[0]->value, 0.25);
    CU_ASSERT_EQUAL(b->metric[0]->value, 0.75);
    CU_ASSERT_EQUAL(a->metric[1]->raw, -0.125);
    CU_ASSERT_EQUAL(b->metric[1]->raw, 2);
    CU_ASSERT_PTR_EQUAL(a->metric[2], b->metric[2]);
    CU_ASSERT_PTR_NOT_EQUAL(a->metric[2], a->metric[3]);
    CU_ASSERT_PTR_EQUAL(a->metric[3], b->metric[3]);
    CU_ASSERT_EQUAL(s.n, 2); /* nothing is searched among those with a value */
    td_estimates_free(&s);
}

/* What is taken away: of a metric that had a value, the reason is that nothing was counted; another reason stays. */
static void taken_away(void)
{
    struct td_metric m = without(), missing = without();

    m.status = TD_OK, m.value = 0.25, m.low = 0.125, m.high = 0.5, m.raw = 1, m.bounds = TD_BOUNDS_LIKELY;
    td_estimate_take_away(&m);
    td_estimate_take_away(&missing);
    CU_ASSERT_EQUAL(m.status, TD_NOT_COUNTED);
    CU_ASSERT(isnan(m.value) && isnan(m.low) && isnan(m.high) && isnan(m.raw));
    CU_ASSERT_EQUAL(m.bounds, TD_BOUNDS_NONE);
    CU_ASSERT_EQUAL(missing.status, TD_MISSING_EVENT);
}

/* A place without an estimate gets what another one has whose flags and metrics are the same, if it is among the last
 * 16 that differ from each other. */
static void alike(void)
{
    enum { LISTS = 17, METRICS = 3 };
    struct td_estimates_store s = {0};
    const struct td_estimates *given[LISTS], *own;
    struct made_interval m;

    made_interval(&m, "f", 1, METRICS);
    CU_ASSERT_PTR_NULL(td_estimates_alike(&s, &m.r));
    for (size_t i = 0; i < METRICS; i++)
        td_estimate_take_away(&m.metric[i]);
    for (unsigned i = 0; i < LISTS; i++) {
        struct td_estimates *e = td_estimates_new(&s, i, true);

        CU_ASSERT_FATAL(e && !td_estimates_set(&s, e, m.metric, METRICS));
        CU_ASSERT(e->flags == i && e->verdict && !e->verdict->npath && !e->verdict->node);
        given[i] = e;
    }
    own = td_estimates_new(&s, LISTS, false);
    CU_ASSERT_FATAL(own != NULL);
    for (unsigned i = 0; i <= LISTS; i++) {
        m.r.flags = i;
        m.r.nmetrics = METRICS;
        CU_ASSERT_PTR_EQUAL(td_estimates_alike(&s, &m.r), i && i < LISTS ? given[i] : NULL);
        m.r.nmetrics = METRICS - 1;
        CU_ASSERT_PTR_NULL(td_estimates_alike(&s, &m.r));
    }
    m.r.flags = 1;
    m.r.nmetrics = METRICS;
    for (size_t i = 0; i < METRICS; i++) {
        m.metric[i].named = true;
        CU_ASSERT_PTR_NULL(td_estimates_alike(&s, &m.r));
        m.metric[i].named = false;
    }
    CU_ASSERT_PTR_EQUAL(td_estimates_alike(&s, &m.r), given[1]);
    td_estimates_free(&s);
}

static void bound(struct td_metric *m, enum td_bounds bounds, double value, double low, double high)
{
    m->value = value;
    m->bounds = bounds;
    m->low = low;
    m->high = high;
}

/* What metrics are judged by: all of them bounded, the second and the third each above the first. */
static void bound_all(struct made_interval *m, enum td_bounds bounds, double third)
{
    made_interval(m, "f", 1, 3);
    bound(&m->metric[0], bounds, 0.0625, 0.0625, 0.0625);
    bound(&m->metric[1], bounds, 0.5, 0.25, 0.75);
    bound(&m->metric[2], bounds, third, third, third);
}

/* What the verdict points to are the metrics that are kept. What makes bounds narrower, in a place, is more samples. */
static void judged(void)
{
    struct td_estimates_store s = {0};
    struct td_estimates *to;
    const struct td_verdict *v;
    struct made_interval m;

    for (int row = 0; row < 5; row++) {
        bound_all(&m, row == 1 ? TD_BOUNDS_SOUND : TD_BOUNDS_LIKELY, row ? 0.4375 : 0.0625);
        if (row == 3)
            m.metric[1].flags = TD_FLAG_COUNTS_DOUBTFUL;
        if (row == 4) {
            td_estimate_take_away(&m.metric[2]);
            m.metric[2].status = TD_IMPOSSIBLE;
        }
        to = td_estimates_new(&s, 0, false);
        CU_ASSERT_FATAL(to && !td_estimates_set(&s, to, m.metric, 3));
        CU_ASSERT_EQUAL_FATAL(td_estimates_judge(to, &m.r, m.metric), 0);
        v = to->verdict;
        if (row == 0) { /* a quarter is clearly more than the others */
            CU_ASSERT(v->npath == 1 && v->path[0] == to->metric[1] && v->node == to->metric[1] && !v->namong);
            CU_ASSERT_EQUAL(v->remedy, TD_REMEDY_NONE);
        } else if (row < 4) {
            CU_ASSERT_FATAL(v->npath == 0 && v->namong == 2);
            CU_ASSERT(v->among[0] == to->metric[1] && v->among[1] == to->metric[2] && !v->node && !v->absent);
            /* likely bounds get narrower, sound ones do not, and doubtful counts are to be looked into */
            CU_ASSERT_EQUAL(v->remedy, row == 1 ? TD_REMEDY_NONE : row == 2 ? TD_REMEDY_LONGER : TD_REMEDY_DOCTOR);
        } else {
            CU_ASSERT_PTR_EQUAL(v->absent, to->metric[2]);
            CU_ASSERT_FATAL(v->namong == 1);
            CU_ASSERT_PTR_EQUAL(v->among[0], to->metric[1]);
        }
    }
    td_estimates_free(&s);
}

/* A node below the one that limits, among whose children two may be the larger one. */
static void judged_below(void)
{
    struct td_estimates_store s = {0};
    struct td_estimates *to = td_estimates_new(&s, 0, false);
    struct made_interval m;

    bound_all(&m, TD_BOUNDS_LIKELY, 0.0625);
    m.r.nmetrics = 5;
    for (size_t i = 3; i < 5; i++) {
        m.metric[i].parent = "a";
        m.metric[i].level = 2;
        m.family[i] = 1;
        bound(&m.metric[i], TD_BOUNDS_LIKELY, 0.375, 0.25, 0.5);
    }
    CU_ASSERT_FATAL(to && !td_estimates_set(&s, to, m.metric, 5) && !td_estimates_judge(to, &m.r, m.metric));
    CU_ASSERT_FATAL(to->verdict->npath == 1 && to->verdict->namong == 2);
    CU_ASSERT_PTR_EQUAL(to->verdict->path[0], to->metric[1]);
    CU_ASSERT_PTR_EQUAL(to->verdict->among[0], to->metric[3]);
    CU_ASSERT_PTR_EQUAL(to->verdict->among[1], to->metric[4]);
    td_estimates_free(&s);
}

/* Metrics with and without a value, in every mixture. */
static int set_and_judge(void *ctx)
{
    struct td_estimates_store s = {0};
    int err = 0;

    (void)ctx;
    for (unsigned has = 0; has < 1 << 3 && !err; has++) {
        struct td_estimates *to = td_estimates_new(&s, has, has % 2);
        struct made_interval m;

        bound_all(&m, TD_BOUNDS_LIKELY, 0.4375);
        for (size_t i = 0; i < 3; i++)
            if (!(has >> i & 1))
                td_estimate_take_away(&m.metric[i]);
        err = to ? td_estimates_set(&s, to, m.metric, 3) : -ENOMEM;
        err = err ? err : td_estimates_judge(to, &m.r, m.metric);
    }
    td_estimates_free(&s);
    return err;
}

static void without_memory(void)
{
    CU_ASSERT(memory_each(set_and_judge, NULL, 1, false) >= 8 * 4);
}

static const CU_TestInfo tests[] = {
    {"alike", alike},
    {"judged", judged},
    {"judged below", judged_below},
    {"without memory", without_memory},
    {"without a value", without_a_value},
    {"with a value", with_a_value},
    {"taken away", taken_away},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("estimates", tests);
