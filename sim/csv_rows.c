/* SPDX-License-Identifier: MIT */
#include "csv_rows.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { BUF = 2 * TD_LINE_MAX };

int td_csv_open(struct td_csv *c, td_read_fn *read, void *ctx)
{
    *c = (struct td_csv){.read = read, .ctx = ctx};
    c->buf = malloc(BUF + 1);
    c->text = malloc(TD_LINE_MAX + TD_FIELDS_MAX + 2);
    return c->buf && c->text ? 0 : -ENOMEM;
}

int td_csv_format(struct td_csv *c, char sep, char quote)
{
    if (csv_init(&c->parser, 0))
        return -ENOMEM;
    c->parser_ready = true;
    csv_set_delim(&c->parser, (unsigned char)sep);
    csv_set_quote(&c->parser, (unsigned char)quote);
    return 0;
}

void td_csv_close(struct td_csv *c)
{
    if (c->parser_ready)
        csv_free(&c->parser);
    free(c->buf);
    free(c->text);
    *c = (struct td_csv){0};
}

/* Moves the rest to the front and reads behind it. */
static int fill(struct td_csv *c)
{
    ssize_t n;

    memmove(c->buf, c->buf + c->start, c->end - c->start);
    c->end -= c->start;
    c->start = 0;
    n = c->read(c->ctx, c->buf + c->end, BUF - c->end);
    if (n < 0)
        return (int)n;
    c->at_end = n == 0;
    c->end += (size_t)n;
    if (!c->begun && c->end >= 3 && !memcmp(c->buf, "\xef\xbb\xbf", 3))
        c->start = 3;
    c->begun = c->begun || c->end >= 3 || c->at_end;
    return 0;
}

/* The end of the first line in the buffer, reading more until there is one. */
static int find_end(struct td_csv *c, char **end)
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

int td_csv_line(struct td_csv *c, char **line, size_t *len)
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
    if (err) { /* what there is of the line, for a message */
        c->buf[c->end] = '\0';
        *line = c->buf + c->start;
        return err;
    }
    c->unterminated = !end;
    *line = c->buf + c->start;
    *len = (end ? (size_t)(end - c->buf) : c->end) - c->start;
    c->start += *len + (end ? 1 : 0);
    if (memchr(*line, '\0', *len))
        return -EILSEQ;
    if (*len && (*line)[*len - 1] == '\r')
        --*len;
    (*line)[*len] = '\0';
    if (*len > TD_LINE_MAX)
        return -EMSGSIZE;
    if (memchr(*line, '\r', *len)) /* libcsv would end the row there */
        return -EPROTO;
    c->last = *line;
    c->last_len = *len;
    return 0;
}

ssize_t td_csv_peek(struct td_csv *c, const char **bytes, size_t n)
{
    while (c->end < n && !c->at_end) {
        int err = fill(c);

        if (err)
            return err;
    }
    *bytes = c->buf;
    return (ssize_t)(c->end < n ? c->end : n);
}

ssize_t td_csv_take(struct td_csv *c, void *buf, size_t size)
{
    size_t got = 0;

    while (got < size) {
        size_t n = c->end - c->start < size - got ? c->end - c->start : size - got;
        int err = 0;

        memcpy((char *)buf + got, c->buf + c->start, n);
        c->start += n;
        got += n;
        if (got < size && c->at_end)
            break;
        if (got < size)
            err = fill(c);
        if (err)
            return err;
    }
    return (ssize_t)got;
}

void td_csv_again(struct td_csv *c)
{
    c->again = true;
}

static void take_field(void *field, size_t len, void *ctx)
{
    struct td_csv *c = ctx;

    if (c->nfields == TD_FIELDS_MAX || c->used + len + 1 > TD_LINE_MAX + TD_FIELDS_MAX + 1) {
        c->overflow = true;
        return;
    }
    c->field[c->nfields] = c->text + c->used;
    c->length[c->nfields++] = len;
    if (len)
        memcpy(c->text + c->used, field, len);
    c->used += len;
    c->text[c->used++] = '\0';
}

static void take_row(int end, void *ctx)
{
    struct td_csv *c = ctx;

    (void)end;
    c->complete = true;
}

int td_csv_split(struct td_csv *c, char *line, size_t len)
{
    c->nfields = c->used = 0;
    c->overflow = c->complete = false;
    line[len] = '\n'; /* in place of the NUL, which the caller needs no more */
    if (csv_parse(&c->parser, line, len + 1, take_field, take_row, c) != len + 1)
        return -ENOMEM;
    if (c->overflow)
        return -E2BIG;
    return c->complete || !len ? 0 : -EILSEQ;
}
