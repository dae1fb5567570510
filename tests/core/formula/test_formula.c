/* SPDX-License-Identifier: MIT */
/* The compiler of formulas and the stack machine that evaluates them. */
#include "core/formula/formula_code.h"
#include "tests/support/plain.h"
#include "tests/support/unit.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EVENTS = 200, A = 0, B, C, D, E, F, G, HYPHEN, MASKED, LAST = EVENTS - 1 };

static const struct {
    const char *name;
    int number;
} names[] = {
    {"A", A},
    {"B", B},
    {"C", C},
    {"D", D},
    {"E", E},
    {"F", F},
    {"G", G},
    {"topdown-fe-bound", HYPHEN},
    {"UOPS_X.CORE:c1", MASKED},
    {"LAST", LAST},
    {"BEYOND", EVENTS},
};

static int find(const void *ctx, const char *name, size_t len)
{
    (void)ctx;
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        if (strlen(names[i].name) == len && !memcmp(names[i].name, name, len))
            return names[i].number;
    return -1;
}

/* The events' values in a test: A to D are primes, so that no two expressions agree by accident. */
static struct td_val events[EVENTS];

static void set(int event, enum td_state state, double low, double value, double high)
{
    events[event] = (struct td_val){{low, value, high}, state, event};
}

static void reset_events(void)
{
    for (int i = 0; i < EVENTS; i++)
        set(i, TD_VAL_MISSING, 0, 0, 0);
    set(A, TD_VAL_OK, 2, 2, 2);
    set(B, TD_VAL_OK, 3, 3, 3);
    set(C, TD_VAL_OK, 5, 5, 5);
    set(D, TD_VAL_OK, 7, 7, 7);
    set(HYPHEN, TD_VAL_OK, 11, 11, 11);
    set(MASKED, TD_VAL_OK, 13, 13, 13);
    set(LAST, TD_VAL_OK, 17, 17, 17);
}

static char why[256];

/* Compiles all definitions, with width 6. */
static int compile(const struct td_def *defs, struct td_program **out)
{
    const struct td_def *const lists[] = {defs};
    const struct td_program_text text = {.lists = lists, .nlists = 1, .width = 6, .nevents = EVENTS, .find = find};
    int err = td_program_new(&text, out);

    why[0] = '\0';
    for (size_t i = 0; !err && i < td_program_count(*out); i++)
        err = td_program_compile(*out, i, why, sizeof(why));
    if (err) {
        td_program_free(*out);
        *out = NULL;
    }
    return err;
}

static double one_cpu; /* TD_INPUT_ONE_CPU */

/* Evaluates one definition and what it depends on; the cells of all that were evaluated are in vals. */
static size_t run(const struct td_program *p, size_t def, struct td_val *vals)
{
    struct td_val *cells = calloc(td_program_cells(p), sizeof(*cells));
    uint32_t *order = calloc(td_program_count(p), sizeof(*order));
    const struct td_bits *uses = td_program_uses(p, def);
    size_t n = 0;

    CU_ASSERT_FATAL(cells && order);
    for (size_t e = 0; e < EVENTS; e++) {
        struct td_val *correction = &cells[td_correction_cell(p, e)];

        cells[td_event_cell(e)] = *correction = events[e];
        if (correction->state != TD_VAL_OK)
            *correction = (struct td_val){.state = TD_VAL_OMITTED, .event = (int)e};
    }
    cells[td_input_cell(p, TD_INPUT_ONE_CPU)].r = td_range_exact(one_cpu);
    td_program_prepare(p, cells);
    n = td_program_order(p, uses, order);
    td_program_run(p, order, n, cells);
    CU_ASSERT(plain_agrees(p, order, n, cells));
    for (size_t i = 0; i < n; i++)
        vals[order[i]] = cells[td_def_cell(p, order[i])];
    free(cells);
    free(order);
    return n;
}

