/* SPDX-License-Identifier: MIT */
/* The reader of perf stat -x, from bytes to intervals. The lines are those that
 * perf 6.1 printed, or were made after Linux tools/perf/util/stat-display.c. */
#include "tests/support/recorded.h"

static void perf_rows(void)
{
    static const struct recorded all[] = {
        /* plain, and what perf puts around it: the start, blank lines, metric columns, further metrics */
        {"# started on Fri Nov 20 12:12:19 2026\n\n28940571191,,slots,2097234516,100.00,,\n7263678871,,topdown-retiring,2097234516,100.00,25.1,Retiring\n"
         "1134976677,,topdown-heavy-ops,2097234516,100.00,3.9,Heavy Operations,21.2,Light Operations\n,,,,,10.2,Bad Speculation\n",
         "- system system: slots=28940571191@0 topdown-retiring=7263678871@0 topdown-heavy-ops=1134976677@0\n"},
        {"0.81,msec,task-clock,809778,100.00,0.504,CPUs utilized\n", "- system system: task-clock=0.81@0\n"},
        /* intervals */
        {"     0.200000000,10,,slots,500,100.00,,\n     0.200000000,3,,topdown-retiring,500,100.00,,\n\n     0.400000000,20,,slots,500,100.00,,\n",
         "0.200 system system: slots=10@0 topdown-retiring=3@0\n0.400 system system: slots=20@0\n"},
        /* further metrics of an interval; the same time with fewer blanks */
        {"     1.000000000,10,,slots,500,100.00,,\n     1.000000000,,,,,,3.9,Retiring\n1.000000000,3,,topdown-retiring,500,100.00,,\n",
         "1.000 system system: slots=10@0 topdown-retiring=3@0\n"},
        /* -r: the deviation before the run time; events with commas; the separators */
        {"56359117,,slots,6.12%,4106047,100.00,,\n", "- system system: slots=56359117@0\n"},
        {"5,,cpu/event=0x9c,umask=0x1/,9,100.00,,\n7,,cpu/event=0xa3,umask=0x14,cmask=0x14/u,9,100.00,1.0,x,2.0,y\n",
         "- system system: cpu/event=0x9c,umask=0x1/=5@0 cpu/event=0xa3,umask=0x14,cmask=0x14/u=7@0\n"},
        {"5,,cpu/event=0x9c,umask=0x1/,0.50%,9,50.00,,\n", "- system system: cpu/event=0x9c,umask=0x1/=5@0*0.5\n"},
        {"5;;cpu/event=0x9c,umask=0x1/;9;100.00;;\n", "- system system: cpu/event=0x9c,umask=0x1/=5@0\n"},
        {"5\t\tslots\t9\t100.00\t\t\n", "- system system: slots=5@0\n"},
        {"5||slots|9|100.00||\n", "- system system: slots=5@0\n"},
        {"5::slots:u:9:100.00::\n", "- system system: slots:u=5@0\n"},
        {"5--topdown-be-bound-9-100.00--\n", "- system system: topdown-be-bound=5@0\n"},
        {"<not counted>;;slots;0;100.00;;\n", "- system system: slots=not_counted@0\n"},
        /* never ran: by the word, and by a run time of 0 whatever the percentage is; counted part of the time */
        {"<not counted>,,slots,0,0.00,,\n<not supported>,,cycles,0,100.00,,\n0,,topdown-retiring,0,100.00,,\n",
         "- system system: slots=not_counted@0*0 cycles=not_supported@0 topdown-retiring=not_counted@0\n"},
        {"10,,slots,25000,25.00,,\n10,,cycles,100000,100.00,,\n10,,instructions,50,66.00,,\n",
         "- system system: slots=10@0*0.25 cycles=10@0 instructions=10@0*0.66\n"},
        /* a group ends where the name of an event repeats, separately for each kind of core */
        {"1,,a,9,100.00,,\n2,,b,9,100.00,,\n3,,a,9,100.00,,\n4,,c,9,100.00,,\n5,,b,9,100.00,,\n6,,b,9,100.00,,\n7,,a,9,100.00,,\n",
         "- system system: a=1@0 b=2@0 a=3@1 c=4@1 b=5@1 b=6@2 a=7@2\n"},
        {"1,,a,9,100.00,,\n2,,b,9,100.00,,\n3,,B,9,100.00,,\n4,,c,9,100.00,,\n5,,b,9,100.00,,\n6,,A,9,100.00,,\n",
         "- system system: a=1@0 b=2@0 B=3@1 c=4@1 b=5@2 A=6@2\n"},
        {"1,,cpu_core/slots/,9,100.00,,\n2,,cpu_atom/x/,9,100.00,,\n3,,cpu_core/slots/,9,100.00,,\n4,,cpu_atom/y/,9,100.00,,\n5,,cpu_lowpower/x/,9,100.00,,\n6,,z,9,100.00,,\n",
         "- system system: z=6@0\n- system system P: cpu_core/slots/=1@0 cpu_core/slots/=3@1\n- system system E: cpu_atom/x/=2@0 cpu_atom/y/=4@0\n"
         "- system system L: cpu_lowpower/x/=5@0\n"},
        {"1.000000000,1,,a,9,100.00,,\n1.000000000,2,,b,9,100.00,,\n2.000000000,3,,a,9,100.00,,\n2.000000000,4,,a,9,100.00,,\n",
         "1.000 system system: a=1@0 b=2@0\n2.000 system system: a=3@0 a=4@1\n"},
        /* names are safe to print */
        {"t\xc2\x9bm-1,5,,slo\xfets,9,100.00,,\nt\xc2\x9bm-1,6,,caf\xc3\xa9,9,100.00,,\n",
         "- t\\xc2\\x9bm-1 thread: slo\\xfets=5@0 caf\xc3\xa9=6@0\n"},
        /* summary rows repeat the intervals */
        {"1.000000000,1,,a,9,100.00,,\n         summary,1,,a,9,100.00,,\n         summary,1,,a,9,100.00,,\n",
         "{f:2: the summary lines are left out: they repeat the intervals}1.000 system system: a=1@0\n"},
        {"\xef\xbb\xbf# started\r\n\r\n5,,slots,9,100.00,,\r\n6,,cycles,9,100.00,,",
         "- system system: slots=5@0 cycles=6@0\n"},
        /* a last line that is cut off is left out, a whole one without its newline is not */
        {"5,,slots,9,100.00,,\n6,,cycles,9,10",
         "{f:2: the last line was cut off; it is left out}- system system: slots=5@0\n"},
        {"5,,slots,9,100.00,,\n6,,cyc", "{f:2: the last line was cut off; it is left out}- system system: slots=5@0\n"},
        {"5,,slots,9,100.00,,\n6", "{f:2: the last line was cut off; it is left out}- system system: slots=5@0\n"},
        {"5,,slots,9,100.00\n6,,cycles,9,100.00", "- system system: slots=5@0 cycles=6@0\n"},
        {0},
    };

    read_all(all);
}

