/* SPDX-License-Identifier: MIT */
/* Conditions on comparisons: what is one, and what each answers of rows just at its limit and beyond. */
#include "stats/gate.h"
#include "tests/support/unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define LENGTH(a) (sizeof(a) / sizeof(*(a)))

static void parsed(void)
{
    static const struct {
        const char *text, *kept, *metric;
        bool more;
        double limit;
        enum td_gate_unit unit;
    } rows[] = {
        {"memory_bound > +2pp", "memory_bound > +2pp", "memory_bound", true, 0.02, TD_GATE_POINTS},
        {"ipc < -3%", "ipc < -3%", "ipc", false, -0.03, TD_GATE_PERCENT},
        {"ipc<-3 %", "ipc<-3 %", "ipc", false, -0.03, TD_GATE_PERCENT},
        {" a\t>  .5 \n", "a\t>  .5", "a", true, 0.5, TD_GATE_PLAIN},
        {"a > 0", "a > 0", "a", true, 0, TD_GATE_PLAIN},
        {"a>9pp", "a>9pp", "a", true, 0.09, TD_GATE_POINTS},
        {"verdict changes", "verdict changes", "", false, 0, TD_GATE_POINTS},
        {"verdict  changes ", "verdict  changes", "", false, 0, TD_GATE_POINTS},
        {"verdict > 1", "verdict > 1", "verdict", true, 1, TD_GATE_PLAIN},
        {"verdic2 < 1e2", "verdic2 < 1e2", "verdic2", false, 100, TD_GATE_PLAIN},
    };
    static const char *const none[] = {"",
                                       "  ",
                                       "a",
                                       "a >",
                                       "a > x",
                                       "a > +",
                                       "a > 2 x",
                                       "a > 2ppp",
                                       "a > 2p",
                                       "a = 2",
                                       "> 2",
                                       "a > inf",
                                       "a > 1e999",
                                       "a > nan",
                                       "verdict change",
                                       "verdict changes x",
                                       "changes verdict",
                                       "a changes"};
    struct td_gate g;

    for (size_t i = 0; i < LENGTH(rows); i++) {
        CU_ASSERT_FATAL(td_gate_parse(rows[i].text, &g));
        CU_ASSERT_STRING_EQUAL(g.text, rows[i].kept);
        CU_ASSERT_STRING_EQUAL(g.metric, rows[i].metric);
        CU_ASSERT(g.more == rows[i].more && g.limit == rows[i].limit && g.unit == rows[i].unit);
    }
    for (size_t i = 0; i < LENGTH(none); i++)
        CU_ASSERT_FALSE(td_gate_parse(none[i], &g));
}

/* A text of 127 characters has room, one of 128 has not. */
static void long_texts(void)
{
    char text[TD_GATE_TEXT + 2] = "";
    struct td_gate g;

    memset(text, 'a', TD_GATE_TEXT - 1);
    memcpy(text + TD_GATE_TEXT - 4, ">12", 4);
    CU_ASSERT(strlen(text) == TD_GATE_TEXT - 1 && td_gate_parse(text, &g) && g.limit == 12 &&
              strlen(g.metric) == TD_GATE_TEXT - 4);
    memcpy(text + TD_GATE_TEXT - 4, ">123", 5);
    CU_ASSERT(strlen(text) == TD_GATE_TEXT && !td_gate_parse(text, &g));
    memcpy(text + TD_GATE_TEXT - 4, ">12 ", 5); /* the blank does not count */
    CU_ASSERT(td_gate_parse(text, &g));
}

static enum td_gate_answer ask(struct td_gate *g, struct td_difference *row, size_t n)
{
    struct td_comparison c = {.row = row, .n = n};

    td_gate_ask(g, &c);
    return g->answer;
}

/* Of a difference from low to high. Per cent are of a's own value, from 2 to 4 here: 25 % is from 0.5 to 1, -25 % from
 * -1 to -0.5. It holds only beyond all of the limit, and does not hold only where it is not beyond any of it. */
