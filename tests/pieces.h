/* SPDX-License-Identifier: MIT */
/* Files in memory that come in pieces, and a log of what was made of them: for
 * the tests of the readers. */
#ifndef PIECES_H
#define PIECES_H

#include "tdprobe.h"
#include "unit.h"

#include <stdarg.h>
#include <stdio.h>
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

#endif
