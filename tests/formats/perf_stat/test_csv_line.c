/* SPDX-License-Identifier: MIT */
/* What a line of perf stat -x is: a count, metrics, the summary, something cut off, or something to refuse. */
#include "formats/perf_stat/perf_csv.h"
#include "tests/support/recorded.h"

#define FIVE "5,,slots,9,100.00,,\n"
#define IS_FIVE "- system system: slots=5@0\n"
#define CUT(line_) "{f:" line_ ": the last line was cut off; it is left out}"
#define LEFT_OUT(line_) "{f:" line_ ": 1 line is of another program; it is left out}"

/* The last line without its newline is whole if a column follows the percentage, or this has its two decimals. */
static void cut(void)
{
    static const struct recorded all[] = {
        {FIVE "6,,cycles,9,9.25", "- system system: slots=5@0 cycles=6@0*0.0925\n"},
        {FIVE "6,,cycles,9,99.25", "- system system: slots=5@0 cycles=6@0*0.993\n"},
        {FIVE "6,,cycles,9,9,", "- system system: slots=5@0 cycles=6@0*0.09\n"},
        {FIVE "6,,cycles,9,9", CUT("2") IS_FIVE},
        {FIVE "6,,cycles,9,9.", CUT("2") IS_FIVE},
        {FIVE "6,,cycles,9,.25", CUT("2") IS_FIVE},
        {FIVE "6,,cycles,9,99.2", CUT("2") IS_FIVE},
        {FIVE "6,,cycles,9", CUT("2") IS_FIVE},
        {FIVE "6,,cycles", CUT("2") IS_FIVE},
        {FIVE "6,", CUT("2") IS_FIVE},
        {FIVE "6,,cycles,9,99.2\n", "- system system: slots=5@0 cycles=6@0*0.992\n"},
        {FIVE "hello,world,x", IS_FIVE LEFT_OUT("2")},
        {"CPU0,5,,slots,9,100.00,,\nhello,world,x\n", "- CPU0 cpu: slots=5@0\n" LEFT_OUT("2")},
        {FIVE "6,\n", "!f:2: the line ends before the event: 2 columns"},
        {"5;;slots;9;100,00;;\n6;;cycles;9;9,25", "- system system: slots=5@0 cycles=6@0*0.0925\n"},
        {"1.000000000,5,,slots,9,100.00,,\n2.000000000", "1.000 system system: slots=5@0\n"},
        {"1.000000000,,,,\n2.000000000", CUT("2") "!f:2: ratios without counts~"},
        {0},
    };

    read_all(all);
}

/* A number where a unit or an event is; a line that has none of the line before. */
static void columns(void)
{
    static const struct recorded all[] = {
        {"S0,2,5,,slots,9,100.00,,\n6\n", "!f:2: the line ends before the event: 1 columns"},
        {"S0,2,5,,slots,9,100.00,,\n6,\n", "!f:2: the line ends before the event: 2 columns"},
        {"S0,2,5,,slots,9,100.00,,\nS0,2\n", "!f:2: the line ends before the event: 2 columns"},
        {FIVE "7,18,,slots,9,100,00,,\n", "!f:2: a decimal comma~"},
        {FIVE "7,18,,slots,9,100.00,,\n", "!f:2: the number '18' is where a count has its unit~"},
        {FIVE "7,18,5,slots,9,100,00,,\n", "!f:2: the number '18' is where a count has its unit~"},
        {FIVE "7,ms,5,slots,9,100,00,,\n", "!f:2: the number '5' is where a count has its event~"},
        {"5;;slots;9;100,00;;\n7;18;;slots;9;100,00;;\n", "!f:2: the number '18' is where a count has its unit~"},
        {"5;;slots;9;100,00;;\n7;18;9x\n", "!f:2: the number '18' is where a count has its unit~"},
        {FIVE "7,18\n", "!f:2: a line of numbers without a name~"},
        {FIVE "7,18,9\n", "!f:2: a line of numbers without a name~"},
        {FIVE "7,18,9.5\n", "!f:2: ratios without counts~"},
        {FIVE "7.5,18,9\n", "!f:2: a line of numbers without a name~"}, /* the first may be a count */
        {FIVE "7,,9,-\n", "!f:2: a line of numbers without a name~"},
        {FIVE "5,,,9,100.00,,\n", "!f:2: the event has no name"},
        {FIVE "-5,,slots,9,100.00,,\n", "!f:2: the count '-5' is negative"},
        /* a deviation with a decimal comma is cut, and its beginning is no cgroup */
        {"5,,slots,0,30%,9,100,00,,\n", "!f:1: a decimal comma~"},
        {"5,,slots,/a,0.30%,9,100.00,,\n", "- /a cgroup: slots=5@0\n"},
        {"5,,slots,30%,9,100.00,,\n", IS_FIVE},
        {0},
    };

    read_all(all);
}

