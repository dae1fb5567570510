/* SPDX-License-Identifier: MIT */
/* The events CSV of Arm's topdown-tool, from bytes to intervals; what must come
 * out is written out by hand. */
#include "tests/support/recorded.h"

#define HEAD "run,time,event,value\n"
#define A HEAD "1,,a,5.0\n"
#define IS_A "- system system: a=5@0\n"
#define CUT "the last line was cut off; it is left out}"

static void rows(void)
{
    static const struct recorded all[] = {
        /* the example in topdown-tool's CPU_PROBE.md, and what Python's csv makes of it */
        {HEAD "1,,instructions,800440\n1,,branch-misses,1234\n",
         "- system system: instructions=800440@0 branch-misses=1234@0\n"},
        {"run,time,event,value\r\n1,,instructions,800440.0\r\n1,,branch-misses,1234.0\r\n",
         "- system system: instructions=800440@0 branch-misses=1234@0\n"},
        {"\xef\xbb\xbf# origin: x\n\n" HEAD "\n1,,a,5\n\n\n1,,b,6\n", "- system system: a=5@0 b=6@0\n"},
        {HEAD "1,,\"armv8_pmuv3/event=0x3d,umask=0x0/\",5\n1,,b,\"6.5\"\n",
         "- system system: armv8_pmuv3/event=0x3d,umask=0x0/=5@0 b=6.5@0\n"},
        /* not counted, and counted as 0: for neither is it known for how long */
        {HEAD "1,,a,\n1,,b,0.0\n", "- system system: a=not_counted@0 b=0@0\n"},
        /* a name that repeats begins a group */
        {HEAD "1,,c,1\n1,,a,2\n1,,c,3\n1,,b,4\n", "- system system: c=1@0 a=2@0 c=3@1 b=4@1\n"},
        {A "1,,b,6", "{f:3: " CUT IS_A},
        {A "1", "{f:3: " CUT IS_A},
        {A "1,,\"cpu_cycles", "{f:3: " CUT IS_A}, /* inside quotes */
        {A "\"1\",\"\",\"b", "{f:3: " CUT IS_A},
        {0},
    };

    read_all(all);
}

/* From 1e16 on Python prints an exponent; the last is 2^64 - 1 as it is rounded. */
static void values(void)
{
    static const struct recorded all[] = {
        {HEAD "1,,a,1e+16\n1,,b,1.5e+16\n1,,c,2.2679591134123457e+16\n",
         "- system system: a=1e+16@0 b=1.5e+16@0 c=2.26795911341e+16@0\n"},
        {HEAD "1,,a,9999999999999998.0\n1,,b,1e0\n1,,c,12.5e1\n1,,d,1e19\n",
         "- system system: a=1e+16@0 b=1@0 c=125@0 d=1e+19@0\n"},
        {HEAD "1,,a,1.8446744073709552e+19\n", "!f:2: the count '1.8446744073709552e+19' is beyond 2^64-1"},
        {HEAD "1,,a,1e+20\n", "!f:2: the count '1e+20' is beyond 2^64-1"},
        {HEAD "1,,a,1e99999999999999999999\n", "!f:2: the count '1e99999999999999999999' is not a number"},
        {HEAD "1,,a,1.25e1\n", "!f:2: the count '1.25e1' is not a number"},
        {HEAD "1,,a,1e-5\n", "!f:2: the count '1e-5' is not a number"},
        {HEAD "1,,a,e5\n", "!f:2: the count 'e5' is not a number"},
        {HEAD "1,,a,5e\n", "!f:2: the count '5e' is not a number"},
        {HEAD "1,,a,1.e5\n", "!f:2: the count '1.e5' is not a number"},
        {HEAD "1,,a,.5e5\n", "!f:2: the count '.5e5' is not a number"},
        {HEAD "1,,a,1..5e5\n", "!f:2: the count '1..5e5' is not a number"},
        {HEAD "1,,a,.e5\n", "!f:2: the count '.e5' is not a number"},
        {HEAD "1,,a,-5.0\n", "!f:2: the count '-5.0' is negative"},
        {HEAD "1,,a,-1e+16\n", "!f:2: the count '-1e+16' is negative"},
        {HEAD "1,,a,nan\n", "!f:2: the count 'nan' is not a number"},
        {HEAD "1,,a,inf\n", "!f:2: the count 'inf' is not a number"},
        {HEAD "1,,a,5 %\n", "!f:2: the count '5 %' is not a number"},
        {HEAD "1,,a,1111111111111111111111111111111111111111111111111111111111111111e5\n",
         "!f:2: the count '1111111111111111111111111111111111111111' is not a number"},
        {HEAD "1,,a,11111111111111111111111111111111111111111111.5e5\n",
         "!f:2: the count '1111111111111111111111111111111111111111' is beyond 2^64-1"},
        {HEAD "1,,a,1111111111111111111111111111111111111111111111.5e5\n",
         "!f:2: the count '1111111111111111111111111111111111111111' is not a number"},
        {0},
    };

    read_all(all);
}

