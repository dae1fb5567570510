/* SPDX-License-Identifier: MIT */
/* What comparisons say in words, of rows that are written out here. */
#include "report/compare/comparison_report.h"
#include "tests/support/unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static char buf[TD_NOTE_TEXT], small[64];

/* A node's share, 20 % on side a, more by 2.5 points with bounds of 1.2 and 3.8. */
static struct td_difference share(void)
{
    return (struct td_difference){.scope = "system",
                                  .metric = "core_bound",
                                  .unit = "",
                                  .share = true,
                                  .level = 2,
                                  .a = {.value = 0.2},
                                  .diff = {0.025, 0.012, 0.038},
                                  .call = TD_CALL_MORE,
                                  .basis = TD_BASIS_NONE + 1,
                                  .direction = TD_DIRECTION_BAD,
                                  .saved = (double)NAN};
}

/* A time of 2 s, longer by a tenth. */
static struct td_difference seconds(void)
{
    return (struct td_difference){.scope = "system",
                                  .metric = "time",
                                  .unit = "s",
                                  .total = true,
                                  .a = {.value = 2},
                                  .diff = {0.2, 0.1, 0.3},
                                  .call = TD_CALL_MORE,
                                  .basis = TD_BASIS_NONE + 1,
                                  .direction = TD_DIRECTION_UNCLEAR};
}

static void scopes(void)
{
    struct td_difference d = share();

    CU_ASSERT_STRING_EQUAL(td_difference_scope(&d, buf), "system");
    d.core = "P";
    CU_ASSERT_STRING_EQUAL(td_difference_scope(&d, buf), "system P");
    d.kind = "cgroup";
    d.namesake = true;
    CU_ASSERT_STRING_EQUAL(td_difference_scope(&d, buf), "system P (cgroup)");
    d.other = "all";
    CU_ASSERT_STRING_EQUAL(td_difference_scope(&d, buf), "system P (cgroup) and all");
}

static void values(void)
{
    struct td_difference d = share(), t = seconds();

    CU_ASSERT_STRING_EQUAL(td_value_text(&d, 0.375, small), "37.5 %");
    CU_ASSERT_STRING_EQUAL(td_value_text(&t, 2.25, small), "2.25 s");
    CU_ASSERT_STRING_EQUAL(td_value_text(&t, (double)NAN, small), "-");
    CU_ASSERT_STRING_EQUAL(td_change_text(&d, small), "+2.5 points");
    CU_ASSERT_STRING_EQUAL(td_change_bounds(&d, small), "+1.2 .. +3.8 points");
    CU_ASSERT_STRING_EQUAL(td_change_text(&t, small), "+10.0 %");
    CU_ASSERT_STRING_EQUAL(td_change_bounds(&t, small), "+5.0 .. +15.0 %");
    t.a.value = -2; /* per cent of how large it is */
    CU_ASSERT_STRING_EQUAL(td_change_text(&t, small), "+10.0 %");
    t.a.value = 0;
    CU_ASSERT_STRING_EQUAL(td_change_text(&t, small), "+0.2");
    CU_ASSERT_STRING_EQUAL(td_change_bounds(&t, small), "");
    d.diff.low = (double)NAN;
    CU_ASSERT_STRING_EQUAL(td_change_bounds(&d, small), "");
    d = share();
    d.diff.high = (double)NAN;
    CU_ASSERT_STRING_EQUAL(td_change_bounds(&d, small), "");
}

static void word(struct td_difference d, const char *wanted)
{
    const struct td_comparison c = {.set = {.margin = 0.015}};

    CU_ASSERT_STRING_EQUAL(td_difference_word(&d, &c, buf), wanted);
}

static void calls(void)
{
    struct td_difference d = share(), t = seconds();

    word(d, "more: worse"); /* what it saved is not known */
    d.saved = -5;
    word(d, "more: worse");
    d.saved = 0;
    word(d, "more: a larger share of fewer slots");
    d.call = TD_CALL_LESS;
    word(d, "less: a smaller share of more slots, no gain");
    d.saved = 1;
    word(d, "less: better");
    d.direction = TD_DIRECTION_GOOD;
    word(d, "less: worse");
    d.call = TD_CALL_MORE;
    word(d, "more: better");
    d.direction = TD_DIRECTION_UNCLEAR;
    word(d, "more");
    d.call = TD_CALL_SAME;
    word(d, "same, within 1.5 pp");
    t.call = TD_CALL_SAME;
    word(t, "same, within 1.5 %");
    d.call = t.call = TD_CALL_UNKNOWN;
    word(d, "no difference shown");
    d.basis = t.basis = TD_BASIS_NONE;
    word(d, "no bounds");
    word(t, "one recording a side");
    d.equal = true;
    word(d, "equal values on each side: no scatter to judge by");
}

static void sentence(struct td_difference *row, size_t n, size_t first, const char *wanted)
{
    const struct td_comparison c = {.set = {.margin = 0.015}, .row = row, .n = n};

    CU_ASSERT_STRING_EQUAL(td_comparison_sentence(&c, first, buf), wanted);
}

