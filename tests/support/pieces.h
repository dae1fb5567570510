/* SPDX-License-Identifier: MIT */
/* A log of what was read from files in memory, for the tests of the readers. */
#ifndef PIECES_H
#define PIECES_H

#include "tests/support/source.h"
#include "tests/support/unit.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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
