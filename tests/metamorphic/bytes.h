/* SPDX-License-Identifier: MIT */
/* A recording in memory, which grows; the program ends when memory does. */
#ifndef BYTES_H
#define BYTES_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct bytes {
    char *at;
    size_t n, room;
};

/* A piece of a recording: of one line, without what ends it, or of one field. */
struct piece {
    const char *at;
    size_t n;
};

static inline void bytes_add(struct bytes *b, const char *at, size_t n)
{
    if (b->n + n > b->room) {
        b->room = 2 * (b->n + n) + 1024;
        b->at = realloc(b->at, b->room);
        if (!b->at)
            abort();
    }
    if (n)
        memcpy(b->at + b->n, at, n);
    b->n += n;
}

__attribute__((format(printf, 2, 3))) static inline void bytes_print(struct bytes *b, const char *format, ...)
{
    char text[256];
    va_list args;

    va_start(args, format);
    bytes_add(b, text, (size_t)vsnprintf(text, sizeof(text), format, args));
    va_end(args);
}

/* The next line of a text from *at on; false: there is none. */
static inline bool bytes_line(const struct bytes *b, size_t *at, struct piece *out)
{
    const char *end;

    if (*at >= b->n)
        return false;
    end = memchr(b->at + *at, '\n', b->n - *at);
    *out = (struct piece){b->at + *at, end ? (size_t)(end - b->at) - *at : b->n - *at};
    *at += out->n + 1;
    return true;
}

static inline void bytes_add_line(struct bytes *b, struct piece line)
{
    bytes_add(b, line.at, line.n);
    bytes_add(b, "\n", 1);
}

#endif
