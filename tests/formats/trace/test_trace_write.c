/* SPDX-License-Identifier: MIT */
/* Traces that are written: byte for byte as in tdprobe-trace(5), and read back
 * to what was counted. */
#include "backends/rows.h"
#include "formats/trace/trace_write.h"
#include "tests/support/memory.h"
#include "tests/support/unit.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define COLUMNS "time_ns,scope,scope_kind,core,group,epoch,event,value,enabled_ns,running_ns\n"

struct sink {
    char text[200000];
    size_t n, read;
    int calls, fails, last; /* fails, last: the calls that fail, from 1; last 0: one */
};

static struct sink sink;

static int sink_write(void *ctx, const void *buf, size_t size)
{
    struct sink *s = ctx;

    if (++s->calls == s->fails || (s->calls > s->fails && s->calls <= s->last))
        return -ENOSPC;
    CU_ASSERT_FATAL(s->n + size < sizeof(s->text));
    memcpy(s->text + s->n, buf, size);
    s->n += size;
    s->text[s->n] = '\0';
    return 0;
}

static ssize_t sink_read(void *ctx, void *buf, size_t size)
{
    struct sink *s = ctx;
    size_t n = s->n - s->read < size ? s->n - s->read : size;

    memcpy(buf, s->text + s->read, n);
    s->read += n;
    return (ssize_t)n;
}

static void begin(struct td_trace_writer *w, const char *command)
{
    sink = (struct sink){.n = 0};
    *w = (struct td_trace_writer){.write = sink_write, .ctx = &sink, .command = command ? strdup(command) : NULL};
}

static uint32_t number_of(struct td_texts *t, const char *name)
{
    return (uint32_t)td_texts_number(t, name, strlen(name));
}

static const struct td_trace_facts skl = {.cpu = "skl", .smt = "on", .source = "perf", .cpus = 8, .level = {1}};

/* Opens what was written; next() must give the following, up to the end. */
static struct td *open_sink(void)
{
    struct td *td = td_new();
    int err = td_open(td, "written", sink_read, &sink);

    if (err)
        printf("\n    %s", td_error(td));
    CU_ASSERT_EQUAL_FATAL(err, 0);
    return td;
}

static const struct td_result *next(struct td *td)
{
    const struct td_result *r = NULL;
    int err = td_next(td, &r);

    if (err)
        printf("\n    %s", td_error(td));
    CU_ASSERT_EQUAL_FATAL(err, 0);
    return r;
}

static void end(struct td *td)
{
    const struct td_result *r;

    CU_ASSERT_EQUAL(td_next(td, &r), -ENODATA);
    td_free(td);
}

