/* SPDX-License-Identifier: MIT */
/* The reader of traces, from bytes to intervals. */
#include "tests/support/recorded.h"

#include <inttypes.h>

#define COLUMNS "time_ns,scope,scope_kind,core,group,epoch,event,value,enabled_ns,running_ns\n"
#define HEAD(cpu_) "# tdprobe-trace: 1\n# cpu: " cpu_ "\n" COLUMNS
#define ROW(time_, group_, event_, value_, times_) time_ ",CPU3,cpu,," group_ ",0," event_ "," value_ "," times_ "\n"
#define END(time_, rows_) time_ ",CPU3,cpu,,,0,end," rows_ ",,\n"
#define START(time_) time_ ",CPU3,cpu,,,0,start,,,\n"
#define SKL HEAD("skl") ROW("0", "0", "cycles", "5", "0,0") END("0", "1")

static void trace_rows(void)
{
    static const struct recorded all[] = {
        {SKL ROW("10", "0", "cycles", "12", "10,10") END("10", "1") ROW("20", "0", "cycles", "20", "20,20")
             END("20", "1"),
         "0.000 CPU3 cpu: cycles=7@0\n0.000 CPU3 cpu: cycles=8@0\n"},
        /* raw: scaled by enabled / running; read as it is with scaled: yes; unknown events and x- keys are left out */
        {SKL ROW("9", "0", "cycles", "8", "9,3") END("9", "1"), "0.000 CPU3 cpu: cycles=9@0*0.333\n"},
        {"# tdprobe-trace: 1\n#cpu:skl\n# x-y z\xff: \"\n# note: a\n# note:\n# scaled: yes\n# topology: cores=4  cpus=8\n" COLUMNS
         "0,a,thread,,65535,4294967295,\"cpu/event=0x9c,umask=0x1/\",1,0,0\n0,a,thread,,0,4294967295,foo,1,0,0\n0,a,thread,,,4294967295,end,2,,\n"
         "5,a,thread,,65535,4294967295,\"cpu/event=0x9c,umask=0x1/\",8,6,2\n5,a,thread,,0,4294967295,foo,1,0,0\n5,a,thread,,,4294967295,end,2,,\n",
         "0.000 a thread: cpu/event=0x9c,umask=0x1/=7@65535*0.333\n"},
        /* names are safe to print, and everyone sees the same ones */
        {HEAD(
             "skl") "0,a\x1b[m,thread,,0,0,cycles,1,0,0\n0,a\x1b[m,thread,,,0,end,1,,\n9,a\\x1b[m,thread,,0,0,cycles,4,9,9\n9,a\x1b[m,thread,,,0,end,1,,\n",
         "0.000 a\\x1b[m thread: cycles=3@0\n"},
        /* each group may have the same event */
        {HEAD("skl") ROW("0", "0", "cycles", "1", "0,0") ROW("0", "1", "cycles", "2", "0,0") END("0", "2")
             ROW("9", "1", "cycles", "9", "9,9") ROW("9", "0", "cycles", "4", "9,9") END("9", "2"),
         "0.000 CPU3 cpu: cycles=7@1 cycles=3@0\n"},
        /* not counted between the readings; a step back; narrower counters wrap */
        {SKL ROW("9", "0", "cycles", "not_counted", "9,0") END("9", "1"), "0.000 CPU3 cpu: cycles=not_counted@0*0\n"},
        {SKL ROW("9", "0", "cycles", "4", "9,9") END("9", "1"), "0.000 CPU3 cpu: cycles=counter_reset@0\n"},
        {"# tdprobe-trace: 1\n# counter-bits: 48\n# cpu: skl\n" COLUMNS ROW("0", "0", "cycles", "281474976710655",
                                                                            "0,0") END("0", "1")
             ROW("9", "0", "cycles", "4", "9,9") END("9", "1"),
         "0.000 CPU3 cpu: cycles=5@0\n"},
        /* the packed register: 0x1e = 30 of 255; the eight-bit fields in order */
        {HEAD("icl") ROW("0", "0", "slots", "0", "0,0") ROW("0", "0", "PERF_METRICS", "0x0", "0,0") END("0", "2")
             ROW("9", "0", "slots", "2550", "9,9") ROW("9", "0", "perf_metrics", "0x5a401e47", "9,9") END("9", "2"),
         "0.000 CPU3 cpu: slots=2550@0 topdown-bad-spec=300@0 topdown-be-bound=900@0 topdown-fe-bound=640@0 topdown-retiring=710@0\n"},
        /* another epoch: nothing is left of the interval, the next one is whole */
        {SKL
         "9,CPU3,cpu,,0,1,cycles,2,9,9\n9,CPU3,cpu,,,1,end,1,,\n19,CPU3,cpu,,0,1,cycles,5,19,19\n19,CPU3,cpu,,,1,end,1,,\n",
         "{f:7: the counters of CPU3 started again: the interval is left out}0.000 CPU3 cpu void: cycles=not_counted@0\n0.000 CPU3 cpu: cycles=3@0\n"},
        /* a start row: it means readings of 0 for what comes next, whatever came before; time may begin again */
        {SKL ROW("7", "0", "cycles", "9", "7,7") END("7", "1") START("9") ROW("12", "0", "cycles", "6", "9,3")
             ROW("12", "0", "uops_issued.any", "not_counted", "9,0") END("12", "2")
                 ROW("13", "0", "cycles", "8", "10,4") ROW("13", "0", "uops_issued.any", "2", "10,1") END("13", "2")
                     START("0") ROW("3", "0", "cycles", "5", "1,1") END("3", "1"),
         "0.000 CPU3 cpu: cycles=4@0\n0.000 CPU3 cpu: cycles=18@0*0.333 uops_issued.any=not_counted@0*0\n"
         "0.000 CPU3 cpu: cycles=2@0 uops_issued.any=2@0\n0.000 CPU3 cpu: cycles=5@0\n"},
        {HEAD("icl") START("0") ROW("9", "0", "slots", "2550", "9,9") ROW("9", "0", "PERF_METRICS", "0x5a401e47", "9,9")
             END("9", "2"),
         "0.000 CPU3 cpu: slots=2550@0 topdown-bad-spec=300@0 topdown-be-bound=900@0 topdown-fe-bound=640@0 topdown-retiring=710@0\n"},
        {HEAD("skl") START("0") "5,CPU3,cpu,,0,1,cycles,2,9,9\n5,CPU3,cpu,,,1,end,1,,\n",
         "{f:6: the counters of CPU3 started again: the interval is left out}0.000 CPU3 cpu void: cycles=not_counted@0\n"},
        /* unknown times; a counter that another tool saw run backwards; counts that it scaled */
        {HEAD("skl") START("") ROW("", "0", "cycles", "counter_reset", "9,9") END("", "1"),
         "- CPU3 cpu: cycles=counter_reset@0\n"},
        {"# tdprobe-trace: 1\n# cpu: skl\n# scaled: yes\n" COLUMNS START("") ROW("", "0", "cycles", "6.25", "9,3")
             END("", "1") ROW("", "0", "cycles", "9007199254740993", "10,4") END("", "1"),
         "- CPU3 cpu: cycles=6.25@0*0.333\n- CPU3 cpu: cycles=9.00719925474e+15@0\n"},
        {"# tdprobe-trace: 1\n# cpu: skl\n# scaled: yes\n" COLUMNS START("") ROW("", "0", "cycles", "6.75", "9,9")
             END("", "1") ROW("", "0", "cycles", "7.25", "10,10") END("", "1") ROW("", "0", "cycles", "7.125", "11,11")
                 END("", "1"),
         "- CPU3 cpu: cycles=6.75@0\n- CPU3 cpu: cycles=0.5@0\n- CPU3 cpu: cycles=counter_reset@0\n"},
        /* two kinds of core and a third that the CPU does not have, rows mixed */
        {HEAD(
             "adl") "0,s,system,P,0,0,slots,1,0,0\n0,s,system,E,0,0,cycles,1,0,0\n0,s,system,P,,0,end,1,,\n0,s,system,LP,0,0,cycles,1,0,0\n0,s,system,E,,0,end,1,,\n0,s,system,LP,,0,end,1,,\n"
                    "9,s,system,P,0,0,slots,4,9,9\n9,s,system,E,0,0,cycles,6,9,9\n9,s,system,E,,0,end,1,,\n9,s,system,P,,0,end,1,,\n9,s,system,LP,0,0,cycles,1,9,9\n9,s,system,LP,,0,end,1,,\n",
         "{f:7: the counts of core LP are left out: adl has no such core}0.000 s system E: cycles=5@0\n0.000 s system P: slots=3@0\n"},
        /* cut off: in a line, in a reading, before an end row */
        {SKL ROW("9", "0", "cycles", "6", "9,9") END("9", "1") "12,CPU3,cpu,,0,0,cyc",
         "0.000 CPU3 cpu: cycles=1@0\n{f:8: the last line was cut off; it is left out}"},
        {SKL ROW("9", "0", "cycles", "6", "9,9") END("9", "1") ROW("12", "0", "cycles", "6", "9,9"),
         "0.000 CPU3 cpu: cycles=1@0\n{f:8: the last reading of CPU3, from line 8 on, was cut off; it is left out}"},
        {SKL ROW("9", "0", "cycles", "6", "9,9") END("9", "1")
             ROW("12", "0", "cycles", "6", "9,9") "12,CPU3,cpu,,,0,end,1,,",
         "0.000 CPU3 cpu: cycles=1@0\n{f:9: the last reading of CPU3, from line 8 on, was cut off; it is left out}"},
        {0},
    };

    read_all(all);
}

