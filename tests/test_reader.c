/* SPDX-License-Identifier: MIT */
/* The readers, from bytes to intervals. Every recording here is read in pieces
 * of 1, 2, 3, ... bytes and must give the same each time; what it must give is
 * written out by hand. */
#include "pieces.h"
#include "recording.h"

#include <errno.h>
#include <math.h>

static void take_note(void *ctx, const char *text)
{
    put(ctx, "{%s}", text);
}

/* A perf file has no group numbers: what counts is which events share one. */
static unsigned group_of(const struct td_interval *v, size_t at)
{
    unsigned others = 0;
    size_t first = 0, i;

    if (v->uarch)
        return v->counts.c[at].group;
    while (v->counts.c[first].group != v->counts.c[at].group)
        first++;
    for (i = 0; i < first; i++) {
        size_t k = 0;

        while (v->counts.c[k].group != v->counts.c[i].group)
            k++;
        others += k == i;
    }
    return others;
}

/* "TIME SCOPE CORE: NAME=VALUE@GROUP*COVERAGE ..." */
static void put_interval(struct log *l, const struct td_recording *r, const struct td_interval *v)
{
    put(l, v->has_time ? "%.3f" : "-", (double)v->time / 1e9);
    put(l, " %s %s%s%s%s:", v->scope, v->scope_kind, v->core ? " " : "", v->core ? (char[]){v->core, 0} : "", v->counts.status ? " void" : "");
    for (size_t i = 0; i < v->counts.n; i++) {
        const struct td_count *c = &v->counts.c[i];

        put(l, " %s=", r->texts.names[c->text]);
        if (c->status == TD_OK)
            put(l, "%.12g", c->value);
        else
            put(l, "%s", td_status_name(c->status));
        put(l, "@%u", group_of(v, i));
        if (c->running < c->enabled)
            put(l, "*%.3g", c->running / c->enabled);
    }
    put(l, "\n");
}

static void put_recording(struct log *l, struct source *s)
{
    static struct td_recording r;
    int err;

    memset(&r, 0, sizeof(r));
    r.name = "f";
    r.note = take_note;
    r.note_ctx = l;
    err = td_recording_open(&r, source_read, s, NULL);
    while (!err) {
        err = r.reader->next(&r);
        for (size_t i = 0; !err && i < r.nbatch; i++)
            if (r.batch[i].counts.n || r.batch[i].counts.status)
                put_interval(l, &r, &r.batch[i]);
    }
    if (err != -ENODATA)
        put(l, "!%s", r.why);
    CU_ASSERT(err == -ENODATA || err == -EBADMSG || err == -EOPNOTSUPP || err == -EIO);
    td_recording_close(&r);
}

struct recorded {
    const char *text, *wanted; /* behind a ~ in wanted anything may follow */
};