static void intervals(void)
{
    static const struct recorded all[] = {
        {HEAD "1,0.100116703,a,5.0\n1,0.100116703,b,6.0\n1,0.200233801,a,7.0\n1,0.200233801,b,\n",
         "0.100 system system: a=5@0 b=6@0\n0.200 system system: a=7@0 b=not_counted@0\n"},
        {HEAD "1,1.0,a,5\n1,2,a,6\n1,2.0000000004,a,7\n",
         "1.000 system system: a=5@0\n2.000 system system: a=6@0 a=7@1\n"},
        {0},
    };

    read_all(all);
}

/* Events of one run were not counted at the same time as those of another. */
static void runs(void)
{
    static const struct recorded all[] = {
        {HEAD "1,,c,1\n1,,a,2\n2,,b,3\n2,,c,4\n3,,d,5\n", "- system system: c=1@0 a=2@0 b=3@1 c=4@1 d=5@2\n"},
        {HEAD "1,,c,1\n1,,c,2\n5,,b,3\n5,,b,4\n255,,b,5\n", "- system system: c=1@0 c=2@1 b=3@2 b=4@3 b=5@4\n"},
        {HEAD "2,,a,1\n", "- system system: a=1@0\n"},
        /* with -I the times of each run begin again */
        {HEAD "1,0.5,a,1\n1,1.0,a,2\n2,0.5,b,3\n2,1.0,b,4\n",
         "0.500 system system: a=1@0\n1.000 system system: a=2@0\n0.500 system system: b=3@0\n1.000 system system: b=4@0\n"},
        {HEAD "1,0.5,a,1\n2,0.5,b,3\n", "0.500 system system: a=1@0\n0.500 system system: b=3@0\n"},
        {A "0,,a,1\n", "!f:3: the run '0' is no number from 1 to 255"},
        {A "256,,a,1\n", "!f:3: the run '256' is no number from 1 to 255"},
        {A "x,,a,1\n", "!f:3: the run 'x' is no number from 1 to 255"},
        {A ",,a,1\n", "!f:3: the run '' is no number from 1 to 255"},
        {A "2,,a,1\n1,,b,1\n", "!f:4: run 1 comes after run 2: the rows of a run must be together"},
        {A HEAD, "!f:3: the run 'run' is no number from 1 to 255"},
        {0},
    };

    read_all(all);
}

/* The groups of two runs stay apart when their intervals are added up. */
static void groups_of_runs(void)
{
    static const char text[] = HEAD "1,0.5,a,1\n1,0.5,a,2\n2,0.5,b,3\n";
    static struct opened o;
    const struct td_stream *r;
    struct source s = {text, strlen(text), 100, 0};

    CU_ASSERT_EQUAL_FATAL(open_recording(&o, &s, NULL, NULL, NULL), 0);
    r = &o.r->stream;
    CU_ASSERT(r->coverage_unknown);
    CU_ASSERT_EQUAL_FATAL(next_batch(&o), 0);
    CU_ASSERT_EQUAL_FATAL(r->batch[0].counts.n, 2);
    CU_ASSERT_EQUAL(r->batch[0].counts.c[0].group, 0);
    CU_ASSERT_EQUAL(r->batch[0].counts.c[1].group, 1);
    CU_ASSERT_EQUAL(r->batch[0].counts.c[0].enabled, 0); /* not recorded */
    CU_ASSERT_EQUAL_FATAL(next_batch(&o), 0);
    CU_ASSERT_EQUAL_FATAL(r->batch[0].counts.n, 1);
    CU_ASSERT_EQUAL(r->batch[0].counts.c[0].group, 256);
    close_recording(&o);
}

static void refusals(void)
{
    static const struct recorded all[] = {
        {HEAD, "!f:1: the file ends without a single count"},
        {HEAD "1,,a,5", "{f:2: " CUT "!f:2: the file ends without a single count"},
        {"run,time,event,value,core\n1,,a,5,0\n",
         "!f:1: the columns 'core' are not known: the events of topdown-tool have run,time,event,value"},
        {HEAD "1,,a\n", "!f:2: 3 columns, not 4 (run,time,event,value)"},
        {HEAD "1,,a,5,6\n", "!f:2: 5 columns, not 4 (run,time,event,value)"},
        {HEAD "1,,,5\n", "!f:2: the event has no name"},
        {HEAD "1,,\"a,5\n", "!f:2: a quote is not closed on this line"},
        {HEAD "1,x,a,5\n", "!f:2: the time 'x' is not in seconds"},
        {HEAD "1,-1.0,a,5\n", "!f:2: the time '-1.0' is not in seconds"},
        {HEAD "1,1e3,a,5\n", "!f:2: the time '1e3' is not in seconds"},
        {HEAD "1,1.0,a,5\n1,0.9,a,5\n",
         "1.000 system system: a=5@0\n!f:3: time goes backwards: 0.9 comes after 1.000000000"},
        {A "1,1.0,a,5\n", "!f:3: this line has a time, the lines above have none"},
        {HEAD "1,1.0,a,5\n1,,a,5\n", "!f:3: this line has no time, the lines above have one"},
        {HEAD "1,1.0,a,5\n2,,a,5\n",
         "1.000 system system: a=5@0\n!f:3: this line has no time, the lines above have one"},
        /* other headers are not of this format */
        {"run,time,event,values\n1,,a,5\n", "!f:1: not a line of 'perf stat -x'~"},
        {"time,event,value\n1,a,5\n", "!f:1: ~"},
        {0},
    };

    read_all(all);
}