static void header_refusals(void)
{
    static const struct recorded all[] = {
        {"# tdprobe-trace: 2\n", "!f:1: version 2 of the format~"},
        {"# tdprobe-trace: 0\n", "!f:1: version 0 of the format~"},
        {"# tdprobe-trace: 1.0\n", "!f:1: the version '1.0' is not a number"},
        {"# tdprobe-trace:\n", "!f:1: the version '' is not a number"},
        {"# tdprobe-trace: 1\n", "!f:1: the file ends before~"},
        {"# tdprobe-trace: 1\n# cpu: skl\n# colour: red\n", "!f:3: unknown key 'colour'~"},
        {"# tdprobe-trace: 1\n# xcolour: red\n", "!f:2: unknown key 'xcolour'~"},
        {"# tdprobe-trace: 1\n# cpu\n", "!f:2: a header line without a key~"},
        {"# tdprobe-trace: 1\n" COLUMNS, "!f:2: the header has no 'cpu' line"},
        {"# tdprobe-trace: 1\n# cpu: foo\n", "!f:2: cpu 'foo': ~"},
        {"# tdprobe-trace: 1\n# cpu:\n", "!f:2: cpu '': ~"},
        {"# tdprobe-trace: 1\n# cpu: nehalem\n", "!f:2: cpu 'nehalem': ~"},
        {"# tdprobe-trace: 1\n# cpu: skl\ntime_ns,scope\n",
         "!f:3: 'time_ns,scope' is not the line with the columns' names~"},
        {"# tdprobe-trace: 1\n# counter-bits: 7\n", "!f:2: counter-bits is '7'~"},
        {"# tdprobe-trace: 1\n# smt: yes\n", "!f:2: smt is 'yes'~"},
        {"# tdprobe-trace: 1\n# scaled: 1\n", "!f:2: scaled is '1'~"},
        {"# tdprobe-trace: 1\n# source: me\n", "!f:2: source is 'me'~"},
        {"# tdprobe-trace: 1\n# topology: cores=4 x\n", "!f:2: topology is 'cores=4 x'~"},
        {0},
    };

    read_all(all);
}