static void bytes(void)
{
    struct td_texts texts = {0};
    struct td_sample samples[] = {
        {.value = 12, .enabled = 10, .running = 9, .group = 0, .text = number_of(&texts, "CPU_CLK_UNHALTED.THREAD:u")},
        {.value = UINT64_MAX,
         .enabled = UINT64_MAX,
         .running = 0,
         .group = 65535,
         .text = number_of(&texts, "cpu/event=0x9c,umask=0x1/")},
        {.value = 77, .group = 1, .status = TD_NOT_SUPPORTED, .text = number_of(&texts, "UOPS_ISSUED.ANY")},
    };
    struct td_snap snap = {.time = 5, .epoch = UINT32_MAX, .n = 3, .s = samples};
    const struct td_trace_facts other = {.cpu = "adl",
                                         .smt = "unknown",
                                         .source = "simulated",
                                         .cpus = 24,
                                         .level = {0, 2, 1},
                                         .monotonic = 61,
                                         .realtime = 1795690961999999999 /* by date -u -d @1795690961 */};
    struct td_trace_writer w;
    char wanted[1500];

    begin(&w, "sh -c \"a,\nb\"\r");
    td_trace_write_header(&w, &skl);
    td_trace_write_header(&w, &other); /* there is one already */
    td_trace_write_reading(&w, "CPU3", TD_KIND_CPU, 0, &snap, false, &texts);
    CU_ASSERT_EQUAL(sink.calls, 0);
    CU_ASSERT_EQUAL(td_trace_write_flush(&w), 0);
    snprintf(
        wanted, sizeof(wanted),
        "# tdprobe-trace: 1\n# cpu: skl\n# smt: on\n# source: perf\n# topology: cpus=8\n# recorder: tdprobe %s\n# level: 1\n"
        "# command: sh -c \"a,\\x0ab\"\\x0d\n" COLUMNS "5,CPU3,cpu,,0,4294967295,CPU_CLK_UNHALTED.THREAD:u,12,10,9\n"
        "5,CPU3,cpu,,65535,4294967295,\"cpu/event=0x9c,umask=0x1/\",18446744073709551615,18446744073709551615,0\n"
        "5,CPU3,cpu,,1,4294967295,UOPS_ISSUED.ANY,not_supported,0,0\n5,CPU3,cpu,,,4294967295,end,3,,\n",
        td_version());
    CU_ASSERT_STRING_EQUAL(sink.text, wanted);
    CU_ASSERT_EQUAL(td_trace_write_flush(&w), 0); /* nothing to write */
    CU_ASSERT_EQUAL(sink.calls, 1);
    td_trace_writer_free(&w);
    begin(&w, NULL);
    td_trace_write_header(&w, &other);
    snap.n = 0;
    td_trace_write_reading(&w, "a \"b\"", TD_KIND_THREAD, 'L', &snap, false, &texts);
    td_trace_write_reading(&w, "a\r\nb", TD_KIND_THREAD, 'P', &snap, false, &texts);
    CU_ASSERT_EQUAL(td_trace_write_flush(&w), 0);
    snprintf(
        wanted, sizeof(wanted),
        "# tdprobe-trace: 1\n# cpu: adl\n# smt: unknown\n# source: simulated\n# topology: cpus=24\n# recorder: tdprobe %s\n# level: P=2 E=1\n"
        "# started: 2026-11-26T11:02:41Z\n# x-clock: 61 1795690961999999999\n" COLUMNS
        "5,\"a \"\"b\"\"\",thread,LP,,4294967295,end,0,,\n5,a\\x0d\\x0ab,thread,P,,4294967295,end,0,,\n",
        td_version());
    CU_ASSERT_STRING_EQUAL(sink.text, wanted);
    td_trace_writer_free(&w);
    w = (struct td_trace_writer){.ctx = &sink}; /* no function to write to */
    td_trace_write_header(&w, &skl);
    td_trace_write_reading(&w, "CPU3", TD_KIND_CPU, 0, &snap, false, &texts);
    CU_ASSERT(!w.used && td_trace_write_flush(&w) == 0 && sink.calls == 1);
    td_trace_writer_free(&w);
    td_texts_free(&texts);
}

/* What a reading has beside its counts comes in rows of its own, which are among those that its end counts: 2 counts,
 * the metrics that were printed beside them, how often a latency was sampled, and what is of the whole reading. */
static void beside(void)
{
    struct td_texts texts = {0};
    struct td_hints hints = {.nsets = 0};
    const uint32_t both = td_hints_join(
        &hints, td_hints_one(&hints, td_hint_published(0)),
        td_hints_join(&hints, td_hints_one(&hints, td_hint_plain(0)), td_hints_one(&hints, TD_HINT_OTHER)));
    struct td_sample s[] = {
        {.value = 12, .enabled = 12, .running = 12, .group = 3, .text = number_of(&texts, "slots"), .printed = both},
        {.value = 7, .enabled = 12, .running = 12, .text = number_of(&texts, "x"), .sampled = {true, 5, 60}}};
    const struct td_snap snap = {.time = 5,
                                 .epoch = 9,
                                 .n = 2,
                                 .s = s,
                                 .restores = 21,
                                 .changes = 22,
                                 .elapsed = 23,
                                 .switches_known = true,
                                 .switches = 24};
    struct td_trace_writer w;

    begin(&w, NULL);
    w.hints = &hints;
    td_trace_write_start(&w, "CPU3", TD_KIND_CPU, 0, &snap);
    td_trace_write_reading(&w, "CPU3", TD_KIND_CPU, 0, &snap, true, &texts);
    CU_ASSERT_EQUAL(td_trace_write_flush(&w), 0);
    CU_ASSERT_STRING_EQUAL(sink.text, "5,CPU3,cpu,,,9,start,,,\n"
                                      "5,CPU3,cpu,,3,9,slots,12,12,12\n"
                                      "5,CPU3,cpu,,3,9,printed:tma_retiring,0,0,0\n"
                                      "5,CPU3,cpu,,3,9,printed:other,0,0,0\n"
                                      "5,CPU3,cpu,,3,9,printed:retiring,0,0,0\n"
                                      "5,CPU3,cpu,,0,9,x,7,12,12\n"
                                      "5,CPU3,cpu,,0,9,latency_samples,5,0,0\n"
                                      "5,CPU3,cpu,,0,9,latency_squares,60,0,0\n"
                                      "5,CPU3,cpu,,0,9,restores,21,0,0\n"
                                      "5,CPU3,cpu,,0,9,cpus_changed,22,0,0\n"
                                      "5,CPU3,cpu,,0,9,duration_time,23,0,0\n"
                                      "5,CPU3,cpu,,0,9,switches,24,0,0\n"
                                      "5,CPU3,cpu,,,9,begin,11,,\n");
    td_trace_writer_free(&w);
    begin(&w, NULL); /* without the names of what was printed */
    td_trace_write_reading(&w, "CPU3", TD_KIND_CPU, 0, &(struct td_snap){.time = 5, .n = 1, .s = s}, false, &texts);
    CU_ASSERT_EQUAL(td_trace_write_flush(&w), 0);
    CU_ASSERT_STRING_EQUAL(sink.text, "5,CPU3,cpu,,3,0,slots,12,12,12\n5,CPU3,cpu,,,0,end,1,,\n");
    td_trace_writer_free(&w);
    td_hints_free(&hints);
    td_texts_free(&texts);
}

