/* SPDX-License-Identifier: MIT */
/* Files made byte by byte: numbers of low bytes first, into an array that grows. */
#ifndef LITTLE_H
#define LITTLE_H

#include "tests/support/unit.h"

#include <stdint.h>
#include <stdlib.h>

/* Appends so many bytes of a number to b, which has n of room and is to be freed. */
static inline void little_put(unsigned char **b, size_t *n, size_t *room, uint64_t value, size_t bytes)
{
    if (*n + bytes > *room) {
        *room = 2 * *room + 4096;
        *b = realloc(*b, *room);
        CU_ASSERT_PTR_NOT_NULL_FATAL(*b);
    }
    for (; bytes; bytes--, value >>= 8)
        (*b)[(*n)++] = (unsigned char)value;
}

#endif
