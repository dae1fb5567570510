/* SPDX-License-Identifier: MIT */
/* What all readers of recordings share: where messages say that something is wrong, what is left out, which lines name
 * events, and what a file says of its CPU. */
#include "backends/find_identity.h"
#include "sim/replay/recording.h"
#include "tests/support/source.h"
#include "tests/support/unit.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static struct td_recording r;
static struct td_settings settings;
static struct td_log own_log;
static char told[2000];

static void keep_note(void *ctx, const char *text)
{
    const size_t n = strlen(told);

    (void)ctx;
    snprintf(told + n, sizeof(told) - n, "%s\n", text);
}

static void begin(void)
{
    memset(&settings, 0, sizeof(settings));
    own_log = (struct td_log){.note = keep_note};
    memset(&r, 0, sizeof(r));
    r.stream.name = "f";
    r.settings = &settings;
    r.log = &own_log;
    r.bytes.line = 7;
    *told = '\0';
}

static void messages(void)
{
    begin();
    CU_ASSERT_EQUAL(td_recording_bad(&r, "%d is wrong", 3), -EBADMSG);
    CU_ASSERT_STRING_EQUAL(own_log.error, "f:7: 3 is wrong");
    td_recording_note(&r, "%s is odd", "it");
    CU_ASSERT_STRING_EQUAL(told, "f:7: it is odd\n");
    CU_ASSERT_EQUAL(td_recording_unread(&r, -EIO), -EIO);
    CU_ASSERT_STRING_EQUAL(own_log.error, "f: cannot be read: Input/output error");
    r.unread = "";
    CU_ASSERT_EQUAL(td_recording_unread(&r, -EISDIR), -EISDIR);
    CU_ASSERT_STRING_EQUAL(own_log.error, "f: cannot be read: Is a directory");
    r.unread = "ends too early";
    CU_ASSERT_EQUAL(td_recording_unread(&r, -EIO), -EBADMSG);
    CU_ASSERT_STRING_EQUAL(own_log.error, "f ends too early");
    r.stream.hints.err = 0;
    CU_ASSERT_EQUAL(td_recording_check_hints(&r), 0);
    r.stream.hints.err = -E2BIG;
    CU_ASSERT_EQUAL(td_recording_check_hints(&r), -EBADMSG);
    CU_ASSERT(!strncmp(own_log.error, "f:7: more than ", 15));
    r.stream.hints.err = -ENOMEM;
    CU_ASSERT_EQUAL(td_recording_check_hints(&r), -ENOMEM);
    r.stream.hints.err = 0;
}

/* Lines of another program are told once, by the first of them and how many there were. */
static void left_out(void)
{
    begin();
    td_recording_skipped(&r);
    CU_ASSERT_STRING_EQUAL(told, "");
    r.bytes.line = 3;
    td_recording_skip(&r);
    r.bytes.line = 8;
    td_recording_skipped(&r);
    CU_ASSERT_STRING_EQUAL(told, "f:3: 1 line is of another program; it is left out\n");
    CU_ASSERT_EQUAL(r.bytes.line, 8);
    *told = '\0';
    td_recording_skipped(&r);
    CU_ASSERT_STRING_EQUAL(told, "");
    for (r.bytes.line = 11; r.bytes.line < 13; r.bytes.line++)
        td_recording_skip(&r);
    td_recording_skipped(&r);
    CU_ASSERT_STRING_EQUAL(told, "f:11: 2 lines are of another program; they are left out, from this one on\n");
}

/* An event of a table or of this recording, alone between what separates columns, or the file's own separator of one
 * character, and between blanks. */
