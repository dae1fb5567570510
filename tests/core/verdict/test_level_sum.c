/* SPDX-License-Identifier: MIT */
/* Which metrics are shares of a sum, and what becomes of a result whose sum is off: four shares and another metric. */
#include "core/verdict/level_sum.h"
#include "tests/support/unit.h"

#include <math.h>

static struct td_metric metrics[6];

/* Four shares of this value, and a fifth metric; behind them one that nothing looks at. */
static void check_sum(double share, const struct td_metric *fifth, bool other_family)
{
    const uint32_t family[] = {0, 0, 0, 0, other_family ? 4 : 0, 0};
    struct td_result r = {.metrics = metrics, .nmetrics = 5, .family = family};

    for (size_t i = 0; i < 6; i++)
        metrics[i] = i == 4 ? *fifth
                            : (struct td_metric){.level = 1,
                                                 .unit = "slots",
                                                 .value = share,
                                                 .low = share,
                                                 .high = share,
                                                 .bounds = TD_BOUNDS_SOUND};
    td_level_sum_check(&r, 2);
    CU_ASSERT(!metrics[5].flags && metrics[5].value == share);
}

static bool is_off(size_t i)
{
    const struct td_metric *m = &metrics[i];

    CU_ASSERT_EQUAL(m->flags == TD_FLAG_SUM_OFF, isnan(m->low) && isnan(m->high) && m->bounds == TD_BOUNDS_NONE);
    return m->flags == TD_FLAG_SUM_OFF;
}

static void fifth_metrics(void)
{
    static const struct {
        struct td_metric m;
        bool other_family, off, itself;
    } rows[] = {
        {{.level = 1, .unit = "slots", .value = 0}, false, true, true},
        {{.level = 1, .unit = "slots", .value = -0.2}, false, false, false},
        {{.level = 1, .unit = "slots", .value = -0.2}, true, true, true},
        {{.level = 2, .unit = "slots", .value = -0.2}, false, true, true},
        {{.level = 1, .unit = "cycles", .value = 0}, false, false, false},
        {{.level = 1, .unit = "slots", .value = -0.2, .kind = TD_METRIC_INFO}, false, true, false},
        {{.level = 1, .unit = "slots", .value = 0, .status = TD_MISSING_EVENT}, false, false, false},
        {{.level = 1, .unit = "slots", .raw = -0.2, .status = TD_IMPOSSIBLE}, false, false, false},
        {{.level = 1, .unit = "slots", .raw = 0.1, .status = TD_IMPOSSIBLE}, false, true, false},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        check_sum(0.3, &rows[i].m, rows[i].other_family);
        CU_ASSERT_EQUAL(is_off(0), rows[i].off);
        CU_ASSERT_EQUAL(is_off(3), rows[i].off);
        CU_ASSERT_EQUAL(metrics[4].flags == TD_FLAG_SUM_OFF, rows[i].itself);
        CU_ASSERT_EQUAL(metrics[0].value, 0.3);
    }
}

/* Below half and above twice the slots, nothing is left of the values but what the formulas gave. */
static void absurd(void)
{
    static const struct td_metric deeper = {.level = 2, .unit = "slots", .value = 0.5},
                                  none = {.level = 2, .status = TD_MISSING_EVENT, .value = 0.5};
    static const struct {
        double share;
        bool absurd;
    } rows[] = {{0.124, true}, {0.125, false}, {0.5, false}, {0.501, true}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        check_sum(rows[i].share, &deeper, false);
        for (size_t m = 0; m < 5; m++) {
            const double value = m == 4 ? 0.5 : rows[i].share;

            CU_ASSERT_EQUAL(metrics[m].status, rows[i].absurd ? TD_IMPOSSIBLE : TD_OK);
            CU_ASSERT_EQUAL(rows[i].absurd ? metrics[m].raw : metrics[m].value, value);
            CU_ASSERT(!rows[i].absurd || isnan(metrics[m].value));
            CU_ASSERT_EQUAL(metrics[m].flags, rows[i].absurd ? 0 : TD_FLAG_SUM_OFF);
        }
        check_sum(rows[i].share, &none, false);
        CU_ASSERT(metrics[4].status == TD_MISSING_EVENT && !metrics[4].flags && metrics[4].value == 0.5);
    }
}

/* Bounds of what was counted at different times leave room for 1 within 5 points. */
static void apart(void)
{
    static const struct {
        double low, high; /* of each */
        bool off;
    } rows[] = {
        {0.262, 0.5, false}, {0.263, 0.5, true}, {0.1, 0.238, false}, {0.1, 0.237, true}, {0.262, 0.238, false},
    };
    const struct td_metric fifth = {.level = 2, .status = TD_MISSING_EVENT};

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        for (size_t which = 0; which < 4; which++) {
            const uint32_t family[] = {0, 0, 0, 0};
            struct td_result r = {.metrics = metrics, .nmetrics = 4, .family = family};

            check_sum(0.25, &fifth, false);
            for (size_t m = 0; m < 4; m++) {
                metrics[m].value = 0.4;
                metrics[m].low = rows[i].low;
                metrics[m].high = rows[i].high;
                metrics[m].flags = m == which ? TD_FLAG_SPLIT_GROUPS : 0; /* one is enough */
            }
            td_level_sum_check(&r, 2);
            CU_ASSERT_EQUAL((metrics[0].flags & TD_FLAG_SUM_OFF) != 0, rows[i].off);
        }
}

static const CU_TestInfo tests[] = {
    {"what is a share", fifth_metrics},
    {"absurd sums", absurd},
    {"counted at different times", apart},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("level_sum", tests);
