/* SPDX-License-Identifier: MIT */
/* The compiler of formulas and the stack machine that evaluates them. */
#include "formula_code.h"
#include "unit.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { A, B, C, D, E, F, G, HYPHEN, MASKED, LAST = TD_EVENTS_MAX - 1 };

static const struct { const char *name; int number; } names[] = {
    {"A", A}, {"B", B}, {"C", C}, {"D", D}, {"E", E}, {"F", F}, {"G", G}, {"topdown-fe-bound", HYPHEN},
    {"UOPS_X.CORE:c1", MASKED}, {"LAST", LAST}, {"BEYOND", TD_EVENTS_MAX},
};

static int find(const void *ctx, const char *name)
{
    (void)ctx;
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        if (!strcmp(names[i].name, name))
            return names[i].number;
    return -1;
}

/* What the events of a test are: A to D are primes, so that no two expressions agree by accident. */
static struct td_val events[TD_EVENTS_MAX];

static void set(int event, enum td_state state, double low, double value, double high)
{
    events[event] = (struct td_val){{low, value, high}, state, event};
}

static void reset_events(void)
{
    for (int i = 0; i < TD_EVENTS_MAX; i++)
        set(i, TD_VAL_MISSING, 0, 0, 0);
    set(A, TD_VAL_OK, 2, 2, 2);
    set(B, TD_VAL_OK, 3, 3, 3);
    set(C, TD_VAL_OK, 5, 5, 5);
    set(D, TD_VAL_OK, 7, 7, 7);
    set(HYPHEN, TD_VAL_OK, 11, 11, 11);
    set(MASKED, TD_VAL_OK, 13, 13, 13);
    set(LAST, TD_VAL_OK, 17, 17, 17);
}

static struct td_val value_of(void *ctx, int event, bool correction)
{
    struct td_val v = events[event];

    (void)ctx;
    if (correction && v.state != TD_VAL_OK)
        v.state = TD_VAL_OMITTED;
    return v;
}

static char why[256];

static int compile(const struct td_def *defs, struct td_program **out)
{
    const struct td_def *const lists[] = {defs};

    why[0] = '\0';
    *out = NULL;
    return td_program_compile(lists, 1, 6, find, NULL, out, why, sizeof(why));
}

/* A failure that names the expression: the line of a helper says nothing. */
static void check(bool good, const char *expr)
{
    CU_assertImplementation(good, __LINE__, expr, __FILE__, "", CU_FALSE);
}

static struct td_val eval(const char *expr)
{
    const struct td_def defs[] = {{.name = "x", .expr = expr}, {0}};
    struct td_val v = {.state = TD_VAL_MISSING, .event = -2};
    struct td_program *p;

    if (compile(defs, &p)) {
        check(false, why);
        return v;
    }
    td_program_run(p, value_of, NULL, &v);
    td_program_free(p);
    return v;
}

static void expect_value(const char *expr, double value)
{
    struct td_val v = eval(expr);

    check(v.state == TD_VAL_OK && fabs(v.r.value - value) <= 1e-15, expr);
}

static void expect_state(const char *expr, enum td_state state, int event)
{
    struct td_val v = eval(expr);

    check(v.state == state && v.event == event, expr);
}

static void arithmetic(void)
{
    reset_events();
    expect_value("A + B * C", 17);
    expect_value("(A + B) * C", 25);
    expect_value("D - B - A", 2);
    expect_value("D - (B - A)", 6);
    expect_value("D / A / A", 1.75);
    expect_value("D / (A / A)", 7);
    expect_value("D * B / A", 10.5);
    expect_value("A+B*C-D/A", 13.5);
    expect_value("  A  +  B ", 5);
    expect_value("width", 6);
    expect_value("2.5 * width", 15);
    expect_value("0.1", 0.1);
    expect_value("{topdown-fe-bound} - {A}", 9);
    expect_value("UOPS_X.CORE:c1 - A", 11);
    expect_value("LAST", 17);
}

static void functions_of_the_language(void)
{
    reset_events();
    expect_value("max0(A - B)", 0);
    expect_value("max0(B - A)", 1);
    expect_value("min(A, B)", 2);
    expect_value("min(C, B)", 3);
    expect_value("share(A, B)", 0.4);
    expect_value("when(A, B, C, D)", 7);
    expect_value("when(B, A, C, D)", 5);
    expect_value("when(A, A, C, D)", 7); /* greater, not greater or equal */
    expect_value("either(A, B)", 2);
    expect_value("max0(min(A, B) - share(B, A))", 1.4);
}

