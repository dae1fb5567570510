/* SPDX-License-Identifier: MIT */
/* Bytes that are looked at before they are taken, or taken as they are: what each call gives, and how much of the file
 * it has read for that. */
#include "sim/replay/bytes.h"
#include "tests/support/pieces.h"

#include <errno.h>
#include <stdlib.h>

static void begin(struct td_bytes *c, struct source *s, const char *text, size_t piece)
{
    *s = (struct source){text, strlen(text), piece, 0};
    CU_ASSERT_EQUAL_FATAL(td_bytes_open(c, source_read, s), 0);
}

/* Of ten bytes in pieces of three. */
static void peek(void)
{
    static const struct {
        size_t n;
        ssize_t got;
        size_t left; /* of the file, unread */
    } rows[] = {{0, 0, 10}, {1, 1, 7}, {3, 3, 7}, {4, 4, 4}, {9, 9, 1}, {10, 10, 0}, {11, 10, 0}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct td_bytes c;
        struct source s;
        const char *bytes;

        begin(&c, &s, "0123456789", 3);
        CU_ASSERT_EQUAL(td_bytes_peek(&c, &bytes, rows[i].n), rows[i].got);
        CU_ASSERT(!strncmp(bytes, "0123456789", (size_t)rows[i].got));
        CU_ASSERT_EQUAL(s.left, rows[i].left);
        CU_ASSERT_EQUAL(td_bytes_peek(&c, &bytes, rows[i].n), rows[i].got); /* nothing was taken */
        CU_ASSERT_EQUAL(s.left, rows[i].left);
        td_bytes_close(&c);
    }
}

static void peek_error(void)
{
    struct td_bytes c;
    struct source s;
    const char *bytes;

    begin(&c, &s, "012", 3);
    s.err = -EIO;
    CU_ASSERT_EQUAL(td_bytes_peek(&c, &bytes, 3), 3);
    CU_ASSERT_EQUAL(td_bytes_peek(&c, &bytes, 4), -EIO);
    td_bytes_close(&c);
}

static int seek_to(void *ctx, uint64_t offset)
{
    static const char text[] = "0123456789";
    struct source *s = ctx;

    if (offset > 10)
        return -EINVAL;
    s->text = text + offset;
    s->left = 10 - (size_t)offset;
    return 0;
}

/* What is asked for and no more is read; the end gives what there is, and then nothing. */
static void take(void)
{
    static const struct {
        size_t size;
        ssize_t got;
        const char *bytes;
        size_t left;
    } rows[] = {{2, 2, "01", 7}, {1, 1, "2", 7}, {4, 4, "3456", 1}, {2, 2, "78", 1}, {3, 1, "9", 0}, {3, 0, "", 0}};
    struct td_bytes c;
    struct source s;
    char got[8];

    begin(&c, &s, "0123456789", 3);
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        CU_ASSERT_EQUAL(td_bytes_take(&c, got, rows[i].size), rows[i].got);
        CU_ASSERT(!memcmp(got, rows[i].bytes, strlen(rows[i].bytes)));
        CU_ASSERT_EQUAL(s.left, rows[i].left);
    }
    CU_ASSERT_EQUAL(td_bytes_seek(&c, seek_to, 11), -EINVAL);
    CU_ASSERT_EQUAL(td_bytes_seek(&c, seek_to, 4), 0); /* the end was reached: it is not the end any more */
    CU_ASSERT_EQUAL(td_bytes_take(&c, got, 2), 2);
    CU_ASSERT(!memcmp(got, "45", 2));
    CU_ASSERT_EQUAL(td_bytes_seek(&c, seek_to, 0), 0); /* and what was read, but not taken, is forgotten */
    CU_ASSERT_EQUAL(td_bytes_take(&c, got, 3), 3);
    CU_ASSERT(!memcmp(got, "012", 3));
    s.left = 0;
    s.err = -EIO;
    CU_ASSERT_EQUAL(td_bytes_take(&c, got, 1), -EIO);
    td_bytes_close(&c);
}

