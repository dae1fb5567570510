/* SPDX-License-Identifier: MIT */
/* Recordings as people have them: prose, logs and code around and between the lines of each format change no number. */
#include "tests/support/mixed.h"

#define CSV \
    "136248990,,slots,1001002003,100.00,,\n" \
    "32976450,,topdown-retiring,1001002003,100.00,24.2,retiring\n"
#define OBJECT_(value_, event_) \
    "{\"counter-value\" : \"" value_ "\", \"unit\" : \"\", \"event\" : \"" event_ \
    "\", \"event-runtime\" : 9, \"pcnt-running\" : 100.00}\n"
#define ROWS "- system system: slots=136248990@0 topdown-retiring=32976450@0\n"

/* The intervals of a recording, without its notes. */
static void intervals_of(struct log *l, const char *text, size_t n)
{
    static struct opened o;
    struct source s = {text, n, 997, 0};
    int err = open_recording(&o, &s, NULL, NULL, NULL);
    const struct td_stream *stream = &o.r->stream;

    while (!err && !(err = next_batch(&o)))
        for (size_t i = 0; i < stream->nbatch; i++)
            put_interval(l, stream, &stream->batch[i]);
    if (err != -ENODATA)
        put(l, "!%s\n", o.log.error);
    close_recording(&o);
}

/* What has neither a count in its place nor an event's name, in any of the formats. */
static const char *const foreign[] = {
    "",
    "Hi,",
    "here it is:",
    "Thanks, and best wishes",
    "program output",
    "[info] start",
    "{ build ok }",
    "done.",
    "```",
    "```sh",
    "<pre>",
    "</pre>",
    "<html><body>",
    "---",
    "***",
    "# a heading",
    "## Results, in short",
    "| a | b | c |",
    "|---|---|---|",
    "> quoted, as mails do",
    "$ make -s -j96 bzImage",
    "+ ./run.sh --fast",
    "~/src/x$ ls",
    "{\"result\": 1, \"time\": 3}",
    "{\"level\":\"info\",\"msg\":\"it began\",\"ctx\":{\"id\":7}}",
    "{\"a\":[1,2,3]}",
    "[\"x\", \"y\"]",
    "{",
    "}",
    "{\"open\": ",
    "\"quoted\"",
    "\"a, b\", c",
    "he said \"no",
    "int main(void) {",
    "    return x < 3 ? a[i] : f(\"b\");",
    "#include <stdio.h>",
    "// 12 of them; 3 are new",
    "/* a comment */",
    "if (a, b) { c; }",
    "for (i = 0; i < n; i++)",
    "x = [1, 2, 3]",
    "a;b;c",
    "a\tb\tc",
    "a|b|c",
    "warning: unused variable 'x' [-Wunused]",
    "make[1]: Entering directory '/tmp/x'",
    "  CC      drivers/x.o",
    "Nov 20 10:11:12 host systemd[1]: Started a thing, and another.",
    "2026-11-20T10:11:12Z INFO it works",
    "2026-11-20 10:11:12,123 DEBUG a.b.c: done",
    "[  12.345678] usb 1-1: new device",
    "10:11:12 worker: began",
    "100% done, 3 left",
    "3.14.15 is a version, or is it",
    "50 %",
    "Some events weren't counted. Try disabling the NMI watchdog:",
    "\techo 0 > /proc/sys/kernel/nmi_watchdog",
    "\tperf stat ...",
    "a,,,b",
    "a::b::c",
    "model name\t: Intel(R) Xeon(R)",
    "Caf\xc3\xa9, na\xc3\xafve \xe2\x80\x94 yes",
    "\x1b[31mred\x1b[0m, then not",
};

