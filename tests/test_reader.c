/* SPDX-License-Identifier: MIT */
/* The readers, from bytes to intervals. Every recording here is read in pieces
 * of 1, 2, 3, ... bytes and must give the same each time; what it must give is
 * written out by hand. */
#include "perf_csv.h"
#include "number.h"
#include "unit.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A file in memory that comes in pieces; behind it the error, if any. */
struct source {
    const char *text;
    size_t left, piece;
    int err;
};

static ssize_t source_read(void *ctx, void *buf, size_t size)
{
    struct source *s = ctx;
    size_t n = s->left < s->piece ? s->left : s->piece;

    n = n < size ? n : size;
    if (!n)
        return s->err;
    memcpy(buf, s->text, n);
    s->text += n;
    s->left -= n;
    return (ssize_t)n;
}

/* What came out, as text. */
struct log {
    char text[8192];
    size_t n;
};

static void put(struct log *l, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void put(struct log *l, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    if (l->n < sizeof(l->text))
        l->n += (size_t)vsnprintf(l->text + l->n, sizeof(l->text) - l->n, format, args);
    va_end(args);
}

static bool same_log(const struct log *l, const char *wanted, size_t piece)
{
    bool same = !strcmp(l->text, wanted);

    if (!same)
        printf("\n    in pieces of %zu:\n    got    %s\n    wanted %s", piece, l->text, wanted);
    CU_ASSERT(same);
    return same;
}

/* ---- lines and fields ---- */

static void put_lines(struct log *l, struct source *s)
{
    struct td_csv c;
    char *line;
    size_t len;
    int err;

    CU_ASSERT_EQUAL_FATAL(td_csv_open(&c, source_read, s), 0);
    while (!(err = td_csv_line(&c, &line, &len)) && strlen(line) == len)
        put(l, "%lu(%s)", c.line, line);
    put(l, err == -ENODATA ? "." : err == -EILSEQ ? "NUL" : err == -EMSGSIZE ? "long" : err == -EIO ? "EIO" : "?");
    if (c.unterminated)
        put(l, "unterminated");
    td_csv_close(&c);
}

static void lines(void)
{
    static const struct {
        const char *text;
        size_t len;
        int err;
        const char *wanted;
    } all[] = {
#define LINES(text_, err_, wanted_) {text_, sizeof(text_) - 1, err_, wanted_}
        LINES("", 0, "."), LINES("a", 0, "1(a).unterminated"), LINES("a\n", 0, "1(a)."), LINES("\n", 0, "1()."), LINES("\n\na", 0, "1()2()3(a).unterminated"),
        LINES("a\r\nbb\r\n", 0, "1(a)2(bb)."), LINES("a\r\r\nb\r", 0, "1(a\r)2(b).unterminated"), LINES("\r\n\r", 0, "1()2().unterminated"),
        LINES("\xef\xbb\xbf" "a\nb\n", 0, "1(a)2(b)."), LINES("\xef\xbb\xbf", 0, "."), LINES("\xef\xbb", 0, "1(\xef\xbb).unterminated"),
        LINES("\xef\xbb\xbf\n\xef\xbb\xbf" "b\n", 0, "1()2(\xef\xbb\xbf" "b)."), LINES("a\n\0b\n", 0, "1(a)NUL"), LINES("a\nb\0", 0, "1(a)NULunterminated"),
        LINES("a\nb", -EIO, "1(a)EIO"), LINES("", -EIO, "EIO"),
    };

    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
        for (size_t piece = 1; piece <= all[i].len + 1; piece++) {
            struct source s = {all[i].text, all[i].len, piece, all[i].err};
            struct log l = {.n = 0};

            put_lines(&l, &s);
            if (!same_log(&l, all[i].wanted, piece))
                break;
        }
}

/* A line of n bytes, between two short ones. */
static void long_line(size_t n, const char *end, size_t piece, int wanted)
{
    size_t size = n + 3 + strlen(end);
    char *text = malloc(size), *line;
    struct source s = {text, size - 1, piece, 0};
    struct td_csv c;
    size_t len;

    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    memcpy(text, "a\n", 2);
    memset(text + 2, 'x', n);
    memcpy(text + 2 + n, end, strlen(end) + 1);
    CU_ASSERT_EQUAL_FATAL(td_csv_open(&c, source_read, &s), 0);
    CU_ASSERT_EQUAL(td_csv_line(&c, &line, &len), 0);
    CU_ASSERT_EQUAL(td_csv_line(&c, &line, &len), wanted);
    CU_ASSERT_EQUAL(c.line, 2);
    if (!wanted)
        CU_ASSERT_EQUAL(len, n);
    td_csv_close(&c);
    free(text);
}

static void long_lines(void)
{
    for (size_t piece = 1; piece <= 1 << 18; piece *= 7) {
        long_line(TD_LINE_MAX, "\nb\n", piece, 0);
        long_line(TD_LINE_MAX, "\r\nb\n", piece, 0);
        long_line(TD_LINE_MAX, "", piece, 0);
        long_line(TD_LINE_MAX + 1, "\nb\n", piece, -EMSGSIZE);
        long_line(TD_LINE_MAX + 1, "", piece, -EMSGSIZE);
        long_line(2 * TD_LINE_MAX, "\nb\n", piece, -EMSGSIZE);
    }
    long_line(10000000, "\nb\n", 65536, -EMSGSIZE);
}

/* Splits one line: "FIELD|FIELD|", or the error. */
static void split(const char *text, char sep, char quote, const char *wanted)
{
    struct source s = {text, strlen(text), 1000, 0};
    struct log l = {.n = 0};
    struct td_csv c;
    char *line;
    size_t len;
    int err;

    CU_ASSERT_EQUAL_FATAL(td_csv_open(&c, source_read, &s), 0);
    CU_ASSERT_EQUAL_FATAL(td_csv_format(&c, sep, quote), 0);
    CU_ASSERT_EQUAL(td_csv_line(&c, &line, &len), 0);
    td_csv_again(&c);
    CU_ASSERT_EQUAL(td_csv_line(&c, &line, &len), 0);
    err = td_csv_split(&c, line, len);
    for (size_t i = 0; !err && i < c.nfields; i++)
        put(&l, c.length[i] == strlen(c.field[i]) ? "%s|" : "wrong length of %s", c.field[i]);
    if (err)
        put(&l, err == -E2BIG ? "E2BIG" : err == -EILSEQ ? "EILSEQ" : "?");
    same_log(&l, wanted, 1000);
    td_csv_close(&c);
}

static void fields(void)
{
    char most[2 * TD_FIELDS_MAX + 8];

    split("a,b,c\n", ',', '"', "a|b|c|");
    split("a,,\n", ',', '"', "a|||");
    split("   0.5,x y\n", ',', '\0', "0.5|x y|");
    split("\"a,\"\"b\"\"\",c\n", ',', '"', "a,\"b\"|c|");
    split("\"a,b\",c\n", ',', '\0', "\"a|b\"|c|");
    split("\"a,b\n", ',', '"', "EILSEQ");
    split("a;b,c;d\n", ';', '\0', "a|b,c|d|");
    split("a\tb\t\n", '\t', '\0', "a|b||");
    memset(most, ',', TD_FIELDS_MAX - 1);
    most[TD_FIELDS_MAX - 1] = '\0';
    split(most, ',', '\0', "||||||||||||||||||||||||||||||||||||||||||||||||||||||||||||||||");
    strcat(most, ",");
    split(most, ',', '\0', "E2BIG");
}

/* ---- numbers ---- */

static void numbers(void)
{
    static const struct {
        const char *text, *u64, *decimal; /* why not, NULL: a number */
        uint64_t n;
        double d;
    } all[] = {
        {"0", NULL, NULL, 0, 0}, {"007", NULL, NULL, 7, 7}, {"9007199254740993", NULL, NULL, 9007199254740993, 9007199254740992.0},
        {"18446744073709551615", NULL, NULL, UINT64_MAX, 18446744073709551616.0},
        {"18446744073709551616", td_number_large, td_number_large, 0, 0}, {"99999999999999999999999", td_number_large, td_number_large, 0, 0},
        {"-1", td_number_negative, td_number_negative, 0, 0}, {"-", td_number_negative, td_number_negative, 0, 0},
        {"1.5", td_number_none, NULL, 0, 1.5}, {"0.000000001", td_number_none, NULL, 0, 1e-9}, {"12.25", td_number_none, NULL, 0, 12.25},
        {"", td_number_none, td_number_none, 0, 0}, {"+1", td_number_none, td_number_none, 0, 0}, {" 1", td_number_none, td_number_none, 0, 0},
        {"1 ", td_number_none, td_number_none, 0, 0}, {"1e3", td_number_none, td_number_none, 0, 0}, {"0x10", td_number_none, td_number_none, 0, 0},
        {"1.", td_number_none, td_number_none, 0, 0}, {".5", td_number_none, td_number_none, 0, 0}, {"1.2.3", td_number_none, td_number_none, 0, 0},
        {"nan", td_number_none, td_number_none, 0, 0}, {"inf", td_number_none, td_number_none, 0, 0}, {"1,5", td_number_none, td_number_none, 0, 0},
    };

    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
        size_t len = strlen(all[i].text);
        uint64_t n = 0;
        double d = 0;

        CU_ASSERT_PTR_EQUAL(td_number_u64(all[i].text, len, &n), all[i].u64);
        CU_ASSERT_PTR_EQUAL(td_number_decimal(all[i].text, len, &d), all[i].decimal);
        if (!all[i].u64)
            CU_ASSERT_EQUAL(n, all[i].n);
        if (!all[i].decimal)
            CU_ASSERT(fabs(d - all[i].d) <= 1e-15 * all[i].d);
    }
}

