/* SPDX-License-Identifier: MIT */
/* A comparison of a few rows in all formats, which are written out by hand. */
#include "report/compare/comparison_report.h"
#include "tests/support/captured.h"
#include "tests/support/unit.h"

#include <math.h>
#include <string.h>

static struct td_side side[] = {{.name = "a.trace", .n = 1}, {.name = "b.trace", .n = 3}};
static struct td_difference rows[3];
static struct td_comparison comparison;
static struct td_gate gate;

static void begin(void)
{
    rows[0] = (struct td_difference){.scope = "system",
                                     .kind = "system",
                                     .metric = "time",
                                     .unit = "s",
                                     .side = 1,
                                     .total = true,
                                     .a = {2, 1.5, 2.5},
                                     .b = {2.5, 2.25, 2.75},
                                     .diff = {0.5, 0.25, 0.75},
                                     .call = TD_CALL_MORE,
                                     .basis = TD_BASIS_RUNS,
                                     .direction = TD_DIRECTION_UNCLEAR,
                                     .na = 1,
                                     .nb = 3,
                                     .saved = (double)NAN,
                                     .alpha = 0.05};
    rows[1] = rows[0];
    rows[1].metric = "core_bound";
    rows[1].unit = "slots";
    rows[1].total = false;
    rows[1].share = true;
    rows[1].level = 2;
    rows[1].a = (struct td_bounded){0.25, 0.125, 0.375};
    rows[1].b = (struct td_bounded){0.5, 0.375, 0.625};
    rows[1].diff = (struct td_bounded){0.25, (double)NAN, (double)NAN};
    rows[1].direction = TD_DIRECTION_BAD;
    rows[1].saved = -4000;
    rows[2] = rows[1];
    rows[2].scope = "CPU1"; /* another block */
    rows[2].call = TD_CALL_UNKNOWN;
    comparison = (struct td_comparison){.side = side, .sides = 2, .row = rows, .n = 3, .set = {.confidence = 0.95}};
    gate =
        (struct td_gate){.text = "core_bound > 1pp", .metric = "core_bound", .answer = TD_GATE_HOLDS, .row = &rows[1]};
}

/* What the i-th format writes. */
static void is(size_t format, const char *separator, const char *wanted)
{
    const struct td_comparison_report r = {
        .comparison = &comparison, .gate = &gate, .gates = 1, .separator = separator};
    struct captured c;

    td_comparison_format_at(format)->put(captured_begin(&c), &r);
    CU_ASSERT_STRING_EQUAL(captured_text(&c), wanted);
    if (strcmp(captured_text(&c), wanted))
        printf("\n%s\n", captured_text(&c));
    captured_end(&c);
}

#define HEAD \
    "recording_a,recording_b,scope,scope_kind,core,metric,unit,a_value,a_low,a_high,b_value,b_low,b_high,diff_value," \
    "diff_low,diff_high,call,basis,alpha,slots_saved,n_a,n_b\n"
#define NOTE \
    "one value a side, with sound bounds: what differs between these recordings, which need not differ between others"

static void text(void)
{
    begin();
    is(0, NULL,
       "b is 25.0 % slower: core_bound +25.0 points\n\nsystem\n  a: a.trace\n  b: b.trace, 3 recordings\n"
       "                                      a            b         b - a   bounds\n"
       "  time                              2 s        2.5 s       +25.0 %   +12.5 .. +37.5 %        more\n"
       "  core_bound                     25.0 %       50.0 %  +25.0 points                           more: worse; 4e+03 "
       "slots more\n"
       "\nb: no node is shown to differ\n\nCPU1\n  a: a.trace\n  b: b.trace, 3 recordings\n"
       "                                      a            b         b - a   bounds\n"
       "  core_bound                     25.0 %       50.0 %  +25.0 points                           no difference shown\n"
       "\n" NOTE "\n--fail-if 'core_bound > 1pp' holds: system: core_bound +25.0 points (no bounds)\n");
}

static void csv(void)
{
    begin();
    comparison.n = 2;
    is(1, NULL,
       HEAD "a.trace,b.trace,system,system,,time,s,2,1.5,2.5,2.5,2.25,2.75,0.5,0.25,0.75,more,runs,0.05,,1,3\n"
            "a.trace,b.trace,system,system,,core_bound,slots,0.25,0.125,0.375,0.5,0.375,0.625,0.25,,,more,runs,0.05,"
            "-4000,1,3\n");
    comparison.n = 0;
    is(1, ";",
       "recording_a;recording_b;scope;scope_kind;core;metric;unit;a_value;a_low;a_high;b_value;b_low;b_high;diff_value;"
       "diff_low;diff_high;call;basis;alpha;slots_saved;n_a;n_b\n");
}

