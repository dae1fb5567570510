/* SPDX-License-Identifier: MIT */
/* The known word that one who mistyped may have meant. */
#ifndef CLI_NEAREST_H
#define CLI_NEAREST_H

#include <stddef.h>

struct cli_nearest {
    const char *word;
    size_t len; /* of word that counts */
    const char *best; /* NULL: nothing is near */
    size_t distance; /* then: more than what is still near */
};

struct cli_nearest cli_nearest(const char *word);
/* The same of its first len bytes. */
struct cli_nearest cli_nearest_of(const char *word, size_t len);
/* Takes name where it is nearer than what came before: up to one edit (a letter more, less or other, two
 * exchanged) for each three letters, or what word is the beginning of. name must stay. */
void cli_nearest_try(struct cli_nearest *, const char *name);
/* The same with each word of a blank-separated list; names are copied to a static buffer. */
void cli_nearest_try_list(struct cli_nearest *, const char *names);

#endif