static void perf_refusals(void)
{
    static const struct recorded all[] = {
        {"", "!f:0: the file is empty"},
        {"\n  \n", "!f:2: the file is empty"},
        {"# started\n\n", "!f:2: ~"},
        {"# x\n\n5,,slots,9,100.00,,\n\n-6,,cycles,9,100.00,,\n", "!f:5: the count '-6' is negative"},
        {"5,,slots,9,100.00,,\n1e9,,cycles,9,100.00,,\n", "!f:2: the count '1e9' is not a number"},
        {"18446744073709551616,,slots,9,100.00,,\n", "!f:1: the count '18446744073709551616' is beyond 2^64-1"},
        {"5,,slots,9,100.00,,\n5,,slots,x,100.00,,\n", "!f:2: the run time 'x' is not a number"},
        {"5,,slots,9,101.00,,\n", "!f:1: the percentage '101.00' is over 100"},
        {"5,,slots,-9,100.00,,\n", "!f:1: the run time '-9' is negative"},
        {"5,,slots,9,nan,,\n", "!f:1: the percentage 'nan' is not a number"},
        {"2.000000000,5,,slots,9,100.00,,\n1.999999999,5,,slots,9,100.00,,\n",
         "2.000 system system: slots=5@0\n!f:2: time goes backwards: 1.999999999 comes after 2.000000000"},
        {"1.000000000,5,,slots,9,100.00,,\n5,,slots,9,100.00,,\n",
         "{f:2: the summary lines are left out: they repeat the intervals}1.000 system system: slots=5@0\n"},
        {"5,,slots,9,100.00,,\n1.000000000,5,,slots,9,100.00,,\n",
         "!f:2: this line has a time, the lines above have none"},
        /* before the value: neither a count nor an id */
        {"5,,slots,9,100.00,,\nCPU,5,,slots,9,100.00,,\n", "!f:2: 'CPU' is neither a count, nor~"},
        {"CPU0x,5,,slots,9,100.00,,\n", "!f:1: 'CPU0x' is neither~"},
        {"5,,slots,9,100.00,,\nS0-D0-C,5,,slots,9,100.00,,\n", "!f:2: 'S0-D0-C' is neither~"},
        {"5,,slots,9,100.00,,\nnan,,slots,9,100.00,,\n", "!f:2: 'nan' is neither~"},
        {"1.000000000,x,5,,slots,9,100.00,,\n", "!f:1: 'x' is neither~"},
        {"5,,slots,9,100.00,,\n-1,x,a,9,100.00,,\n", "!f:2: the count '-1' is negative"},
        {"a::b-1::5::::slots::9::100.00::::\n", "!f:1: 'a' is neither~"},
        {"5::::slots::9::100.00::::\n5::::a\x1f::9::100.00::::\n", "!f:2: the character 0x1f inside the line"},
        {"CPU0,x,,slots,9,100.00,,\n", "!f:1: 'CPU0' is neither~"},
        {"5SEPARATORSEPARATORslotsSEPARATOR9SEPARATOR100.00\n", "!f:1: ~"},
        {"x-,5,,slots,9,100.00,,\n", "!f:1: 'x-' is neither~"},
        {"CPU0,5,,a,9,100.00,,\nCPU,,a\n", "!f:2: 'CPU' is neither~"},
        {"5,,slots,9,100.00,,\n-6,,,,,\n", "!f:2: the count '-6' is negative"},
        /* numbers that the separator cuts */
        {"CPU0,5,7,,slots,9,100.00,,\n", "!f:1: the number '7' is where a count has its unit~"},
        {"CPU0,5,7,,slots,9,100,00,,\n", "!f:1: a decimal comma~"},
        {"0,81,msec,task-clock,809778,100,00,0,504,CPUs utilized\n", "!f:1: a decimal comma beside the separator ','~"},
        {"S0,2,0,81,msec,task-clock,809778,100,00,,\n", "!f:1: a decimal comma beside~"},
        {"5,,slots,6,12%,4106047,100,00,,\n", "!f:1: a decimal comma beside~"},
        /* only metrics */
        {"core,cpus,retiring,bad speculation\nS0-C0,1,151.0,3.9,26.0,,\n", "!f:1: ratios without counts~"},
        {"5,,slots,9,100.00,,\nS0-C0,1,151.0,3.9,26.0,,\n", "!f:2: ratios without counts~"},
        {"socket,cpus\nS0,2,,\n", "!f:1: ratios~"},
        {"core,ctrs,x\nS0,2,,\n", "!f:1: ratios~"},
        {" time,\n     0.100157598,,\n", "!f:1: ~"},
        {"     0.100157598,,\n     0.200409877,,,,\n", "!f:2: ratios~"},
        {"S56-D0-CLS158,4,0.03,0.00,0.96,0.00,\n", "!f:1: ratios~"},
        {"5,,slots,9,100.00,,\n18.0,16.1\n", "!f:2: ratios~"},
        {"5,,slots,9,100.00,,\n5,,26.0,,\n", "!f:2: ratios~"},
        {"5,,slots,9,100.00,,\n5,msec\n", "!f:2: the line ends before the event~"},
        {"5,,slots\n6,,cycles,9,100.00,,\n", "!f:1: the line ends before the run time and the percentage: 3 columns"},
        {"5,\n6,,cycles,9,100.00,,\n", "!f:1: the line ends before the event: 2 columns"},
        {"5,,,9,100.00,,\n", "!f:1: the event has no name"},
        {"retiring,bad speculation\n1,2\n", "!f:1: ratios without counts~"},
        {",,,,,10.2,Retiring\n", "!f:1: ratios without counts~"},
        {"PERFILE2\n", "!f:0: perf.data: the header is cut off~"},
        {" Performance counter stats for 'x':\n", "!f:1: no line is a count~"},
        {0},
    };

    read_all(all);
}

