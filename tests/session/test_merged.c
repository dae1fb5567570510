/* SPDX-License-Identifier: MIT */
/* What two CPUs' results have in common, metric by metric, worked out by hand. */
#include "session/merged.h"
#include "tests/support/memory.h"
#include "tests/support/unit.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define LENGTH(a) (sizeof(a) / sizeof(*(a)))

static struct td_result result_of(struct td_metric *m, size_t n)
{
    return (struct td_result){.metrics = m, .nmetrics = n, .formula = "one"};
}

/* Both have a value: the same to a billionth. */
static void values(void)
{
    static const struct {
        double one, other;
        bool differ;
    } rows[] = {{0.25, 0.25, false},
                {0.25, 0.25 + 0.9e-9, false},
                {0.25, 0.25 - 0.9e-9, false},
                {0.25, 0.25 + 1.1e-9, true},
                {0.25, 0.25 - 1.1e-9, true},
                {0.25, -0.25, true},
                {1e-9, 0, false}};

    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct td_metric m = {.name = "a", .status = TD_OK, .value = rows[i].one}, o = m;
        struct td_result r = result_of(&m, 1), other = result_of(&o, 1);
        struct td_merged merged = {.n = 0};
        const char *differ = "unset";

        o.value = rows[i].other;
        CU_ASSERT_EQUAL(td_merge(&r, &other, &merged, &differ), 0);
        CU_ASSERT(rows[i].differ ? differ && !strcmp(differ, "a") : !differ);
        CU_ASSERT_EQUAL(m.value, rows[i].one);
        td_merged_free(&merged);
    }
}

/* Of three metrics and of one the last differs, whatever lies after the one. */
static void fewer(void)
{
    struct td_metric m[] = {{.name = "a"}, {.name = "b"}, {.name = "c"}}, o[] = {{.name = "a"}, {.name = "x"}};
    struct td_result r = result_of(m, 3), other = result_of(o, 1);
    struct td_merged merged = {.n = 0};
    const char *differ = NULL;

    CU_ASSERT_EQUAL(td_merge(&r, &other, &merged, &differ), 0);
    CU_ASSERT_PTR_EQUAL(differ, m[2].name);
    td_merged_free(&merged);
}

/* One may lack what the other has: then they differ, as two do that have other metrics, or impossible values that are
 * not the same. Reasons may differ. */
static void answers(void)
{
    static const struct {
        const char *name;
        enum td_status one, other;
        double raw, others_raw;
        bool differ;
    } rows[] = {
        {"a", TD_OK, TD_MISSING_EVENT, 0, 0, true},
        {"a", TD_MISSING_EVENT, TD_OK, 0, 0, true},
        {"a", TD_MISSING_EVENT, TD_NOT_COUNTED, 0, 1, false},
        {"b", TD_OK, TD_OK, 0, 0, true},
        {"b", TD_MISSING_EVENT, TD_MISSING_EVENT, 0, 0, true},
        {"a", TD_IMPOSSIBLE, TD_IMPOSSIBLE, 1.5, 1.5, false},
        {"a", TD_IMPOSSIBLE, TD_IMPOSSIBLE, 1.5, 1.25, true},
        {"a", TD_NOT_COUNTED, TD_IMPOSSIBLE, 0, 1.25, false},
        {"a", TD_OK, TD_OK, 0, 1, false},
    };

    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct td_metric m = {.name = "a", .status = rows[i].one, .raw = rows[i].raw},
                         o = {.name = rows[i].name, .status = rows[i].other, .raw = rows[i].others_raw};
        struct td_result r = result_of(&m, 1), other = result_of(&o, 1);
        struct td_merged merged = {.n = 0};
        const char *differ = "unset";

        CU_ASSERT_EQUAL(td_merge(&r, &other, &merged, &differ), 0);
        CU_ASSERT(rows[i].differ ? differ && !strcmp(differ, "a") : !differ);
        td_merged_free(&merged);
    }
}

/* Of several metrics the first that differs is named; where one CPU has more, the last of the first CPU's. */
static void which_differs(void)
{
    static const struct {
        size_t n, others; /* how many metrics */
        double second, third; /* the other CPU's */
        const char *differ;
    } rows[] = {{3, 3, 0.2, 0.3, NULL}, {3, 3, 0.21, 0.31, "b"}, {3, 3, 0.2, 0.31, "c"}, {2, 3, 0.2, 0.3, "b"},
                {2, 3, 0.2, 0.31, "b"}, {3, 2, 0.2, 0.3, "c"},   {3, 2, 0.21, 0.3, "b"}};

    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct td_metric m[] = {{.name = "a", .status = TD_OK, .value = 0.1},
                                {.name = "b", .status = TD_OK, .value = 0.2},
                                {.name = "c", .status = TD_OK, .value = 0.3}},
                         o[] = {m[0], m[1], m[2]};
        struct td_result r = result_of(m, rows[i].n), other = result_of(o, rows[i].others);
        struct td_merged merged = {.n = 0};
        const char *differ = "unset";

        o[1].value = rows[i].second;
        o[2].value = rows[i].third;
        CU_ASSERT_EQUAL(td_merge(&r, &other, &merged, &differ), 0);
        CU_ASSERT(rows[i].differ ? differ && !strcmp(differ, rows[i].differ) : !differ);
        td_merged_free(&merged);
    }
}