static void row_refusals(void)
{
    static const struct recorded all[] = {
        {SKL "9,CPU3,cpu,,0,0,cycles,6,9\n", "!f:6: 9 columns, not 10"},
        {SKL "9,CPU3,cpu,,0,0,cycles,6,9,9,\n", "!f:6: 11 columns, not 10"},
        {SKL ROW("9", "0", "cycles", "-6", "9,9"), "!f:6: the value '-6' is negative"},
        {SKL ROW("9", "0", "cycles", "6.5", "9,9"), "!f:6: the value '6.5' is not a number"},
        {SKL ROW("9", "0", "cycles", "18446744073709551616", "9,9"),
         "!f:6: the value '18446744073709551616' is beyond 2^64-1"},
        {SKL ROW("9", "0", "cycles", "", "9,9"), "!f:6: the value '' is not a number"},
        {SKL ROW("9", "x", "cycles", "6", "9,9"), "!f:6: the group 'x' is not a number"},
        {SKL ROW("9", "65536", "cycles", "6", "9,9"), "!f:6: the group 65536 is beyond 65535"},
        {SKL ROW("9", "0", "cycles", "6", "9,10"), "!f:6: running for 10 ns, but enabled for 9"},
        {SKL ROW("9", "0", "cycles", "6", "9,"), "!f:6: the running time '' is not a number"},
        {SKL ROW("1e9", "0", "cycles", "6", "9,9"), "!f:6: the time '1e9' is not a number"},
        {SKL "9,CPU3,cpu,,0,4294967296,cycles,6,9,9\n", "!f:6: the epoch 4294967296 is beyond 2^32-1"},
        {SKL "9,CPU3,gpu,,0,0,cycles,6,9,9\n", "!f:6: the scope kind 'gpu'~"},
        {SKL "9,,cpu,,0,0,cycles,6,9,9\n", "!f:6: the scope has no name"},
        {SKL "9,CPU3,cpu,X,0,0,cycles,6,9,9\n", "!f:6: the core 'X'~"},
        {SKL ROW("9", "0", "cycles", "6", "9,9") ROW("9", "0", "cycles", "6", "9,9"),
         "!f:7: duplicate event cycles in group 0 of this reading"},
        {SKL ROW("9", "0", "cycles", "6", "9,9") ROW("10", "0", "cycles", "6", "9,9"),
         "!f:7: the reading of CPU3 that begins in line 6 has no end"},
        {SKL ROW("9", "0", "cycles", "6", "9,9") "9,CPU3,cpu,,0,1,cycles,6,9,9\n",
         "!f:7: the reading of CPU3 that begins in line 6 has no end"},
        {SKL ROW("9", "0", "cycles", "6", "9,9") END("9", "2"), "!f:7: the reading of CPU3 has 1 rows, not 2"},
        {SKL END("9", "1"), "!f:6: the reading of CPU3 has~"},
        {SKL ROW("9", "0", "cycles", "6", "9,9") END("9", "1") ROW("8", "0", "cycles", "6", "9,9"),
         "0.000 CPU3 cpu: cycles=1@0\n!f:8: time goes backwards: 8 comes after 9; a trace of one recorder has no such line, "
         "so what was given before it is not sound either: record it again"},
        {SKL "9,CPU3,cpu,,0,0,\"cycles,6,9,9\n", "!f:6: a quote is not closed on this line"},
        {SKL "# cpu: icl\n", "!f:6: a header line among the readings"},
        {HEAD("icl") ROW("0", "0", "PERF_METRICS", "17", "0,0"), "!f:4: the register (0x, hex) '17' is not a number"},
        {HEAD("icl") ROW("0", "0", "PERF_METRICS", "0x1ffffffffffffffff", "0,0"),
         "!f:4: the register (0x, hex) '0x1ffffffffffffffff' is beyond 2^64-1"},
        {HEAD("icl") ROW("0", "1", "slots", "0", "0,0") ROW("0", "0", "PERF_METRICS", "0x0", "0,0") END("0", "2")
             ROW("9", "1", "slots", "9", "9,9") ROW("9", "0", "PERF_METRICS", "0x1", "9,9") END("9", "2"),
         "!f:9: PERF_METRICS without slots in its group, or beside readings without it"},
        {HEAD("icl") ROW("0", "0", "slots", "0", "0,0") END("0", "1") ROW("9", "0", "slots", "9", "9,9")
             ROW("9", "0", "PERF_METRICS", "0x1", "9,9") END("9", "2"),
         "!f:8: PERF_METRICS without slots in its group, or beside readings without it"},
        {HEAD("adl") "0,s,system,,0,0,slots,1,0,0\n", "!f:4: the core is empty, but adl has several kinds of core"},
        {SKL, "!f:5: the trace holds no interval: it takes two whole readings of a scope, or one after a start row"},
        {HEAD("skl"), "!f:3: the trace holds no interval~"},
        {SKL ROW("9", "0", "cycles", "6", "9,9") START("9"),
         "!f:7: the reading of CPU3 that begins in line 6 has no end"},
        {SKL START("9"), "!f:6: the trace holds no interval~"},
        {SKL ROW("", "0", "cycles", "6", "9,9"),
         "!f:6: a time, but the reading of CPU3 before has none, or the other way round"},
        {HEAD("skl") START("") ROW("5", "0", "cycles", "6", "9,9"),
         "!f:5: a time, but the reading of CPU3 before has none, or the other way round"},
        {HEAD("skl") START("5") ROW("4", "0", "cycles", "6", "9,9"), "!f:5: time goes backwards: 4 comes after 5"},
        {HEAD("skl") START("") ROW("", "0", "cycles", "6", "9,9") ROW("0", "0", "uops_issued.any", "6", "9,9"),
         "!f:6: the reading of CPU3 that begins in line 5 has no end"},
        {"# tdprobe-trace: 1\n# scaled: yes\n# cpu: skl\n" COLUMNS ROW("9", "0", "cycles", "6.x", "9,9"),
         "!f:5: the value '6.x' is not a number"},
        {"# tdprobe-trace: 1\n# scaled: yes\n# cpu: skl\n" COLUMNS ROW("9", "0", "cycles", "9007199254740992.5", "9,9"),
         "!f:5: the value '9007199254740992.5' is beyond 2^64-1"},
        {SKL ROW("9", "0", "cycles", "6", "9,9"), "!f:6: the trace holds no interval~"},
        {0},
    };

    read_all(all);
}