/* An interval before a bad line is given if nothing of it can be missing. */
static void errors_behind(void)
{
#define AT(s_, event_) #s_ ".000000000,5,," event_ ",9,100.00,,\n"
#define TWO AT(1, "a") AT(1, "b")
    static const struct recorded all[] = {
        {TWO AT(2, ""), "1.000 system system: a=5@0 b=5@0\n!f:3: the event has no name"},
        {TWO AT(1, ""), "!f:3: the event has no name"},
        {TWO "x,,a\n", "!f:3: 'x' is neither~"},
        {TWO AT(2, "a") AT(2, ""), "1.000 system system: a=5@0 b=5@0\n!f:4: the event has no name"},
        {TWO AT(2, "a") "x,,a\n", "1.000 system system: a=5@0 b=5@0\n!f:4: 'x' is neither~"},
        {TWO AT(2, "a") AT(2, "b") "x,,a\n",
         "1.000 system system: a=5@0 b=5@0\n2.000 system system: a=5@0 b=5@0\n!f:5: 'x' is neither~"},
        {TWO AT(2, "a") AT(2, "b") AT(3, "c") AT(4, ""),
         "1.000 system system: a=5@0 b=5@0\n2.000 system system: a=5@0 b=5@0\n3.000 system system: c=5@0\n!f:6: the event has no name"},
        {"5,,a,9,100.00,,\n# started on x\n5,,,9,100.00,,\n",
         "{f:2: a further recording begins here (perf stat --append)}- system system: a=5@0\n!f:3: the event has no name"},
        {"5,,a,9,100.00,,\n5,,,9,100.00,,\n", "!f:2: the event has no name"},
        {0},
    };

    read_all(all);
}

