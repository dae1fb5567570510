/* SPDX-License-Identifier: MIT */
/* Questions about texts. */
#ifndef UTIL_WORDS_H
#define UTIL_WORDS_H

#include <stdbool.h>
#include <string.h>

/* Whether a list of words, with blanks between them, has a word of n characters. compare: strncmp, or strncasecmp where
 * case does not matter. */
static inline bool td_words_have(const char *list, const char *word, size_t n,
                                 int (*compare)(const char *, const char *, size_t))
{
    for (size_t len; *list; list += len + strspn(list + len, " ")) {
        len = strcspn(list, " ");
        if (len == n && !compare(list, word, n))
            return true;
    }
    return false;
}

/* Whether both texts are absent (NULL), as the kind of core of a scope is where there is but one kind, or equal. */
static inline bool td_same_text(const char *a, const char *b)
{
    return a && b ? !strcmp(a, b) : a == b;
}

#endif