/* A reading that ends with "begin" has no interval before it; the next one has. */
static void begins(void)
{
    static const struct recorded all[] = {
        {SKL ROW("10", "0", "cycles", "12", "10,10") "10,CPU3,cpu,,,0,begin,1,,\n" ROW("20", "0", "cycles", "20",
                                                                                       "20,20") END("20", "1"),
         "0.000 CPU3 cpu: cycles=8@0\n"},
        {HEAD("skl") ROW("10", "0", "cycles", "12", "10,10") "10,CPU3,cpu,,,0,begin,1,,\n",
         "!f:5: the trace holds no~"},
        {0},
    };

    read_all(all);
}

#define RUN_HEAD "# tdprobe-trace: 1\n# cpu: skl\n# x-run: ab1\n" COLUMNS
#define RUN_END(time_, run_) time_ ",CPU3,cpu,,,0,end,1," run_ ",\n"

/* Where the header names the run, the end of each reading does, too. */
static void runs(void)
{
    static const struct recorded all[] = {
        {RUN_HEAD ROW("0", "0", "cycles", "5", "0,0") RUN_END("0", "ab1") ROW("9", "0", "cycles", "6", "9,9")
             RUN_END("9", "ab1"),
         "0.000 CPU3 cpu: cycles=1@0\n"},
        {RUN_HEAD ROW("0", "0", "cycles", "5", "0,0") RUN_END("0", "ab"),
         "!f:6: the reading of CPU3 is of the run 'ab', not of 'ab1' as the header says"},
        {RUN_HEAD ROW("0", "0", "cycles", "5", "0,0") RUN_END("0", ""),
         "!f:6: the reading of CPU3 is of the run '', not of 'ab1' as the header says"},
        {HEAD("skl") ROW("0", "0", "cycles", "5", "0,0") RUN_END("0", "x") ROW("9", "0", "cycles", "6", "9,9")
             RUN_END("9", "y"),
         "0.000 CPU3 cpu: cycles=1@0\n"},
        {0},
    };

    read_all(all);
}