/* A definition may have the name of a function or of an event, and may be defined anew. */
static void definitions(void)
{
    static const struct td_def defs[] = {
        {.name = "min", .expr = "A + 1"}, {.name = "A", .expr = "min * 10"}, {.name = "two", .expr = "min(A, B)"},
        {.name = "A", .expr = "A + 0.5"}, {.name = "width", .expr = "100"}, {.name = "sum", .expr = "A + width"},
        {.name = "wrong", .wrong = "no good"}, {.name = "user", .expr = "1 + wrong"}, {0},
    };
    struct td_val v[8];
    struct td_program *p;

    reset_events();
    CU_ASSERT_EQUAL_FATAL(compile(defs, &p), 0);
    CU_ASSERT_EQUAL_FATAL(td_program_count(p), 8);
    td_program_run(p, value_of, NULL, v);
    CU_ASSERT_TRUE(v[0].r.value == 3 && v[1].r.value == 30 && v[2].r.value == 3); /* min(A, B) with A = 30 */
    CU_ASSERT_TRUE(v[3].r.value == 30.5 && v[5].r.value == 130.5);
    CU_ASSERT_TRUE(v[6].state == TD_VAL_WRONG_FORMULA && v[7].state == TD_VAL_WRONG_FORMULA);
    CU_ASSERT(td_program_find(p, "A") == 3 && td_program_find(p, "none") == -1);
    CU_ASSERT_PTR_EQUAL(td_program_def(p, 2), &defs[2]);
    td_program_free(p);
    td_program_free(NULL);
}

/* Definitions of later lists see those of earlier ones; a NULL list is empty. */
static void lists(void)
{
    static const struct td_def first[] = {{.name = "x", .expr = "A * width"}, {0}};
    static const struct td_def second[] = {{.name = "y", .expr = "x + B"}, {0}};
    const struct td_def *const both[] = {first, NULL, second};
    struct td_program *p;
    struct td_val v[2];

    reset_events();
    CU_ASSERT_EQUAL_FATAL(td_program_compile(both, 3, 4, find, NULL, &p, why, sizeof(why)), 0);
    td_program_run(p, value_of, NULL, v);
    CU_ASSERT_EQUAL(v[1].r.value, 11);
    td_program_free(p);
}

/* Each fails with err and with text that names the definition. */
static void expect_error(const char *expr, int err, const char *text)
{
    const struct td_def defs[] = {{.name = "good", .expr = "A"}, {.name = "culprit", .expr = expr}, {0}};
    struct td_program *p;
    int got = compile(defs, &p);

    check(got == err && !p, expr);
    check(strstr(why, "culprit: ") == why && strstr(why, text), expr);
}

static void errors(void)
{
    expect_error("A + NONE", -ENOENT, "NONE");
    expect_error("?NONE", -ENOENT, "NONE");
    expect_error("~{top-none}", -ENOENT, "top-none");
    expect_error("BEYOND", -ENOENT, "BEYOND"); /* would not fit the sets */
    expect_error("later", -ENOENT, "later");
    expect_error("culprit", -ENOENT, "culprit");
    expect_error("1e3", -EINVAL, "'e3'");
    expect_error("A B", -EINVAL, "'B'");
    expect_error("A) + B", -EINVAL, ") + B");
    expect_error("(A + B", -EINVAL, "unexpected");
    expect_error("((A)", -EINVAL, "unexpected");
    expect_error("{A", -EINVAL, "unexpected");
    expect_error("min(A)", -EINVAL, "unexpected");
    expect_error("min(A, B, C)", -EINVAL, ", C)");
    expect_error("max0()", -EINVAL, "a name is missing");
    expect_error("", -EINVAL, "a name is missing");
    expect_error("A +", -EINVAL, "a name is missing");
    expect_error("-A", -EINVAL, "a name is missing");
    expect_error("A * / B", -EINVAL, "a name is missing");
    expect_error("{}", -EINVAL, "a name is missing");
    expect_error("2A", -EINVAL, "'A'");
    expect_error("max0 A", -ENOENT, "max0"); /* a function is one only with parentheses */
    expect_error("ABCDEFGHIJABCDEFGHIJABCDEFGHIJABCDEFGHIJABCDEFGHIJABCDEFGHIJABCDEFGHIJABCDEFGHIJ", -ENOENT, "ABCDEFGHIJ");
}

/* "opening" n times, A, "closing" n times */
static char *nested(size_t n, const char *opening, const char *closing)
{
    static char text[8192];
    size_t at = 0;

    for (size_t i = 0; i <= 2 * n; i++)
        at += (size_t)snprintf(text + at, sizeof(text) - at, "%s", i < n ? opening : i == n ? "A" : closing);
    return text;
}