/* Names the expression in a failure: the line number of a helper is useless. */
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
    run(p, 0, &v);
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

/* Conditions are 0 or 1. A = 2, B = 3, C = 5, D = 7. */
static void conditions(void)
{
    reset_events();
    expect_value("-A + B", 1);
    expect_value("B - -A", 5);
    expect_value("-(A - B) * C", 5);
    expect_value("max(A, B) + max(D, C)", 10);
    expect_value("A < B", 1);
    expect_value("B < A", 0);
    expect_value("A < A", 0);
    expect_value("A > B", 0);
    expect_value("B > A", 1);
    expect_value("A > A", 0);
    expect_value("A <= A", 1);
    expect_value("B <= A", 0);
    expect_value("A >= A", 1);
    expect_value("A >= B", 0);
    expect_value("A + B > C - 1", 1); /* first sums, then comparisons, "&", "|", "if" */
    expect_value("A > B & A > B | B > A", 1);
    expect_value("A > B & (A > B | B > A)", 0);
    expect_value("B > A | A > B & A > B", 1);
    expect_value("A if B > A else C", 2);
    expect_value("A if B < A else C", 5);
    expect_value("A + 1 if B > A else C + 1", 3);
    expect_value("A if A > B else B if A > B else C", 5);
    expect_value("A if A > B else B if B > A else C", 3);
    expect_value("(A if A > B else B) * C", 15);
    expect_value("max(A if B > A else D, B)", 3);
    expect_value("has(A)", 1);
    expect_value("has(A) & A < B", 1);
    expect_value("optional(A) + B", 5);
    expect_value("A / optional(A)", 1);
    expect_value("per_cpu(min(A, B))", 2);
}

/* A definition may have the name of a function or of an event, and may be redefined. */
static void definitions(void)
{
    static const struct td_def defs[] = {
        {.name = "min", .expr = "A + 1"},
        {.name = "A", .expr = "min * 10"},
        {.name = "two", .expr = "min(A, B)"},
        {.name = "A", .expr = "A + 0.5"},
        {.name = "width", .expr = "100"},
        {.name = "sum", .expr = "A + width"},
        {.name = "wrong", .wrong = "no good"},
        {.name = "user", .expr = "1 + wrong"},
        {0},
    };
    struct td_val v[8];
    struct td_program *p;

    reset_events();
    CU_ASSERT_EQUAL_FATAL(compile(defs, &p), 0);
    CU_ASSERT_EQUAL_FATAL(td_program_count(p), 8);
    for (size_t i = 0; i < 8; i++)
        run(p, i, v);
    CU_ASSERT_TRUE(v[0].r.value == 3 && v[1].r.value == 30 && v[2].r.value == 3); /* min(A, B) with A = 30 */
    CU_ASSERT_TRUE(v[3].r.value == 30.5 && v[5].r.value == 130.5);
    CU_ASSERT_TRUE(v[6].state == TD_VAL_WRONG_FORMULA && v[7].state == TD_VAL_WRONG_FORMULA);
    CU_ASSERT(td_program_find(p, "A") == 3 && td_program_find(p, "none") == -1);
    CU_ASSERT_PTR_EQUAL(td_program_def(p, 2), &defs[2]);
    td_program_free(p);
    td_program_free(NULL);
}

/* Definitions of later lists can use those of earlier ones; a NULL list is empty. */
static void lists(void)
{
    static const struct td_def first[] = {{.name = "x", .expr = "A * width"}, {0}};
    static const struct td_def second[] = {{.name = "y", .expr = "x + B"}, {0}};
    const struct td_def *const both[] = {first, NULL, second};
    const struct td_program_text text = {.lists = both, .nlists = 3, .width = 4, .nevents = EVENTS, .find = find};
    struct td_program *p;
    struct td_val v[2];

    reset_events();
    CU_ASSERT_EQUAL_FATAL(td_program_new(&text, &p), 0);
    CU_ASSERT_EQUAL_FATAL(td_program_compile(p, 1, why, sizeof(why)), 0);
    CU_ASSERT_EQUAL(run(p, 1, v), 2);
    CU_ASSERT_EQUAL(v[1].r.value, 11);
    td_program_free(p);
}