static void limits(void)
{
    static const struct {
        const char *text;
        double low, high;
        enum td_gate_answer answer;
    } rows[] = {
        {"m > 0.5", 0.5625, 1, TD_GATE_HOLDS},    {"m > 0.5", 0.5, 1, TD_GATE_UNKNOWN},
        {"m > 0.5", 0.25, 0.5, TD_GATE_NO},       {"m > 0.5", 0.25, 0.5625, TD_GATE_UNKNOWN},
        {"m < -0.5", -1, -0.5625, TD_GATE_HOLDS}, {"m < -0.5", -1, -0.5, TD_GATE_UNKNOWN},
        {"m < -0.5", -0.5, 0, TD_GATE_NO},        {"m < -0.5", -0.5625, 0, TD_GATE_UNKNOWN},
        {"m > 25%", 1.0625, 2, TD_GATE_HOLDS},    {"m > 25%", 1, 2, TD_GATE_UNKNOWN},
        {"m > 25%", 0, 0.5, TD_GATE_NO},          {"m > 25%", 0, 0.5625, TD_GATE_UNKNOWN},
        {"m < -25%", -2, -1.0625, TD_GATE_HOLDS}, {"m < -25%", -2, -1, TD_GATE_UNKNOWN},
        {"m < -25%", -0.5, 0, TD_GATE_NO},        {"m < -25%", -0.5625, 0, TD_GATE_UNKNOWN},
        {"m > 50pp", 0.5625, 1, TD_GATE_HOLDS},   {"m > 50pp", 0, 0.5, TD_GATE_NO},
        {"m > 0.5", NAN, 1, TD_GATE_UNKNOWN},     {"m > 0.5", 0.75, NAN, TD_GATE_UNKNOWN},
        {"m > 0.5", 0, NAN, TD_GATE_UNKNOWN},
    };
    struct td_gate g;

    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct td_difference row = {.metric = "m", .a = {3, 2, 4}, .diff = {rows[i].low, rows[i].low, rows[i].high}};

        CU_ASSERT_FATAL(td_gate_parse(rows[i].text, &g));
        if (ask(&g, &row, 1) != rows[i].answer)
            printf("\n    case %zu", i);
        CU_ASSERT_EQUAL(g.answer, rows[i].answer);
        CU_ASSERT_PTR_EQUAL(g.row, &row);
        row.a.low = row.a.high = (double)NAN;
        CU_ASSERT_EQUAL(ask(&g, &row, 1), g.unit == TD_GATE_PERCENT ? TD_GATE_UNKNOWN : rows[i].answer);
    }
}

/* Per cent of a value of which one end only is known is not known. */
static void ends_unknown(void)
{
    static const char *const texts[] = {"m > 25%", "m < -25%", "m < 25%", "m > -25%"};
    struct td_gate g;

    for (size_t i = 0; i < LENGTH(texts); i++)
        for (int end = 0; end < 2; end++)
            for (int sign = -1; sign <= 1; sign += 2) {
                struct td_difference row = {.metric = "m",
                                            .a = {3, end ? (double)NAN : 2, end ? 4 : (double)NAN},
                                            .diff = {9 * sign, 9 * sign, 9 * sign}};

                CU_ASSERT_FATAL(td_gate_parse(texts[i], &g));
                CU_ASSERT_EQUAL(ask(&g, &row, 1), TD_GATE_UNKNOWN);
            }
}

static struct td_difference row_of(const char *metric, double low, double high, bool share)
{
    struct td_difference d = {.metric = metric, .share = share};

    d.diff.low = low;
    d.diff.high = high;
    return d;
}

/* The row that decides is the first of those with the strongest answer; others than the metric's do not count. */
static void rows_of_a_metric(void)
{
    struct td_difference row[] = {row_of("x", 9, 9, false), row_of("m", 0, 0, false), row_of("m", 0, 2, false),
                                  row_of("m", 2, 2, false), row_of("m", 3, 3, false)};
    struct td_gate g;

    CU_ASSERT_FATAL(td_gate_parse("m > 1", &g));
    CU_ASSERT(ask(&g, row, 5) == TD_GATE_HOLDS && g.row == &row[3]);
    CU_ASSERT(ask(&g, row, 3) == TD_GATE_UNKNOWN && g.row == &row[2]);
    CU_ASSERT(ask(&g, row, 2) == TD_GATE_NO && g.row == &row[1] && !g.wrong_unit);
    CU_ASSERT(ask(&g, row, 1) == TD_GATE_UNKNOWN && !g.row);
    row[1].share = true; /* a plain number is no difference of shares */
    CU_ASSERT(ask(&g, row, 2) == TD_GATE_NO && g.wrong_unit);
    CU_ASSERT_FATAL(td_gate_parse("m > 1pp", &g));
    CU_ASSERT(ask(&g, row, 2) == TD_GATE_NO && !g.wrong_unit);
    ask(&g, row, 3);
    CU_ASSERT(g.wrong_unit); /* nor are points one of others */
    CU_ASSERT_FATAL(td_gate_parse("m > 1%", &g));
    ask(&g, row, 5);
    CU_ASSERT_FALSE(g.wrong_unit);
}