/* Each line of a header is there where its fact is known, before or after the recorder's. */
static void facts(void)
{
#define SKL .cpu = "skl", .smt = "on", .source = "perf"
    static const struct {
        struct td_trace_facts f;
        const char *command, *run; /* of the writer */
        const char *before, *after;
    } of[] = {
        {{SKL}, NULL, "", "", ""},
        {{SKL, .scaled = true}, NULL, "", "# scaled: yes\n", ""},
        {{SKL, .coverage_unknown = true}, NULL, "", "# coverage: unknown\n", ""},
        {{SKL, .times = TD_TIMES_RELATIVE}, NULL, "", "# x-times: relative\n", ""},
        {{SKL, .times = TD_TIMES_CPUS}, NULL, "", "# x-times: cpus\n", ""},
        {{SKL, .times = TD_TIMES_CPUS, .times_cpus = 1}, NULL, "", "# x-times: cpus 1\n", ""},
        {{SKL, .times_cpus = 4}, NULL, "", "", ""},
        {{SKL, .mux_interval = 4e6}, NULL, "", "# x-mux-interval-ms: 4\n", ""},
        {{SKL, .began = 1}, NULL, "", "# x-began-ns: 1\n", ""},
        {{SKL, .cpus = 1}, NULL, "", "# topology: cpus=1\n", ""},
        {{SKL, .level = {0, 2, 1, 3}}, NULL, "", "", "# level: P=2 E=1 LP=3\n"},
        {{SKL, .level = {0, 0, 0, 1}}, NULL, "", "", "# level: LP=1\n"},
        {{SKL, .started = "a\nb"}, NULL, "", "", "# started: a\\x0ab\n"},
        {{SKL, .started = "a", .monotonic = 7}, NULL, "", "", "# started: 1970-01-01T00:00:00Z\n# x-clock: 7 0\n"},
        {{SKL, .realtime = 999999999}, NULL, "", "", "# started: 1970-01-01T00:00:00Z\n# x-clock: 0 999999999\n"},
        {{SKL, .realtime = 1000000000}, NULL, "", "", "# started: 1970-01-01T00:00:01Z\n# x-clock: 0 1000000000\n"},
        {{SKL, .host = "\033\033\033\033\033\033\033\033\033\033"},
         NULL,
         "",
         "",
         "# x-host: \\x1b\\x1b\\x1b\\x1b\\x1b\\x1b\\x1b\\x1b\\x1b\\x1b\n"},
        {{SKL, .labels = "a=b"}, NULL, "", "", "# x-labels: a=b\n"},
        {{SKL, .run = "ab1"}, NULL, "", "", "# x-run: ab1\n"},
        {{SKL, .run = "ab1"}, NULL, "cd2", "", "# x-run: cd2\n"},
        {{SKL, .origin = "o"}, NULL, "", "", "# origin: o\n"},
        {{SKL, .note = "n"}, "c", "", "", "# note: n\n# command: c\n"},
        {{SKL, .cpus = 8, .level = {1}, .scaled = true, .coverage_unknown = true, .host = "h", .labels = "a=b",
          .run = "1", .origin = "o", .note = "n", .times = TD_TIMES_TASKS, .mux_interval = 1e6, .began = UINT64_MAX,
          .started = "s"},
         "c",
         "",
         "# scaled: yes\n# coverage: unknown\n# x-times: tasks\n# x-mux-interval-ms: 1\n"
         "# x-began-ns: 18446744073709551615\n# topology: cpus=8\n",
         "# level: 1\n# started: s\n# x-host: h\n# x-labels: a=b\n# x-run: 1\n# origin: o\n# note: n\n# command: c\n"},
    };

    for (size_t i = 0; i < TD_LENGTH(of); i++) {
        const struct td_snap snap = {.time = 5};
        const char *run = *of[i].run ? of[i].run : of[i].f.run ? of[i].f.run : "";
        struct td_trace_writer w;
        char wanted[1500];

        begin(&w, of[i].command);
        snprintf(w.run, sizeof(w.run), "%s", of[i].run);
        td_trace_write_header(&w, &of[i].f);
        td_trace_write_reading(&w, "a", TD_KIND_CPU, 0, &snap, false, NULL);
        CU_ASSERT_EQUAL(td_trace_write_flush(&w), 0);
        snprintf(wanted, sizeof(wanted),
                 "# tdprobe-trace: 1\n# cpu: skl\n# smt: on\n# source: perf\n%s# recorder: tdprobe %s\n%s" COLUMNS
                 "5,a,cpu,,,0,end,0,%s,\n",
                 of[i].before, td_version(), of[i].after, run);
        CU_ASSERT_STRING_EQUAL(sink.text, wanted);
        td_trace_writer_free(&w);
    }
}