static void names(void)
{
    static const struct {
        const char *line, *separator;
        bool names;
    } rows[] = {
        {"cycles", NULL, true},
        {"x,cycles", NULL, true},
        {"x,cycles,y", NULL, true},
        {"x;cycles;y", NULL, true},
        {"x|cycles|y", NULL, true},
        {"x\tcycles\ty", NULL, true},
        {"x\"cycles\"y", NULL, true},
        {"x\x1f"
         "cycles",
         NULL, true},
        {"  cycles  ,y", NULL, true},
        {"x,  cycles", NULL, true},
        {"x cycles", NULL, false},
        {"cycles x", NULL, false},
        {"x:cycles", NULL, false},
        {"x:cycles", ":", true},
        {"x:cycles", "", false},
        {" cycles", " ", true},
        {"x  y", " ", false},
        {"x::cycles", "::", false}, /* a line with it has been split: 0x1f is in its place */
        {"cyclesx", NULL, false},
        {"cycle", NULL, false},
        {"", NULL, false},
        {" , ,", NULL, false},
        {"an own event", NULL, true},
        {"x,an own event ,y", NULL, true},
        {"an own", NULL, false},
    };

    begin();
    CU_ASSERT_EQUAL(td_recording_text(&r, "an own event", 12), 0);
    CU_ASSERT_EQUAL(td_recording_text(&r, "another", 7), 1);
    CU_ASSERT_EQUAL(td_recording_text(&r, "an own event, and more", 12), 0);
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const bool found = td_recording_names_event(&r, rows[i].line, strlen(rows[i].line), rows[i].separator);

        if (found != rows[i].names)
            printf("\n    '%s'", rows[i].line);
        CU_ASSERT_EQUAL(found, rows[i].names);
    }
    CU_ASSERT(td_recording_names_event(&r, "x,cycles:y", 8, NULL)); /* the line is cut there */
    CU_ASSERT_FALSE(td_recording_names_event(&r, "x,cycles", 7, NULL));
    CU_ASSERT_FALSE(td_recording_names_event(&r, "x,cycles", 2, NULL));
    td_stream_free(&r.stream);
}

/* A recording has up to 4096 different names. */
static void too_many_names(void)
{
    char name[20];

    begin();
    for (unsigned i = 0; i < TD_TEXTS_MAX; i++)
        CU_ASSERT_EQUAL(td_recording_text(&r, name, (size_t)snprintf(name, sizeof(name), "e%u", i)), (int)i);
    CU_ASSERT_EQUAL(td_recording_text(&r, "e0", 2), 0);
    CU_ASSERT_EQUAL(td_recording_text(&r, "more", 4), -EBADMSG);
    CU_ASSERT_STRING_EQUAL(own_log.error, "f:7: more than 4096 different events");
    td_stream_free(&r.stream);
}

/* Lines until the first error, whose text is as wanted; without what a log put before them where that is known. */
static void gives_lines(const char *text, size_t size, bool prefixed, const char *const *lines, int wanted,
                        const char *error)
{
    struct source from = {text, size, 1000, 0};
    char *line;
    size_t len;

    begin();
    CU_ASSERT_EQUAL_FATAL(td_bytes_open(&r.bytes, source_read, &from), 0);
    r.prefixed = prefixed;
    for (; *lines; lines++) {
        CU_ASSERT_EQUAL_FATAL(td_recording_line(&r, &line, &len), 0);
        CU_ASSERT_STRING_EQUAL(line, *lines);
        CU_ASSERT_EQUAL(len, strlen(*lines));
    }
    CU_ASSERT_EQUAL(td_recording_line(&r, &line, &len), wanted);
    CU_ASSERT_STRING_EQUAL(own_log.error, error);
    td_bytes_close(&r.bytes);
}

#define LINES(...) \
    (const char *const[]) \
    { \
        __VA_ARGS__, NULL \
    }

