/* SPDX-License-Identifier: MIT */
/* Texts that may be absent, as the kind of core of a scope is where there is but one kind. */
#ifndef UTIL_SAME_TEXT_H
#define UTIL_SAME_TEXT_H

#include <stdbool.h>
#include <string.h>

/* Whether both are absent (NULL), or equal. */
static inline bool td_same_text(const char *a, const char *b)
{
    return a && b ? !strcmp(a, b) : a == b;
}

#endif