/* Lines of perf 6.1 in each of its forms, with what they must give. */
static void scopes(void)
{
    static const struct recorded all[] = {
        /* -A, with and without -I; alternating events; one counter of one CPU */
        {"CPU0,101.62,msec,task-clock,101615253,100.00,1.000,CPUs utilized\nCPU1,101.63,msec,task-clock,101630501,100.00,1.000,CPUs utilized\n"
         "CPU0,22,,context-switches,101615171,100.00,216.503,/sec\nCPU1,2,,context-switches,101630580,100.00,19.679,/sec\nCPU0,<not supported>,,cycles,0,100.00,,\n",
         "- CPU0 cpu: task-clock=101.62@0 context-switches=22@0 cycles=not_supported@0\n- CPU1 cpu: task-clock=101.63@0 context-switches=2@0\n"},
        {"     0.201926107,CPU0,2828777323,,slots,204979255,100.00,,\n     0.201926107,CPU1,2846333131,,slots,206249227,100.00,,\n"
         "     0.201926107,CPU0,709961431,,topdown-retiring,204979255,100.00,25.1,Retiring\n     0.419000000,CPU1,7,,slots,206249227,50.00,,\n",
         "0.202 CPU0 cpu: slots=2828777323@0 topdown-retiring=709961431@0\n0.202 CPU1 cpu: slots=2846333131@0\n0.419 CPU1 cpu: slots=7@0*0.5\n"},
        /* --per-core and the others, with the number of CPUs, and (--percore) without it */
        {"S0-D0-C0,2,14246677985,,slots,1032371350,100.00,,\nS0-D0-C1,2,14257476692,,slots,1033152230,100.00,,\nS0-D0-C1,2,5,,a,9,100.00,,\n",
         "- S0-D0-C0 core: slots=14246677985@0\n- S0-D0-C1 core: slots=14257476692@0 a=5@0\n"},
        {"S0-D0-C0,101.80,msec,task-clock,101800201,100.00,1.000,CPUs utilized\nS0-D0-C0,5,,slots,9,100.00,,\nS0-C12,1,6,,slots,9,100.00,,\n",
         "- S0-D0-C0 core: task-clock=101.8@0 slots=5@0\n- S0-C12 core: slots=6@0\n"},
        {"S0-D0,2,203.15,msec,task-clock,203148809,100.00,2.000,CPUs utilized\n",
         "- S0-D0 socket: task-clock=203.15@0\n"},
        {"S0,2,27,,context-switches,203320586,100.00,132.796,/sec\nS0,1,<not supported>,,cycles,0,100.00,,\n",
         "- S0 socket: context-switches=27@0 cycles=not_supported@0\n"},
        {"     1.000000000,N0,2,203.47,msec,task-clock,203474827,100.00,2.000,CPUs utilized\n",
         "1.000 N0 node: task-clock=203.47@0\n"},
        {"S56-D0-CLS158,4,5,,slots,9,100.00,,\nS0-D0-L3-ID8,4,6,,slots,9,100.00,,\n",
         "- S56-D0-CLS158 socket: slots=5@0\n- S0-D0-L3-ID8 socket: slots=6@0\n"},
        {"S0-D0-C0-2-101.80-msec-task-clock-101800201-100.00--\n", "- S0-D0-C0 core: task-clock=101.8@0\n"},
        /* further metrics: not counts of anything, whatever comes before them */
        {"CPU0,5,,slots,9,100.00,1.0,a\nCPU0,,,,,,16.5,b\nS0,2,6,,slots,9,100.00,,\nS0,2,,,,,16.5,%  tma_retiring\na-1,5,,slots,9,100.00,,\na-1,,,,,,16.5,b\n,,,,,16.5,b\n7,,slots,9,100.00,,\n",
         "- system system: slots=7@0\n- CPU0 cpu: slots=5@0\n- S0 socket: slots=6@0\n- a-1 thread: slots=5@0\n"},
        /* --per-thread: the name may contain anything */
        {"init-1,<not counted>,,slots,0,100.00,,\nkworker/u8:3-ext4-rsv-conversion-2728,0.02,msec,task-clock,19327,100.00,,\nmemfd:sealed-91-2823,4,,a,9,100.00,,\n",
         "- init-1 thread: slots=not_counted@0\n- kworker/u8:3-ext4-rsv-conversion-2728 thread: task-clock=0.02@0\n- memfd:sealed-91-2823 thread: a=4@0\n"},
        {"7zip-12,5,,a,9,100.00,,\n5-12,6,,a,9,100.00,,\nWeb Content-7,7,,a,9,100.00,,\nx,y,1-8,8,,a,9,100.00,,\na-1,2-3,9,,a,9,100.00,,\n-6,1,,a,9,100.00,,\nCPU0-9,2,,a,9,100.00,,\n<x>-1,3,,a,9,100.00,,\n",
         "- 7zip-12 thread: a=5@0\n- 5-12 thread: a=6@0\n- Web Content-7 thread: a=7@0\n- x,y,1-8 thread: a=8@0\n- a-1,2-3 thread: a=9@0\n- -6 thread: a=1@0\n"
         "- CPU0-9 thread: a=2@0\n- <x>-1 thread: a=3@0\n"},
        {"a-12-34-5--slots-9-100.00--\n", "- a-12-34 thread: slots=5@0\n"},
        {"1.000000000:u8:3-9:<not counted>::slots:u:0:100.00::\n", "1.000 u8:3-9 thread: slots:u=not_counted@0\n"},
        /* -G, --for-each-cgroup: after the event, before -r's deviation */
        {"203.58,msec,task-clock,/,1496316012635,100.00,2.000,CPUs utilized\n<not counted>,,context-switches,/,0,100.00,,\n5,,slots,,9,100.00,,\n",
         "- system system: slots=5@0\n- / cgroup: task-clock=203.58@0 context-switches=not_counted@0\n"},
        {"10.009818338,7419975318,,slots,measured.slice/glm-rep-gin-gonic-r1.scope,392076178,100.00,,\n10.009818338,5,,slots,b,9,100.00,,\n"
         "20.000000000,6,,cpu/event=0x9c,umask=0x1/,a,b,0.50%,9,50.00,,\n20.000000000,7,,slots,12,9,100.00,,\n",
         "10.010 measured.slice/glm-rep-gin-gonic-r1.scope cgroup: slots=7419975318@0\n10.010 b cgroup: slots=5@0\n"
         "20.000 a,b cgroup: cpu/event=0x9c,umask=0x1/=6@0*0.5\n20.000 12 cgroup: slots=7@0\n"},
        {"CPU0,5,,slots,/a,9,100.00,,\nCPU1,6,,slots,/a,9,100.00,,\nCPU0,7,,slots,,9,100.00,,\n",
         "- CPU0 cpu: slots=7@0\n- CPU0 /a cgroup: slots=5@0\n- CPU1 /a cgroup: slots=6@0\n"},
        {"a-1,5,,x,9,100.00,,\n6,,x,a-1,9,100.00,,\n", "- a-1 thread: x=5@0\n- a-1 cgroup: x=6@0\n"},
        {"5;;slots;/a;9;66,00;;\n", "- /a cgroup: slots=5@0*0.66\n"},
        {"5::::slots::/a::b::9::100.00::::\n", "- /a:b cgroup: slots=5@0\n"},
        /* alternating scopes, columns that come and go */
        {"1.000000000,S0,4,5,,slots,9,100.00,,\n1.000000000,7,,slots,9,100.00,,\n1.000000000,CPU3,6,,slots,9,100.00,1.0,a,2.0,b\n1.000000000,S0,4,8,,a,9,100.00\n1.000000000,9,,slots,/c,9,100.00,,\n",
         "1.000 system system: slots=7@0\n1.000 S0 socket: slots=5@0 a=8@0\n1.000 CPU3 cpu: slots=6@0\n1.000 /c cgroup: slots=9@0\n"},
        {"1.000000000,CPU0,5,,a,9,100.00,,\n         summary,CPU0,5,,a,9,100.00,,\n",
         "{f:2: the summary lines are left out: they repeat the intervals}1.000 CPU0 cpu: a=5@0\n"},
        {"1.000000000,CPU0,5,,a,9,100.00,,\nCPU0,5,,a,9,100.00,,\n",
         "{f:2: the summary lines are left out: they repeat the intervals}1.000 CPU0 cpu: a=5@0\n"},
        /* hybrids: by PMU within each scope */
        {"CPU0,5,,cpu_core/slots/,9,100.00,,\nCPU16,6,,cpu_atom/x/,9,100.00,,\nCPU0,7,,cpu_core/topdown-retiring/,9,100.00,,\n",
         "- CPU0 cpu P: cpu_core/slots/=5@0 cpu_core/topdown-retiring/=7@0\n- CPU16 cpu E: cpu_atom/x/=6@0\n"},
        /* cut in an id, after it, in a cgroup */
        {"CPU0,5,,a,9,100.00,,\nCPU", "{f:2: the last line was cut off; it is left out}- CPU0 cpu: a=5@0\n"},
        {"S0,2,5,,a,9,100.00,,\nS0,2,14", "{f:2: the last line was cut off; it is left out}- S0 socket: a=5@0\n"},
        {"5,,a,/b,9,100.00,,\n6,,a,/b", "{f:2: the last line was cut off; it is left out}- /b cgroup: a=5@0\n"},
        {"5,,a,/b,9,100.00,,\n6,,a,/b,9,10", "{f:2: the last line was cut off; it is left out}- /b cgroup: a=5@0\n"},
        {0},
    };

    read_all(all);
}

