/* SPDX-License-Identifier: MIT */
#include "sim/replay/bytes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { BUF = 2 * TD_LINE_MAX };

int td_bytes_open(struct td_bytes *c, td_read_fn *read, void *ctx)
{
    *c = (struct td_bytes){.read = read, .ctx = ctx};
    c->buf = malloc(BUF + 1);
    c->text = malloc(TD_LINE_MAX + 1);
    return c->buf && c->text ? 0 : -ENOMEM;
}

int td_bytes_format(struct td_bytes *c, char sep, char quote)
{
    if (csv_init(&c->parser, 0))
        return -ENOMEM;
    c->parser_ready = true;
    c->separator = sep;
    c->quote = quote;
    csv_set_delim(&c->parser, (unsigned char)sep);
    csv_set_quote(&c->parser, (unsigned char)quote);
    return 0;
}

void td_bytes_close(struct td_bytes *c)
{
    if (c->parser_ready)
        csv_free(&c->parser);
    free(c->buf);
    free(c->text);
    *c = (struct td_bytes){0};
}

/* Moves the rest to the front and reads more after it. */
static int fill(struct td_bytes *c)
{
    ssize_t n;

    memmove(c->buf, c->buf + c->start, c->end - c->start);
    c->end -= c->start;
    c->start = 0;
    n = c->read(c->ctx, c->buf + c->end, BUF - c->end);
    if (n < 0)
        return (int)n;
    c->at_end = n == 0;
    c->odd = c->odd || memchr(c->buf + c->end, '\0', (size_t)n) || memchr(c->buf + c->end, '\r', (size_t)n);
    c->end += (size_t)n;
    if (!c->begun && c->end >= 3 && !memcmp(c->buf, "\xef\xbb\xbf", 3))
        c->start = 3;
    c->begun = c->begun || c->end >= 3 || c->at_end;
    return 0;
}

/* The end of the first line in the buffer, reading more until there is one. */
static int find_end(struct td_bytes *c, char **end)
{
    size_t searched = 0;
    int err;

    for (;;) {
        *end = memchr(c->buf + c->start + searched, '\n', c->end - c->start - searched);
        searched = c->end - c->start;
        if (*end || (searched && c->at_end))
            return 0;
        if (searched > TD_LINE_MAX + 1)
            return -EMSGSIZE;
        if (c->at_end)
            return -ENODATA;
        err = fill(c);
        if (err)
            return err;
        searched = searched < c->end - c->start ? searched : 0;
    }
}

/* Checks a line of a file that has a NUL byte or a carriage return somewhere: 0, or the error for a line that is
 * refused. */
static int check_odd(char *line, size_t *len)
{
    if (memchr(line, '\0', *len))
        return -EILSEQ;
    if (*len && line[*len - 1] == '\r')
        --*len;
    line[*len] = '\0';
    if (*len > TD_LINE_MAX)
        return -EMSGSIZE;
    return memchr(line, '\r', *len) ? -EPROTO : 0; /* libcsv would end the row there */
}

int td_bytes_line(struct td_bytes *c, char **line, size_t *len)
{
    char *end;
    int err;

    if (c->again) {
        c->again = false;
        *line = c->last;
        *len = c->last_len;
        return 0;
    }
    err = find_end(c, &end);
    if (err == -ENODATA)
        return err;
    c->line++;
    if (err) { /* gives what there is of the line, for a message */
        c->buf[c->end] = '\0';
        *line = c->buf + c->start;
        return err;
    }
    c->unterminated = !end;
    *line = c->buf + c->start;
    *len = (end ? (size_t)(end - c->buf) : c->end) - c->start;
    c->start += *len + (end ? 1 : 0);
    (*line)[*len] = '\0';
    if (c->odd)
        err = check_odd(*line, len);
    else if (*len > TD_LINE_MAX)
        err = -EMSGSIZE;
    if (err)
        return err;
    c->last = *line;
    c->last_len = *len;
    return 0;
}

ssize_t td_bytes_peek(struct td_bytes *c, const char **bytes, size_t n)
{
    while (c->end < n && !c->at_end) {
        int err = fill(c);

        if (err)
            return err;
    }
    *bytes = c->buf;
    return (ssize_t)(c->end < n ? c->end : n);
}

