/* SPDX-License-Identifier: MIT */
/* First lines of what tdprobe prints itself, in each format, and lines that differ from them by little. */
#include "sim/replay/recording.h"
#include "tests/support/unit.h"

#include <stdio.h>
#include <string.h>

#define COMPARISON "a comparison"
#define REPORT "a report"
#define BLANKS_31 "                               "

static const struct {
    const char *line, *is; /* is NULL: none of tdprobe's */
} rows[] = {
    {"", NULL},
    {"hello", NULL},
    /* comparisons in text */
    {"b: core_bound +25.0 points", COMPARISON},
    {"b:core_bound", NULL},
    {"a: core_bound", NULL},
    {"b took 5 s longer", COMPARISON},
    {"b tok", NULL},
    {"b takes the same time", COMPARISON},
    {"b takes the same", NULL},
    {"b is not shown to take longer", COMPARISON},
    {"b is not shown", NULL},
    {"b is 12.9 % slower: x", COMPARISON},
    {"b is 12.9 % faster", COMPARISON},
    {"b is 12.9 % ", NULL},
    {"b is 12.9 slower", NULL},
    {"b is slow", NULL},
    {"c is 12.9 % slower", NULL},
    /* in JSON, in Markdown, in CSV with any separator of up to 32 bytes */
    {"{\"schema\":\"tdprobe-compare-1\"", COMPARISON},
    {"{\"schema\":\"tdprobe-compar", REPORT},
    {"| metric | a | b | difference | bounds | |", COMPARISON},
    {"| metric | a | b | difference | bounds |", NULL},
    {"| metrics | a | b | difference | bounds | |", NULL},
    {"| metric , a | b | difference | bounds | |", NULL},
    {"|| metric | a | b | difference | bounds | |", NULL},
    {"recording_a,recording_b,scope,x", COMPARISON},
    {"recording_a::recording_b::scope", COMPARISON},
    {"recording_a" BLANKS_31 " recording_b" BLANKS_31 " scope", COMPARISON},
    {"recording_a" BLANKS_31 "  recording_b" BLANKS_31 "  scope", NULL},
    {"recording_a,recording_b;scope", NULL},
    {"recording_a,recording_b,,scope", NULL},
    {"recording_arecording_bscope", NULL},
    {"recording_a,recording_b,scop", NULL},
    {"xrecording_a,recording_b,scope", NULL},
    {"recording_a,x,scope", NULL},
    /* reports in JSON and CSV */
    {"{\"schema\":\"tdprobe-report-1\"", REPORT},
    {"{\"schema\":\"tdprobe", REPORT},
    {"{\"schema\":\"tdprob", NULL},
    {" {\"schema\":\"tdprobe", NULL},
    {"time,scope,scope_kind,cpu", REPORT},
    {"time;scope;scope_kind", REPORT},
    {"time,scope,kind", NULL},
    {"scope,kind,dso", REPORT},
    {"scope,kind,file", NULL},
    /* lines of intervals */
    {"#           time  scope            retiring", REPORT},
    {"#time scope ", REPORT},
    {"#time scope", NULL},
    {"#time  cpus", NULL},
    {"#times scope ", NULL},
    {"time scope ", NULL},
    {"# scope             ret", REPORT},
    {"#scope ret", REPORT},
    {"#   scope   retiring", REPORT},
    {"# scope             re", NULL},
    {"# scopes ret", NULL},
    {"# ret scope", NULL},
    /* a tree's head: a scope, two blanks, a CPU, two blanks, the formula in brackets */
    {"1.013634593  system  spr  [glc-perf-metrics]", REPORT},
    {"summary  S0-C1  spr  [x]  counted 50 %", REPORT},
    {"summary  S0-C1  spr  [x]  count 50 %", NULL},
    {"summary  S0-C1  spr  [x] ", NULL},
    {"a  spr  [x]", REPORT},
    {"  spr  [x]", NULL},
    {"spr  [x]", NULL},
    {"system  a-b|c.2  [x]", REPORT},
    {"system  a_b  [x]", NULL},
    {"system spr  [x]", NULL},
    {"system\t spr  [x]", NULL},
    {"system \tspr  [x]", NULL},
    {"system  spr [x]", NULL},
    {"system  spr  [1]", NULL},
    {"system  spr  []", NULL},
    {"system  spr  [x", NULL},
    {"system  spr  [x 5%]", NULL},
    {"system    [x]", NULL},
    /* phases, and functions */
    {"3 phases in 20 intervals, ", REPORT},
    {"1 phase in 1 interval, ", REPORT},
    {"3 phases in 20 inter", NULL},
    {"3 phases in x intervals", NULL},
    {"x phases in 20 intervals", NULL},
    {"3 parts in 20 intervals", NULL},
    {"functions by slots lost, in percent of slots", REPORT},
    {"functions by slots lost, in percent", NULL},
};

static void lines(void)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const char *is = td_own_report(rows[i].line);

        CU_ASSERT(is && rows[i].is ? !strcmp(is, rows[i].is) : is == rows[i].is);
        if (is && rows[i].is ? strcmp(is, rows[i].is) : is != rows[i].is)
            printf("\n    '%s' is %s", rows[i].line, is ? is : "nothing");
    }
}

static const CU_TestInfo tests[] = {{"first lines", lines}, CU_TEST_INFO_NULL};
UNIT_SUITE("tdprobe's own reports", tests);