/* The bounds of both, where both have some: likely ones if one's are. */
static void bounds(void)
{
    static const struct {
        enum td_bounds one, other, both;
        double low, high, others_low, others_high, both_low, both_high;
    } rows[] = {
        {TD_BOUNDS_SOUND, TD_BOUNDS_SOUND, TD_BOUNDS_SOUND, 0.1, 0.3, 0.2, 0.4, 0.1, 0.4},
        {TD_BOUNDS_SOUND, TD_BOUNDS_SOUND, TD_BOUNDS_SOUND, 0.2, 0.4, 0.1, 0.3, 0.1, 0.4},
        {TD_BOUNDS_SOUND, TD_BOUNDS_LIKELY, TD_BOUNDS_LIKELY, 0.1, 0.3, 0.1, 0.3, 0.1, 0.3},
        {TD_BOUNDS_LIKELY, TD_BOUNDS_SOUND, TD_BOUNDS_LIKELY, 0.1, 0.3, 0.1, 0.3, 0.1, 0.3},
        {TD_BOUNDS_LIKELY, TD_BOUNDS_LIKELY, TD_BOUNDS_LIKELY, 0.1, 0.3, 0.1, 0.3, 0.1, 0.3},
        {TD_BOUNDS_NONE, TD_BOUNDS_SOUND, TD_BOUNDS_NONE, 0.1, 0.3, 0.1, 0.3, NAN, NAN},
        {TD_BOUNDS_SOUND, TD_BOUNDS_NONE, TD_BOUNDS_NONE, 0.1, 0.3, 0.1, 0.3, NAN, NAN},
        {TD_BOUNDS_NONE, TD_BOUNDS_NONE, TD_BOUNDS_NONE, 0.1, 0.3, 0.1, 0.3, NAN, NAN},
    };

    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct td_metric m = {.name = "a",
                              .status = TD_OK,
                              .value = 0.25,
                              .bounds = rows[i].one,
                              .low = rows[i].low,
                              .high = rows[i].high},
                         o = m;
        struct td_result r = result_of(&m, 1), other = result_of(&o, 1);
        struct td_merged merged = {.n = 0};
        const char *differ;

        o.bounds = rows[i].other;
        o.low = rows[i].others_low;
        o.high = rows[i].others_high;
        CU_ASSERT(!td_merge(&r, &other, &merged, &differ) && !differ);
        CU_ASSERT_EQUAL(m.bounds, rows[i].both);
        CU_ASSERT(isnan(rows[i].both_low) ? isnan(m.low) && isnan(m.high)
                                          : m.low == rows[i].both_low && m.high == rows[i].both_high);
        td_merged_free(&merged);
    }
}

/* A flag of one of them is one of both, but that slots are as another width has them, which is one that both have: of a
 * metric that has a value, and of the result. */
static void flags(void)
{
    static const struct {
        unsigned one, other, both;
    } rows[] = {
        {0, 0, 0},
        {TD_FLAG_MULTIPLEXED, 0, TD_FLAG_MULTIPLEXED},
        {0, TD_FLAG_MULTIPLEXED, TD_FLAG_MULTIPLEXED},
        {TD_FLAG_NEGATIVE, TD_FLAG_MULTIPLEXED, TD_FLAG_NEGATIVE | TD_FLAG_MULTIPLEXED},
        {TD_FLAG_OTHER_WIDTH, 0, 0},
        {0, TD_FLAG_OTHER_WIDTH, 0},
        {TD_FLAG_OTHER_WIDTH, TD_FLAG_OTHER_WIDTH, TD_FLAG_OTHER_WIDTH},
        {TD_FLAG_OTHER_WIDTH | TD_FLAG_NEGATIVE, TD_FLAG_NEGATIVE, TD_FLAG_NEGATIVE},
    };

    for (size_t i = 0; i < LENGTH(rows); i++)
        for (int valued = 0; valued < 2; valued++) {
            struct td_metric m = {.name = "a", .status = valued ? TD_OK : TD_NOT_COUNTED, .flags = rows[i].one}, o = m;
            struct td_result r = result_of(&m, 1), other = result_of(&o, 1);
            struct td_merged merged = {.n = 0};
            const char *differ;

            o.flags = other.flags = other.common = rows[i].other;
            r.flags = r.common = rows[i].one;
            CU_ASSERT(!td_merge(&r, &other, &merged, &differ) && !differ);
            CU_ASSERT_EQUAL(m.flags, valued ? rows[i].both : rows[i].one);
            CU_ASSERT(r.flags == rows[i].both && r.common == rows[i].both);
            other.common = TD_FLAG_SPLIT_GROUPS; /* the one is not the other */
            CU_ASSERT(!td_merge(&r, &other, &merged, &differ) && !differ);
            CU_ASSERT_EQUAL(r.common & TD_FLAG_SPLIT_GROUPS, TD_FLAG_SPLIT_GROUPS);
            CU_ASSERT_EQUAL(r.flags & TD_FLAG_SPLIT_GROUPS, 0);
            td_merged_free(&merged);
        }
}