/* What got worse is a warning, what holds an error; of a title colons are escaped. */
static void github(void)
{
    begin();
    rows[0].metric = "a:b,c";
    is(5, NULL,
       "::error title=tdprobe compare::--fail-if 'core_bound > 1pp' holds: system: core_bound +25.0 points (no bounds)\n"
       "::notice title=a%3Ab%2Cc::system: 2 s, then 2.5 s: +25.0 %25 (+12.5 .. +37.5 %25), more\n"
       "::warning title=core_bound::system: 25.0 %25, then 50.0 %25: +25.0 points (), more: worse\n"
       "::notice title=tdprobe compare::" NOTE "\n");
    rows[1].call = TD_CALL_LESS;
    rows[1].direction = TD_DIRECTION_GOOD;
    gate.answer = TD_GATE_UNKNOWN;
    comparison.row++;
    comparison.n = 1;
    is(5, NULL,
       "::warning title=tdprobe compare::--fail-if 'core_bound > 1pp' cannot be told: system: core_bound +25.0 points (no "
       "bounds)\n"
       "::warning title=core_bound::system: 25.0 %25, then 50.0 %25: +25.0 points (), less: worse\n"
       "::notice title=tdprobe compare::" NOTE "\n");
    rows[1].direction = TD_DIRECTION_BAD;
    rows[1].saved = 1;
    gate.answer = TD_GATE_NO;
    is(5, NULL,
       "::notice title=tdprobe compare::--fail-if 'core_bound > 1pp' does not hold: system: core_bound +25.0 points (no "
       "bounds)\n"
       "::notice title=core_bound::system: 25.0 %25, then 50.0 %25: +25.0 points (), less: better\n"
       "::notice title=tdprobe compare::" NOTE "\n");
}

/* A scope of 300 characters is whole. */
static void github_long(void)
{
    static char scope[301], wanted[600];
    const struct td_comparison_report r = {.comparison = &comparison};
    struct captured c;

    begin();
    memset(scope, 's', sizeof(scope) - 1);
    rows[1].scope = scope;
    comparison.row++;
    comparison.n = 1;
    snprintf(wanted, sizeof(wanted),
             "::warning title=core_bound::%s: 25.0 %%25, then 50.0 %%25: +25.0 points (), more: worse\n", scope);
    td_comparison_format_at(5)->put(captured_begin(&c), &r);
    CU_ASSERT_PTR_EQUAL(strstr(captured_text(&c), wanted), captured_text(&c));
    captured_end(&c);
    rows[1].scope = "system"; /* the first row, which GitLab has too */
    td_comparison_format_at(6)->put(captured_begin(&c), &r);
    CU_ASSERT_PTR_NOT_NULL(strstr(captured_text(&c), "\"system: core_bound +25.0 points (), more: worse\""));
    captured_end(&c);
}

/* The fingerprints are FNV-1a of the check and the scope with their ends, by another program. */
static void gitlab(void)
{
    begin();
    is(6, NULL,
       "[{\"description\":\"--fail-if 'core_bound > 1pp' holds: system: core_bound +25.0 points (no bounds)\","
       "\"check_name\":\"core_bound > 1pp\",\"fingerprint\":\"c1983ea114106ca4\",\"severity\":\"major\",\"location\":{\"path\":"
       "\"b.trace\",\"lines\":{\"begin\":1}}},"
       "{\"description\":\"system: core_bound +25.0 points (), more: worse\",\"check_name\":\"core_bound\","
       "\"fingerprint\":\"a5b78ab5dd8b7e16\",\"severity\":\"minor\",\"location\":{\"path\":\"b.trace\",\"lines\":{\"begin\":1}}}]\n");
    gate.answer = TD_GATE_NO;
    rows[1].direction = TD_DIRECTION_GOOD; /* more of it is better */
    is(6, NULL, "[]\n");
}

/* What a difference saves is said of those alone that are shown to be one. */
static void text_unknown(void)
{
    static const struct {
        enum td_difference_call call;
        double saved;
        const char *end;
    } of[] = {{TD_CALL_MORE, 0, "; as many slots of this node\n"},
              {TD_CALL_LESS, 0, "; as many slots of this node\n"},
              {TD_CALL_MORE, 12, "; 12 slots fewer\n"},
              {TD_CALL_LESS, -12, "; 12 slots more\n"},
              {TD_CALL_UNKNOWN, 0, NULL},
              {TD_CALL_UNKNOWN, 12, NULL}};

    for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++) {
        const struct td_comparison_report r = {.comparison = &comparison};
        struct captured c;
        const char *text;

        begin();
        comparison.row = &rows[1];
        comparison.n = 1;
        rows[1].call = of[i].call;
        rows[1].saved = of[i].saved;
        td_comparison_format_at(0)->put(captured_begin(&c), &r);
        text = captured_text(&c);
        if (of[i].end)
            CU_ASSERT_PTR_NOT_NULL(strstr(text, of[i].end))
        else
            CU_ASSERT_PTR_NULL(strstr(text, " slots"));
        captured_end(&c);
    }
}