/* PERF_METRICS, with modes too, is no count of a CPU that has no such register. Events of another kind of core than a
 * row's are left out. */
static void other_events(void)
{
    static const struct recorded all[] = {
        {HEAD("icl") ROW("0", "0", "slots:u", "0", "0,0") ROW("0", "0", "PERF_METRICS:u", "0x0", "0,0") END("0", "2")
             ROW("9", "0", "slots:u", "2550", "9,9") ROW("9", "0", "perf_metrics:u", "0x5a401e47", "9,9") END("9", "2"),
         "0.000 CPU3 cpu: slots:u=2550@0 topdown-bad-spec=300@0 topdown-be-bound=900@0 topdown-fe-bound=640@0 topdown-retiring=710@0\n"},
        {HEAD("icl") START("0") ROW("9", "0", "slots", "2550", "9,9") ROW("9", "0", "PERF_METRICSu", "1", "9,9")
             END("9", "2"),
         "0.000 CPU3 cpu: slots=2550@0\n"},
        {HEAD("skl") START("0") ROW("9", "0", "cycles", "2550", "9,9")
             ROW("9", "0", "PERF_METRICS", "0x5a401e47", "9,9") END("9", "2"),
         "0.000 CPU3 cpu: cycles=2550@0\n"},
        {HEAD("adl") "0,s,system,E,,0,start,,,\n9,s,system,E,0,0,cycles,6,9,9\n9,s,system,E,0,0,foo,6,9,9\n"
                     "9,s,system,E,,0,end,2,,\n"
                     "9,s,system,LP,0,0,PERF_METRICS,0x1,9,9\n9,s,system,LP,,0,end,1,,\n",
         "0.000 s system E: cycles=6@0\n{f:8: the counts of core LP are left out: adl has no such core}"},
        {0},
    };

    read_all(all);
}