/* The lines ahead as "(LINE)", with the place of the next one after each. */
static void look(struct log *l, struct td_bytes *c, size_t at)
{
    char *line;
    size_t len;
    int err;

    while (!(err = td_bytes_ahead(c, &at, &line, &len))) {
        put(l, "(%s)%zu", line, at);
        CU_ASSERT_EQUAL(len, strlen(line));
    }
    put(l, "%s", err == -ENODATA ? "." : err == -EIO ? "EIO" : "?");
}

static void ahead(void)
{
    static const struct {
        const char *text;
        int err;
        size_t at;
        const char *wanted;
    } rows[] = {
        {"", 0, 0, "."},
        {"a", 0, 0, "(a)2."},
        {"a\n", 0, 0, "(a)2."},
        {"a\nbb\r\nc", 0, 0, "(a)2(bb)6(c)8."},
        {"a\nbb\r\nc", 0, 2, "(bb)6(c)8."},
        {"a\nbb\r\nc", 0, 3, "(b)6(c)8."}, /* from the middle of a line */
        {"a\nbb\r\nc", 0, 6, "(c)8."},
        {"a\nbb\r\nc", 0, 7, "."}, /* the file has seven bytes */
        {"\n\r\n\n", 0, 0, "()1()3()4."},
        {"\r", 0, 0, "()2."},
        {"a\nb", -EIO, 0, "(a)2EIO"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        for (size_t piece = 1; piece < 10; piece++) {
            struct log l = {.n = 0};
            struct td_bytes c;
            struct source s;

            begin(&c, &s, rows[i].text, piece);
            s.err = rows[i].err;
            look(&l, &c, rows[i].at);
            same_log(&l, rows[i].wanted, piece);
            td_bytes_close(&c);
        }
}

/* Once a line was given, only what was read already is looked at, counted from the end of that line. */
static void ahead_of_a_line(void)
{
    static const struct {
        size_t piece;
        const char *wanted;
    } rows[] = {{2, "."},         {3, "."},         {4, "(b)2."},        {5, "(b)2."},
                {6, "(b)2(c)4."}, {7, "(b)2(c)4."}, {8, "(b)2(c)4(d)6."}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct log l = {.n = 0};
        struct td_bytes c;
        struct source s;
        char *line;
        size_t len;

        begin(&c, &s, "a\nb\nc\nd\n", rows[i].piece);
        CU_ASSERT_EQUAL(td_bytes_line(&c, &line, &len), 0);
        look(&l, &c, 0);
        same_log(&l, rows[i].wanted, rows[i].piece);
        CU_ASSERT(len == 1 && !strcmp(line, "a")); /* it has stayed where it was */
        CU_ASSERT_EQUAL(s.left, 8 - rows[i].piece);
        td_bytes_close(&c);
    }
}

/* Nothing is ahead of the last line, from wherever it is looked for, though lines before it were in the same place. */
static void ahead_of_the_last(void)
{
    struct td_bytes c;
    struct source s;
    char *line;
    size_t len;

    begin(&c, &s, "a\nb\nc", 4);
    for (int i = 0; i < 3; i++)
        CU_ASSERT_EQUAL(td_bytes_line(&c, &line, &len), 0);
    for (size_t from = 0; from < 3; from++) {
        size_t at = from;

        CU_ASSERT(td_bytes_ahead(&c, &at, &line, &len) == -ENODATA && at == from);
    }
    td_bytes_close(&c);
}

static int begin_anew(void *ctx, uint64_t offset)
{
    struct source *s = ctx;

    *s = (struct source){"L\nxy", 4, 8, 0};
    return offset ? -EINVAL : 0;
}

/* What was read before is in the buffer after the last byte, with ends of lines, and is no line ahead. */
static void ahead_of_the_old(void)
{
    struct td_bytes c;
    struct source s;
    const char *bytes;
    char *line;
    size_t len;

    begin(&c, &s, "\n\n\n\n\n\n\n\n", 8);
    CU_ASSERT(td_bytes_peek(&c, &bytes, 8) == 8 && !td_bytes_seek(&c, begin_anew, 0));
    CU_ASSERT(!td_bytes_line(&c, &line, &len) && !strcmp(line, "L"));
    for (size_t from = 0; from < 4; from++) {
        size_t at = from;

        CU_ASSERT(td_bytes_ahead(&c, &at, &line, &len) == -ENODATA && at == from);
    }
    td_bytes_close(&c);
}

/* How far it is to a line is counted from the end of the one that was given, however long that was. */
static void ahead_of_a_long_one(void)
{
    enum { GIVEN = 50000, NEXT = 30000 };
    char *text = malloc(GIVEN + NEXT + 3), *line;
    struct td_bytes c;
    struct source s;
    size_t at = 0, len;

    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    memset(text, 'x', GIVEN + NEXT + 2);
    text[GIVEN] = text[GIVEN + 1 + NEXT] = '\n';
    text[GIVEN + NEXT + 2] = '\0';
    begin(&c, &s, text, GIVEN + NEXT + 2);
    CU_ASSERT(!td_bytes_line(&c, &line, &len) && len == GIVEN);
    CU_ASSERT(!td_bytes_ahead(&c, &at, &line, &len) && len == NEXT && at == NEXT + 1);
    td_bytes_close(&c);
    free(text);
}

/* A line of n bytes with its end, after so many empty lines, in pieces of so many bytes. */
static int ahead_of_long(size_t empty, size_t n, size_t piece, size_t *left)
{
    char *text = calloc(1, empty + n + 3), *line;
    struct td_bytes c;
    struct source s;
    size_t at = empty, len = 0;
    int err;

    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    memset(text, '\n', empty);
    memset(text + empty, 'x', n);
    memcpy(text + empty + n, "\nb", 2);
    begin(&c, &s, text, piece);
    err = td_bytes_ahead(&c, &at, &line, &len);
    if (!err)
        CU_ASSERT(len == n && at == empty + n + 1 && strlen(line) == n);
    *left = s.left;
    td_bytes_close(&c);
    free(text);
    return err;
}

/* A line may end TD_LINE_MAX bytes after the place from which it is looked for, and reading ends where so many are
 * there. */
static void ahead_of_long_lines(void)
{
    enum { MOST = TD_LINE_MAX, ALL = 2 * TD_LINE_MAX };
    size_t left;

    CU_ASSERT_EQUAL(ahead_of_long(0, MOST - 1, ALL, &left), 0);
    CU_ASSERT_EQUAL(ahead_of_long(0, MOST, ALL, &left), 0);
    CU_ASSERT_EQUAL(ahead_of_long(0, MOST + 1, ALL, &left), -ENODATA);
    CU_ASSERT_EQUAL(ahead_of_long(1, MOST - 1, ALL, &left), 0);
    CU_ASSERT_EQUAL(ahead_of_long(1, MOST, ALL, &left), -ENODATA);
    CU_ASSERT_EQUAL(ahead_of_long(0, MOST - 1, MOST / 2, &left), 0);
    CU_ASSERT_EQUAL(left, 1);
    CU_ASSERT_EQUAL(ahead_of_long(0, MOST, MOST / 2, &left), -ENODATA); /* the line's end is the next byte */
    CU_ASSERT_EQUAL(left, 2);
    CU_ASSERT_EQUAL(ahead_of_long(0, MOST, MOST - 1, &left),
                    0); /* one is missing yet, and with the next piece the end is there */
    CU_ASSERT_EQUAL(left, 0);
}

static const CU_TestInfo tests[] = {
    {"looked at before any line", peek},
    {"an error while looking", peek_error},
    {"taken as they are", take},
    {"lines ahead", ahead},
    {"lines ahead of one that was given", ahead_of_a_line},
    {"lines ahead of the last one", ahead_of_the_last},
    {"lines ahead, and old ones", ahead_of_the_old},
    {"lines ahead of a long one", ahead_of_a_long_one},
    {"long lines ahead", ahead_of_long_lines},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("raw bytes", tests);
