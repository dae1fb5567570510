/* SPDX-License-Identifier: MIT */
/* What each line of a trace's header may say, just within its limits and just beyond, as in tdprobe-trace(5); and what
 * rows beside the counts say of an interval. */
#include "backends/find_identity.h"
#include "formats/trace/trace.h"
#include "tests/support/open_recording.h"
#include "tests/support/pieces.h"

#include <inttypes.h>

#define COLUMNS "time_ns,scope,scope_kind,core,group,epoch,event,value,enabled_ns,running_ns\n"

/* ---- the header ---------------------------------------------------------------------------------------- */

static void put_text(struct log *l, const char *name, const char *text)
{
    if (text)
        put(l, "%s=%s ", name, text);
}

/* What the header has set, each as "NAME=VALUE ". */
static void put_header(struct log *l, const struct opened *o)
{
    static const char cores[] = {'\0', 'P', 'E', 'L'};
    const struct td_stream *s = &o->r->stream;
    const struct td_trace *t = td_trace_of(o->r);

    if (t->bits != 64)
        put(l, "bits=%u ", t->bits);
    put(l, "%s%s%s", t->scaled ? "scaled " : "", s->raw ? "" : "cooked ", s->coverage_unknown ? "uncovered " : "");
    if (s->cpus)
        put(l, "cpus=%u ", s->cpus);
    for (size_t i = 0; i < sizeof(cores); i++)
        if (s->level[td_core_index(cores[i])])
            put(l, "level%.1s=%d ", &cores[i], s->level[td_core_index(cores[i])]);
    if (s->mux_interval > 0)
        put(l, "mux=%.0f ", s->mux_interval);
    if (s->monotonic || s->realtime)
        put(l, "clock=%" PRIu64 ",%" PRIu64 " ", s->monotonic, s->realtime);
    put(l, "%s%s", t->run, *t->run ? " " : "");
    if (s->times != TD_TIMES_RECORDED)
        put(l, "%s=%u ", td_times_name(s->times), s->times_cpus);
    put_text(l, "host", s->host);
    put_text(l, "started", s->started);
    put_text(l, "labels", s->labels);
    put_text(l, "command", s->command);
    put(l, "%s", s->smt == TD_SMT_ON ? "smt" : s->smt == TD_SMT_OFF ? "single" : "");
}

/* The header of a trace with a line more. */
static void line_gives(const char *line, const char *wanted)
{
    static struct opened o;
    char text[2000];
    struct source from = {text, 0, 1000, 0};
    struct log l = {.n = 0};
    int err;

    from.left = (size_t)snprintf(text, sizeof(text), "# tdprobe-trace: 1\n# cpu: skl\n# %s\n" COLUMNS, line);
    err = open_recording(&o, &from, NULL, NULL, NULL);
    if (err)
        put(&l, "!%s", o.log.error);
    else
        put_header(&l, &o);
    close_recording(&o);
    if (strchr(wanted, '~') && l.n > strcspn(wanted, "~"))
        memcpy(l.text + strcspn(wanted, "~"), "~", 2);
    same_log(&l, wanted, 1000);
}