/* Why a metric is absent: that an event is missing goes before other reasons, and the events of all CPUs are named,
 * each once. */
static void reasons(void)
{
    static const struct {
        enum td_status one;
        const char *event;
        enum td_status other;
        const char *others;
        enum td_status both;
        const char *all;
    } rows[] = {
        {TD_MISSING_EVENT, "A", TD_MISSING_EVENT, "A", TD_MISSING_EVENT, "A"},
        {TD_MISSING_EVENT, "A", TD_MISSING_EVENT, "B", TD_MISSING_EVENT, "A|B"},
        {TD_NOT_COUNTED, "A", TD_NOT_COUNTED, "B", TD_NOT_COUNTED, "A|B"},
        {TD_MISSING_EVENT, "A", TD_NOT_COUNTED, "B", TD_MISSING_EVENT, "A"},
        {TD_NOT_COUNTED, "A", TD_MISSING_EVENT, "B", TD_MISSING_EVENT, "B"},
        {TD_NOT_ON_THIS_CPU, NULL, TD_MISSING_EVENT, "B", TD_MISSING_EVENT, "B"},
        {TD_NOT_COUNTED, "A", TD_NOT_SUPPORTED, "B", TD_NOT_COUNTED, "A"},
        {TD_MISSING_EVENT, "A", TD_MISSING_EVENT, NULL, TD_MISSING_EVENT, "A"},
        {TD_MISSING_EVENT, NULL, TD_MISSING_EVENT, "B", TD_MISSING_EVENT, NULL},
        {TD_MISSING_EVENT, NULL, TD_MISSING_EVENT, NULL, TD_MISSING_EVENT, NULL},
    };

    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct td_metric m = {.name = "a", .status = rows[i].one, .event = rows[i].event},
                         o = {.name = "a", .status = rows[i].other, .event = rows[i].others};
        struct td_result r = result_of(&m, 1), other = result_of(&o, 1);
        struct td_merged merged = {.n = 0};
        const char *differ;

        CU_ASSERT(!td_merge(&r, &other, &merged, &differ) && !differ);
        CU_ASSERT_EQUAL(m.status, rows[i].both);
        CU_ASSERT(rows[i].all ? m.event && !strcmp(m.event, rows[i].all) : !m.event);
        td_merged_free(&merged);
    }
}

/* Three CPUs that lack other events of two metrics, and their formulas; then other results, with the same texts. */
static int merge_three(void *ctx)
{
    static const char *const event[3][2] = {{"A", "P"}, {"B", "Q"}, {"A", "R"}}, *const formula[] = {"x", "y", "x"};
    struct td_merged merged = {.n = 0};
    const char *differ;
    int err = 0;

    (void)ctx;
    for (int again = 0; again < 2 && !err; again++) {
        struct td_metric m[3][2];
        struct td_result r[3];

        for (size_t i = 0; i < 3; i++) {
            for (size_t k = 0; k < 2; k++)
                m[i][k] = (struct td_metric){
                    .name = k ? "b" : "a", .status = TD_MISSING_EVENT, .event = event[(i + (size_t)again) % 3][k]};
            r[i] = result_of(m[i], 2);
            r[i].formula = formula[i];
        }
        for (size_t i = 1; i < 3 && !err; i++)
            err = td_merge(&r[0], &r[i], &merged, &differ);
        CU_ASSERT(err || !strcmp(m[0][0].event, again ? "B|A" : "A|B"));
        CU_ASSERT(err || !strcmp(m[0][1].event, again ? "Q|R|P" : "P|Q|R"));
        CU_ASSERT(err || !strcmp(r[0].formula, "x|y"));
    }
    td_merged_free(&merged);
    return err;
}

static void texts(void)
{
    CU_ASSERT_EQUAL(merge_three(NULL), 0);
    CU_ASSERT(memory_each(merge_three, NULL, 1, false) > 2);
}

static const CU_TestInfo tests[] = {
    {"values", values}, {"fewer", fewer}, {"answers", answers}, {"which metric differs", which_differs},
    {"bounds", bounds}, {"flags", flags}, {"reasons", reasons}, {"texts of three CPUs", texts},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("merged results", tests);