static void lines(void)
{
    static const char dated[] = "2026-11-26T10:00:00Z 5,,a\nb\n", nul[] = "a\nb\0c\n", foreign[] = "TABLE,\0";
    static char long_line[70000];

    memset(long_line, 'x', sizeof(long_line));
    gives_lines("a\nb", 3, false, LINES("a", "b"), -ENODATA, "");
    gives_lines(dated, sizeof(dated) - 1, false, LINES("2026-11-26T10:00:00Z 5,,a", "b"), -ENODATA, "");
    gives_lines(dated, sizeof(dated) - 1, true, LINES(" 5,,a", "b"), -ENODATA, "");
    gives_lines("a\nb\rc\n", 6, false, LINES("a"), -EBADMSG,
                "f:2: a carriage return inside the line: lines end with LF or CRLF");
    gives_lines(nul, sizeof(nul) - 1, false, LINES("a"), -EBADMSG, "f:2: a NUL byte: this is no text file");
    gives_lines(foreign, sizeof(foreign) - 1, false, (const char *const[]){NULL}, -EBADMSG,
                "f:1: likwid's tables, with events and metrics of its own names: record counts with 'perf stat -x, -o "
                "FILE'");
    gives_lines(long_line, sizeof(long_line), false, (const char *const[]){NULL}, -EBADMSG,
                "f:1: the line is longer than 64 KiB: this is no recording of counters");
    memcpy(long_line, "TABLE,", 6);
    gives_lines(long_line, sizeof(long_line), false, (const char *const[]){NULL}, -EBADMSG,
                "f:1: likwid's tables, with events and metrics of its own names: record counts with 'perf stat -x, -o "
                "FILE'");
}