/* A field is quoted where it has a comma, a quote, or a blank at an end. */
static void quotes(void)
{
    static const char *const of[][2] = {
        {"", ""},
        {"a", "a"},
        {"a b", "a b"},
        {"a,b", "\"a,b\""},
        {"a\"b", "\"a\"\"b\""},
        {" a", "\" a\""},
        {"a ", "\"a \""},
        {"\ta", "\"\ta\""},
        {"a\t", "\"a\t\""},
        {" ", "\" \""},
        {"a\nb", "a\\x0ab"},
    };

    for (size_t i = 0; i < TD_LENGTH(of); i++) {
        const struct td_snap snap = {.time = 5};
        struct td_trace_writer w;
        char wanted[100];

        begin(&w, NULL);
        td_trace_write_start(&w, of[i][0], TD_KIND_CPU, 0, &snap);
        CU_ASSERT_EQUAL(td_trace_write_flush(&w), 0);
        snprintf(wanted, sizeof(wanted), "5,%s,cpu,,,0,start,,,\n", of[i][1]);
        CU_ASSERT_STRING_EQUAL(sink.text, wanted);
        td_trace_writer_free(&w);
    }
}

/* The packed register is told by its name or its number, and has the modes of the name. */
static void registers(void)
{
    static const struct {
        const char *name;
        uint16_t event;
        const char *written;
    } of[] = {
        {"PERF_METRICS", 0, "PERF_METRICS,0x1f"},
        {"perf_metrics:k", 0, "PERF_METRICS:k,0x1f"},
        {"topdown-retiring", TD_EVENT_PACKED, "PERF_METRICS,0x1f"},
        {"topdown-retiring:u", TD_EVENT_PACKED, "PERF_METRICS:u,0x1f"},
        {"PERF_METRICSX", 0, "PERF_METRICSX,31"},
        {"PERF_METRIC", 0, "PERF_METRIC,31"},
        {"slots:u", 0, "slots:u,31"},
    };
    struct td_texts texts = {0};

    for (size_t i = 0; i < TD_LENGTH(of); i++) {
        struct td_sample s = {.value = 31, .event = of[i].event, .text = number_of(&texts, of[i].name)};
        const struct td_snap snap = {.untimed = true, .n = 1, .s = &s};
        struct td_trace_writer w;
        char wanted[100];

        begin(&w, NULL);
        td_trace_write_reading(&w, "a", TD_KIND_CPU, 0, &snap, false, &texts);
        CU_ASSERT_EQUAL(td_trace_write_flush(&w), 0);
        snprintf(wanted, sizeof(wanted), ",a,cpu,,0,0,%s,0,0\n,a,cpu,,,0,end,1,,\n", of[i].written);
        CU_ASSERT_STRING_EQUAL(sink.text, wanted);
        td_trace_writer_free(&w);
    }
    td_texts_free(&texts);
}