static void other_numbers(void)
{
    static const struct {
        const char *text;
        bool good;
        uint64_t ns;
    } times[] = {
        {"0.201351629", true, 201351629}, {"1.000000000", true, 1000000000}, {"18446744072.999999999", true, UINT64_C(18446744072999999999)},
        {"18446744073.709551616", false, 0}, {"99999999999.000000000", false, 0}, {"1.00000000", false, 0}, {"1.0000000000", false, 0},
        {".000000001", false, 0}, {"-1.000000000", false, 0}, {"1,000000000", false, 0}, {"1.00000000x", false, 0}, {"", false, 0}, {"1000000000", false, 0},
    };
    uint64_t n = 0;

    for (size_t i = 0; i < sizeof(times) / sizeof(*times); i++) {
        CU_ASSERT_EQUAL(td_number_time(times[i].text, strlen(times[i].text), &n), times[i].good);
        if (times[i].good)
            CU_ASSERT_EQUAL(n, times[i].ns);
    }
    CU_ASSERT_PTR_NULL(td_number_hex("0x0", 3, &n));
    CU_ASSERT_PTR_NULL(td_number_hex("0Xff00AbcD12345678", 18, &n));
    CU_ASSERT_EQUAL(n, UINT64_C(0xff00abcd12345678));
    CU_ASSERT_PTR_EQUAL(td_number_hex("0x10000000000000000", 19, &n), td_number_large);
    CU_ASSERT_PTR_EQUAL(td_number_hex("0x", 2, &n), td_number_none);
    CU_ASSERT_PTR_EQUAL(td_number_hex("10", 2, &n), td_number_none);
    CU_ASSERT_PTR_EQUAL(td_number_hex("0x1g", 4, &n), td_number_none);
    CU_ASSERT_PTR_EQUAL(td_number_hex("-0x1", 4, &n), td_number_none);
}