/* A second level tells more than the first, and a greater difference more than a smaller. */
static void nodes_of_sentences(void)
{
    struct td_difference row[5] = {share(), share(), share(), share(), share()};

    row[0].level = 1;
    row[0].metric = "backend_bound";
    row[0].diff.value = 0.3;
    row[2].metric = "memory_bound";
    row[2].diff.value = 0.035;
    row[3].metric = "fetch_latency";
    row[3].call = TD_CALL_LESS;
    row[3].diff.value = -0.09;
    row[4].metric = "other";
    row[4].diff.value = 0.5;
    row[4].scope = "another"; /* it is of the next scope */
    sentence(row, 5, 0, "b: memory_bound +3.5 points");
    sentence(row, 5, 4, "b: other +50.0 points");
    sentence(row, 2, 0, "b: core_bound +2.5 points");
    sentence(row, 1, 0, "b: backend_bound +30.0 points");
    sentence(row + 3, 1, 0, "b: fetch_latency -9.0 points"); /* where nothing costs more */
    row[2].direction = TD_DIRECTION_GOOD;
    sentence(row, 4, 0, "b: core_bound +2.5 points");
    row[2].direction = TD_DIRECTION_BAD;
    row[2].share = false;
    sentence(row, 4, 0, "b: core_bound +2.5 points");
    row[2].share = true;
    row[2].call = TD_CALL_SAME;
    sentence(row, 4, 0, "b: core_bound +2.5 points");
    row[2].call = TD_CALL_MORE;
    row[1].core = "P";
    sentence(row, 4, 0, "b: backend_bound +30.0 points");
    row[1].core = NULL;
    row[1].side = 1;
    sentence(row, 4, 0, "b: backend_bound +30.0 points");
    row[1].side = 0;
    row[1].diff.value = 0.035; /* the first of two that are as large */
    sentence(row, 4, 0, "b: core_bound +3.5 points");
    for (size_t i = 0; i < 4; i++)
        row[i].call = TD_CALL_UNKNOWN;
    sentence(row, 4, 0, "b: no node is shown to differ");
}

/* Where it takes longer, what costs more is told; where it does not, what costs less. */
static void times_of_sentences(void)
{
    struct td_difference row[3] = {seconds(), share(), share()};

    row[2].metric = "fetch_latency";
    row[2].call = TD_CALL_LESS;
    row[2].diff.value = -0.01;
    sentence(row, 3, 0, "b is 10.0 % slower: core_bound +2.5 points");
    row[0].call = TD_CALL_LESS;
    row[0].diff.value = -0.2;
    sentence(row, 3, 0, "b is 10.0 % faster: fetch_latency -1.0 points");
    sentence(row, 2, 0, "b is 10.0 % faster: core_bound +2.5 points");
    row[0].diff.value = 0;
    row[0].call = TD_CALL_SAME;
    sentence(row, 3, 0, "b takes the same time, within 1.5 %: core_bound +2.5 points");
    row[0].call = TD_CALL_UNKNOWN;
    sentence(row, 3, 0, "b is not shown to take more or less time: core_bound +2.5 points");
    row[0].basis = TD_BASIS_NONE;
    sentence(row, 3, 0, "b took the same time: core_bound +2.5 points");
    row[0].diff.value = 0.0009; /* 0.045 % */
    sentence(row, 3, 0, "b took the same time: core_bound +2.5 points");
    row[0].diff.value = 0.0012;
    sentence(row, 3, 0, "b took 0.1 % more time: core_bound +2.5 points");
    row[0].diff.value = -0.2;
    sentence(row, 3, 0, "b took 10.0 % less time: fetch_latency -1.0 points");
    row[0].total = false; /* a metric in seconds is not the time */
    sentence(row, 3, 0, "b: core_bound +2.5 points");
    row[0].total = true;
    row[0].unit = "";
    sentence(row, 3, 0, "b: core_bound +2.5 points");
}