/* What another tool has scaled has parts after the point, to the billionth; its last zeros are left out. */
static void fractions(void)
{
    static const struct {
        double fraction;
        const char *written;
    } of[] = {{0, "12"},
              {0.25, "12.25"},
              {0.1, "12.1"},
              {1e-9, "12.000000001"},
              {4e-10, "12"},
              {6e-10, "12.000000001"},
              {0.5, "12.5"},
              {0.123456789, "12.123456789"},
              {0.99, "12.99"},
              {0.999999999, "12.999999999"},
              {0.9999999996, "13"},
              {1, "13"},
              {0.1000000004, "12.1"},
              {0.01, "12.01"}};
    struct td_texts texts = {0};
    struct td_sample s = {.value = 12, .enabled = 12, .running = 12, .text = number_of(&texts, "slots")};
    const struct td_snap snap = {.time = 5, .n = 1, .s = &s};

    for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++)
        for (size_t column = 0; column < 3; column++) {
            struct td_trace_writer w;
            char wanted[120];

            s.fraction = column == 0 ? of[i].fraction : 0;
            s.enabled_fraction = column == 1 ? of[i].fraction : 0;
            s.running_fraction = column == 2 ? of[i].fraction : 0;
            begin(&w, NULL);
            td_trace_write_reading(&w, "CPU3", TD_KIND_CPU, 0, &snap, false, &texts);
            CU_ASSERT_EQUAL(td_trace_write_flush(&w), 0);
            snprintf(wanted, sizeof(wanted), "5,CPU3,cpu,,0,0,slots,%s,%s,%s\n5,CPU3,cpu,,,0,end,1,,\n",
                     column == 0 ? of[i].written : "12", column == 1 ? of[i].written : "12",
                     column == 2 ? of[i].written : "12");
            CU_ASSERT_STRING_EQUAL(sink.text, wanted);
            td_trace_writer_free(&w);
        }
    td_texts_free(&texts);
}

/* An event whose name is a word of the format has "event:" before it, however long it is. */
static void words(void)
{
    static const char *const names[] = {"end", "PERF_METRICS", "a-name-that-is-longer-than-the-word-before-it"};
    struct td_texts texts = {0};

    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        struct td_sample s = {.value = 3, .is_event = true, .text = number_of(&texts, names[i])};
        const struct td_snap snap = {.time = 5, .n = 1, .s = &s};
        struct td_trace_writer w;
        char wanted[200];

        begin(&w, NULL);
        td_trace_write_reading(&w, "CPU3", TD_KIND_CPU, 0, &snap, false, &texts);
        CU_ASSERT_EQUAL(td_trace_write_flush(&w), 0);
        snprintf(wanted, sizeof(wanted), "5,CPU3,cpu,,0,0,event:%s,3,0,0\n5,CPU3,cpu,,,0,end,1,,\n", names[i]);
        CU_ASSERT_STRING_EQUAL(sink.text, wanted);
        td_trace_writer_free(&w);
    }
    td_texts_free(&texts);
}

/* Words of the format, in any letters, with or without modes; no name that begins like one, or that others begin with.
 */
static void names_that_are_words(void)
{
    static const char *const are[] = {"start", "END", "event", "PERF_METRICS", "start:u", "Restores:k", "printed:"};
    static const char *const others[] = {"starts", "star", "s", "", ":u", "bstart", "slots", "SLOTS:u", "event_1"};

    for (size_t i = 0; i < sizeof(are) / sizeof(*are); i++)
        CU_ASSERT(td_trace_is_word(are[i]));
    for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
        CU_ASSERT(!td_trace_is_word(others[i]));
}

/* ---- what comes back -------------------------------------------------------------- */

enum { SCOPES = 6, EVENTS = 8, READINGS = 4 };

/* Names as given, and as read back: a line break would end the row. */
static const struct {
    const char *name, *kind, *back;
} scopes[SCOPES] = {
    {"system", "system", "system"},
    {"CPU3", "cpu", "CPU3"},
    {"a,b-12", "thread", "a,b-12"},
    {"say \"hi\"-13", "thread", "say \"hi\"-13"},
    {"two\nlines\r-14", "thread", "two\\x0alines\\x0d-14"},
    {"/a.slice,\"x\"\n", "cgroup", "/a.slice,\"x\"\\x0a"},
};
static const char *const events[EVENTS] = {
    "CPU_CLK_UNHALTED.THREAD",  "UOPS_ISSUED.ANY",        "UOPS_RETIRED.RETIRE_SLOTS", "IDQ_UOPS_NOT_DELIVERED.CORE",
    "INT_MISC.RECOVERY_CYCLES", "MACHINE_CLEARS.COUNT:u", "cpu/event=0xc5,umask=0x0/", "CYCLE_ACTIVITY.STALLS_TOTAL",
};

struct reading {
    struct td_sample s[EVENTS];
};