static void texts(void)
{
    static struct td_texts t;
    char name[32];

    for (int round = 0; round < 2; round++)
        for (int i = 0; i < TD_TEXTS_MAX; i++)
            if (td_texts_number(&t, name, (size_t)snprintf(name, sizeof(name), "event%d", i * 7 % TD_TEXTS_MAX)) != i)
                CU_FAIL("a text got another number");
    CU_ASSERT_EQUAL(td_texts_number(&t, "one more", 8), -E2BIG);
    CU_ASSERT_EQUAL(td_texts_number(&t, "event7", 6), 1);
    td_texts_free(&t);
}

/* ---- recordings ---- */

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
        {"1.000000000,5,,slots,9,100.00,,\n5,,slots,9,100.00,,\n", "!f:2: this line has no time, the lines above have one"},
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
        {"# tdprobe-trace: 2\n", "!f:1: version 2 of the format~"}, {"# tdprobe-trace: 1.0\n", "!f:1: the version '1.0' is not a number"},
        {"# tdprobe-trace:\n", "!f:1: the version '' is not a number"}, {"# tdprobe-trace: 1\n", "!f:1: the file ends before~"},
        {"# tdprobe-trace: 1\n# cpu: skl\n# colour: red\n", "!f:3: unknown key 'colour'~"}, {"# tdprobe-trace: 1\n# cpu\n", "!f:2: a header line without a key~"},
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
        {SKL ROW("9", "0", "cycles", "6", "9,9"), "{f:6: the last reading of CPU3, from line 6 on, was cut off; it is left out}!f:6: the trace holds no interval~"},
        {0},
    };

    read_all(all);
}

void suite_reader(void)
{
    static const CU_TestInfo tests[] = {
        {"lines", lines}, {"long lines", long_lines}, {"fields", fields}, {"numbers", numbers}, {"times and hexadecimal", other_numbers},
        {"names of events", texts}, {"perf stat -x", perf_rows}, {"perf stat -x refused", perf_refusals}, {"traces", trace_rows},
        {"trace headers refused", header_refusals}, {"trace rows refused", row_refusals}, CU_TEST_INFO_NULL,
    };

    unit_suite("reader", tests);
}
