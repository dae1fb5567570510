/* SPDX-License-Identifier: MIT */
/* Estimates of places: what is alike is kept once, and nothing else is. */
#include "stats/estimates.h"

#include "tests/support/unit.h"

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

static const CU_TestInfo tests[] = {
    {"without a value", without_a_value},
    {"with a value", with_a_value},
    {"taken away", taken_away},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("estimates", tests);