static void separators(void)
{
    static const struct recorded all[] = {
        {"0.83::msec::task-clock::832880::100.00::0.5::CPUs utilized\n5::::slots:u::9::50.00::::\n",
         "- system system: task-clock=0.83@0 slots:u=5@0*0.5\n"},
        {"     0.100329792, 5, , slots, 9, 100.00, , \n     0.100329792, 6, , a, 9, 100.00, 1.50, x\n",
         "0.100 system system: slots=5@0 a=6@0\n"},
        {"5SEP_TEXTSEP_TEXTslotsSEP_TEXT9SEP_TEXT100.00\n", "- system system: slots=5@0\n"},
        {"CPU3=>6=>=>slots=>9=>100.00=>=>\n", "- CPU3 cpu: slots=6@0\n"},
        {"     1.000000000 5  slots 9 100.00  \n    11.000000000 6 msec slots 9 100.00  \n",
         "1.000 system system: slots=5@0\n11.000 system system: slots=6@0\n"},
        {"x y-3 5  slots 9 100.00  \n", "- x y-3 thread: slots=5@0\n"},
        {"7,18,,slots,9,100.00,,\n", "!f:1: the number '18' is where a count has its unit~"},
        {"7,18,,slots,9,100,00,,\n", "!f:1: a decimal comma~"},
        /* a decimal comma */
        {"0,81;msec;task-clock;809778;100,00;0,504;CPUs utilized\n5;;slots;9;66,00;;\n",
         "- system system: task-clock=0.81@0 slots=5@0*0.66\n"},
        {"     0,100329792;1,08;msec;task-clock;1075022;100,00;;\n     0,100329792;3;;a;9;100,00;;\n     0.200683973;4;;a;9;100,00;;\n",
         "0.100 system system: task-clock=1.08@0 a=3@0\n0.201 system system: a=4@0\n"},
        {"0,81, msec, task-clock, 809778, 100,00, , \n", "- system system: task-clock=0.81@0\n"},
        {"S0;2;0,81;msec;task-clock;0,30%;809778;100,00;;\n", "- S0 socket: task-clock=0.81@0\n"},
        {"5,,slots,9,66,00,,\n", "- system system: slots=5@0*0.66\n"},
        {"1,2,3;;slots;9;100,00;;\n", "!f:1: the count~"},
        {"5;;slots;9;100,00;;\n6;;slots;9;100,00", "- system system: slots=5@0 slots=6@1\n"},
        /* what comes before the first line: perf stat -D's words */
        {"Events disabled\nEvents enabled\n0.07,msec,task-clock,70193,100.00,0.001,CPUs utilized\n",
         "- system system: task-clock=0.07@0\n"},
        {"<not counted>::::slots::0::0.00::::\n", "- system system: slots=not_counted@0*0\n"},
        {"5,,slots,6.12%,4106047,100.00,,\n", "- system system: slots=5@0\n"},
        {"5,,mem:0x10/8:w,9,100.00,,\n6,,mem:0x10/8:w,/a/,9,100.00,,\n",
         "- system system: mem:0x10/8:w=5@0\n- /a/ cgroup: mem:0x10/8:w=6@0\n"},
        {"5,,slots,9,100,,\n", "- system system: slots=5@0\n"},
        {"5,,slots,/a,9,100,,\n", "- /a cgroup: slots=5@0\n"},
        {0},
    };

    read_all(all);
}