static void limits(void)
{
    static char def_names[TD_DEFS_MAX + 1][8];
    struct td_def defs[TD_DEFS_MAX + 2] = {{0}};
    struct td_program *p;

    reset_events();
    expect_value(nested(TD_STACK - 1, "(", ")"), 2);
    expect_error(nested(TD_STACK, "(", ")"), -EINVAL, "too deep");
    expect_error(nested(TD_STACK, "max0(", ")"), -EINVAL, "too deep");
    expect_error(nested(1000, "(", ")"), -EINVAL, "too deep");
    /* Each leaves three values behind: 1 + 3 * 10 fit on the stack, 1 + 3 * 11 do not. */
    expect_value(nested(10, "when(1,2,3,", ")"), 2);
    expect_error(nested(11, "when(1,2,3,", ")"), -EINVAL, "too deep");
    expect_value(nested(250, "", " + A"), 502); /* more operations than are there at first */

    for (size_t i = 0; i <= TD_DEFS_MAX; i++) {
        snprintf(def_names[i], sizeof(def_names[i]), "d%zu", i);
        defs[i] = (struct td_def){.name = def_names[i], .expr = "A"};
    }
    CU_ASSERT(compile(defs, &p) == -EINVAL && strstr(why, def_names[TD_DEFS_MAX]));
    defs[TD_DEFS_MAX].name = NULL;
    CU_ASSERT_EQUAL_FATAL(compile(defs, &p), 0);
    CU_ASSERT_EQUAL(td_program_count(p), TD_DEFS_MAX);
    td_program_free(p);
}

static void sets(void)
{
    static const struct td_def defs[] = {
        {.name = "x", .expr = "A + ?B - 2"},
        {.name = "y", .expr = "max0(x) * ~C + either(D, {topdown-fe-bound})"},
        {.name = "z", .expr = "when(y, A, 0, LAST)"},
        {.name = "w", .wrong = "no"},
        {.name = "B", .expr = "1"},
        {.name = "v", .expr = "B + ?B"},
        {0},
    };
    struct td_program *p;

    CU_ASSERT_EQUAL_FATAL(compile(defs, &p), 0);
    CU_ASSERT(td_program_needs(p, 0) == UINT64_C(1) << A && td_program_corrections(p, 0) == UINT64_C(1) << B && td_program_same_time(p, 0) == 0);
    CU_ASSERT_EQUAL(td_program_needs(p, 1), UINT64_C(1) << A | UINT64_C(1) << D | UINT64_C(1) << HYPHEN);
    CU_ASSERT(td_program_corrections(p, 1) == (UINT64_C(1) << B | UINT64_C(1) << C) && td_program_same_time(p, 1) == UINT64_C(1) << C);
    CU_ASSERT_EQUAL(td_program_needs(p, 2), UINT64_C(1) << A | UINT64_C(1) << D | UINT64_C(1) << HYPHEN | UINT64_C(1) << LAST);
    CU_ASSERT(td_program_corrections(p, 2) == (UINT64_C(1) << B | UINT64_C(1) << C) && td_program_same_time(p, 2) == UINT64_C(1) << C);
    CU_ASSERT_EQUAL(td_program_needs(p, 3) | td_program_corrections(p, 3), 0);
    /* behind ? stands an event, whatever definition has its name */
    CU_ASSERT_TRUE(td_program_needs(p, 5) == 0 && td_program_corrections(p, 5) == UINT64_C(1) << B);
    td_program_free(p);
}

/* E was not recorded: as a correction it adds nothing, whatever it is scaled with. */
static void omitted_corrections(void)
{
    reset_events();
    expect_value("A + ?E", 2);
    expect_value("A - ?E", 2);
    expect_value("?E + A", 2);
    expect_value("?E - A", -2);
    expect_value("A - ~E", 2);
    expect_value("A - 3 * ~E / C", 2);
    expect_value("A - ?E / F", 2); /* nor does it need the slots */
    expect_value("A - ?E / 0", 2);
    expect_value("A - F * ?E", 2);
    expect_value("A + (?E + ~F) / G", 2);
    expect_value("(A - ?E) / B", 2.0 / 3);
    expect_value("max0(?E) + A", 2);
    expect_value("min(?E, A)", 0);
    expect_state("?E / F", TD_VAL_OMITTED, -1);
    expect_state("A / ?E", TD_VAL_OMITTED, -1);
    CU_ASSERT_EQUAL(eval("?E").state, TD_VAL_OMITTED);
    expect_value("A - ?B / C", 1.4); /* and one that was counted does add */
    expect_value("A - ~B", -1);
    expect_state("A - ?B / F", TD_VAL_MISSING, F);
    set(E, TD_VAL_NOT_COUNTED, 0, 0, 0);
    expect_value("A - ?E / F", 2);
}