static void numbers(void)
{
    static const struct {
        const char *line, *wanted;
    } rows[] = {
        {"counter-bits: 7", "!f:3: counter-bits is '7', not 8 to 64"},
        {"counter-bits: 8", "bits=8 "},
        {"counter-bits: 63", "bits=63 "},
        {"counter-bits: 64", ""},
        {"counter-bits: 65", "!f:3: counter-bits is '65', not 8 to 64"},
        {"counter-bits: x", "!f:3: counter-bits is 'x', not 8 to 64"},
        {"topology: cpus=1", "cpus=1 "},
        {"topology: cores=4 cpus=8 dies=1", "cpus=8 "},
        {"topology: cores=4", ""},
        {"topology: xcpus=4", ""},
        {"topology: cpu=4 cpuss=5", ""},
        {"topology: cpus=65535", "cpus=65535 "},
        {"topology: cpus=65536", "cpus=65536 "},
        {"topology: cpus=65537", "cpus=65536 "},
        {"topology: cpus=", "!f:3: topology is 'cpus=', not words like cores=4"},
        {"topology: cpus 4", "!f:3: topology is 'cpus 4', not words like cores=4"},
        {"topology: cpus=4 cores", "!f:3: topology is 'cpus=4 cores'~"},
        {"topology: cpus=4x", "!f:3: topology is 'cpus=4x'~"},
        {"topology: =4", ""},
        {"x-mux-interval-ms: 0", "!f:3: x-mux-interval-ms is '0', not a whole number of ms from 1 on"},
        {"x-mux-interval-ms: 1", "mux=1000000 "},
        {"x-mux-interval-ms: 4", "mux=4000000 "},
        {"x-mux-interval-ms: 2147483647", "mux=2147483647000000 "},
        {"x-mux-interval-ms: 2147483648", "!f:3: x-mux-interval-ms is '2147483648'~"},
        {"x-mux-interval-ms: 1.5", "!f:3: x-mux-interval-ms is '1.5'~"},
        {"x-clock: 12 1795690961000000000", "clock=12,1795690961000000000 "},
        {"x-clock: 18446744073709551615 0", "clock=18446744073709551615,0 "},
        {"x-clock: 12", "!f:3: x-clock is '12', not two whole numbers of ns"},
        {"x-clock: 12  13", "!f:3: x-clock is '12  13', not two~"},
        {"x-clock: 12 13 14", "!f:3: x-clock is '12 13 14', not two~"},
        {"x-clock: 12 1.5", "!f:3: x-clock is '12 1.5', not two~"},
        {"x-labels: a=b", "labels=a=b "},
        {"x-labels: build=1;service=web server", "labels=build=1;service=web server "},
        {"x-labels: a=b;a=c", "!f:3: x-labels is 'a=b;a=c', not a list such as build=4711;service=web"},
        {"x-labels: ", "!f:3: x-labels is '', not a list~"},
        {"x-run: 0", "0 "},
        {"x-run: 0123456789abcdef", "0123456789abcdef "},
        {"x-run: 0123456789abcdef0", "!f:3: x-run is '0123456789abcdef0', not 1 to 16 hexadecimal~"},
        {"x-run: ", "!f:3: x-run is '', not 1 to 16~"},
        {"x-run: A", "!f:3: x-run is 'A'~"},
        {"x-run: ag", "!f:3: x-run is 'ag'~"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        line_gives(rows[i].line, rows[i].wanted);
}

static void levels(void)
{
    static const struct {
        const char *line, *wanted;
    } rows[] = {
        {"level: 1", "level=1 "},
        {"level: 6", "level=6 "},
        {"level: 0", "!f:3: level is '0', not 1 to 6, or such as P=2 E=1"},
        {"level: 7", "!f:3: level is '7', not 1 to 6~"},
        {"level: P=2", "levelP=2 "},
        {"level: P=2 E=1", "levelP=2 levelE=1 "},
        {"level: P=6 E=5 LP=4", "levelP=6 levelE=5 levelL=4 "},
        {"level: P=7", "!f:3: level is 'P=7'~"},
        {"level: P=0", "!f:3: level is 'P=0'~"},
        {"level: P:2", "!f:3: level is 'P:2'~"},
        {"level: X=2", "!f:3: level is 'X=2'~"},
        {"level: P=22", "!f:3: level is 'P=22'~"},
        {"level: P=2,E=1", "!f:3: level is 'P=2,E=1'~"},
        {"level: 22", "!f:3: level is '22'~"},
        {"level: ", ""},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        line_gives(rows[i].line, rows[i].wanted);
}

static void words(void)
{
    static const struct {
        const char *line, *wanted;
    } rows[] = {
        {"smt: on", "smt"},
        {"smt: off", "single"},
        {"smt: unknown", ""},
        {"smt: On", "!f:3: smt is 'On', not on, off or unknown"},
        {"scaled: yes", "scaled cooked "},
        {"scaled: no", ""},
        {"scaled: noo", "!f:3: scaled is 'noo', not yes or no"},
        {"coverage: unknown", "uncovered "},
        {"coverage: recorded", ""},
        {"coverage: none", "!f:3: coverage is 'none', not recorded or unknown"},
        {"source: perf", ""},
        {"source: simulated", ""},
        {"source: perfx", "!f:3: source is 'perfx'~"},
        {"x-times: recorded", ""},
        {"x-times: relative", "relative=0 "},
        {"x-times: tasks", "tasks=0 "},
        {"x-times: cpus", "cpus=0 "},
        {"x-times: cpus 1", "cpus=1 "},
        {"x-times: cpus 65536", "cpus=65536 "},
        {"x-times: cpus 0", "!f:3: x-times is 'cpus 0', not recorded, relative, tasks, cpus or cpus NUMBER"},
        {"x-times: cpus 65537", "!f:3: x-times is 'cpus 65537'~"},
        {"x-times: cpus x", "!f:3: x-times is 'cpus x'~"},
        {"x-times: cpu", "!f:3: x-times is 'cpu'~"},
        {"x-times: cpusx", "!f:3: x-times is 'cpusx'~"},
        {"x-times: tasks 1", "!f:3: x-times is 'tasks 1'~"},
        {"x-times: relative 4", "!f:3: x-times is 'relative 4'~"},
        {"x-host: a b", "host=a b "},
        {"x-host: \x1b\x1b\x1b\x1b\x1b\x1b\x1b\x1b", "host=\\x1b\\x1b\\x1b\\x1b\\x1b\\x1b\\x1b\\x1b "},
        {"started: now\n# started: later", "started=later "},
        {"command: a\n# command: \x1b", "command=\\x1b "},
        {"note: a\n# note: b", ""},
        {"recorder: a\n# recorder: b", ""},
        {"origin: a\n# origin: b", ""},
        {"x-host: a\n# x-host: b", "!f:4: duplicate key 'x-host'"},
        {"smt: on\n# smt: on", "!f:4: duplicate key 'smt'"},
        {"cpu: skl", "!f:3: duplicate key 'cpu'"},
        {"x-run: 1\n# x-run: 1", "!f:4: duplicate key 'x-run'"},
        {"x-: a\n# x-: b", ""},
        {"x: a", "!f:3: unknown key 'x'; private keys begin with x-"},
        {"y-x: a", "!f:3: unknown key 'y-x'~"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        line_gives(rows[i].line, rows[i].wanted);
}

/* ---- rows beside counts --------------------------------------------------------------------------------- */

#define ROW(time_, event_, value_, times_) time_ ",CPU3,thread,,0,0," event_ "," value_ "," times_ "\n"
#define END(time_, rows_) time_ ",CPU3,thread,,,0,end," rows_ ",,\n"
#define START "0,CPU3,thread,,,0,start,,,\n"

/* Each interval as "DURATION COUNTS", with what else is known of it. */
static void intervals_give(const char *header, const char *rows, const char *wanted)
{
    static struct opened o;
    char text[4000];
    struct source from = {text, 0, 1000, 0};
    const struct td_stream *s;
    struct log l = {.n = 0};
    int err;

    from.left = (size_t)snprintf(text, sizeof(text), "# tdprobe-trace: 1\n# cpu: skl\n%s" COLUMNS "%s", header, rows);
    err = open_recording(&o, &from, NULL, NULL, NULL);
    s = &o.r->stream;
    while (!err && !(err = next_batch(&o))) {
        CU_ASSERT_EQUAL(s->nbatch, 1);
        for (size_t i = 0; i < s->nbatch; i++) {
            const struct td_interval *v = &s->batch[i];

            put(&l, "%llu %zu", (unsigned long long)v->at.duration, v->counts.n);
            if (v->switches_known)
                put(&l, " switches=%.0f", v->switches);
            put(&l, "%s%s%s\n", v->cpus_changed ? " changed" : "", v->unknown ? " unknown" : "",
                v->others_counted ? " others" : "");
        }
    }
    if (err != -ENODATA)
        put(&l, "!%s", o.log.error);
    close_recording(&o);
    same_log(&l, wanted, 1000);
}

/* How long each took by duration_time, how often tasks were switched, and whether CPUs came or went: all are sums since
 * the start, which was at 0, and are rows, but no counts. */
static void beside(void)
{
    intervals_give("",
                   START ROW("10", "cycles", "5", "10,10") ROW("10", "cpus_changed", "1", "0,0")
                       ROW("10", "duration_time", "7", "0,0") ROW("10", "switches", "3", "0,0") END("10", "4")
                           ROW("20", "cycles", "9", "20,20") ROW("20", "cpus_changed", "1", "0,0")
                               ROW("20", "duration_time", "19", "0,0") ROW("20", "switches", "5", "0,0") END("20", "4")
                                   ROW("30", "cycles", "9", "30,30") ROW("30", "cpus_changed", "2", "0,0")
                                       ROW("30", "switches", "not_counted", "0,0") END("30", "3"),
                   "7 1 switches=3 changed\n12 1 switches=2\n10 1 changed\n");
    /* the words in any letters and with modes; rows of words are no counts, however long they ran */
    intervals_give("",
                   START ROW("10", "cycles", "5", "10,10") ROW("10", "CPUS_CHANGED:u", "1", "10,10")
                       ROW("10", "duration_time", "7", "10,10") ROW("10", "Switches:k", "3", "10,10")
                           ROW("10", "restores", "3", "10,10") END("10", "5"),
                   "7 1 switches=3 changed\n");
    intervals_give("", START ROW("10", "cpus_changedu", "1", "10,10") END("10", "1"), "10 0 unknown others\n");
    /* by the time where it is not said */
    intervals_give(
        "", START ROW("10", "cycles", "5", "10,10") END("10", "1") ROW("25", "cycles", "5", "25,25") END("25", "1"),
        "10 1\n15 1\n");
    /* only rows that are told as what they are: event:duration_time is a count of that event */
    intervals_give("", START ROW("10", "cycles", "5", "10,10") ROW("10", "event:switches", "3", "0,0") END("10", "2"),
                   "10 1\n");
}

/* Of an interval that begins at a start row it is told whether events were counted that no formula knows. */
static void others(void)
{
    intervals_give("", START ROW("10", "foo", "5", "10,1") END("10", "1"), "10 0 unknown others\n");
    intervals_give("", START ROW("10", "foo", "5", "10,0") END("10", "1"), "10 0 unknown\n");
    intervals_give("", START ROW("10", "foo", "not_counted", "10,10") END("10", "1"), "10 0 unknown\n");
    intervals_give("", START ROW("10", "cycles", "5", "10,10") ROW("10", "foo", "5", "10,1") END("10", "2"),
                   "10 1 others\n");
    intervals_give("# scaled: yes\n", START ROW("10", "foo", "5", "10,0.5") END("10", "1"), "10 0 unknown others\n");
    intervals_give("# scaled: yes\n", START ROW("10", "foo", "5", "10,0.0") END("10", "1"), "10 0 unknown\n");
    intervals_give("# coverage: unknown\n", START ROW("10", "foo", "5", "0,0") END("10", "1"), "10 0 unknown others\n");
    intervals_give("", START ROW("10", "foo", "5", "10,1") END("10", "1") ROW("20", "foo", "9", "20,9") END("20", "1"),
                   "10 0 unknown others\n10 0 unknown\n");
}

/* What ran is not longer than what was enabled, to the fraction. */
static void times(void)
{
#define SCALED(times_) \
    intervals_give("# scaled: yes\n", START ROW("10", "cycles", "5", times_) END("10", "1"), "10 1\n")
#define REFUSED(enabled_, running_) \
    intervals_give("# scaled: yes\n", START ROW("10", "cycles", "5", enabled_ "," running_) END("10", "1"), \
                   "!f:6: running for " running_ " ns, but enabled for " enabled_)
    SCALED("9.5,9.5");
    SCALED("9.5,9.25");
    SCALED("10,9.5");
    SCALED("9.25,8.5");
    REFUSED("9.25", "9.5");
    REFUSED("9", "9.5");
    REFUSED("9.5", "10");
    REFUSED("8.5", "9.25");
}

/* ---- what is passed on ---------------------------------------------------------------------------------- */

static void sink_header(void *ctx, const char *key, const char *value)
{
    put(ctx, "%s: %s\n", key ? key : "end", key ? value : "");
}

static void sink_start(void *ctx, const char *scope, enum td_scope_kind kind, char core, const struct td_snap *snap)
{
    put(ctx, "start %s %s %d %" PRIu64 "\n", scope, td_kind_name(kind), core, snap->time);
}

static void sink_reading(void *ctx, const char *scope, enum td_scope_kind kind, char core, const struct td_snap *snap,
                         bool begins)
{
    put(ctx, "%s %s %s %d %" PRIu64 " %zu\n", begins ? "begin" : "reading", scope, td_kind_name(kind), core, snap->time,
        snap->n);
}

/* What a trace that is converted has of the one that is read, with what was asked for in its place. */
static void passed_on(void)
{
#define READINGS ROW("10", "cycles", "5", "10,10") END("10", "1")
    static const struct {
        const char *cpu, *labels; /* asked for */
        enum td_smt smt;
        const char *lines, *wanted;
    } of[] = {
        {NULL, NULL, TD_SMT_UNKNOWN, "# smt: off\n# x-labels: a=1;b=2\n# note: n\n",
         "cpu: skl\nsmt: off\nx-labels: a=1;b=2\nnote: n\n"},
        {"clx", NULL, TD_SMT_ON, "# smt: off\n# note: n\n", "cpu: clx\nsmt: on\nnote: n\n"},
        {NULL, NULL, TD_SMT_OFF, "# note: n\n", "cpu: skl\nnote: n\nsmt: off\n"},
        {NULL, "b=9;c=3", TD_SMT_UNKNOWN, "# x-labels: a=1;b=2\n# note: n\n",
         "cpu: skl\nnote: n\nx-labels: b=9;c=3;a=1\n"},
        {NULL, "b=9", TD_SMT_UNKNOWN, "", "cpu: skl\nx-labels: b=9\n"},
    };

    for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++) {
        static struct opened o;
        char text[2000], why[100];
        struct source from = {text, 0, 1000, 0};
        struct log l = {.n = 0}, wanted = {.n = 0};
        const struct td_sink sink = {sink_header, sink_start, sink_reading, &l};
        int err;

        from.left = (size_t)snprintf(text, sizeof(text), "# tdprobe-trace: 1\n# cpu: skl\n%s" COLUMNS "%s", of[i].lines,
                                     START READINGS ROW("20", "cycles", "6", "20,20") "20,CPU3,thread,,,0,begin,1,,\n");
        put(&wanted,
            "tdprobe-trace: 1\n%send: \nstart CPU3 thread 0 0\nreading CPU3 thread 0 10 1\nbegin CPU3 thread 0 20 1\n",
            of[i].wanted);
        CU_ASSERT_EQUAL_FATAL(begin_recording(&o), 0);
        o.settings.labels = of[i].labels ? strdup(of[i].labels) : NULL;
        o.settings.smt = of[i].smt;
        if (of[i].cpu)
            CU_ASSERT_EQUAL(td_identity_find(of[i].cpu, &o.settings.identity, why, sizeof(why)), 0);
        o.r->sink = &sink;
        err = td_recording_open(&o.r, source_read, &from, NULL);
        while (!err)
            err = next_batch(&o);
        CU_ASSERT_EQUAL(err, -ENODATA);
        same_log(&l, wanted.text, 1000);
        free(o.settings.labels);
        close_recording(&o);
    }
}

static const CU_TestInfo tests[] = {
    {"what is passed on", passed_on},
    {"numbers of the header", numbers},
    {"levels", levels},
    {"words of the header", words},
    {"rows beside counts", beside},
    {"events that no formula knows", others},
    {"fractions of times", times},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("header of traces", tests);