/* The percentage is 1.00 to 100.00, with two decimals, and the run time before it begins and ends with a digit: what
 * else is between the event and these is the name of a cgroup. */
static void run_times(void)
{
    static const struct recorded all[] = {
        {"5,,slots,9,1.00,,\n", "- system system: slots=5@0*0.01\n"},
        {"5,,slots,9,1000.00,9,50.00,,\n", "- 9,1000.00 cgroup: slots=5@0*0.5\n"},
        {"5,,slots,9,.00,9,50.00,,\n", "- 9,.00 cgroup: slots=5@0*0.5\n"},
        {"5,,slots,9,x.00,9,50.00,,\n", "- 9,x.00 cgroup: slots=5@0*0.5\n"},
        {"5,,slots,9,x1.00,9,50.00,,\n", "- 9,x1.00 cgroup: slots=5@0*0.5\n"},
        {"5,,slots,9,1x.00,9,50.00,,\n", "- 9,1x.00 cgroup: slots=5@0*0.5\n"},
        {"5,,slots,9,1-00,9,50.00,,\n", "- 9,1-00 cgroup: slots=5@0*0.5\n"},
        {"5,,slots,9,1.x0,9,50.00,,\n", "- 9,1.x0 cgroup: slots=5@0*0.5\n"},
        {"5,,slots,9,1.0x,9,50.00,,\n", "- 9,1.0x cgroup: slots=5@0*0.5\n"},
        {"5,,slots,9,1.000,9,50.00,,\n", "- 9,1.000 cgroup: slots=5@0*0.5\n"},
        {"5,,slots,9x,10.00,9,50.00,,\n", "- 9x,10.00 cgroup: slots=5@0*0.5\n"},
        {"5,,slots,x9,10.00,9,50.00,,\n", "- x9,10.00 cgroup: slots=5@0*0.5\n"},
        {"5,,slots,,10.00,9,50.00,,\n", "- ,10.00 cgroup: slots=5@0*0.5\n"},
        {"5,,slots,9,50.00,7,60.00,,\n", "- system system: slots=5@0*0.5\n"}, /* the first counts */
        /* without decimals any number is one, unless a pair with decimals is there */
        {"5,,slots,9,50,,\n", "- system system: slots=5@0*0.5\n"},
        {"5,,slots,9,50,9,60.00,,\n", "- 9,50 cgroup: slots=5@0*0.6\n"},
        {"5,,slots,9x,50,9,60,,\n", "- 9x cgroup: slots=5@0*0.09\n"}, /* 50 ns, 9 % */
        /* a deviation is before the run time, or alone after the event */
        {"5,,slots,1.5%,9,50.00,,\n", "- system system: slots=5@0*0.5\n"},
        {"5,,slots,/a,1.5%,9,50.00,,\n", "- /a cgroup: slots=5@0*0.5\n"},
        {"5,,slots,1.5%,/a,9,50.00,,\n", "- 1.5%,/a cgroup: slots=5@0*0.5\n"},
        {0},
    };

    read_all(all);
}

