/* SPDX-License-Identifier: MIT */
/* The layers below the formats: lines, fields, numbers, names of events. Every text is read
 * in pieces of 1, 2, 3, ... bytes and must give the same each time. */
#include "sim/replay/bytes.h"
#include "util/number.h"
#include "tests/support/memory.h"
#include "tests/support/pieces.h"
#include "core/counts/event_names.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

static void put_lines(struct log *l, struct source *s)
{
    struct td_bytes c;
    char *line;
    size_t len;
    int err;

    CU_ASSERT_EQUAL_FATAL(td_bytes_open(&c, source_read, s), 0);
    while (!(err = td_bytes_line(&c, &line, &len)) && strlen(line) == len)
        put(l, "%lu(%s)", c.line, line);
    put(l, err == -ENODATA    ? "."
           : err == -EILSEQ   ? "NUL"
           : err == -EMSGSIZE ? "long"
           : err == -EPROTO   ? "CR"
           : err == -EIO      ? "EIO"
                              : "?");
    if (c.unterminated)
        put(l, "unterminated");
    td_bytes_close(&c);
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
        LINES("", 0, "."),
        LINES("a", 0, "1(a).unterminated"),
        LINES("a\n", 0, "1(a)."),
        LINES("\n", 0, "1()."),
        LINES("\n\na", 0, "1()2()3(a).unterminated"),
        LINES("a\r\nbb\r\n", 0, "1(a)2(bb)."),
        LINES("a\r\nb\r", 0, "1(a)2(b).unterminated"),
        LINES("a\r\r\nb\n", 0, "CR"),
        LINES("a\rb\n", 0, "CR"),
        LINES("\r\n\r", 0, "1()2().unterminated"),
        LINES("\xef\xbb\xbf"
              "a\nb\n",
              0, "1(a)2(b)."),
        LINES("\xef\xbb\xbf", 0, "."),
        LINES("\xef\xbb", 0, "1(\xef\xbb).unterminated"),
        LINES("\xef\xbb\xbf\n\xef\xbb\xbf"
              "b\n",
              0,
              "1()2(\xef\xbb\xbf"
              "b)."),
        LINES("a\n\0b\n", 0, "1(a)NUL"),
        LINES("a\nb\0", 0, "1(a)NULunterminated"),
        LINES("a\nb", -EIO, "1(a)EIO"),
        LINES("", -EIO, "EIO"),
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
    struct td_bytes c;
    size_t len;

    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    memcpy(text, "a\n", 2);
    memset(text + 2, 'x', n);
    memcpy(text + 2 + n, end, strlen(end) + 1);
    CU_ASSERT_EQUAL_FATAL(td_bytes_open(&c, source_read, &s), 0);
    CU_ASSERT_EQUAL(td_bytes_line(&c, &line, &len), 0);
    CU_ASSERT_EQUAL(td_bytes_line(&c, &line, &len), wanted);
    CU_ASSERT_EQUAL(c.line, 2);
    if (!wanted)
        CU_ASSERT_EQUAL(len, n);
    td_bytes_close(&c);
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
    struct td_bytes c;
    char *line;
    size_t len;
    int err;

    CU_ASSERT_EQUAL_FATAL(td_bytes_open(&c, source_read, &s), 0);
    CU_ASSERT_EQUAL_FATAL(td_bytes_format(&c, sep, quote), 0);
    CU_ASSERT_EQUAL(td_bytes_line(&c, &line, &len), 0);
    td_bytes_again(&c);
    CU_ASSERT_EQUAL(td_bytes_line(&c, &line, &len), 0);
    err = td_bytes_split(&c, line, len);
    for (size_t i = 0; !err && i < c.nfields; i++)
        put(&l, c.length[i] == strlen(c.field[i]) ? "%s|" : "wrong length of %s", c.field[i]);
    if (err)
        put(&l, err == -E2BIG ? "E2BIG" : err == -EILSEQ ? "EILSEQ" : "?");
    same_log(&l, wanted, 1000);
    td_bytes_close(&c);
}

/* A quote that one line leaves open, whether its fields are too many or not, ends with the line. */
static void open_quotes(void)
{
    static const struct {
        unsigned commas;
        int wanted;
    } rows[] = {{1, -EILSEQ}, {TD_FIELDS_MAX, -EILSEQ}, {TD_FIELDS_MAX + 1, -E2BIG}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        char text[100];
        const int n = snprintf(text, sizeof(text), "%.*s\"x\n\"a,b\",\"c\"\n", (int)rows[i].commas,
                               ",,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,");
        struct source s = {text, (size_t)n, 1000, 0};
        struct td_bytes c;
        char *line;
        size_t len;

        CU_ASSERT_FATAL(!td_bytes_open(&c, source_read, &s) && !td_bytes_format(&c, ',', '"'));
        CU_ASSERT_EQUAL(td_bytes_line(&c, &line, &len), 0);
        CU_ASSERT_EQUAL(td_bytes_split(&c, line, len), rows[i].wanted);
        CU_ASSERT_EQUAL(td_bytes_line(&c, &line, &len), 0);
        CU_ASSERT_EQUAL(td_bytes_split(&c, line, len), 0);
        CU_ASSERT(c.nfields == 2 && !strcmp(c.field[0], "a,b") && !strcmp(c.field[1], "c"));
        td_bytes_close(&c);
    }
}

