/* SPDX-License-Identifier: MIT */
/* Files in memory that come in pieces. */
#ifndef SOURCE_H
#define SOURCE_H

#include "include/tdprobe.h"

#include <string.h>

/* A file in memory that comes in pieces; after it the error, if any. */
struct source {
    const char *text;
    size_t left, piece;
    int err;
};

__attribute__((unused)) static ssize_t source_read(void *ctx, void *buf, size_t size)
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

#endif