/* Separators of which names may be full cut these; a comma only those with one slash open. */
static void cut_names(void)
{
    static const struct recorded all[] = {
        {"5::slots:u:9:50.00::\n6::slots:9:50.00::\n", "- system system: slots:u=5@0*0.5 slots=6@0*0.5\n"},
        {"5--topdown-retiring-9-50.00--\n6--a-9-50.00--\n", "- system system: topdown-retiring=5@0*0.5 a=6@0*0.5\n"},
        {"5__a_b_9_50.00__\n6__c_9_50.00__\n", "- system system: a_b=5@0*0.5 c=6@0*0.5\n"},
        {"5,,cpu/a,b,c/,9,50.00,,\n", "- system system: cpu/a,b,c/=5@0*0.5\n"},
        {"5,,cpu/a,b/,/c,9,50.00,,\n", "- /c cgroup: cpu/a,b/=5@0*0.5\n"},
        {"5,,cpu/a/,b,9,50.00,,\n", "- b cgroup: cpu/a/=5@0*0.5\n"},
        {"5,,mem:0x10/8,b,9,50.00,,\n", "- b cgroup: mem:0x10/8=5@0*0.5\n"},
        {"5,,memx/a,b/,9,50.00,,\n", "- system system: memx/a,b/=5@0*0.5\n"},
        {"5,,slots%,9,50.00,,\n", "- system system: slots%=5@0*0.5\n"},
        {0},
    };

    read_all(all);
}

