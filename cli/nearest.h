/* SPDX-License-Identifier: MIT */
/* The known word that a mistyped one may stand for. */
#ifndef CLI_NEAREST_H
#define CLI_NEAREST_H

#include <stddef.h>

struct cli_nearest {
    const char *word;
    size_t len; /* bytes of word that count */
    const char *best; /* NULL: nothing is similar */
    size_t distance; /* then: more than any similar word may have */
};

struct cli_nearest cli_nearest(const char *word);
/* The same for its first len bytes. */
struct cli_nearest cli_nearest_of(const char *word, size_t len);
/* Takes name if it is nearer than those before: up to one edit (a letter more, less or different, two
 * swapped) for every three letters, or if word is the beginning of name. name must stay. */
void cli_nearest_try(struct cli_nearest *, const char *name);
/* The same for each word of a blank-separated list; names are copied to a static buffer. */
void cli_nearest_try_list(struct cli_nearest *, const char *names);

#endif
