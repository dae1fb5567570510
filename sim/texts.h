/* SPDX-License-Identifier: MIT */
/* The different names of events in a recording, each kept once. */
#ifndef TD_TEXTS_H
#define TD_TEXTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TD_TEXTS_MAX = 4096 };

struct td_texts {
    size_t n, room;
    char **names; /* what td_result_count() shows */
    struct td_text_entry {
        size_t length;
        uint32_t chain; /* next of the same hash, + 1 */
        uint32_t first; /* the first text that differs in case only, or itself */
        uint32_t follower; /* which text came after this one last time */
        unsigned char modes; /* TD_MODE_* of its modifiers */
        bool generic; /* cycles, cpu-cycles or instructions */
        char core; /* 'P', 'E', 'L' by its PMU, or 0 */
    } *entries;
    uint32_t buckets[1024]; /* first of the hash, + 1 */
    uint32_t last;
};

/* The number of a name, new ones at the end; -E2BIG: more than TD_TEXTS_MAX
 * different ones (a recording has dozens), -ENOMEM. */
int td_texts_number(struct td_texts *, const char *name, size_t len);
void td_texts_free(struct td_texts *);
/* For tables of names. */
uint32_t td_text_hash(const char *name, size_t len);

#endif