/* Adds to a reading what one interval counted. */
static void grow(struct unit_random *r, struct reading *x)
{
    for (size_t i = 0; i < EVENTS; i++) {
        uint64_t time = 2 * unit_random_below(r, UINT64_C(1) << 40) + 2;

        x->s[i].value += unit_random_below(r, UINT64_C(1) << (1 + unit_random_below(r, 52)));
        x->s[i].enabled += time;
        x->s[i].running += unit_random_below(r, 4) ? time : time / 2;
    }
}

static void check_counts(const struct td_result *r, const struct reading *from, const struct reading *to)
{
    CU_ASSERT_EQUAL_FATAL(td_result_counts(r), EVENTS);
    for (size_t i = 0; i < EVENTS; i++) {
        struct td_event_count c = *td_result_count(r, i);
        bool half = to->s[i].enabled - from->s[i].enabled != to->s[i].running - from->s[i].running;
        double counted = (double)(to->s[i].value - from->s[i].value);

        CU_ASSERT_STRING_EQUAL(c.event, events[i]);
        CU_ASSERT_EQUAL(c.status, to->s[i].status);
        if (c.status == TD_OK) {
            CU_ASSERT_EQUAL(c.value, half ? 2 * counted : counted); /* 53 bits and a factor of 2: exact */
            CU_ASSERT_EQUAL(c.coverage, half ? 0.5 : 1);
        }
    }
}

static void read_back(void)
{
    static struct reading all[SCOPES][READINGS];
    struct unit_random r = {99};
    struct td_texts texts = {0};
    struct td_trace_writer w;

    for (unsigned long round = unit_rounds(200); round-- > 0;) {
        struct td *td;

        begin(&w, NULL);
        td_trace_write_header(&w, &skl);
        memset(all, 0, sizeof(all));
        for (size_t t = 0; t < READINGS; t++) {
            for (size_t k = 0; k < SCOPES; k++) {
                struct td_snap snap = {.time = 1000 * t + k, .n = EVENTS, .s = all[k][t].s};

                if (t)
                    all[k][t] = all[k][t - 1];
                grow(&r, &all[k][t]);
                for (size_t i = 0; i < EVENTS; i++) {
                    all[k][t].s[i].group = (uint16_t)(i / 3);
                    all[k][t].s[i].text = number_of(&texts, events[i]);
                    all[k][t].s[i].status = k == 1 && i == round % EVENTS ? TD_NOT_SUPPORTED : TD_OK;
                }
                td_trace_write_reading(&w, scopes[k].name, td_kind_named(scopes[k].kind), 0, &snap, false, &texts);
            }
            CU_ASSERT_EQUAL(td_trace_write_flush(&w), 0);
        }
        td = open_sink();
        for (size_t i = 0; i < (READINGS - 1) * SCOPES; i++) {
            size_t k = i % SCOPES, t = i / SCOPES + 1;
            const struct td_result *got = next(td);
            uint64_t ns = 0;

            CU_ASSERT_STRING_EQUAL(td_result_scope(got), scopes[k].back);
            CU_ASSERT_STRING_EQUAL(td_result_scope_kind(got), scopes[k].kind);
            CU_ASSERT(!strcmp(td_result_cpu(got), "skl") && !td_result_core(got) && td_result_time(got, &ns) &&
                      ns == 1000 * t + k);
            check_counts(got, &all[k][t - 1], &all[k][t]);
        }
        end(td);
        td_trace_writer_free(&w);
    }
    td_texts_free(&texts);
}

static void hybrids(void)
{
    static const struct {
        char core;
        const char *back, *event;
    } kinds[] = {
        {'P', "P", "TOPDOWN.SLOTS"},
        {'E', "E", "CPU_CLK_UNHALTED.CORE"},
        {'L', "LP", "TOPDOWN_RETIRING.ALL_P"},
    };
    const struct td_trace_facts arl = {
        .cpu = "GenuineIntel-6-C5-2", .smt = "off", .source = "simulated", .cpus = 16, .level = {0, 2, 1, 2}};
    struct td_texts texts = {0};
    struct td_trace_writer w;
    struct td *td;

    begin(&w, NULL);
    td_trace_write_header(&w, &arl);
    for (uint64_t t = 0; t < 2; t++)
        for (size_t k = 0; k < TD_LENGTH(kinds); k++) {
            struct td_sample x = {
                .value = t * (100 + k), .enabled = 9 * t, .running = 9 * t, .text = number_of(&texts, kinds[k].event)};
            struct td_snap snap = {.time = t, .n = 1, .s = &x};

            td_trace_write_reading(&w, "system", TD_KIND_SYSTEM, kinds[k].core, &snap, false, &texts);
        }
    CU_ASSERT_EQUAL(td_trace_write_flush(&w), 0);
    td = open_sink();
    for (size_t k = 0; k < TD_LENGTH(kinds); k++) {
        const struct td_result *got = next(td);

        CU_ASSERT_STRING_EQUAL(td_result_core(got), kinds[k].back);
        CU_ASSERT((td_result_metrics(got) == 4) == (kinds[k].core == 'E')); /* the level of its kind of core */
        CU_ASSERT(!strcmp(td_result_count(got, 0)->event, kinds[k].event) &&
                  td_result_count(got, 0)->value == (double)(100 + k));
    }
    end(td);
    td_trace_writer_free(&w);
    td_texts_free(&texts);
}