/* A name that is neither an earlier definition nor an event is a later definition; each is
 * compiled once, when it is needed, and evaluated after those that it uses. */
static void any_order(void)
{
    static const struct td_def defs[] = {
        {.name = "top", .expr = "left - right"},
        {.name = "left", .expr = "low * 10"},
        {.name = "right", .expr = "low + B"},
        {.name = "low", .expr = "A + 1"},
        {.name = "faulty", .expr = "NONE"},
        {.name = "A", .expr = "NONE"},
        {0},
    };
    const struct td_def *const lists[] = {defs};
    const struct td_program_text text = {.lists = lists, .nlists = 1, .width = 4, .nevents = EVENTS, .find = find};
    struct td_program *p;
    struct td_val v[6];

    reset_events();
    CU_ASSERT_EQUAL_FATAL(td_program_new(&text, &p), 0);
    CU_ASSERT_EQUAL_FATAL(td_program_compile(p, 0, why, sizeof(why)), 0); /* not what it does not need */
    CU_ASSERT_EQUAL(run(p, 0, v), 4);
    CU_ASSERT_TRUE(v[0].r.value == 24 && v[1].r.value == 30 && v[2].r.value == 6 && v[3].r.value == 3);
    CU_ASSERT_TRUE(td_bits_count(td_program_uses(p, 2)) == 2 && td_bits_has(td_program_uses(p, 2), 3) &&
                   td_bits_has(td_program_uses(p, 2), 2));
    CU_ASSERT_TRUE(td_program_compile(p, 4, why, sizeof(why)) == -ENOENT && !strcmp(why, "faulty: no event 'NONE'"));
    CU_ASSERT_EQUAL(td_program_compile(p, 4, why, sizeof(why)), -ENOENT);
    CU_ASSERT_EQUAL(run(p, 0, v), 4);
    td_program_free(p);
}

/* Circular definitions have no value. */
static void circles(void)
{
    static const struct td_def defs[] = {
        {.name = "a", .expr = "1 + b"},
        {.name = "b", .expr = "2 * c"},
        {.name = "c", .expr = "A - b"},
        {.name = "d", .expr = "A"},
        {0},
    };
    const struct td_def *const lists[] = {defs};
    const struct td_program_text text = {.lists = lists, .nlists = 1, .width = 4, .nevents = EVENTS, .find = find};
    struct td_program *p;

    CU_ASSERT_EQUAL_FATAL(td_program_new(&text, &p), 0);
    for (size_t i = 0; i < 3; i++) {
        CU_ASSERT_EQUAL(td_program_compile(p, i, why, sizeof(why)), -EINVAL);
        CU_ASSERT_PTR_NOT_NULL(strstr(why, "needs itself"));
    }
    CU_ASSERT_EQUAL(td_program_compile(p, 3, why, sizeof(why)), 0);
    td_program_free(p);
}

/* A chain of many definitions, starting from its end. */
static void long_chain(void)
{
    enum { LENGTH = 3000 };
    static struct td_def defs[LENGTH + 1];
    static char name[LENGTH][16], expr[LENGTH][16];
    static struct td_val v[LENGTH];
    struct td_program *p;

    for (size_t i = 0; i < LENGTH; i++) {
        snprintf(name[i], sizeof(name[i]), "d%zu", i);
        snprintf(expr[i], sizeof(expr[i]), "d%zu + A", i + 1);
        defs[i] = (struct td_def){.name = name[i], .expr = i + 1 < LENGTH ? expr[i] : "A"};
    }
    reset_events();
    CU_ASSERT_EQUAL_FATAL(compile(defs, &p), 0);
    CU_ASSERT_EQUAL(run(p, 0, v), LENGTH);
    CU_ASSERT_TRUE(v[0].r.value == 2 * LENGTH && v[LENGTH - 1].r.value == 2);
    td_program_free(p);
}

