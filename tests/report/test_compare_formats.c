/* SPDX-License-Identifier: MIT */
/* A comparison of two rows in four formats, which are written out by hand. */
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

static const CU_TestInfo tests[] = {
    {"text", text}, {"CSV", csv}, {"GitHub", github}, {"GitLab", gitlab}, CU_TEST_INFO_NULL,
};
UNIT_SUITE("formats of comparisons", tests);