/* Two readings of a Sapphire Rapids whose counters started again in between, or did not. */
static struct td *write_register(const struct td_trace_facts *f, uint32_t epoch)
{
    static const struct {
        const char *name;
        uint64_t value;
    } counts[] = {
        {"TOPDOWN.SLOTS", 1000000},   {"topdown-retiring", 400000}, {"topdown-bad-spec", 100000},
        {"topdown-fe-bound", 200000}, {"topdown-be-bound", 300000},
    };
    struct td_texts texts = {0};
    struct td_sample x[TD_LENGTH(counts)] = {{0}};
    struct td_trace_writer w;

    begin(&w, NULL);
    td_trace_write_header(&w, f);
    for (uint64_t t = 0; t < 2; t++) {
        struct td_snap snap = {.time = t, .epoch = t ? epoch : 0, .n = TD_LENGTH(counts), .s = x};

        for (size_t i = 0; i < TD_LENGTH(counts); i++)
            x[i] = (struct td_sample){
                .value = t * counts[i].value, .enabled = t, .running = t, .text = number_of(&texts, counts[i].name)};
        td_trace_write_reading(&w, "system", TD_KIND_SYSTEM, 0, &snap, false, &texts);
    }
    CU_ASSERT_EQUAL(td_trace_write_flush(&w), 0);
    td_trace_writer_free(&w);
    td_texts_free(&texts);
    return open_sink();
}

/* level determines how many nodes there are; each of the topology's CPUs may have
 * truncated a count once; another epoch leaves no counts. */
static void headers(void)
{
    struct td_trace_facts f = {.cpu = "spr", .smt = "on", .source = "perf", .cpus = 1, .level = {1}};
    double width[2];

    for (int i = 0; i < 2; i++) {
        struct td *td;
        const struct td_metric *m;
        const struct td_result *r;

        f.level[0] = 1 + i;
        f.cpus = i ? 1000 : 1;
        td = write_register(&f, 0);
        r = next(td);
        m = td_result_metric(r, 0);
        CU_ASSERT((i ? td_result_metrics(r) > 4 : td_result_metrics(r) == 4) && !strcmp(m->name, "retiring"));
        CU_ASSERT_DOUBLE_EQUAL(m->value, 0.4, 1e-12);
        width[i] = m->high - m->low;
        end(td);
        td = write_register(&f, 7);
        CU_ASSERT_EQUAL(td_result_metric(next(td), 0)->status, TD_EPOCH_CHANGED);
        end(td);
    }
    /* 1/255 on each side of both terms for one CPU; 999 more counts are a thousandth of the slots */
    CU_ASSERT(width[1] > width[0] + 0.0009 && width[1] < width[0] + 0.005);
}

/* ---- what cannot be written --------------------------------------------------------- */

/* Call 1 writes the header, call 1 + t writes reading t of two scopes. What is read back
 * are the intervals between the readings that were not lost. */
