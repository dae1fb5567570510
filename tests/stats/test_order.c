/* SPDX-License-Identifier: MIT */
/* The order of a comparison's rows, and where its verdicts find theirs. */
#include "stats/comparison.h"
#include "tests/support/unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define LENGTH(a) (sizeof(a) / sizeof(*(a)))

static const char *const scope[] = {"CPU0", "CPU1", "CPU2"};

static struct td_difference row(size_t side, unsigned of, const char *metric, double saved,
                                enum td_difference_call call)
{
    return (struct td_difference){
        .side = side, .scope = scope[of], .core = NULL, .metric = metric, .saved = saved, .call = call};
}

static void sorted(struct td_difference *rows, size_t n, const char *wanted)
{
    struct td_comparison c = {.row = rows, .n = n};
    char got[64] = "";

    CU_ASSERT_EQUAL_FATAL(td_comparison_sort(&c), 0);
    for (size_t i = 0; i < n; i++)
        strncat(got, rows[i].metric, sizeof(got) - strlen(got) - 1);
    if (strcmp(got, wanted) != 0)
        printf("\n    %s, wanted %s", got, wanted);
    CU_ASSERT_STRING_EQUAL(got, wanted);
}

/* Within a scope: totals, then what is shown, then by slots saved or lost; equals stay. */
static void rows_of_a_scope(void)
{
    struct td_difference rows[] = {
        row(1, 0, "a", 1, TD_CALL_SAME),      row(1, 0, "b", -3, TD_CALL_UNKNOWN), row(1, 0, "c", 0.5, TD_CALL_MORE),
        row(1, 0, "d", -0.75, TD_CALL_LESS),  row(1, 0, "e", 9, TD_CALL_MORE),     row(1, 0, "f", 3, TD_CALL_SAME),
        row(1, 0, "g", 100, TD_CALL_UNKNOWN),
    };

    rows[4].total = rows[6].total = true;
    sorted(rows, LENGTH(rows), "egdcbfa");
}

/* Where slots are not known, points of shares are the weight; other metrics have none. */
static void by_points(void)
{
    struct td_difference rows[] = {row(1, 0, "a", NAN, TD_CALL_SAME), row(1, 0, "b", NAN, TD_CALL_SAME),
                                   row(1, 0, "c", 0.25, TD_CALL_SAME), row(1, 0, "d", NAN, TD_CALL_SAME)};

    rows[0].share = rows[1].share = true;
    rows[0].diff.value = 0.125;
    rows[1].diff.value = -0.5;
    rows[3].diff.value = 8;
    sorted(rows, LENGTH(rows), "bcad");
}

/* Sides in their order; in each the scope with the heaviest row first, whatever the others of it are; totals weigh
 * nothing. */
static void scopes(void)
{
    struct td_difference rows[] = {
        row(1, 0, "a", 2, TD_CALL_SAME),  row(1, 0, "b", 1, TD_CALL_SAME),   row(1, 1, "c", 0, TD_CALL_SAME),
        row(1, 1, "d", -3, TD_CALL_SAME), row(1, 2, "e", 2.5, TD_CALL_SAME), row(2, 0, "f", 9, TD_CALL_SAME),
        row(2, 1, "g", 99, TD_CALL_SAME), row(2, 1, "h", 10, TD_CALL_SAME),
    };
    struct td_difference equal[] = {row(1, 0, "a", 2, TD_CALL_SAME), row(1, 1, "b", 2, TD_CALL_SAME),
                                    row(1, 1, "c", 1, TD_CALL_SAME), row(1, 2, "d", -2, TD_CALL_SAME)};

    rows[6].total = true;
    sorted(rows, LENGTH(rows), "dceabghf");
    sorted(equal, LENGTH(equal), "abcd");
    {
        struct td_difference points[] = {row(1, 0, "a", NAN, TD_CALL_SAME), row(1, 0, "t", 99, TD_CALL_SAME),
                                         row(1, 1, "b", NAN, TD_CALL_SAME)};

        points[0].share = points[2].share = points[1].total = true;
        points[0].diff.value = 0.25;
        points[2].diff.value = 0.5;
        sorted(points, LENGTH(points), "bta");
    }
}

/* Rows of one name that are of another side, scope or kind of core are of another scope: a verdict finds its own. */
static void verdicts(void)
{
    struct td_difference rows[] = {row(1, 0, "a", 1, TD_CALL_SAME), row(1, 0, "b", 2, TD_CALL_SAME),
                                   row(1, 0, "c", 5, TD_CALL_SAME), row(1, 1, "d", 7, TD_CALL_SAME)};
    struct td_verdicts v[] = {
        {.first = 0, .rows = 2}, {.first = 2, .rows = 1}, {.first = 3, .rows = 1}, {.first = 77, .rows = 0}};
    struct td_comparison c = {.row = rows, .n = 4, .verdict = v, .verdicts = 4};

    rows[2].core = "E";
    CU_ASSERT_EQUAL_FATAL(td_comparison_sort(&c), 0);
    CU_ASSERT(v[0].first == 2 && v[1].first == 1 && v[2].first == 0 && v[3].first == 77);
    CU_ASSERT(!strcmp(rows[0].metric, "d") && !strcmp(rows[1].metric, "c") && !strcmp(rows[2].metric, "b") &&
              !strcmp(rows[3].metric, "a"));
}

static const CU_TestInfo tests[] = {
    {"rows of a scope", rows_of_a_scope},
    {"by points", by_points},
    {"scopes", scopes},
    {"verdicts", verdicts},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("order of comparisons", tests);
