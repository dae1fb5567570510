/* SPDX-License-Identifier: MIT */
/* What of a result a tree shows: which nodes have a row, how wide names are, which flags stand where. */
#include "report/tree_view.h"

#include "tests/support/made_result.h"

#include <string.h>

static struct made_result m;
static struct td_report report;
static struct td_tree_view view;

/* The view of the made result in so many columns of names. */
static void make(int room)
{
    report.verdict = m.verdict;
    CU_ASSERT_EQUAL_FATAL(td_tree_view_make(&view, &report, &m.r, room), 0);
}

static void begin(void)
{
    made_begin(&m);
    report = (struct td_report){.all = false};
}

/* The rows as letters in the order of enum MADE: r, b, f, b, m, c, l, b, 3, p, i, g. */
static void shows(const char *wanted)
{
    static const char letters[] = "rbfBmclw3pig";
    char got[MADE_METRICS + 1] = "";
    size_t n = 0;

    make(0);
    for (size_t i = 0; i < m.r.nmetrics; i++)
        if (view.shown[i])
            got[n++] = letters[i];
    got[n] = '\0';
    CU_ASSERT_STRING_EQUAL(got, wanted);
    td_tree_view_free(&view);
}

/* A node beyond level 2 has a row where its threshold is exceeded or may be, or without a value if its parent's is; so
 * have its parents then. What the CPU does not have, or lacks an event, has none. */
static void rows(void)
{
    begin();
    shows("rbfBmc3ig");
    CU_ASSERT(view.hidden == 1 && view.deep && view.mixed); /* ports_utilization; l3_bound is of stalls */
    m.metric[MADE_L3_BOUND].over = TD_OVER_NO;
    shows("rbfBmcig");
    CU_ASSERT(view.hidden == 2 && view.deep && !view.mixed);
    m.metric[MADE_L3_BOUND].over = TD_OVER_UNKNOWN;
    shows("rbfBmc3ig");
    m.metric[MADE_L3_BOUND].status = TD_IMPOSSIBLE;
    shows("rbfBmcig");
    CU_ASSERT_EQUAL(view.hidden, 1); /* it has no value that would be hidden */
    m.metric[MADE_MEMORY_BOUND].over = TD_OVER_YES;
    shows("rbfBmc3ig");
    m.metric[MADE_MEMORY_BOUND].over = TD_OVER_UNKNOWN;
    shows("rbfBmcig");
    report.all = true;
    shows("rbfBmc3pig");
    CU_ASSERT_EQUAL(view.hidden, 0);
    m.r.nmetrics = MADE_L3_BOUND;
    shows("rbfBmc");
    CU_ASSERT(!view.deep && !view.mixed);
    begin();
    m.metric[MADE_CORE_BOUND].status = TD_NOT_ON_THIS_CPU;
    m.metric[MADE_PORTS].over = TD_OVER_YES;
    shows("rbfBm3pig");
}

/* Names have 22 columns, or as many as the longest that is shown, with two for each level below the first; or what
 * there is room for. */
static void names(void)
{
    static const struct {
        int room, wanted;
    } of[] = {{0, 26}, {30, 26}, {26, 26}, {25, 25}, {23, 23}, {22, 22}, {10, 22}};

    begin();
    m.metric[MADE_L3_BOUND].name = "l3_bound_of_22_letters";
    for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++) {
        make(of[i].room);
        CU_ASSERT_EQUAL(view.names, of[i].wanted);
        td_tree_view_free(&view);
    }
    m.metric[MADE_L3_BOUND].over = TD_OVER_NO;
    make(0);
    CU_ASSERT_EQUAL(view.names, 22);
    td_tree_view_free(&view);
    CU_ASSERT(td_tree_indent(0) == 0 && td_tree_indent(1) == 0 && td_tree_indent(2) == 2 && td_tree_indent(6) == 10);
}

/* Likely bounds of rows that are shown, and of no others. */
static void likely(void)
{
    begin();
    m.r.nmetrics = MADE_CORE_BOUND;
    make(0);
    CU_ASSERT(view.flags.likely && view.flags.marks & TD_MARK_LIKELY);
    td_tree_view_free(&view);
    m.metric[MADE_BAD_SPECULATION].bounds = TD_BOUNDS_SOUND;
    make(0);
    CU_ASSERT(!view.flags.likely && !(view.flags.marks & TD_MARK_LIKELY));
    td_tree_view_free(&view);
    m.metric[MADE_BAD_SPECULATION].bounds = TD_BOUNDS_LIKELY;
    m.metric[MADE_BAD_SPECULATION].status = TD_IMPOSSIBLE;
    make(0);
    CU_ASSERT_FALSE(view.flags.likely);
    td_tree_view_free(&view);
}

/* A flag that all rows have is common; one that eight rows and more than half have is most's; others stand in rows. */
static void flags(void)
{
    static struct td_metric metric[17];
    static const struct {
        size_t rows, with;
        unsigned common, most, in_rows;
    } of[] = {
        {16, 16, TD_FLAG_MULTIPLEXED, 0, 0},
        {16, 9, 0, TD_FLAG_MULTIPLEXED, 0},
        {16, 8, 0, 0, TD_FLAG_MULTIPLEXED},
        {15, 8, 0, TD_FLAG_MULTIPLEXED, 0},
        {8, 7, 0, 0, TD_FLAG_MULTIPLEXED},
        {9, 8, 0, TD_FLAG_MULTIPLEXED, 0},
        {4, 0, 0, 0, 0},
    };

    begin();
    m.r.flags = m.r.common = 0;
    m.r.metrics = metric;
    for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++) {
        for (size_t k = 0; k < of[i].rows; k++) {
            metric[k] = made_metric("x", "", 1, 0.1);
            metric[k].flags = TD_FLAG_NO_BOUNDS | (k < of[i].with ? TD_FLAG_MULTIPLEXED : 0);
        }
        m.r.nmetrics = of[i].rows;
        make(0);
        CU_ASSERT(view.flags.common == of[i].common && view.flags.most == of[i].most &&
                  view.flags.rows == of[i].in_rows);
        CU_ASSERT_EQUAL(td_tree_view_flags(&view, &metric[0]), of[i].in_rows);
        td_tree_view_free(&view);
    }
}

static const CU_TestInfo tests[] = {
    {"rows", rows}, {"names", names}, {"likely bounds", likely}, {"flags", flags}, CU_TEST_INFO_NULL,
};
UNIT_SUITE("views of trees", tests);