static void read_all(const struct recorded *all)
{
    for (; all->text; all++)
        for (size_t piece = 1; piece <= strlen(all->text) + 1; piece += 1 + piece / 8) {
            struct source s = {all->text, strlen(all->text), piece, 0};
            size_t n = strcspn(all->wanted, "~");
            struct log l = {.n = 0};

            put_recording(&l, &s);
            if (all->wanted[n] && strlen(l.text) > n)
                memcpy(l.text + n, "~", 2);
            if (!same_log(&l, all->wanted, piece))
                break;
        }
}

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
        {"5\t\tslots\t9\t100.00\t\t\n", "- system system: slots=5@0\n"}, {"5||slots|9|100.00||\n", "- system system: slots=5@0\n"},
        {"5::slots:u:9:100.00::\n", "- system system: slots:u=5@0\n"}, {"5--topdown-be-bound-9-100.00--\n", "- system system: topdown-be-bound=5@0\n"},
        {"<not counted>;;slots;0;100.00;;\n", "- system system: slots=not_counted@0\n"},
        /* never ran: by word, and by a run time of 0 whatever the percentage says; counted part of the time */
        {"<not counted>,,slots,0,0.00,,\n<not supported>,,cycles,0,100.00,,\n0,,topdown-retiring,0,100.00,,\n",
         "- system system: slots=not_counted@0 cycles=not_supported@0 topdown-retiring=not_counted@0\n"},
        {"10,,slots,25000,25.00,,\n10,,cycles,100000,100.00,,\n10,,instructions,50,66.00,,\n", "- system system: slots=10@0*0.25 cycles=10@0 instructions=10@0*0.66\n"},
        /* a group ends where the name of an event repeats, for each kind of core apart */
        {"1,,a,9,100.00,,\n2,,b,9,100.00,,\n3,,a,9,100.00,,\n4,,c,9,100.00,,\n5,,b,9,100.00,,\n6,,b,9,100.00,,\n7,,a,9,100.00,,\n",
         "- system system: a=1@0 b=2@0 a=3@1 c=4@1 b=5@1 b=6@2 a=7@2\n"},
        {"1,,cpu_core/slots/,9,100.00,,\n2,,cpu_atom/x/,9,100.00,,\n3,,cpu_core/slots/,9,100.00,,\n4,,cpu_atom/y/,9,100.00,,\n5,,cpu_lowpower/x/,9,100.00,,\n6,,z,9,100.00,,\n",
         "- system system: z=6@0\n- system system P: cpu_core/slots/=1@0 cpu_core/slots/=3@1\n- system system E: cpu_atom/x/=2@0 cpu_atom/y/=4@0\n"
         "- system system L: cpu_lowpower/x/=5@0\n"},
        {"1.000000000,1,,a,9,100.00,,\n1.000000000,2,,b,9,100.00,,\n2.000000000,3,,a,9,100.00,,\n2.000000000,4,,a,9,100.00,,\n",
         "1.000 system system: a=1@0 b=2@0\n2.000 system system: a=3@0 a=4@1\n"},
        /* summary rows repeat the intervals */
        {"1.000000000,1,,a,9,100.00,,\n         summary,1,,a,9,100.00,,\n         summary,1,,a,9,100.00,,\n",
         "{f:2: the summary lines are left out: they repeat the intervals}1.000 system system: a=1@0\n"},
        {"\xef\xbb\xbf# started\r\n\r\n5,,slots,9,100.00,,\r\n6,,cycles,9,100.00,,", "- system system: slots=5@0 cycles=6@0\n"},
        /* a cut last line is left out, a whole one without its newline is not */
        {"5,,slots,9,100.00,,\n6,,cycles,9,10", "{f:2: the last line was cut off; it is left out}- system system: slots=5@0\n"},
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
        {"", "!f:0: the file is empty"}, {"\n  \n", "!f:2: the file is empty"}, {"# started\n\n", "!f:2: ~"},
        {"# x\n\n5,,slots,9,100.00,,\n\n-6,,cycles,9,100.00,,\n", "!f:5: the count '-6' is negative"},
        {"5,,slots,9,100.00,,\n1e9,,cycles,9,100.00,,\n", "!f:2: the count '1e9' is not a number"},
        {"18446744073709551616,,slots,9,100.00,,\n", "!f:1: the count '18446744073709551616' is beyond 2^64-1"},
        {"5,,slots,9,100.00,,\n5,,slots,x,100.00,,\n", "!f:2: the run time 'x' is not a number~"}, {"5,,slots,9,101.00,,\n", "!f:1: the percentage '101.00' is over 100"},
        {"5,,slots,-9,100.00,,\n", "!f:1: the run time '-9' is negative"}, {"5,,slots,9,nan,,\n", "!f:1: the percentage 'nan' is not a number"},
        {"2.000000000,5,,slots,9,100.00,,\n1.999999999,5,,slots,9,100.00,,\n", "!f:2: time goes backwards: 1.999999999 comes after 2.000000000"},
        {"1.000000000,5,,slots,9,100.00,,\n5,,slots,9,100.00,,\n", "{f:2: the summary lines are left out: they repeat the intervals}1.000 system system: slots=5@0\n"},
        {"5,,slots,9,100.00,,\n1.000000000,5,,slots,9,100.00,,\n", "!f:2: this line has a time, the lines above have none"},
        {"5,,slots,9,100.00,,\nCPU0,5,,slots,9,100.00,,\n", "!f:2: 'CPU0' is neither a count nor <not counted>~"},
        {"CPU0,5,,slots,9,100.00,,\n", "!f:1: ~"}, {"S0-D0-C0,2,5,,slots,9,100.00,,\n", "!f:1: ~"}, {"init-1,<not counted>,,slots,0,100.00,,\n", "!f:1: ~"},
        {"1.000000000,CPU0,5,,slots,9,100.00,,\n", "!f:1: 'CPU0' is neither a count nor <not counted>~"}, {"5,,slots,/a.slice,9,100.00,,\n", "!f:1: the run time '/a.slice' is not a number; if it is a cgroup~"},
        {"5,,slots\n6,,cycles,9,100.00,,\n", "!f:1: the line ends before the run time and the percentage: 3 columns"}, {"5,\n6,,cycles,9,100.00,,\n", "!f:1: the line ends before the event: 2 columns"},
        {"5,,,9,100.00,,\n", "!f:1: the event has no name"}, {"5,,cpu/event=1,9,100.00,,\n", "!f:1: ~"},
        {"retiring,bad speculation\n1,2\n", "!f:1: ratios without counts~"}, {",,,,,10.2,Retiring\n", "!f:1: ratios without counts~"},
        {"PERFILE2\n", "!f:1: perf.data~"}, {"\n\n{\"a\" : 1}\n", "!f:3: JSON~"}, {" Performance counter stats for 'x':\n", "!f:1: perf stat's text~"},
        {0},
    };

    read_all(all);
}