/* What is said of a line that cannot be split. */
static void columns(void)
{
    static const struct {
        unsigned n; /* of columns before the last one */
        const char *last;
        int wanted;
        const char *error;
    } rows[] = {
        {1, "a", 0, ""},
        {TD_FIELDS_MAX - 1, "a", 0, ""},
        {TD_FIELDS_MAX, "a", -EBADMSG, "f:1: more than 64 columns"},
        {1, "\"a", -EBADMSG, "f:1: a quote is not closed on this line"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        char text[200] = "";
        struct source from = {text, 0, 1000, 0};
        char *line;
        size_t len;

        begin();
        for (unsigned k = 0; k < rows[i].n; k++)
            strcat(text, ",");
        strcat(text, rows[i].last);
        from.left = strlen(text);
        CU_ASSERT_FATAL(!td_bytes_open(&r.bytes, source_read, &from) && !td_bytes_format(&r.bytes, ',', '"'));
        CU_ASSERT_EQUAL_FATAL(td_recording_line(&r, &line, &len), 0);
        CU_ASSERT_EQUAL(td_recording_split(&r, line, len), rows[i].wanted);
        CU_ASSERT_STRING_EQUAL(own_log.error, rows[i].error);
        CU_ASSERT_EQUAL(r.bytes.nfields,
                        rows[i].n + 1 < TD_FIELDS_MAX ? rows[i].wanted ? 1 : rows[i].n + 1 : TD_FIELDS_MAX);
        td_bytes_close(&r.bytes);
    }
}

/* Lines that other tools' files begin with, and two marks that are told anywhere in a line. */
static void foreign_lines(void)
{
    static const struct {
        const char *mark, *of; /* of: what the message begins with */
        bool inside;
    } rows[] = {
        {"CPUs,Area,Value", "toplev's results", false},
        {"Area,Value,Unit", "toplev's results", true},
        {"interval,title,group,ename,val", "toplev's --valcsv", false},
        {"{\"traceEvents\"", "a trace for Chrome", false},
        {"\"ph\":", "a trace for Chrome", true},
        {"time,group,stage,level,metric,value", "topdown-tool's metrics", false},
        {"TS,SKT,CPU,CID,", "PerfSpect's metrics", false},
        {"{\"NumGeneralPurposeCounters\"", "PerfSpect's metadata", false},
        {"STRUCT,Info,", "likwid's tables", false},
        {"TABLE,", "likwid's tables", false},
        {"Event,Counter,", "likwid's tables", false},
        {"# GID|", "likwid's metrics over time", false},
        {"System,System,", "pcm's results", false},
        {"Date,Time,", "pcm's results", false},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        char line[80], wanted[80];

        begin();
        snprintf(line, sizeof(line), "%s 1", rows[i].mark);
        snprintf(wanted, sizeof(wanted), "f:7: %s", rows[i].of);
        CU_ASSERT_EQUAL(td_recording_foreign(&r, line), -EBADMSG);
        CU_ASSERT(!strncmp(own_log.error, wanted, strlen(wanted)));
        snprintf(line, sizeof(line), "x %s 1", rows[i].mark);
        CU_ASSERT_EQUAL(td_recording_foreign(&r, line), rows[i].inside ? -EBADMSG : 0);
        snprintf(line, sizeof(line), "%.*s", (int)strlen(rows[i].mark) - 1, rows[i].mark);
        CU_ASSERT_EQUAL(td_recording_foreign(&r, line), 0);
    }
    CU_ASSERT_EQUAL(td_recording_foreign(&r, "5,,cycles,9,100.00,,"), 0);
    CU_ASSERT_EQUAL(td_recording_foreign(&r, ""), 0);
}

static void ask(const char *name)
{
    char why[256];

    begin();
    if (name)
        CU_ASSERT_EQUAL_FATAL(td_identity_find(name, &settings.identity, why, sizeof(why)), 0);
}

/* The CPU that was asked for is taken, whatever the file says; where that is another, it is noted. */
static void cpus(void)
{
    static const struct {
        const char *asked, *said;
        int wanted;
        const char *name, *note; /* NULL: the stream's is not set */
    } rows[] = {
        {NULL, "skl", 0, "skl", ""},
        {NULL, "GenuineIntel-6-8F-8", 0, "spr", ""},
        {NULL, "foo", 0, NULL,
         "f:7: the file says cpu foo, which tdprobe does not know; the CPU is found by the events\n"},
        {NULL, "nehalem", -EOPNOTSUPP, NULL, ""},
        {"skl", "skl", 0, NULL, ""},
        {"icl", "skl", 0, NULL, "f:7: the file says cpu skl; read as icl, as asked\n"},
        {"icl", "foo", 0, NULL, "f:7: the file says cpu foo; read as icl, as asked\n"},
        {"icl", "nehalem", 0, NULL, "f:7: the file says cpu nehalem; read as icl, as asked\n"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        static const char refused[] = "f:7: the file says cpu nehalem: ";

        ask(rows[i].asked);
        CU_ASSERT_EQUAL(td_recording_cpu(&r, rows[i].said), rows[i].wanted);
        CU_ASSERT_EQUAL(!strncmp(own_log.error, refused, strlen(refused)), rows[i].wanted != 0);
        CU_ASSERT_EQUAL(r.stream.identity.nparts != 0, rows[i].name != NULL);
        if (rows[i].name)
            CU_ASSERT_STRING_EQUAL(r.stream.identity.name, rows[i].name);
        CU_ASSERT_STRING_EQUAL(told, rows[i].note);
    }
}

/* What was asked of SMT goes before what the file says; where they differ it is noted. */
static void smt(void)
{
    static const struct {
        enum td_smt asked, said, taken;
        const char *note;
    } rows[] = {
        {TD_SMT_UNKNOWN, TD_SMT_UNKNOWN, TD_SMT_UNKNOWN, ""},
        {TD_SMT_UNKNOWN, TD_SMT_ON, TD_SMT_ON, ""},
        {TD_SMT_UNKNOWN, TD_SMT_OFF, TD_SMT_OFF, ""},
        {TD_SMT_ON, TD_SMT_UNKNOWN, TD_SMT_ON, ""},
        {TD_SMT_OFF, TD_SMT_UNKNOWN, TD_SMT_OFF, ""},
        {TD_SMT_ON, TD_SMT_ON, TD_SMT_ON, ""},
        {TD_SMT_OFF, TD_SMT_OFF, TD_SMT_OFF, ""},
        {TD_SMT_ON, TD_SMT_OFF, TD_SMT_ON, "f:7: the file says that SMT was off; read as on, as asked\n"},
        {TD_SMT_OFF, TD_SMT_ON, TD_SMT_OFF, "f:7: the file says that SMT was on; read as off, as asked\n"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        begin();
        settings.smt = rows[i].asked;
        td_recording_smt(&r, rows[i].said);
        CU_ASSERT_EQUAL(r.stream.smt, rows[i].taken);
        CU_ASSERT_STRING_EQUAL(told, rows[i].note);
    }
}

static const CU_TestInfo tests[] = {
    {"messages", messages},
    {"what is left out", left_out},
    {"lines that name events", names},
    {"too many names", too_many_names},
    {"lines", lines},
    {"columns", columns},
    {"lines of other tools", foreign_lines},
    {"the CPU that a file names", cpus},
    {"SMT", smt},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("recordings", tests);