static void alternatives(void)
{
    reset_events();
    expect_value("either(E, A)", 2);
    expect_value("either(E + B, A)", 2);
    expect_value("when(A, B, E, C)", 5); /* only the branch taken has to be there */
    expect_value("when(B, A, C, E)", 5);
    expect_value("when(A, A, E, C)", 5);
    expect_state("when(A, B, C, E)", TD_VAL_MISSING, E);
    expect_state("when(E, A, B, C)", TD_VAL_MISSING, E);
    expect_state("when(A, E, B, C)", TD_VAL_MISSING, E);
    expect_state("either(E, F)", TD_VAL_MISSING, F);
    expect_state("either(A / 0, B)", TD_VAL_ZERO_DIV, -1); /* counted: not replaced */
    /* either: what was not recorded is replaced by whatever there is, what was not counted only by a value */
    for (size_t i = 0; i < 25; i++) {
        static const enum td_state states[] = {TD_VAL_OK, TD_VAL_MISSING, TD_VAL_NOT_COUNTED, TD_VAL_NOT_SUPPORTED, TD_VAL_RESET};
        static const char *const given[] = {"FFFFF", "GGGGG", "GFFFF", "GFFFF", "FFFFF"}; /* by the states of F and of G */
        bool second = given[i / 5][i % 5] == 'G';

        set(F, states[i / 5], 18, 19, 20);
        set(G, states[i % 5], 22, 23, 25);
        expect_state("either(F, G)", states[second ? i % 5 : i / 5], second ? G : F);
        check(eval("either(F, G)").r.high == (second ? 25 : 20), given[i / 5]);
    }
}

static void reasons(void)
{
    reset_events();
    set(F, TD_VAL_NOT_COUNTED, 0, 0, 0);
    set(G, TD_VAL_NOT_SUPPORTED, 0, 0, 0);
    set(D, TD_VAL_RESET, 0, 0, 0);
    expect_state("A + E", TD_VAL_MISSING, E);
    expect_state("F * A", TD_VAL_NOT_COUNTED, F);
    expect_state("A / G", TD_VAL_NOT_SUPPORTED, G);
    expect_state("max0(1 - D)", TD_VAL_RESET, D);
    expect_state("share(A, E)", TD_VAL_MISSING, E);
    expect_state("min(F, A)", TD_VAL_NOT_COUNTED, F);
    expect_state("E + F", TD_VAL_MISSING, E); /* the first one is to blame */
    expect_state("F + E", TD_VAL_NOT_COUNTED, F);
    expect_state("E / 0", TD_VAL_MISSING, E);
    expect_state("A / 0", TD_VAL_ZERO_DIV, -1);
    expect_state("A / (B - B)", TD_VAL_ZERO_DIV, -1);
    expect_state("0 / (B - 3)", TD_VAL_ZERO_DIV, -1);
    expect_state("1 + 2 * (A / 0)", TD_VAL_ZERO_DIV, -1);
    expect_state("share(A - 2, 0)", TD_VAL_ZERO_DIV, -1);
    expect_state("share(0, B - 3)", TD_VAL_ZERO_DIV, -1);
    expect_value("share(0, B)", 0);
    expect_value("0 / B", 0);
}

static void expect_range(const char *expr, double low, double value, double high)
{
    struct td_val v = eval(expr);

    check(v.state == TD_VAL_OK && v.r.low == low && v.r.value == value && v.r.high == high, expr);
}

/* The range of an expression is that of its operations over the ranges of its events. */
static void ranges(void)
{
    reset_events();
    set(A, TD_VAL_OK, 8, 10, 12);
    set(B, TD_VAL_OK, 19, 20, 21);
    expect_range("B - A", 7, 10, 13);
    expect_range("A / B", 8 / 21.0, 0.5, 12 / 19.0);
    expect_range("share(A, B)", 8 / 29.0, 10 / 30.0, 12 / 31.0); /* A is one and the same above and below */
    expect_range("max0(A - 9)", 0, 1, 3);
    expect_range("min(A, 11)", 8, 10, 11);
    expect_range("when(A, 9, 1, 2)", 1, 1, 2); /* A may be 8 or 12: either branch */
    expect_range("when(A, 9, 1, E)", -HUGE_VAL, 1, HUGE_VAL); /* and what is not there bounds nothing */
    expect_range("when(A, 11, E, 1)", -HUGE_VAL, 1, HUGE_VAL);
    expect_range("when(B, 9, 1, E)", 1, 1, 1);
}

void suite_formula(void)
{
    static const CU_TestInfo tests[] = {
        {"arithmetic", arithmetic},
        {"functions", functions_of_the_language},
        {"definitions", definitions},
        {"lists", lists},
        {"errors", errors},
        {"limits", limits},
        {"sets of events", sets},
        {"omitted corrections", omitted_corrections},
        {"alternatives", alternatives},
        {"reasons", reasons},
        {"ranges", ranges},
        CU_TEST_INFO_NULL,
    };

    unit_suite("formula", tests);
}