#define COLUMNS "time_ns,scope,scope_kind,core,group,epoch,event,value,enabled_ns,running_ns\n"
#define HEAD(cpu_) "# tdprobe-trace: 1\n# cpu: " cpu_ "\n" COLUMNS
#define ROW(time_, group_, event_, value_, times_) time_ ",CPU3,cpu,," group_ ",0," event_ "," value_ "," times_ "\n"
#define END(time_, rows_) time_ ",CPU3,cpu,,,0,end," rows_ ",,\n"
#define SKL HEAD("skl") ROW("0", "0", "cycles", "5", "0,0") END("0", "1")

static void trace_rows(void)
{
    static const struct recorded all[] = {
        {SKL ROW("10", "0", "cycles", "12", "10,10") END("10", "1") ROW("20", "0", "cycles", "20", "20,20") END("20", "1"),
         "0.000 CPU3 cpu: cycles=7@0\n0.000 CPU3 cpu: cycles=8@0\n"},
        /* raw: scaled by enabled / running; read as it is with scaled: yes; unknown events and x- keys are left out */
        {SKL ROW("9", "0", "cycles", "8", "9,3") END("9", "1"), "0.000 CPU3 cpu: cycles=9@0*0.333\n"},
        {"# tdprobe-trace: 1\n#cpu:skl\n# x-y z\xff: \"\n# note: a\n# note:\n# scaled: yes\n# topology: cores=4  cpus=8\n" COLUMNS
         "0,a,thread,,65535,4294967295,\"cpu/event=0x9c,umask=0x1/\",1,0,0\n0,a,thread,,0,4294967295,foo,1,0,0\n0,a,thread,,,4294967295,end,2,,\n"
         "5,a,thread,,65535,4294967295,\"cpu/event=0x9c,umask=0x1/\",8,6,2\n5,a,thread,,0,4294967295,foo,1,0,0\n5,a,thread,,,4294967295,end,2,,\n",
         "0.000 a thread: cpu/event=0x9c,umask=0x1/=7@65535*0.333\n"},
        /* an event may stand in each group */
        {HEAD("skl") ROW("0", "0", "cycles", "1", "0,0") ROW("0", "1", "cycles", "2", "0,0") END("0", "2")
         ROW("9", "1", "cycles", "9", "9,9") ROW("9", "0", "cycles", "4", "9,9") END("9", "2"), "0.000 CPU3 cpu: cycles=7@1 cycles=3@0\n"},
        /* not counted between the readings; a step back; narrower counters wrap */
        {SKL ROW("9", "0", "cycles", "not_counted", "9,0") END("9", "1"), "0.000 CPU3 cpu: cycles=not_counted@0*0\n"},
        {SKL ROW("9", "0", "cycles", "4", "9,9") END("9", "1"), "0.000 CPU3 cpu: cycles=counter_reset@0\n"},
        {"# tdprobe-trace: 1\n# counter-bits: 48\n# cpu: skl\n" COLUMNS ROW("0", "0", "cycles", "281474976710655", "0,0") END("0", "1")
         ROW("9", "0", "cycles", "4", "9,9") END("9", "1"), "0.000 CPU3 cpu: cycles=5@0\n"},
        /* the packed register: 0x1e = 30 of 255; the eight-bit fields in order */
        {HEAD("icl") ROW("0", "0", "slots", "0", "0,0") ROW("0", "0", "PERF_METRICS", "0x0", "0,0") END("0", "2")
         ROW("9", "0", "slots", "2550", "9,9") ROW("9", "0", "perf_metrics", "0x5a401e47", "9,9") END("9", "2"),
         "0.000 CPU3 cpu: slots=2550@0 topdown-bad-spec=300@0 topdown-be-bound=900@0 topdown-fe-bound=640@0 topdown-retiring=710@0\n"},
        /* another epoch: nothing is left of the interval, the next one is whole */
        {SKL "9,CPU3,cpu,,0,1,cycles,2,9,9\n9,CPU3,cpu,,,1,end,1,,\n19,CPU3,cpu,,0,1,cycles,5,19,19\n19,CPU3,cpu,,,1,end,1,,\n",
         "{f:7: the counters of CPU3 started again: the interval is left out}0.000 CPU3 cpu void: cycles=not_counted@0\n0.000 CPU3 cpu: cycles=3@0\n"},
        /* two kinds of core and a third that the CPU does not have, rows mixed */
        {HEAD("adl") "0,s,system,P,0,0,slots,1,0,0\n0,s,system,E,0,0,cycles,1,0,0\n0,s,system,P,,0,end,1,,\n0,s,system,LP,0,0,cycles,1,0,0\n0,s,system,E,,0,end,1,,\n0,s,system,LP,,0,end,1,,\n"
         "9,s,system,P,0,0,slots,4,9,9\n9,s,system,E,0,0,cycles,6,9,9\n9,s,system,E,,0,end,1,,\n9,s,system,P,,0,end,1,,\n9,s,system,LP,0,0,cycles,1,9,9\n9,s,system,LP,,0,end,1,,\n",
         "{f:7: the counts of core LP are left out: adl has no such core}0.000 s system E: cycles=5@0\n0.000 s system P: slots=3@0\n"},
        /* cut off: in a line, in a reading, before an end row */
        {SKL ROW("9", "0", "cycles", "6", "9,9") END("9", "1") "12,CPU3,cpu,,0,0,cyc", "0.000 CPU3 cpu: cycles=1@0\n{f:8: the last line was cut off; it is left out}"},
        {SKL ROW("9", "0", "cycles", "6", "9,9") END("9", "1") ROW("12", "0", "cycles", "6", "9,9"),
         "0.000 CPU3 cpu: cycles=1@0\n{f:8: the last reading of CPU3, from line 8 on, was cut off; it is left out}"},
        {SKL ROW("9", "0", "cycles", "6", "9,9") END("9", "1") ROW("12", "0", "cycles", "6", "9,9") "12,CPU3,cpu,,,0,end,1,,",
         "0.000 CPU3 cpu: cycles=1@0\n{f:9: the last reading of CPU3, from line 8 on, was cut off; it is left out}"},
        {0},
    };

    read_all(all);
}