/* Where a line has no quotes its fields stay where they are; others are copied. */
static void where_fields_are(void)
{
    static const struct {
        const char *text;
        bool stays;
    } rows[] = {{"a,b\n", true}, {" a,b\n", true}, {",\n", true}, {" ,\n", true}, {"a,\"b\"\n", false}, {"\n", false}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct source s = {rows[i].text, strlen(rows[i].text), 1000, 0};
        struct td_bytes c;
        char *line;
        size_t len;

        CU_ASSERT_FATAL(!td_bytes_open(&c, source_read, &s) && !td_bytes_format(&c, ',', '"'));
        CU_ASSERT_FATAL(!td_bytes_line(&c, &line, &len) && !td_bytes_split(&c, line, len));
        CU_ASSERT_EQUAL(c.nfields && c.field[0] >= line && c.field[0] <= line + len, rows[i].stays);
        td_bytes_close(&c);
    }
}

/* 400 lines of a thousand bytes each, of which each read gives as many as are asked for. */
static void large_pieces(void)
{
    enum { LINE = 1000, LINES = 400 };
    char *text = malloc(LINE * LINES), *line;
    struct source s = {text, LINE * LINES, LINE * LINES, 0};
    struct td_bytes c;
    size_t len;

    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    memset(text, 'x', LINE * LINES);
    for (size_t i = 0; i < LINES; i++) {
        text[LINE * i] = (char)('a' + i % 26);
        text[LINE * i + LINE - 1] = '\n';
    }
    CU_ASSERT_EQUAL_FATAL(td_bytes_open(&c, source_read, &s), 0);
    for (size_t i = 0; i < LINES; i++) {
        CU_ASSERT_EQUAL_FATAL(td_bytes_line(&c, &line, &len), 0);
        CU_ASSERT(len == LINE - 1 && *line == (char)('a' + i % 26) && line[len - 1] == 'x');
    }
    CU_ASSERT(td_bytes_line(&c, &line, &len) == -ENODATA && c.line == LINES);
    td_bytes_close(&c);
    free(text);
}

/* Lines that fill all of the room there is: one in quotes, one that is looked at ahead, and one that is too long. */
static int fill_room(void *ctx)
{
    static char text[4 * TD_LINE_MAX];
    struct source s = {text, sizeof(text), sizeof(text), 0};
    struct td_bytes c;
    char *line;
    size_t len, at = 0;
    int err = td_bytes_open(&c, source_read, &s);

    (void)ctx;
    memset(text, 'x', sizeof(text));
    text[1] = ',';
    text[2] = text[TD_LINE_MAX - 1] = '"';
    text[TD_LINE_MAX] = '\n';
    err = err ? err : td_bytes_format(&c, ',', '"');
    if (!err) {
        CU_ASSERT(!td_bytes_ahead(&c, &at, &line, &len) && len == TD_LINE_MAX && line[len - 1] == '"');
        CU_ASSERT(!td_bytes_line(&c, &line, &len) && len == TD_LINE_MAX && !td_bytes_split(&c, line, len));
        CU_ASSERT(c.nfields == 2 && c.length[0] == 1 && c.length[1] == TD_LINE_MAX - 4);
        CU_ASSERT(td_bytes_line(&c, &line, &len) == -EMSGSIZE && c.line == 2);
    }
    td_bytes_close(&c);
    return err;
}

static void room(void)
{
    CU_ASSERT_EQUAL(memory_each(fill_room, NULL, 1, false), 2); /* libcsv's own are not seen */
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
    split("a\"b,c\n", ',', '"', "a\"b|c|"); /* a quote that does not begin a field is a part of it */
    split("a;b,c;d\n", ';', '\0', "a|b,c|d|");
    split("a\tb\t\n", '\t', '\0', "a|b||");
    memset(most, ',', TD_FIELDS_MAX - 1);
    most[TD_FIELDS_MAX - 1] = '\0';
    split(most, ',', '\0', "||||||||||||||||||||||||||||||||||||||||||||||||||||||||||||||||");
    strcat(most, ",");
    split(most, ',', '\0', "E2BIG");
    strcat(most, ",a");
    split(most, ',', '\0', "E2BIG");
}