static const struct base {
    const char *name, *text;
} bases[] = {
    {"perf-csv", CSV},
    {"perf-csv",
     "CPU0;136248990;;slots;1001002003;100.00;;\nCPU1;5;;slots;1001002003;50.00;;\nCPU0;7;;topdown-retiring;9;100.00;;\nCPU1;7;;topdown-retiring;9;100.00;;\n"},
    {"perf-csv",
     "     1.000000000,10,,slots,500,100.00,,\n     1.000000000,3,,topdown-retiring,500,100.00,,\n     2.000000000,20,,slots,500,100.00,,\n     2.000000000,4,,topdown-retiring,500,100.00,,\n"
     "     3.000000000,30,,slots,500,100.00,,\n     3.000000000,5,,topdown-retiring,500,100.00,,\n"},
    {"perf-csv", "10\t\tslots\t500\t100.00\t\t\n3\t\ttopdown-retiring\t500\t99.00\t\t\n"},
    {"perf-csv", "10::::slots::500::100.00::::\n3::::topdown-retiring::500::99.00::::\n"},
    {"perf-csv",
     "\"10\",\"\",\"slots\",\"500\",\"100.00\",\"\",\"\"\n\"3\",\"\",\"topdown-retiring\",\"500\",\"99.00\",\"\",\"\"\n"},
    {"perf-json", OBJECT_("10", "slots") OBJECT_("3", "topdown-retiring")},
    {"perf-json",
     "{\"interval\" : 1.000000000, \"counter-value\" : \"10\", \"event\" : \"slots\", \"event-runtime\" : 9, \"pcnt-running\" : 100.00}\n"
     "{\"interval\" : 1.000000000, \"counter-value\" : \"3\", \"event\" : \"topdown-retiring\", \"event-runtime\" : 9, \"pcnt-running\" : 50.00, \"metric-value\" : 3.9, \"metric-unit\" : \"Heavy\"}\n"
     "{\"interval\" : 2.000000000, \"counter-value\" : \"20\", \"event\" : \"slots\", \"event-runtime\" : 9, \"pcnt-running\" : 100.00}\n"},
    {"perf-text",
     "       136,248,990      slots                            #  597.337 K/sec\n        32,976,450      topdown-retiring                 #     24.2% retiring   (66.60%)\n"},
    {"perf-text",
     " Performance counter stats for 'system wide':\n\n       136,248,990      slots\n        32,976,450      topdown-retiring\n\n       1.013634593 seconds time elapsed\n"},
    {"arm-events", "run,time,event,value\n1,,CPU_CYCLES,800440.0\n1,,STALL_SLOT,4000.0\n1,,OP_SPEC,\n"},
};

/* Puts lines of other programs between, before and after those of a recording. */
static void surround(struct mixed *m, const char *text)
{
    for (;;) {
        while (!mixed_next(m, 3)) {
            mixed_add(m, foreign[mixed_next(m, sizeof(foreign) / sizeof(*foreign))]);
            mixed_add(m, "\n");
        }
        if (!*text)
            return;
        for (size_t n = strcspn(text, "\n") + 1; n; n--, text++)
            mixed_add(m, (char[]){*text, '\0'});
    }
}

static void no_number_changes(void)
{
    for (size_t b = 0; b < sizeof(bases) / sizeof(*bases); b++)
        for (uint64_t i = 0, n = unit_long_rounds(3000); i < n; i++) {
            struct mixed m = {.state = 88172645463325252u + 977 * i};
            struct log wanted = {.n = 0}, got = {.n = 0};

            surround(&m, bases[b].text);
            intervals_of(&wanted, bases[b].text, strlen(bases[b].text));
            intervals_of(&got, m.text, m.n);
            if (!same_log(&got, wanted.text, 997)) {
                printf("    %s of\n%s", bases[b].name, m.text);
                break;
            }
        }
}

/* Each alone, as the first line and as the one after a count. */
static void each_line(void)
{
    for (size_t b = 0; b < sizeof(bases) / sizeof(*bases); b++)
        for (size_t i = 0; i < sizeof(foreign) / sizeof(*foreign); i++) {
            struct mixed m = {.state = 1};
            struct log wanted = {.n = 0}, got = {.n = 0};
            const char *at = bases[b].text;

            for (const char *line = foreign[i]; *at; line = "") {
                mixed_add(&m, line);
                mixed_add(&m, *line ? "\n" : "");
                for (size_t n = strcspn(at, "\n") + 1; n; n--, at++)
                    mixed_add(&m, (char[]){*at, '\0'});
            }
            intervals_of(&wanted, bases[b].text, strlen(bases[b].text));
            intervals_of(&got, m.text, m.n);
            if (!same_log(&got, wanted.text, 997))
                printf("    %s after '%s'\n", bases[b].name, foreign[i]);
        }
}

static const char *const prefixes[] = {
    "2026-11-20T10:11:12.1234567Z ",
    "2026-11-20 10:11:12,123 ",
    "[2026-11-20T10:11:12Z] ",
    "10:11:12 ",
    "[10:11:12.123] ",
    "Nov 20 10:11:12 myhost perf[1234]: ",
    "Nov  2 10:11:12 ",
    "Fri 2026-11-20 10:11:12 CET myhost run.sh[7]: ",
    "[12345.678901] myhost perf[1]: ",
    "web_1  | ",
    "[info] ",
    "2026-11-20T10:11:12+01:00 INFO ",
    "2026-11-20T10:11:12.123456Z 01O ",
    "> ",
    "> > ",
    "    ",
};