static void header_refusals(void)
{
    static const struct recorded all[] = {
        {"# tdprobe-trace: 2\n", "!f:1: version 2 of the format~"}, {"# tdprobe-trace: 0\n", "!f:1: version 0 of the format~"}, {"# tdprobe-trace: 1.0\n", "!f:1: the version '1.0' is not a number"},
        {"# tdprobe-trace:\n", "!f:1: the version '' is not a number"}, {"# tdprobe-trace: 1\n", "!f:1: the file ends before~"},
        {"# tdprobe-trace: 1\n# cpu: skl\n# colour: red\n", "!f:3: unknown key 'colour'~"}, {"# tdprobe-trace: 1\n# xcolour: red\n", "!f:2: unknown key 'xcolour'~"}, {"# tdprobe-trace: 1\n# cpu\n", "!f:2: a header line without a key~"},
        {"# tdprobe-trace: 1\n" COLUMNS, "!f:2: the header has no 'cpu' line"}, {"# tdprobe-trace: 1\n# cpu: foo\n", "!f:2: cpu 'foo': ~"},
        {"# tdprobe-trace: 1\n# cpu:\n", "!f:2: cpu '': ~"}, {"# tdprobe-trace: 1\n# cpu: neoverse-n1\n", "!f:2: cpu 'neoverse-n1': ~"},
        {"# tdprobe-trace: 1\n# cpu: skl\ntime_ns,scope\n", "!f:3: 'time_ns,scope' is not the line with the columns' names~"},
        {"# tdprobe-trace: 1\n# counter-bits: 7\n", "!f:2: counter-bits is '7'~"}, {"# tdprobe-trace: 1\n# smt: yes\n", "!f:2: smt is 'yes'~"},
        {"# tdprobe-trace: 1\n# scaled: 1\n", "!f:2: scaled is '1'~"}, {"# tdprobe-trace: 1\n# source: me\n", "!f:2: source is 'me'~"},
        {"# tdprobe-trace: 1\n# topology: cores=4 x\n", "!f:2: topology is 'cores=4 x'~"},
        {0},
    };

    read_all(all);
}