int td_bytes_ahead(struct td_bytes *c, size_t *at, char **line, size_t *len)
{
    const char *begin, *end;
    int err;

    for (;;) {
        begin = c->buf + c->start + *at;
        end = *at < c->end - c->start ? memchr(begin, '\n', c->end - c->start - *at) : NULL;
        if (end || c->at_end || c->line || c->end - c->start >= TD_LINE_MAX)
            break;
        err = fill(c);
        if (err)
            return err;
    }
    if (!end && c->at_end && *at < c->end - c->start)
        end = c->buf + c->end;
    if (!end || end > c->buf + c->start + TD_LINE_MAX)
        return -ENODATA;
    *len = (size_t)(end - begin);
    *at += *len + 1;
    memcpy(c->text, begin, *len);
    *len -= *len && c->text[*len - 1] == '\r';
    c->text[*len] = '\0';
    *line = c->text;
    return 0;
}

ssize_t td_bytes_take(struct td_bytes *c, void *buf, size_t size)
{
    size_t got = 0;

    while (got < size) {
        size_t n = c->end - c->start < size - got ? c->end - c->start : size - got;
        int err;

        memcpy((char *)buf + got, c->buf + c->start, n);
        c->start += n;
        got += n;
        if (got == size || c->at_end)
            break;
        err = fill(c);
        if (err)
            return err;
    }
    return (ssize_t)got;
}

int td_bytes_seek(struct td_bytes *c, td_seek_fn *seek, uint64_t offset)
{
    c->start = c->end = 0;
    c->at_end = false;
    return seek(c->ctx, offset);
}

void td_bytes_again(struct td_bytes *c)
{
    c->again = true;
}

static void take_field(void *field, size_t len, void *ctx)
{
    struct td_bytes *c = ctx;

    if (c->nfields == TD_FIELDS_MAX) {
        c->overflow = true;
        return;
    }
    /* text has room for it: with a separator or the end for each, the fields are no longer than their line */
    c->field[c->nfields] = c->text + c->used;
    c->length[c->nfields++] = len;
    if (len)
        memcpy(c->text + c->used, field, len);
    c->used += len;
    c->text[c->used++] = '\0';
}

static void take_row(int end, void *ctx)
{
    struct td_bytes *c = ctx;

    (void)end;
    c->complete = true;
}

static int split_by_libcsv(struct td_bytes *c, char *line, size_t len)
{
    c->nfields = c->used = 0;
    c->overflow = c->complete = false;
    line[len] = '\n'; /* in place of the NUL, which the caller no longer needs */
    if (csv_parse(&c->parser, line, len + 1, take_field, take_row, c) != len + 1)
        return -ENOMEM;
    if (!c->complete)
        csv_fini(&c->parser, NULL, NULL, NULL); /* the next line is outside the quote */
    if (c->overflow)
        return -E2BIG;
    return c->complete || !len ? 0 : -EILSEQ;
}

static bool is_blank(char ch)
{
    return ch == ' ' || ch == '\t';
}

/* Adds the field from..end-1 without the blanks around it at to, the end of the fields so far; returns its own end. */
static char *put_field(struct td_bytes *c, char *to, char *from, char *end)
{
    while (from < end && is_blank(*from))
        from++;
    while (end > from && is_blank(end[-1]))
        end--;
    if (!c->nfields)
        to = from;
    else if (to != from)
        memmove(to, from, (size_t)(end - from));
    c->field[c->nfields] = to;
    c->length[c->nfields++] = (size_t)(end - from);
    to += end - from;
    *to = '\0';
    return to + 1;
}

/* Splits a line without quotes in place, as libcsv would split it. */
static int split_in_place(struct td_bytes *c, char *line, size_t len)
{
    char *to = line, *const end = line + len, *next;

    for (c->nfields = 0; (next = memchr(line, c->separator, (size_t)(end - line))); line = next + 1) {
        if (c->nfields == TD_FIELDS_MAX)
            return -E2BIG;
        to = put_field(c, to, line, next);
    }
    if (c->nfields == TD_FIELDS_MAX)
        return -E2BIG;
    put_field(c, to, line, end);
    return 0;
}

static bool all_blank(const struct td_bytes *c, const char *line, size_t len)
{
    while (len && is_blank(*line) && *line != c->separator)
        line++, len--;
    return !len;
}

int td_bytes_split(struct td_bytes *c, char *line, size_t len)
{
    if (c->by_libraries || all_blank(c, line, len) || (c->quote && memchr(line, c->quote, len)))
        return split_by_libcsv(c, line, len);
    return split_in_place(c, line, len);
}