/* Lines of other programs are left out: after a time and an id they have no count, and nowhere an event's name. What
 * may be a damaged count is refused. */
static void foreign(void)
{
#define LEFT_OUT "{f:2: 1 line is of another program; it is left out}"
#define FIVE "5,,slots,9,100.00,,\n"
#define IS_FIVE "- system system: slots=5@0\n" LEFT_OUT
    static const struct recorded all[] = {
        {FIVE "hello,world,x\n", IS_FIVE},
        {FIVE "hello,slots,x\n", "!f:2: 'hello' is neither~"},
        {FIVE "<none>,a,b\n", IS_FIVE},
        {FIVE "<not>,a,b\n", "!f:2: '<not>' is neither~"},
        {FIVE "-x,a,b\n", IS_FIVE},
        {FIVE "-5,a,b\n", "!f:2: the count '-5' is negative"},
        {FIVE "CPU1,hello,a,b\n", IS_FIVE}, /* what is after the id is neither a count nor empty: it is no id */
        {FIVE "S0,2,hello,5,x\n", "!f:2: ~"}, /* the 2 is a count: how many CPUs, it is only before a count */
        {FIVE "S0,2,5x,a,b\n", IS_FIVE},
        /* a time, in the decimals of the recording, and words */
        {"0,100000000;5;;slots;9;100,00;;\n0,200000000;hello;world;x\n", "0.100 system system: slots=5@0\n" LEFT_OUT},
        {"10,100000000;5;;slots;9;100,00;;\n10,200000000;hello;world;x\n",
         "10.100 system system: slots=5@0\n" LEFT_OUT},
        {"0.100000000,5,,slots,9,100.00,,\n0.200000000,hello,world,x\n", "0.100 system system: slots=5@0\n" LEFT_OUT},
        /* an event's name that the separator cuts, in any of the line's words; a name that it does not cut is a field
         */
        {"6--slots-9-50.00--\nxx-yy-zz\n", "- system system: slots=6@0*0.5\n" LEFT_OUT},
        {"6--slots-9-50.00--\nxx-yyslots-zz\n", "- system system: slots=6@0*0.5\n" LEFT_OUT},
        {"6--slots-9-50.00--\n6--cpu-cycles-9-50.00--\nxx-yy-cpu-cycles-zz\n", "!f:3: ~"},
        {0},
    };

    read_all(all);
}

/* A cgroup beside a CPU: both names with a blank between them are at most 511 bytes. */
static void long_cgroups(void)
{
    for (int more = 0; more < 2; more++) {
        char text[2048], cgroup[600];
        struct log l = {.n = 0};
        struct source s = {text, 0, 100, 0};

        memset(cgroup, 'x', sizeof(cgroup));
        cgroup[511 - 5 + more] = '\0'; /* "CPU0 " */
        s.left = (size_t)snprintf(text, sizeof(text), "CPU0,5,,slots,/%s,9,100.00,,\n", cgroup + 1);
        put_recording(&l, &s);
        CU_ASSERT_EQUAL(!strncmp(l.text, "!f:1: the name of the cgroup '/xxx", 34), more);
        CU_ASSERT_EQUAL(strlen(l.text) > 511, !more);
    }
}

static const CU_TestInfo tests[] = {
    {"rows", perf_rows},
    {"refused", perf_refusals},
    {"errors behind intervals", errors_behind},
    {"scopes", scopes},
    {"separators", separators},
    {"run times", run_times},
    {"names that the separator cuts", cut_names},
    {"lines of other programs", foreign},
    {"long names of cgroups", long_cgroups},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("perf stat -x", tests);