/* Each fails with err and with text that names the definition. */
/* A sum of hundreds, nested on the left, takes one cell for intermediate values, and its own. */
static void few_cells(void)
{
    static char expr[1000] = "A";
    struct td_def defs[] = {{.name = "sum", .expr = expr}, {0}};
    struct td_program *p;

    for (size_t i = 0; i < 200; i++)
        strcat(expr, " + A");
    CU_ASSERT_EQUAL_FATAL(compile(defs, &p), 0);
    CU_ASSERT_TRUE(td_program_cells(p) <= td_def_cell(p, 0) + 2);
    td_program_free(p);
}

/* No two values share a cell. */
static void cells_apart(void)
{
    static const struct td_def defs[] = {{.name = "a", .expr = "A + ?B"}, {.name = "b", .expr = "B"}, {0}};
    struct td_program *p;

    CU_ASSERT_EQUAL_FATAL(compile(defs, &p), 0);
    CU_ASSERT_TRUE(td_event_cell(EVENTS - 1) < td_correction_cell(p, 0));
    CU_ASSERT_TRUE(td_correction_cell(p, EVENTS - 1) < td_input_cell(p, (enum td_input)0));
    CU_ASSERT_TRUE(td_input_cell(p, (enum td_input)(TD_INPUTS - 1)) < td_def_cell(p, 0));
    CU_ASSERT_TRUE(td_def_cell(p, 1) < td_program_cells(p));
    td_program_free(p);
}

/* The value of a table's only row, with EBS settled. */
static double row_value(const char *expr, bool holds)
{
    static const uint16_t slots[2];
    const struct td_table_row row = {.name = 1, .formula = 5, .kind = TD_ROW_INFO};
    char texts[100] = "\0row";
    const struct td_table table = {.row = &row, .n = 1, .slot = slots, .mask = 1, .texts = texts};
    const struct td_program_text text = {
        .table = &table,
        .settled = TD_WHERE_EBS,
        .holds = holds ? TD_WHERE_EBS : 0,
        .width = 6,
        .nevents = EVENTS,
        .find = find,
    };
    struct td_program *p = NULL;
    struct td_val v = {.r.value = -1};

    snprintf(texts + row.formula, sizeof(texts) - row.formula, "%s", expr);
    CU_ASSERT_EQUAL_FATAL(td_program_new(&text, &p), 0);
    CU_ASSERT_EQUAL_FATAL(td_program_compile(p, 0, why, sizeof(why)), 0);
    run(p, 0, &v);
    td_program_free(p);
    return v.r.value;
}