#define PRINTED(name_) ROW("9", "0", "printed:" name_, "0", "0,0")

/* Metrics that were printed beside a count: bit 0 retiring and 1 bad_speculation as published, 15 another, and from 16
 * on nodes by their plain names. */
static void printed(void)
{
    static const struct recorded all[] = {
        {HEAD("skl") START("0") ROW("9", "0", "cycles", "5", "9,9") ROW("9", "0", "uops_issued.any", "6", "9,9")
             PRINTED("tma_bad_speculation") PRINTED("retiring") END("9", "4"),
         "0.000 CPU3 cpu: cycles=5@0 uops_issued.any=6@0#10002\n"},
        {HEAD("skl") START("0") ROW("9", "0", "cycles", "5", "9,9") PRINTED("other")
             ROW("9", "0", "uops_issued.any", "6", "9,9") PRINTED("tma_retiring") END("9", "4"),
         "0.000 CPU3 cpu: cycles=5@0#8000 uops_issued.any=6@0#1\n"},
        {HEAD("skl") START("0") PRINTED("retiring"), "!f:5: printed:retiring comes after no count"},
        {HEAD("skl") START("0") ROW("9", "0", "cycles", "5", "9,9") PRINTED("GHz"), "!f:6: printed:GHz is no metric"},
        {0},
    };

    show_printed = true;
    read_all(all);
    show_printed = false;
}

/* One of many samples of a reading, in a group of its own, or as another kind of name, is no duplicate. */
static void duplicates(void)
{
    for (int groups = 30; groups <= 35; groups++)
        for (int again = 0; again <= groups; again += 5) {
            struct log text = {.n = 0}, l = {.n = 0}, wanted = {.n = 0};
            struct source s = {text.text, 0, 1000, 0};

            put(&text, HEAD("skl") START("0"));
            for (int i = 0; i < groups; i++)
                put(&text, "9,CPU3,cpu,,%d,0,cycles,5,9,9\n", i);
            put(&text, "9,CPU3,cpu,,3,0,event:cycles,5,9,9\n9,CPU3,cpu,,%d,0,cycles,5,9,9\n", again);
            put(&wanted, "!f:%d: duplicate event cycles in group %d of this reading", groups + 6, again);
            put(&text, "9,CPU3,cpu,,,0,end,%d,,\n", groups + 2);
            s.left = text.n;
            put_recording(&l, &s);
            CU_ASSERT_EQUAL(!strcmp(l.text, wanted.text), again < groups);
            CU_ASSERT_EQUAL(*l.text == '!', again < groups);
        }
}