/* A verdict changes where the nodes did: the first became less, or the second more. */
static void verdicts(void)
{
    static const struct {
        const char *a, *b;
        enum td_difference_call was, is;
        enum td_gate_answer answer;
    } rows[] = {
        {"p", "q", TD_CALL_LESS, TD_CALL_UNKNOWN, TD_GATE_HOLDS},
        {"p", "q", TD_CALL_SAME, TD_CALL_MORE, TD_GATE_HOLDS},
        {"p", "q", TD_CALL_MORE, TD_CALL_LESS, TD_GATE_UNKNOWN},
        {"p", "p", TD_CALL_LESS, TD_CALL_MORE, TD_GATE_NO},
        {NULL, "q", TD_CALL_LESS, TD_CALL_MORE, TD_GATE_UNKNOWN},
        {"p", NULL, TD_CALL_LESS, TD_CALL_MORE, TD_GATE_UNKNOWN},
        {"r", "s", TD_CALL_LESS, TD_CALL_MORE, TD_GATE_UNKNOWN},
        {"r", "q", TD_CALL_LESS, TD_CALL_MORE, TD_GATE_HOLDS},
    };
    struct td_verdicts verdict[3] = {{.first = 1, .rows = 2}, {.first = 1, .rows = 2}, {.first = 1, .rows = 2}};
    struct td_gate g;

    CU_ASSERT_FATAL(td_gate_parse("verdict changes", &g));
    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct td_difference row[] = {{.metric = "s", .call = TD_CALL_MORE},
                                      {.metric = "p", .call = rows[i].was},
                                      {.metric = "q", .call = rows[i].is},
                                      {.metric = "r", .call = TD_CALL_LESS}};
        struct td_comparison c = {.row = row, .n = LENGTH(row), .verdict = verdict, .verdicts = 1};

        verdict[0].a = rows[i].a;
        verdict[0].b = rows[i].b;
        td_gate_ask(&g, &c);
        CU_ASSERT(g.answer == rows[i].answer && g.verdict == &verdict[0] && !g.row);
        c.verdicts = 3; /* the first of those that say most */
        verdict[1].a = verdict[2].a = "p";
        verdict[1].b = verdict[2].b = "q";
        row[1].call = TD_CALL_LESS;
        td_gate_ask(&g, &c);
        CU_ASSERT(g.answer == TD_GATE_HOLDS && g.verdict == &verdict[i == 0 || i == 1 || i == 2 || i == 7 ? 0 : 1]);
        c.verdicts = 0;
        td_gate_ask(&g, &c);
        CU_ASSERT(g.answer == TD_GATE_UNKNOWN && !g.verdict);
    }
}

static void together(void)
{
    const struct td_gate g[] = {
        {.answer = TD_GATE_NO}, {.answer = TD_GATE_UNKNOWN}, {.answer = TD_GATE_HOLDS}, {.answer = TD_GATE_UNKNOWN}};

    CU_ASSERT(td_gates_answer(g, 0) == TD_GATE_NO && td_gates_answer(g, 1) == TD_GATE_NO &&
              td_gates_answer(g, 2) == TD_GATE_UNKNOWN);
    CU_ASSERT(td_gates_answer(g, 3) == TD_GATE_HOLDS && td_gates_answer(g, 4) == TD_GATE_HOLDS &&
              td_gates_answer(g + 3, 1) == TD_GATE_UNKNOWN);
    CU_ASSERT_STRING_EQUAL(td_gate_answer_name(TD_GATE_NO), "does not hold");
    CU_ASSERT_STRING_EQUAL(td_gate_answer_name(TD_GATE_UNKNOWN), "cannot be told");
    CU_ASSERT_STRING_EQUAL(td_gate_answer_name(TD_GATE_HOLDS), "holds");
}

static const CU_TestInfo tests[] = {
    {"what is a condition", parsed},
    {"long ones", long_texts},
    {"limits", limits},
    {"limits of which one end is known", ends_unknown},
    {"rows of a metric", rows_of_a_metric},
    {"verdicts", verdicts},
    {"several", together},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("conditions", tests);