/* A condition in a table that is settled, next to one that is not: A is 2, B is 3, C is 5. */
static void settled(void)
{
    static const struct {
        const char *expr;
        double holds, fails;
    } cases[] = {
        {"A if EBS & A < B else C", 2, 5}, {"A if EBS & A > B else C", 5, 5},
        {"A if A < B & EBS else C", 2, 5}, {"A if EBS | A > B else C", 2, 5},
        {"A if EBS | A < B else C", 2, 2}, {"A if A > B | EBS else C", 2, 5},
        {"A if EBS else C", 2, 5},         {"EBS", 1, 0},
    };

    reset_events();
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        check(row_value(cases[i].expr, true) == cases[i].holds, cases[i].expr);
        check(row_value(cases[i].expr, false) == cases[i].fails, cases[i].expr);
    }
}

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
    expect_error("1e3", -ENOENT, "'1e3'");
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
    expect_error("-", -EINVAL, "a name is missing");
    expect_error("A * / B", -EINVAL, "a name is missing");
    expect_error("{}", -EINVAL, "a name is missing");
    expect_error("2A", -ENOENT, "'2A'");
    expect_error("A if B", -EINVAL, "unexpected");
    expect_error("A B if C else D", -EINVAL, "unexpected");
    expect_error("A if B else", -EINVAL, "a name is missing");
    expect_error("A < B < C", -EINVAL, "'< C'");
    expect_error("A &", -EINVAL, "a name is missing");
    expect_error("has(no)", -ENOENT, "'no'");
    expect_error("max(A)", -EINVAL, "unexpected");
    expect_error("max0 A", -ENOENT, "max0"); /* it is a function only with parentheses */
    expect_error("ABCDEFGHIJABCDEFGHIJABCDEFGHIJABCDEFGHIJABCDEFGHIJABCDEFGHIJABCDEFGHIJABCDEFGHIJ", -ENOENT,
                 "ABCDEFGHIJ");
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
    static char expr[64 * 1024];
    double value = 2;

    reset_events();
    expect_value(nested(TD_NEST - 1, "(", ")"), 2);
    expect_error(nested(TD_NEST, "(", ")"), -EINVAL, "too deep");
    expect_error(nested(TD_NEST, "max0(", ")"), -EINVAL, "too deep");
    expect_error(nested(1000, "(", ")"), -EINVAL, "too deep");
    expect_value(nested(TD_NEST - 1, "when(1,2,3,", ")"), 2);
    expect_value(nested(TD_NEST - 1, "B if A > B else ", ""), 2);
    expect_error(nested(TD_NEST, "B if A > B else ", ""), -EINVAL, "too deep");
    expect_error(nested(500, "B if A > B else ", ""), -EINVAL, "too deep");
    expect_value(nested(250, "", " + A"), 502); /* more operations than the initial room */
    /* and more constants */
    for (size_t i = 0, at = 0; i < 1000; i++)
        at += (size_t)snprintf(expr + at, sizeof(expr) - at, "%s%zu", i ? " + " : "", i);
    expect_value(expr, 499500);
    /* nesting on the right keeps as many values as it has levels */
    for (int i = 0; i < 30; i++)
        value = (3 - value) * 3; /* exact: below 2^53 */
    expect_value(nested(30, "(B - ", ") * B"), value);
}

/* A name may have any length. */
static void long_names(void)
{
    static char text[4096];

    memset(text, 'N', sizeof(text) - 1);
    expect_error(text, -ENOENT, "NNN");
}

static bool is_set(const struct td_bits *s, size_t n, const unsigned *members)
{
    bool all = td_bits_count(s) == n;

    for (size_t i = 0; i < n; i++)
        all = all && td_bits_has(s, members[i]);
    return all;
}

#define SET(s, ...) is_set(s, sizeof((unsigned[]){__VA_ARGS__}) / sizeof(unsigned), (unsigned[]){__VA_ARGS__})

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
    CU_ASSERT(SET(td_program_needs(p, 0), A) && SET(td_program_corrections(p, 0), B) &&
              td_bits_empty(td_program_same_time(p, 0)));
    CU_ASSERT(SET(td_program_needs(p, 1), A, D, HYPHEN) && SET(td_program_corrections(p, 1), B, C) &&
              SET(td_program_same_time(p, 1), C));
    CU_ASSERT(SET(td_program_needs(p, 2), A, D, HYPHEN, LAST) && SET(td_program_corrections(p, 2), B, C) &&
              SET(td_program_same_time(p, 2), C));
    CU_ASSERT(td_bits_empty(td_program_needs(p, 3)) && td_bits_empty(td_program_corrections(p, 3)));
    /* an event follows ?, even if a definition has its name */
    CU_ASSERT(td_bits_empty(td_program_needs(p, 5)) && SET(td_program_corrections(p, 5), B));
    CU_ASSERT(SET(td_program_uses(p, 2), 0, 1, 2) && SET(td_program_uses(p, 5), 4, 5));
    td_program_free(p);
}

