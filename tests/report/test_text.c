/* SPDX-License-Identifier: MIT */
/* Text in the layout that suits its results: what is a tree and what are lines, and what stands before and after. */
#include "tests/support/made_result.h"

#include <stdio.h>
#include <string.h>

#define EXPLAINED .explained_flags = ~0u, .explained_marks = ~0u
#define ROW "  retiring                50.0 %  44.0 .. 56.0\n"
#define NONE "=> none: 50 % retiring, no node but retiring can be above its threshold\n"
#define TREE "12.000345678  S0-C1  spr  [perf_metrics]\n" ROW NONE
#define SUMMARY "summary  S0-C1  spr  [perf_metrics]\n" ROW NONE
#define TIMED \
    "#           time  scope              retiring      bad       fe       be   below it                  verdict\n"
#define NODE "       - "
#define LINE \
    "  S0-C1              " \
    "    50.0 " NODE NODE NODE "  " \
    "                        " \
    "  none: 50 % retiring\n"

/* A report of n intervals, and then of a summary if that is wanted. */
static void is(const struct td_report *settings, size_t n, bool summary, const struct td_outcome *end,
               const char *wanted)
{
    struct td_report r = *settings;
    struct made_result m;
    struct captured c;

    made_begin(&m);
    m.r.nmetrics = 1;
    m.r.flags = m.r.common = 0;
    m.r.coverage = 1;
    r.format = td_report_format_find("text");
    r.verdict = (struct td_verdict){.status = TD_VERDICT_NONE};
    r.out = *captured_begin(&c);
    r.out.terminal = settings->out.terminal;
    r.out.appended = settings->out.appended;
    td_report_begin(&r);
    for (size_t i = 0; i < n; i++) {
        if (i && r.out.terminal)
            td_report_again(&r);
        r.format->result(&r, &m.r);
    }
    m.r.summary = true;
    if (summary)
        r.format->result(&r, &m.r);
    td_report_end(&r, end);
    c.out = r.out;
    CU_ASSERT_STRING_EQUAL(captured_text(&c), wanted);
    if (strcmp(c.text, wanted) != 0)
        printf("\n    not as written, but\n%s", c.text);
    captured_end(&c);
}

#define CPU "# spr  [perf_metrics]\n"
#define AT "    12.000345678"

/* One result is a tree, several are lines, and the summary of one scope is a tree after them. */
static void layouts(void)
{
    static const struct td_report plain = {EXPLAINED}, lines = {.layout = TD_LAYOUT_LINES, EXPLAINED},
                                  trees = {.layout = TD_LAYOUT_TREE, EXPLAINED};

    is(&plain, 1, false, NULL, TREE);
    is(&plain, 2, false, NULL, CPU TIMED AT LINE AT LINE);
    is(&plain, 1, true, NULL, TREE SUMMARY);
    is(&plain, 0, true, NULL, SUMMARY);
    is(&plain, 2, true, NULL, CPU TIMED AT LINE AT LINE SUMMARY);
    is(&lines, 1, false, NULL, CPU TIMED AT LINE);
    is(&lines, 1, true, NULL, CPU TIMED AT LINE SUMMARY);
    is(&trees, 2, false, NULL, TREE TREE);
    is(&(struct td_report){.counts = true, EXPLAINED}, 0, false, NULL, "");
}

static void heads(void)
{
    is(&(struct td_report){.file = "f", .recorded = "make", EXPLAINED}, 1, false, NULL, "# f\n# make\n" TREE);
    is(&(struct td_report){.recorded = "make", EXPLAINED}, 2, false, NULL, "# make\n" CPU TIMED AT LINE AT LINE);
    is(&(struct td_report){.out = {.appended = true}, EXPLAINED}, 1, false, NULL, "\n" TREE);
    /* on a terminal the next one replaces it, with the names of the columns */
    is(&(struct td_report){.out = {.terminal = true}, .layout = TD_LAYOUT_LINES, .once = true, EXPLAINED}, 2, false,
       NULL,
       CPU "# scope              retiring      bad       fe       be   below it                  verdict\n" LINE
           "\033[H\033[J" CPU
           "# scope              retiring      bad       fe       be   below it                  verdict\n" LINE);
}

/* Elsewhere than on a terminal nothing is replaced. */
static void again(void)
{
    struct td_report r = {.format = td_report_format_find("text")};
    struct captured c;

    r.out = *captured_begin(&c);
    td_report_again(&r);
    r.out.terminal = true;
    r.explained_flags = r.explained_marks = 3;
    td_report_again(&r);
    CU_ASSERT(!r.explained_flags && !r.explained_marks);
    td_report_end(&r, NULL);
    c.out = r.out;
    CU_ASSERT_STRING_EQUAL(captured_text(&c), "\033[H\033[J");
    captured_end(&c);
}