#define LEFT_OUT(line_) "{f:" line_ ": 1 line is of another program; it is left out}"
#define NO_RUN(line_) "!f:3: the run '" line_ "' is no number from 1 to 255"

/* Lines of other programs have no run, no count in its place, and name no event. */
static void other_lines(void)
{
    static const struct recorded all[] = {
        {A "hello\n", IS_A LEFT_OUT("3")},
        {A "x,,zz,y\n", IS_A LEFT_OUT("3")},
        {A "x,y,5\n", IS_A LEFT_OUT("3")},
        {A "x,,zz,1e\n", IS_A LEFT_OUT("3")},
        {A "he said \"hi\n1,,b,6\n", "- system system: a=5@0 b=6@0\n" LEFT_OUT("3")},
        {A "x,,zz,1\n", NO_RUN("x")},
        {A "x,,zz,1e+16\n", NO_RUN("x")},
        {A "x,,zz,\n", NO_RUN("x")},
        {A "run,y\n", "!f:3: 2 columns, not 4 (run,time,event,value)"},
        {A "12,y\n", "!f:3: 2 columns, not 4 (run,time,event,value)"},
        {A "12x,y\n", IS_A LEFT_OUT("3")},
        {A "x,cpu_cycles\n", "!f:3: 2 columns, not 4 (run,time,event,value)"},
        {A "cpu_cycles\n", "!f:3: 1 columns, not 4 (run,time,event,value)"},
        {A "x,cpu_cycles,\"5\n", "!f:3: a quote is not closed on this line"},
        {A "5,x,\"5\n", "!f:3: a quote is not closed on this line"},
        {HEAD "hello\n", "!f:2: the file ends without a single count"},
        {0},
    };

    read_all(all);
}

/* An exponent moves the point: as many digits as there is room for, 45 before 19 zeros. */
static void digits(void)
{
#define FORTY "1111111111111111111111111111111111111111"
    static const struct recorded all[] = {
        {HEAD "1,,a," FORTY "11111e0\n", "!f:2: the count '" FORTY "' is beyond 2^64-1"},
        {HEAD "1,,a," FORTY "111111e0\n", "!f:2: the count '" FORTY "' is not a number"},
        {HEAD "1,,a," FORTY "1111.1e1\n", "!f:2: the count '" FORTY "' is beyond 2^64-1"},
        {HEAD "1,,a," FORTY "11111.1e1\n", "!f:2: the count '" FORTY "' is not a number"},
        {HEAD "1,,a,11111111111111111111111111.1111111111111111111e19\n",
         "!f:2: the count '11111111111111111111111111.1111111111111' is beyond 2^64-1"}, /* 26 and 19 digits */
        {HEAD "1,,a,1.25e2\n1,,b,1.25e+3\n1,,c,12.5e2\n", "- system system: a=125@0 b=1250@0 c=1250@0\n"},
        {HEAD "1,,a,0.5e1\n1,,b,1e+0\n", "- system system: a=5@0 b=1@0\n"},
        {HEAD "1,,a,1.5e0\n", "!f:2: the count '1.5e0' is not a number"},
        {HEAD "1,,a,1e++5\n", "!f:2: the count '1e++5' is not a number"},
        {HEAD "1,,a,1.8e19\n1,,b,1e+19\n", "- system system: a=1.8e+19@0 b=1e+19@0\n"},
        {HEAD "1,,a,1.9e19\n", "!f:2: the count '1.9e19' is beyond 2^64-1"},
        {HEAD "1,,a,0e20\n", "!f:2: the count '0e20' is beyond 2^64-1"},
        {HEAD "1,0.5,a,1\n2,0.0,b,3\n", "0.500 system system: a=1@0\n0.000 system system: b=3@0\n"},
        {0},
    };

    read_all(all);
}

static const CU_TestInfo tests[] = {
    {"other lines", other_lines},
    {"digits", digits},
    {"rows", rows},
    {"values", values},
    {"intervals", intervals},
    {"runs", runs},
    {"groups of runs", groups_of_runs},
    {"refusals", refusals},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("arm_events", tests);
