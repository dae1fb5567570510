/* SPDX-License-Identifier: MIT */
/* Lists of words in one text, with blanks between them. */
#ifndef UTIL_WORDS_H
#define UTIL_WORDS_H

#include <stdbool.h>
#include <string.h>

/* Whether a list has a word of n characters. compare: strncmp, or strncasecmp where case does not matter. */
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

#endif