static void row_refusals(void)
{
    static const struct recorded all[] = {
        {SKL "9,CPU3,cpu,,0,0,cycles,6,9\n", "!f:6: 9 columns, not 10"}, {SKL "9,CPU3,cpu,,0,0,cycles,6,9,9,\n", "!f:6: 11 columns, not 10"},
        {SKL ROW("9", "0", "cycles", "-6", "9,9"), "!f:6: the value '-6' is negative"}, {SKL ROW("9", "0", "cycles", "6.5", "9,9"), "!f:6: the value '6.5' is not a number"},
        {SKL ROW("9", "0", "cycles", "18446744073709551616", "9,9"), "!f:6: the value '18446744073709551616' is beyond 2^64-1"}, {SKL ROW("9", "0", "cycles", "", "9,9"), "!f:6: the value '' is not a number"},
        {SKL ROW("9", "x", "cycles", "6", "9,9"), "!f:6: the group 'x' is not a number"}, {SKL ROW("9", "65536", "cycles", "6", "9,9"), "!f:6: the group 65536 is beyond 65535"},
        {SKL ROW("9", "0", "cycles", "6", "9,10"), "!f:6: running for 10 ns, but enabled for 9"}, {SKL ROW("9", "0", "cycles", "6", "9,"), "!f:6: the running time '' is not a number"},
        {SKL ROW("1e9", "0", "cycles", "6", "9,9"), "!f:6: the time '1e9' is not a number"}, {SKL "9,CPU3,cpu,,0,4294967296,cycles,6,9,9\n", "!f:6: the epoch 4294967296 is beyond 2^32-1"},
        {SKL "9,CPU3,gpu,,0,0,cycles,6,9,9\n", "!f:6: the scope kind 'gpu'~"}, {SKL "9,,cpu,,0,0,cycles,6,9,9\n", "!f:6: the scope has no name"}, {SKL "9,CPU3,cpu,X,0,0,cycles,6,9,9\n", "!f:6: the core 'X'~"},
        {SKL ROW("9", "0", "cycles", "6", "9,9") ROW("9", "0", "cycles", "6", "9,9"), "!f:7: cycles stands twice in group 0 of this reading"},
        {SKL ROW("9", "0", "cycles", "6", "9,9") ROW("10", "0", "cycles", "6", "9,9"), "!f:7: the reading of CPU3 that begins in line 6 has no end"},
        {SKL ROW("9", "0", "cycles", "6", "9,9") "9,CPU3,cpu,,0,1,cycles,6,9,9\n", "!f:7: the reading of CPU3 that begins in line 6 has no end"},
        {SKL ROW("9", "0", "cycles", "6", "9,9") END("9", "2"), "!f:7: the reading of CPU3 has 1 rows, not 2"}, {SKL END("9", "1"), "!f:6: the reading of CPU3 has~"},
        {SKL ROW("9", "0", "cycles", "6", "9,9") END("9", "1") ROW("8", "0", "cycles", "6", "9,9"), "0.000 CPU3 cpu: cycles=1@0\n!f:8: time goes backwards: 8 comes after 9"},
        {SKL "9,CPU3,cpu,,0,0,\"cycles,6,9,9\n", "!f:6: a quote is not closed on this line"}, {SKL "# cpu: icl\n", "!f:6: a header line among the readings"},
        {HEAD("icl") ROW("0", "0", "PERF_METRICS", "17", "0,0"), "!f:4: the register (0x, hex) '17' is not a number"},
        {HEAD("icl") ROW("0", "0", "PERF_METRICS", "0x1ffffffffffffffff", "0,0"), "!f:4: the register (0x, hex) '0x1ffffffffffffffff' is beyond 2^64-1"},
        {HEAD("icl") ROW("0", "1", "slots", "0", "0,0") ROW("0", "0", "PERF_METRICS", "0x0", "0,0") END("0", "2") ROW("9", "1", "slots", "9", "9,9")
         ROW("9", "0", "PERF_METRICS", "0x1", "9,9") END("9", "2"), "!f:9: PERF_METRICS without slots in its group, or beside readings without it"},
        {HEAD("icl") ROW("0", "0", "slots", "0", "0,0") END("0", "1") ROW("9", "0", "slots", "9", "9,9") ROW("9", "0", "PERF_METRICS", "0x1", "9,9") END("9", "2"),
         "!f:8: PERF_METRICS without slots in its group, or beside readings without it"},
        {HEAD("adl") "0,s,system,,0,0,slots,1,0,0\n", "!f:4: the core is empty, but adl has several kinds of core"},
        {SKL, "!f:5: the trace holds no interval: it takes two whole readings of a scope"}, {HEAD("skl"), "!f:3: the trace holds no interval~"},
        {SKL ROW("9", "0", "cycles", "6", "9,9"), "!f:6: the trace holds no interval~"},
        {0},
    };

    read_all(all);
}

void suite_reader(void)
{
    static const CU_TestInfo tests[] = {
        {"perf stat -x", perf_rows}, {"perf stat -x refused", perf_refusals}, {"traces", trace_rows},
        {"trace headers refused", header_refusals}, {"trace rows refused", row_refusals}, CU_TEST_INFO_NULL,
    };

    unit_suite("reader", tests);
}