/* Times: of all rows of a recording, or of none. */
static void times(void)
{
    static const struct recorded all[] = {
        {FIVE "1.000000000,6,,slots,9,100.00,,\n", "!f:2: this line has a time, the lines above have none"},
        {FIVE "# started on x\n1.000000000,6,,slots,9,100.00,,\n",
         "{f:2: a further recording begins here (perf stat --append)}" IS_FIVE "1.000 system system: slots=6@0\n"},
        {"1.000000000,5,,slots,9,100.00,,\n6,,slots,9,100.00,,\n,,,,,2.0,x\n",
         "{f:2: the summary lines are left out: they repeat the intervals}1.000 system system: slots=5@0\n"},
        {0},
    };

    read_all(all);
}

/* Metrics alone: of which count they are, and whose line has nothing else. */
static void metrics(void)
{
    static const struct recorded all[] = {
        {",,,,\n", "!f:1: the file ends without a single count"},
        {",,,,,16.5,x\n", "!f:1: ratios without counts~"},
        {",,,,,16.5,x", "!f:1: ratios without counts~"},
        {"1.000000000\n1.000000000,5,,slots,9,100.00,,\n", "1.000 system system: slots=5@0\n"},
        {",,,,,16.5,x\n,,,,\n", "!f:2: ratios without counts~"},
        {"5,,a,9,100.00,Retiring\n", "- system system: a=5@0#10000\n"},
        {"5,,a,9,100.00,,\n,,,,,1.0,TopdownX\n,,,,,16.5,tma_retiring\n", "- system system: a=5@0#8001\n"},
        {"5,,a,9,100.00,,\n,,,,,1.0,TopdownLevel\n,,,,,16.5,tma_retiring\n", "- system system: a=5@0\n"},
        /* the id of metrics is not that of the next count */
        {"CPU0,,,,,,1.0,x\n5,,a,9,100.00,,\n", "- system system: a=5@0\n"},
        {"S0,2,5,,a,9,100.00,,\nS0,2,,,,,16.5,tma_retiring\n", "- S0 socket: a=5@0#1\n"},
        {"S0,2,5,,a,9,100.00,,\nS0,,,,,16.5,tma_retiring\n", "- S0 socket: a=5@0#1\n"},
        {0},
    };

    show_printed = true;
    read_all(all);
    show_printed = false;
}

/* A line of too many columns is of another program, unless it begins with a digit or names an event. */
static void too_many(void)
{
#define TEN "x,x,x,x,x,x,x,x,x,x,"
#define SIXTY TEN TEN TEN TEN TEN TEN
    static const struct recorded all[] = {
        {FIVE SIXTY "x,x,x,x\n", IS_FIVE LEFT_OUT("2")}, /* as many as there may be */
        {FIVE SIXTY "x,x,x,x,x\n", IS_FIVE LEFT_OUT("2")},      {FIVE " \"" SIXTY "x,x,x,x,x\n", IS_FIVE LEFT_OUT("2")},
        {FIVE "1," SIXTY "x,x,x,x,x\n", "!f:2: more than 64~"}, {FIVE " 1," SIXTY "x,x,x,x,x\n", "!f:2: more than 64~"},
        {FIVE SIXTY "x,x,x,x,slots\n", "!f:2: more than 64~"},  {0},
    };

    read_all(all);
}

static const CU_TestInfo tests[] = {
    {"cut off", cut},           {"columns", columns},           {"times", times},
    {"metrics alone", metrics}, {"too many columns", too_many}, CU_TEST_INFO_NULL,
};
UNIT_SUITE("lines of perf stat -x", tests);