/* How long it took is said at the end, unless a time was shown: of several runs in any case. */
static void ends(void)
{
    static const struct td_report timed = {.timed = true}, untimed = {.timed = false};

    is(&untimed, 0, false, &(struct td_outcome){.elapsed = 1.25, .runs = 1, .measured = true},
       "1.250000000 seconds time elapsed\n");
    is(&untimed, 0, false, &(struct td_outcome){.elapsed = 1.25, .runs = 2, .measured = true},
       "1.250000000 seconds time elapsed in 2 runs\n");
    is(&untimed, 0, false, &(struct td_outcome){.elapsed = 1.25, .runs = 1}, "");
    is(&timed, 0, false, &(struct td_outcome){.elapsed = 1.25, .runs = 1, .measured = true}, "");
    is(&timed, 0, false, &(struct td_outcome){.elapsed = 1.25, .runs = 2, .measured = true},
       "1.250000000 seconds time elapsed in 2 runs\n");
}

#define SUM "         summary"
#define C2 \
    "  S0-C2              " \
    "    50.0 " NODE NODE NODE "  " \
    "                        " \
    "  none: 50 % retiring\n"

/* The sums of two scopes are lines, too. A tree with the time of a command says all of it. */
static void scopes(void)
{
    static const char *const names[] = {"S0-C1", "S0-C2"};
    struct made_result m;
    struct captured c;
    struct td_report r = {.format = td_report_format_find("text"), EXPLAINED};

    made_begin(&m);
    m.r.nmetrics = 1;
    m.r.flags = m.r.common = 0;
    m.r.coverage = 1;
    r.verdict = (struct td_verdict){.status = TD_VERDICT_NONE};
    r.out = *captured_begin(&c);
    for (int i = 0; i < 4; i++) {
        m.r.at.scope = names[i % 2];
        m.r.summary = i >= 2;
        r.format->result(&r, &m.r);
    }
    td_report_end(&r, NULL);
    c.out = r.out;
    CU_ASSERT_STRING_EQUAL(captured_text(&c), CPU TIMED AT LINE AT C2 SUM LINE SUM C2);
    captured_end(&c);
    for (int command = 0; command < 2; command++) {
        r = (struct td_report){
            .format = td_report_format_find("text"), .command = command, .layout = TD_LAYOUT_TREE, EXPLAINED};
        r.verdict = (struct td_verdict){.status = TD_VERDICT_NONE};
        r.out = *captured_begin(&c);
        m.r.at.has_time = false;
        r.format->result(&r, &m.r);
        td_report_end(&r, &(struct td_outcome){.elapsed = 1.25, .runs = 1, .measured = true});
        c.out = r.out;
        CU_ASSERT_EQUAL(strstr(captured_text(&c), "1.250000000 seconds time elapsed\n") == NULL, command);
        captured_end(&c);
    }
}

/* Where a tree has shown how far runs differ, no table of them follows, but how long they took. */
static void runs(void)
{
    for (int kind = 0; kind < 4; kind++) { /* 1: runs are known; 2: it is the sum of them */
        struct td_repeat s = {.runs = 2};
        struct made_result m;
        struct captured c;
        struct td_report r = {.format = td_report_format_find("text"), .layout = TD_LAYOUT_TREE, EXPLAINED};

        made_begin(&m);
        m.r.nmetrics = 1;
        CU_ASSERT(!td_repeat_add(&s, &m.r) && !td_repeat_add(&s, &m.r));
        td_mean_add(&s.elapsed, 1);
        td_mean_add(&s.elapsed, 1);
        r.means = kind & 1 ? &s : NULL;
        m.r.summary = kind & 2;
        r.verdict = (struct td_verdict){.status = TD_VERDICT_NONE};
        r.out = *captured_begin(&c);
        r.format->result(&r, &m.r);
        r.format->repeat(&r, &s);
        td_report_end(&r, NULL);
        c.out = r.out;
        CU_ASSERT_EQUAL(strstr(captured_text(&c), "          2 runs  S0-C1  [mean") == NULL, kind == 3);
        CU_ASSERT_PTR_NOT_NULL(strstr(c.text, "  elapsed                1.000 s +- 0.000"));
        captured_end(&c);
        td_repeat_free(&s);
    }
}

static const CU_TestInfo tests[] = {
    {"layouts", layouts},       {"heads", heads}, {"again", again},  {"ends", ends},
    {"several scopes", scopes}, {"runs", runs},   CU_TEST_INFO_NULL,
};
UNIT_SUITE("text", tests);