/* What a log puts before each line is not read; it stands before lines of the program too. */
static void logged(void)
{
    for (size_t b = 0; b + 1 < sizeof(bases) / sizeof(*bases); b++)
        for (size_t i = 0; i < sizeof(prefixes) / sizeof(*prefixes); i++) {
            struct mixed m = {.state = 1};
            struct log wanted = {.n = 0}, got = {.n = 0};

            for (const char *at = bases[b].text; *at;) {
                mixed_add(&m, prefixes[i]);
                for (size_t n = strcspn(at, "\n") + 1; n; n--, at++)
                    mixed_add(&m, (char[]){*at, '\0'});
                mixed_add(&m, prefixes[i]);
                mixed_add(&m, "the program's own, as it ran\n");
            }
            intervals_of(&wanted, bases[b].text, strlen(bases[b].text));
            intervals_of(&got, m.text, m.n);
            if (!same_log(&got, wanted.text, 997))
                printf("    %s with '%s'\n", bases[b].name, prefixes[i]);
        }
}

/* One sentence tells of them, with the first; what names an event or has a count in its place is damaged. */
static void counted(void)
{
    static const struct recorded all[] = {
        {CSV "program output\n", ROWS "{f:3: 1 line is of another program; it is left out}"},
        {"Hi,\n\nso:\n" CSV "bye\n", ROWS "{f:1: 3 lines are of another program; they are left out, from this one on}"},
        {"value,unit,event,runtime,pct,metric,munit\n\n" CSV, ROWS},
        {"\"# started on Tue Jul 14 22:24:44 2026\"\n\"\"\n\"136248990\",\"\",\"slots\",\"1001002003\",\"100.00\",\"\",\"\"\n\"32976450\",\"\",\"topdown-retiring\",\"9\",\"100.00\",\"24.2\",\"retiring\"\n",
         ROWS},
        {"136248990;\"\";\"slots\";1001002003;100,00;\"\";\"\"\n32976450;\"\";\"topdown-retiring\";9;100,00;\"\";\"\"\n",
         ROWS},
        {"136248990,,slots,1001002003,100,,\n32976450,,topdown-retiring,9,100,,\n", ROWS},
        {CSV "a line, slots, and more\n", "!f:3: 'a line' is neither~"},
        {CSV "12,apples\n", "!f:3: ~"},
        {CSV "12\n", "!f:3: ~"},
        {CSV "1x,,slots,9,100.00,,\n", "!f:3: the count '1x' is not a number"},
        {CSV "x, topdown-be-bound\n", "!f:3: ~"},
        {CSV "x,,cpu/event=0x9c/,9,100.00\n", "!f:3: ~"},
        {CSV "-3,,y,9,100.00\n", "!f:3: ~"},
        {OBJECT_("10", "slots") "{\"result\": 1}\nok\n",
         "- system system: slots=10@0\n{f:2: 2 lines are of another program; they are left out, from this one on}"},
        {OBJECT_("10", "slots") "{\"counter-value\" : \"5\", \"event\" \n", "!f:2: ~"},
        {OBJECT_("10", "slots") "\"event\" : \"slots\"\n", "!f:2: ~"},
        {"Hi,\n" OBJECT_("-10", "slots"), "!f:2: the count '-10' is negative"},
        {"Hi,\nrun,time,event,value\n1,,CPU_CYCLES,800.0\nbye\n",
         "- system system: CPU_CYCLES=800@0\n{f:4: 1 line is of another program; it is left out}"},
        {"run,time,event,value\nx,,CPU_CYCLES,800.0\n", "!f:2: the run 'x' is no number from 1 to 255"},
        {0},
    };

    for (const struct recorded *one = all; one->text; one++) {
        struct source s = {one->text, strlen(one->text), 7, 0};
        size_t n = strcspn(one->wanted, "~");
        struct log l = {.n = 0};

        put_recording(&l, &s);
        if (one->wanted[n] && strlen(l.text) > n)
            memcpy(l.text + n, "~", 2);
        same_log(&l, one->wanted, 7);
    }
}

/* A format is found by a line in the first 64 KiB, and by none after it. */
static void how_far(void)
{
    static char text[80 * 1024];
    size_t n = 0;
    struct log l = {.n = 0};

    while (n < 60 * 1024)
        n += (size_t)sprintf(text + n, "a line of prose, and on\n");
    strcpy(text + n, CSV);
    intervals_of(&l, text, n + strlen(CSV));
    CU_ASSERT_STRING_EQUAL(l.text, ROWS);
    while (n < 66 * 1024)
        n += (size_t)sprintf(text + n, "a line of prose, and on\n");
    strcpy(text + n, CSV);
    l.n = 0;
    intervals_of(&l, text, n + strlen(CSV));
    CU_ASSERT(*l.text == '!');
}

static const CU_TestInfo tests[] = {
    {"no number changes", no_number_changes}, {"each line", each_line}, {"what logs put before lines", logged},
    {"counted, or damaged", counted},         {"how far", how_far},     CU_TEST_INFO_NULL,
};
UNIT_SUITE("lines of other programs", tests);