static void failures(void)
{
    struct td_texts texts = {0};
    uint32_t text = number_of(&texts, "CPU_CLK_UNHALTED.THREAD");

    for (int lost = 1; lost <= 4; lost++) {
        struct td_trace_writer w;
        struct td *td;
        int before = lost == 1 ? 2 : 1;

        begin(&w, NULL);
        sink.fails = 1 + lost;
        td_trace_write_header(&w, &skl);
        CU_ASSERT_EQUAL(td_trace_write_flush(&w), 0);
        for (int t = 1; t <= 4; t++) {
            struct td_sample x = {
                .value = (uint64_t)(t * t), .enabled = (uint64_t)t, .running = (uint64_t)t, .text = text};
            struct td_snap snap = {.time = (uint64_t)t, .n = 1, .s = &x};

            td_trace_write_header(&w, &skl); /* it must be there, whatever else is lost */
            td_trace_write_reading(&w, "CPU0", TD_KIND_CPU, 0, &snap, false, &texts);
            td_trace_write_reading(&w, "CPU1", TD_KIND_CPU, 0, &snap, false, &texts);
            CU_ASSERT_EQUAL(td_trace_write_flush(&w), t == lost ? -ENOSPC : 0);
        }
        CU_ASSERT(sink.calls == 5 && strstr(sink.text, "# tdprobe") == sink.text &&
                  !strstr(sink.text + 1, "# tdprobe"));
        td = open_sink();
        for (int t = before + 1; t <= 4; t++) {
            if (t == lost)
                continue;
            for (int cpu = 0; cpu < 2; cpu++)
                CU_ASSERT_EQUAL(td_result_count(next(td), 0)->value, t * t - before * before);
            before = t;
        }
        end(td);
        td_trace_writer_free(&w);
    }
    td_texts_free(&texts);
}

/* The first calls, which write the header (alone, or before a reading), fail: the
 * trace is that of a writer that begins with the next reading. */
static void lost_headers(void)
{
    /* the facts may change meanwhile */
    const struct td_trace_facts facts[] = {skl,
                                           {.cpu = "spr", .smt = "off", .source = "perf", .cpus = 4, .level = {2}}};
    static char wanted[sizeof(sink.text)];
    struct td_texts texts = {0};
    struct td_sample x = {.value = 7, .text = number_of(&texts, "CPU_CLK_UNHALTED.THREAD")};

    for (int n = 0; n < 24; n++) {
        bool failing = n % 2, alone = n / 2 % 2, later = n / 4 % 2;
        int lost = n / 8 + 1;
        struct td_trace_writer w;

        begin(&w, "sleep 1");
        sink.fails = failing;
        sink.last = failing ? lost : 0;
        for (int t = failing ? 1 : lost + 1; t <= 5; t++) {
            struct td_snap snap = {.time = (uint64_t)t, .n = 1, .s = &x};

            td_trace_write_header(&w, &facts[t > lost && later]);
            if (!alone || t > lost)
                td_trace_write_reading(&w, "CPU0", TD_KIND_CPU, 0, &snap, false, &texts);
            CU_ASSERT(td_trace_write_flush(&w) == (t <= lost ? -ENOSPC : 0) && (t > lost || !sink.n));
        }
        CU_ASSERT(strstr(sink.text, later ? "# tdprobe-trace: 1\n# cpu: spr\n" : "# tdprobe-trace: 1\n# cpu: skl\n") ==
                  sink.text);
        CU_ASSERT(!failing || !strcmp(sink.text, wanted));
        memcpy(wanted, sink.text, sizeof(wanted));
        td_trace_writer_free(&w);
    }
    td_texts_free(&texts);
}

/* A header that needs room more than once, and a name that is copied. */
static int scenario(void *ctx)
{
    static char note[9000];
    const struct td_trace_facts f = {SKL, .note = note};
    struct td_sample x = {.value = 7, .is_event = true};
    const struct td_snap snap = {.n = 1, .s = &x};
    struct td_trace_writer w = {.write = sink_write, .ctx = &sink};
    int err;

    memset(note, 'x', sizeof(note) - 1);
    sink = (struct sink){.n = 0};
    td_trace_write_header(&w, &f);
    td_trace_write_reading(&w, "a", TD_KIND_CPU, 0, &snap, false, ctx);
    err = td_trace_write_flush(&w);
    CU_ASSERT(err ? !sink.calls : strstr(sink.text, "event:end") != NULL);
    td_trace_writer_free(&w);
    return err;
}

static void no_memory(void)
{
    struct td_texts texts = {0};

    CU_ASSERT_EQUAL(number_of(&texts, "end"), 0);
    CU_ASSERT(memory_each(scenario, &texts, 1, false) >= 4); /* twice the buffer, the note, and the name */
    td_texts_free(&texts);
}

static const CU_TestInfo tests[] = {
    {"facts", facts},
    {"quotes", quotes},
    {"registers", registers},
    {"no memory", no_memory},
    {"fractions", fractions},
    {"words of the format", words},
    {"bytes", bytes},
    {"read back", read_back},
    {"hybrids", hybrids},
    {"headers", headers},
    {"failures", failures},
    {"lost headers", lost_headers},
    {"beside the counts", beside},
    {"names that are words", names_that_are_words},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("trace writer", tests);