/* E was not recorded: as a correction it adds nothing, whatever its factor. */
static void omitted_corrections(void)
{
    reset_events();
    expect_value("A + ?E", 2);
    expect_value("A - ?E", 2);
    expect_value("?E + A", 2);
    expect_value("?E - A", -2);
    expect_value("A - ~E", 2);
    expect_value("A - 3 * ~E / C", 2);
    expect_value("A - ?E / F", 2); /* nor are the slots needed */
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
    expect_value("when(A, B, E, C)", 5); /* only the branch taken must be recorded */
    expect_value("when(B, A, C, E)", 5);
    expect_value("when(A, A, E, C)", 5);
    expect_state("when(A, B, C, E)", TD_VAL_MISSING, E);
    expect_state("when(E, A, B, C)", TD_VAL_MISSING, E);
    expect_state("when(A, E, B, C)", TD_VAL_MISSING, E);
    expect_state("either(E, F)", TD_VAL_MISSING, F);
    expect_state("either(A / 0, B)", TD_VAL_ZERO_DIV, -1); /* it was counted, so it is not replaced */
    /* either: a value not recorded is replaced by any other, one not counted only by a number */
    for (size_t i = 0; i < 25; i++) {
        static const enum td_state states[] = {TD_VAL_OK, TD_VAL_MISSING, TD_VAL_NOT_COUNTED, TD_VAL_NOT_SUPPORTED,
                                               TD_VAL_RESET};
        static const char *const given[] = {"FFFFF", "GGGGG", "GFFFF", "GFFFF", "FFFFF"}; /* by the states of F and G */
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
    expect_state("E + F", TD_VAL_MISSING, E); /* the first missing event is reported */
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

/* The range of an expression results from its operations over the ranges of its events. */
static void ranges(void)
{
    reset_events();
    set(A, TD_VAL_OK, 8, 10, 12);
    set(B, TD_VAL_OK, 19, 20, 21);
    expect_range("B - A", 7, 10, 13);
    expect_range("A / B", 8 / 21.0, 0.5, 12 / 19.0);
    expect_range("share(A, B)", 8 / 29.0, 10 / 30.0, 12 / 31.0); /* A has the same value above and below the line */
    expect_range("max0(A - 9)", 0, 1, 3);
    expect_range("min(A, 11)", 8, 10, 11);
    expect_range("when(A, 9, 1, 2)", 1, 1, 2); /* A may be 8 or 12: either branch */
    expect_range("when(A, 9, 1, E)", -HUGE_VAL, 1, HUGE_VAL); /* and a missing value bounds nothing */
    expect_range("when(A, 11, E, 1)", -HUGE_VAL, 1, HUGE_VAL);
    expect_range("when(B, 9, 1, E)", 1, 1, 1);
    expect_range("per_cpu(A)", 0, 10, 12); /* of several CPUs one may have none of it */
    expect_range("per_cpu(A - 11)", -3, -1, 1);
    expect_state("per_cpu(E)", TD_VAL_MISSING, E);
    one_cpu = 1;
    expect_range("per_cpu(A)", 8, 10, 12);
    one_cpu = 0;
}

static const CU_TestInfo tests[] = {
    {"arithmetic", arithmetic},
    {"functions", functions_of_the_language},
    {"conditions", conditions},
    {"definitions", definitions},
    {"lists", lists},
    {"any order", any_order},
    {"circles", circles},
    {"a long chain", long_chain},
    {"few cells", few_cells},
    {"cells apart", cells_apart},
    {"settled conditions", settled},
    {"long names", long_names},
    {"errors", errors},
    {"limits", limits},
    {"sets of events", sets},
    {"omitted corrections", omitted_corrections},
    {"alternatives", alternatives},
    {"reasons", reasons},
    {"ranges", ranges},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("formula", tests);