/* Splits one line into "FIELD|FIELD|", or the error. */
static void put_fields(struct log *l, const char *text, size_t n, char sep, bool by_libraries)
{
    struct source s = {text, n, 1000, 0};
    struct td_bytes c;
    char *line;
    size_t len;
    int err;

    CU_ASSERT_EQUAL_FATAL(td_bytes_open(&c, source_read, &s), 0);
    CU_ASSERT_EQUAL_FATAL(td_bytes_format(&c, sep, '"'), 0);
    c.by_libraries = by_libraries;
    err = td_bytes_line(&c, &line, &len);
    err = err ? err : td_bytes_split(&c, line, len);
    put(l, "%d:", err);
    for (size_t i = 0; !err && i < c.nfields; i++) {
        put(l, c.length[i] == strlen(c.field[i]) ? "%s|" : "wrong length of %s", c.field[i]);
        if (i && c.field[i] != c.field[i - 1] + c.length[i - 1] + 1)
            put(l, "fields are apart");
    }
    td_bytes_close(&c);
}

/* Lines of every combination of a few characters, and longer random ones: as libcsv splits them. */
static void in_place(void)
{
    static const char some[] = ", \ta\";", separators[] = ",;\t ";
    uint64_t state = UINT64_C(88172645463325252);

    for (unsigned i = 0; i < 60000; i++) {
        struct log usual = {.n = 0}, by_libcsv = {.n = 0};
        char text[100];
        size_t n = i < 20000 ? 6 : 1 + i % 90;
        unsigned left = i;

        for (size_t k = 0; k < n; k++, left /= 6) {
            state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
            text[k] = some[i < 20000 ? left % 6 : (state >> 33) % (i % 2 ? 6 : 4)];
        }
        put_fields(&usual, text, n, separators[i % 4], false);
        put_fields(&by_libcsv, text, n, separators[i % 4], true);
        if (!same_log(&usual, by_libcsv.text, n))
            break;
    }
}

static void numbers(void)
{
    static const struct {
        const char *text, *u64, *decimal; /* why it is none; NULL: a number */
        uint64_t n;
        double d;
    } all[] = {
        {"0", NULL, NULL, 0, 0},
        {"007", NULL, NULL, 7, 7},
        {"9007199254740993", NULL, NULL, 9007199254740993, 9007199254740992.0},
        {"18446744073709551615", NULL, NULL, UINT64_MAX, 18446744073709551616.0},
        {"18446744073709551616", td_number_large, td_number_large, 0, 0},
        {"99999999999999999999999", td_number_large, td_number_large, 0, 0},
        {"-1", td_number_negative, td_number_negative, 0, 0},
        {"-", td_number_negative, td_number_negative, 0, 0},
        {"1.5", td_number_none, NULL, 0, 1.5},
        {"0.000000001", td_number_none, NULL, 0, 1e-9},
        {"12.25", td_number_none, NULL, 0, 12.25},
        {"", td_number_none, td_number_none, 0, 0},
        {"+1", td_number_none, td_number_none, 0, 0},
        {" 1", td_number_none, td_number_none, 0, 0},
        {"1 ", td_number_none, td_number_none, 0, 0},
        {"1e3", td_number_none, td_number_none, 0, 0},
        {"0x10", td_number_none, td_number_none, 0, 0},
        {"1.", td_number_none, td_number_none, 0, 0},
        {".5", td_number_none, td_number_none, 0, 0},
        {"1.2.3", td_number_none, td_number_none, 0, 0},
        {"nan", td_number_none, td_number_none, 0, 0},
        {"inf", td_number_none, td_number_none, 0, 0},
        {"1,5", td_number_none, td_number_none, 0, 0},
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
        {"0.201351629", true, 201351629},
        {"1.000000000", true, 1000000000},
        {"18446744072.999999999", true, UINT64_C(18446744072999999999)},
        {"18446744073.709551616", false, 0},
        {"99999999999.000000000", false, 0},
        {"1.00000000", false, 0},
        {"1.0000000000", false, 0},
        {".000000001", false, 0},
        {"-1.000000000", false, 0},
        {"1,000000000", false, 0},
        {"1.00000000x", false, 0},
        {"", false, 0},
        {"1000000000", false, 0},
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

static const CU_TestInfo tests[] = {
    {"lines", lines},
    {"long lines", long_lines},
    {"fields", fields},
    {"fields split in place", in_place},
    {"open quotes", open_quotes},
    {"where fields are", where_fields_are},
    {"large pieces", large_pieces},
    {"all of the room", room},
    {"numbers", numbers},
    {"times and hexadecimal", other_numbers},
    {"names of events", texts},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("csv", tests);