/* Blocks begin where the side, the scope or the kind of core is another; columns of values are as wide as the widest in
 * their block. What more slots of a node mean is said of what is bad alone, and differs. */
static void text_blocks(void)
{
    static struct td_side sides[] = {
        {.name = "a.trace", .n = 2}, {.name = "b.trace", .n = 1}, {.name = "c.trace", .n = 1}};

    begin();
    rows[0] = rows[1];
    rows[0].saved = 0;
    rows[2] = rows[0];
    rows[2].side = 2;
    rows[2].metric = "instructions";
    rows[2].share = false;
    rows[2].unit = "instructions";
    rows[2].a.value = 123400000;
    rows[2].b.value = 2;
    rows[2].diff = (struct td_bounded){-1234000, -2468000, 0};
    rows[2].call = TD_CALL_LESS;
    rows[2].saved = 12;
    rows[1].core = "P";
    rows[1].call = TD_CALL_LESS;
    rows[1].saved = (double)NAN;
    comparison.side = sides;
    comparison.sides = 3;
    is(0, NULL,
       "b: core_bound +25.0 points\n\nsystem\n  a: a.trace, 2 recordings\n  b: b.trace\n"
       "                                      a            b         b - a   bounds\n"
       "  core_bound                     25.0 %       50.0 %  +25.0 points                           more: a larger "
       "share of fewer slots; as many slots of this node\n"
       "\nb: core_bound +25.0 points\n\nsystem P\n  a: a.trace, 2 recordings\n  b: b.trace\n"
       "                                      a            b         b - a   bounds\n"
       "  core_bound                     25.0 %       50.0 %  +25.0 points                           less: better\n"
       "\nb: no node is shown to differ\n\nsystem\n  a: a.trace, 2 recordings\n  b: c.trace\n"
       "                                                a                      b         b - a   bounds\n"
       "  instructions             1.234e+08 instructions         2 instructions        -1.0 %   -2.0 .. +0.0 %          "
       "less: better; 12 slots fewer\n"
       "\n" NOTE "\n--fail-if 'core_bound > 1pp' holds: system P: core_bound +25.0 points (no bounds)\n");
    rows[0].direction = TD_DIRECTION_GOOD;
    comparison.n = 1;
    is(0, NULL,
       "b: no node is shown to differ\n\nsystem\n  a: a.trace, 2 recordings\n  b: b.trace\n"
       "                                      a            b         b - a   bounds\n"
       "  core_bound                     25.0 %       50.0 %  +25.0 points                           more: better\n"
       "\n" NOTE "\n--fail-if 'core_bound > 1pp' holds: system P: core_bound +25.0 points (no bounds)\n");
}

#define JSON "{\"schema\":\"tdprobe-compare/1\",\"scope\":\"system\",\"scope_kind\":\"system\",\"metric\":"
#define TIMES \
    "\"a\":{\"value\":2,\"low\":1.5,\"high\":2.5},\"b\":{\"value\":2.5,\"low\":2.25,\"high\":2.75}," \
    "\"diff\":{\"value\":0.5,\"low\":0.25,\"high\":0.75},\"call\":\"more\""

/* The kind of core, and of more than two sides the recording, only where they tell objects apart. */
static void json(void)
{
    begin();
    comparison.n = 2;
    is(2, NULL,
       JSON "\"time\"," TIMES "}\n" JSON
            "\"core_bound\",\"a\":{\"value\":0.25,\"low\":0.125,\"high\":0.375},\"b\":{\"value\":0.5,\"low\":0.375,"
            "\"high\":0.625},\"diff\":{\"value\":0.25,\"low\":null,\"high\":null},\"call\":\"more\"}\n");
    rows[0].core = "P";
    comparison.n = 1;
    comparison.sides = 3;
    is(2, NULL, JSON "\"time\"," TIMES ",\"core\":\"P\",\"recording\":\"b.trace\"}\n");
}

#define TABLE(scope, b) \
    "### " scope "\n\n| metric | a.trace | " b " | difference | bounds | |\n|---|---:|---:|---:|---:|---|\n"