/* The notes, of which each may be missing; then NULL. */
static void notes(void)
{
    struct td_difference row = share();
    struct td_course course[] = {
        {.side = 1, .scope = "system", .metric = "retiring", .trend = true, .before = 0.2, .after = 0.25},
        {.side = 0, .scope = "CPU0", .metric = "backend_bound", .change = 9, .before = 0.5, .after = 0.125},
    };
    struct td_side side[] = {{.name = "dir.x/app.trace", .n = 2}, {.name = "new", .n = 2}};
    struct td_comparison c = {.set = {.confidence = 0.95, .seed = 7}, .side = side, .sides = 2, .row = &row, .n = 1};

    CU_ASSERT_STRING_EQUAL(td_comparison_note(&c, 0, buf),
                           "one value a side, with sound bounds: what differs between these recordings, which need not "
                           "differ between others");
    CU_ASSERT_PTR_NULL(td_comparison_note(&c, 1, buf));
    c.family = 12;
    CU_ASSERT_STRING_EQUAL(td_comparison_note(&c, 0, buf),
                           "each call follows from the bounds in its row, which are wider by Holm's method for the 12 "
                           "values compared: a wrong call in at most 5 of 100 comparisons; seed 7");
    c.lone = 1;
    c.lone_scope = "CPU7";
    CU_ASSERT_STRING_EQUAL(td_comparison_note(&c, 1, buf), "only one side has CPU7, which cannot be compared");
    c.lone = 2;
    CU_ASSERT_STRING_EQUAL(td_comparison_note(&c, 1, buf),
                           "only one side has CPU7 and 1 other scope, which cannot be compared");
    c.lone = 3;
    CU_ASSERT_STRING_EQUAL(td_comparison_note(&c, 1, buf),
                           "only one side has CPU7 and 2 other scopes, which cannot be compared");
    CU_ASSERT_PTR_NULL(td_comparison_note(&c, 2, buf));
    c.cpu_a = "skl";
    c.cpu_b = "spr";
    row.unbounded = true;
    c.course = course;
    c.courses = 2;
    CU_ASSERT_PTR_NOT_NULL(strstr(td_comparison_note(&c, 1, buf), "different CPUs, skl and spr:"));
    CU_ASSERT_PTR_NOT_NULL(strstr(td_comparison_note(&c, 2, buf), "only one side has CPU7"));
    CU_ASSERT_PTR_NOT_NULL(strstr(td_comparison_note(&c, 3, buf), "some values have no bounds of their own"));
    CU_ASSERT_STRING_EQUAL(td_comparison_note(&c, 4, buf), "new, system: retiring has a trend, from 20.0 to 25.0 %");
    CU_ASSERT_STRING_EQUAL(
        td_comparison_note(&c, 5, buf),
        "dir.x/app.trace, CPU0: backend_bound has two phases, 50.0 % and from interval 10 on 12.5 %");
    CU_ASSERT_PTR_NULL(td_comparison_note(&c, 6, buf));
    side[0].n = 1; /* a single recording that changes */
    CU_ASSERT_STRING_EQUAL(
        td_comparison_note(&c, 6, buf),
        "retiring changes within one recording, so that another of the same program may differ as much: "
        "make five of each: tdprobe compare dir.x/app*.trace --vs new*");
    CU_ASSERT_PTR_NULL(td_comparison_note(&c, 7, buf));
    side[0].name = "dir.x/app"; /* the point is of its folder */
    CU_ASSERT_PTR_NOT_NULL(strstr(td_comparison_note(&c, 6, buf), "compare dir.x/app* --vs new*"));
    side[0].name = "-a";
    side[1].name = "a b";
    CU_ASSERT_PTR_NOT_NULL(strstr(td_comparison_note(&c, 6, buf), "compare a*.trace --vs b*.trace"));
}

static void gates(void)
{
    struct td_difference row = share();
    struct td_verdicts v = {.scope = "system", .a = "backend_bound"};
    struct td_gate g = {.text = "core_bound > 1pp", .metric = "core_bound", .answer = TD_GATE_HOLDS, .row = &row};

    CU_ASSERT_STRING_EQUAL(td_gate_line(&g, buf),
                           "--fail-if 'core_bound > 1pp' holds: system: core_bound +2.5 points (+1.2 .. +3.8 points)");
    row.diff.low = (double)NAN;
    CU_ASSERT_STRING_EQUAL(td_gate_line(&g, buf),
                           "--fail-if 'core_bound > 1pp' holds: system: core_bound +2.5 points (no bounds)");
    g.row = NULL;
    CU_ASSERT_STRING_EQUAL(td_gate_line(&g, buf),
                           "--fail-if 'core_bound > 1pp' holds: the recordings have no core_bound in common");
    g = (struct td_gate){.text = "verdict", .answer = TD_GATE_NO};
    CU_ASSERT_STRING_EQUAL(td_gate_line(&g, buf),
                           "--fail-if 'verdict' does not hold: the recordings have no verdict in common");
    g.verdict = &v;
    CU_ASSERT_STRING_EQUAL(td_gate_line(&g, buf),
                           "--fail-if 'verdict' does not hold: system: backend_bound, then undecided");
    v = (struct td_verdicts){.scope = "system", .kind = "cgroup", .b = "retiring"};
    CU_ASSERT_STRING_EQUAL(td_gate_line(&g, buf),
                           "--fail-if 'verdict' does not hold: system (cgroup): undecided, then retiring");
}

/* The formats by their numbers. */
static void formats(void)
{
    static const char *const names[] = {"text", "csv", "json", "markdown", "junit", "github", "gitlab", "html"};
    size_t n = sizeof(names) / sizeof(*names);

    for (size_t i = 0; i < n; i++)
        CU_ASSERT_STRING_EQUAL(td_comparison_format_at(i)->name, names[i]);
    for (size_t i = n; i < 200; i++)
        CU_ASSERT_PTR_NULL(td_comparison_format_at(i));
}

static const CU_TestInfo tests[] = {
    {"scopes", scopes},
    {"values", values},
    {"calls", calls},
    {"nodes of sentences", nodes_of_sentences},
    {"times of sentences", times_of_sentences},
    {"notes", notes},
    {"conditions", gates},
    {"formats", formats},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("words of comparisons", tests);