/* How many latencies there were, and their squares: since the reading before, or since a start row. */
static void latencies(void)
{
    static const char head[] = HEAD("neoverse-v1");
    static const struct {
        const char *rows, *wanted;
    } of[] = {
        {START("0") ROW("9", "0", "cpu_cycles", "50", "9,9") ROW("9", "0", "latency_samples", "7", "0,0")
             ROW("9", "0", "latency_squares", "300", "0,0") END("9", "3") ROW("19", "0", "cpu_cycles", "90", "19,19")
                 ROW("19", "0", "latency_samples", "9", "0,0") ROW("19", "0", "latency_squares", "400", "0,0")
                     END("19", "3"),
         "50 7 300\n40 2 100\n"},
        {START("0") ROW("9", "0", "cpu_cycles", "50", "9,9") ROW("9", "0", "latency_squares", "300", "0,0")
             END("9", "2"),
         "50 0 300\n"},
        {START("0") ROW("9", "0", "cpu_cycles", "50", "9,9") END("9", "1"), "50\n"},
        {START("0") ROW("9", "0", "latency_samples", "7", "0,0"), "!f:5: latency_samples comes after no count"},
        {START("0") ROW("9", "0", "latency_squares", "7", "0,0"), "!f:5: latency_squares comes after no count"},
        {START("0") ROW("9", "0", "cpu_cycles", "50", "9,9") ROW("9", "0", "latency_samples", "x", "0,0"),
         "!f:6: the latency_samples 'x' is not a number"},
        {START("0") ROW("9", "0", "cpu_cycles", "50", "9,9") ROW("9", "0", "latency_squares", "x", "0,0"),
         "!f:6: the latency_squares 'x' is not a number"},
    };

    for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++) {
        static struct opened o;
        struct log text = {.n = 0}, l = {.n = 0};
        struct source s = {text.text, 0, 1000, 0};
        int err;

        put(&text, "%s%s", head, of[i].rows);
        s.left = text.n;
        err = open_recording(&o, &s, NULL, NULL, NULL);
        while (!err && !(err = next_batch(&o))) {
            const struct td_count *c = o.r->stream.batch[0].counts.c;

            CU_ASSERT_EQUAL_FATAL(o.r->stream.nbatch, 1);
            put(&l, "%.0f", c->value);
            if (c->sampled.any)
                put(&l, " %" PRIu64 " %" PRIu64, c->sampled.n, c->sampled.squares);
            put(&l, "\n");
        }
        if (err != -ENODATA)
            put(&l, "!%s", o.log.error);
        close_recording(&o);
        same_log(&l, of[i].wanted, 1000);
    }
}

/* Counters of tasks are switched with them, but for the packed register, which each reading has as it is. */
static void switched(void)
{
    static const struct {
        const char *text;
        bool switched;
    } of[] = {
        {HEAD("skl") "0,a,thread,,,0,start,,,\n9,a,thread,,0,0,cycles,5,9,9\n9,a,thread,,,0,end,1,,\n", true},
        {HEAD("skl") "0,a,cpu,,,0,start,,,\n9,a,cpu,,0,0,cycles,5,9,9\n9,a,cpu,,,0,end,1,,\n", false},
        {HEAD("icl") "0,a,thread,,,0,start,,,\n9,a,thread,,0,0,slots,5,9,9\n9,a,thread,,0,0,PERF_METRICS,0x1,9,9\n"
                     "9,a,thread,,,0,end,2,,\n",
         false},
    };

    for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++) {
        static struct opened o;
        struct source s = {of[i].text, strlen(of[i].text), 1000, 0};

        CU_ASSERT_EQUAL_FATAL(open_recording(&o, &s, NULL, NULL, NULL), 0);
        CU_ASSERT_EQUAL_FATAL(next_batch(&o), 0);
        CU_ASSERT_EQUAL(o.r->stream.nbatch, 1);
        CU_ASSERT_EQUAL(o.r->stream.batch[0].switched, of[i].switched);
        close_recording(&o);
    }
}

static const CU_TestInfo tests[] = {
    {"readings that begin", begins},
    {"runs of traces", runs},
    {"other events", other_events},
    {"printed beside counts", printed},
    {"duplicates", duplicates},
    {"latencies", latencies},
    {"switched", switched},
    {"traces", trace_rows},
    {"trace headers refused", header_refusals},
    {"trace rows refused", row_refusals},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("reader", tests);