/* What differs is bold. What Markdown would take for its own has a backslash. */
static void markdown(void)
{
    begin();
    side[1].name = "b_#1.trace";
    is(3, NULL,
       "- --fail-if 'core\\_bound \\> 1pp' holds: system: core\\_bound +25.0 points (no bounds)\n\n" TABLE(
           "system",
           "b\\_\\#1.trace") "| time | 2 s | 2.5 s | +25.0 % | +12.5 .. +37.5 % | **more** |\n"
                             "| core\\_bound | 25.0 % | 50.0 % | +25.0 points |  | **more: worse** |\n\n" TABLE(
                                 "CPU1", "b\\_\\#1.trace") "| core\\_bound | 25.0 % | 50.0 % | +25.0 points | "
                                                           " | no difference shown |\n\n- " NOTE "\n");
    side[1].name = "b.trace";
    rows[1].call = TD_CALL_LESS;
    rows[2].core = "P";
    rows[2].scope = rows[1].scope;
    rows[2].call = TD_CALL_SAME;
    comparison.set.margin = 0.01;
    comparison.row = rows + 1;
    comparison.n = 2;
    comparison.side = side;
    {
        const struct td_comparison_report r = {.comparison = &comparison};
        struct captured c;

        td_comparison_format_at(3)->put(captured_begin(&c), &r);
        CU_ASSERT_STRING_EQUAL(
            captured_text(&c),
            TABLE("system", "b.trace") "| core\\_bound | 25.0 % | 50.0 % | +25.0 points |  | **less: a smaller share of more slots, no gain** |\n\n" TABLE(
                "system P",
                "b.trace") "| core\\_bound | 25.0 % | 50.0 % | +25.0 points |  | same, within 1 pp |\n\n- " NOTE "\n");
        captured_end(&c);
    }
}

#define JUNIT(failures, skipped) \
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite name=\"tdprobe compare\" tests=\"3\" " \
    "failures=\"" failures "\" errors=\"0\" skipped=\"" skipped "\" time=\"0\">\n" \
    "    <testcase classname=\"fail-if\" name=\"core_bound &gt; 1pp\" time=\"0\">"
#define JUNIT_ROWS \
    "    <testcase classname=\"system\" name=\"time\" time=\"0\"><system-out>2 s, then 2.5 s: +25.0 % (+12.5 .. +37.5 " \
    "%), more</system-out></testcase>\n" \
    "    <testcase classname=\"system\" name=\"core_bound\" time=\"0\"><system-out>25.0 %, then 50.0 %: +25.0 points (no " \
    "bounds), more: worse</system-out></testcase>\n" \
    "    <system-out>" NOTE "\n</system-out>\n  </testsuite>\n</testsuites>\n"
#define LINE(answer) "--fail-if 'core_bound &gt; 1pp' " answer ": system: core_bound +25.0 points (no bounds)"

/* A gate that holds fails, one that cannot be told is skipped; rows pass. */
static void junit(void)
{
    begin();
    comparison.n = 2;
    is(4, NULL, JUNIT("1", "0") "<failure message=\"" LINE("holds") "\"/></testcase>\n" JUNIT_ROWS);
    gate.answer = TD_GATE_UNKNOWN;
    is(4, NULL, JUNIT("0", "1") "<skipped message=\"" LINE("cannot be told") "\"/></testcase>\n" JUNIT_ROWS);
    gate.answer = TD_GATE_NO;
    is(4, NULL, JUNIT("0", "0") "</testcase>\n" JUNIT_ROWS);
}

/* Each of several gates is in each format that has gates. */
static void gates(void)
{
    static const struct {
        size_t format;
        const char *each;
        size_t times;
    } all[] = {{0, "\n--fail-if '", 2},  {3, "- --fail-if '", 2}, {4, "classname=\"fail-if\"", 2},
               {5, "::error title=", 2}, {6, "--fail-if '", 2},   {4, "tests=\"4\" failures=\"2\"", 1}};
    struct td_gate two[2];

    begin();
    comparison.n = 2;
    two[0] = two[1] = gate;
    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
        const struct td_comparison_report r = {.comparison = &comparison, .gate = two, .gates = 2};
        struct captured c;
        size_t n = 0;

        td_comparison_format_at(all[i].format)->put(captured_begin(&c), &r);
        for (const char *at = captured_text(&c); (at = strstr(at, all[i].each)); at++)
            n++;
        CU_ASSERT_EQUAL(n, all[i].times);
        captured_end(&c);
    }
    CU_ASSERT_PTR_NULL(td_comparison_format_at(8));
}

static const CU_TestInfo tests[] = {
    {"text", text},
    {"text of several blocks", text_blocks},
    {"text of what is not shown to differ", text_unknown},
    {"CSV", csv},
    {"JSON", json},
    {"Markdown", markdown},
    {"JUnit", junit},
    {"GitHub", github},
    {"GitHub with long names", github_long},
    {"GitLab", gitlab},
    {"several gates", gates},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("formats of comparisons", tests);
