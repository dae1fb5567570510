/* SPDX-License-Identifier: MIT */
/* The different names of events in a recording, each kept once. */
#ifndef TD_EVENT_NAMES_H
#define TD_EVENT_NAMES_H

#include "util/hash_index.h"

#include <stdbool.h>

enum { TD_TEXTS_MAX = 4096 };

/* Zeroed to begin with. */
struct td_texts {
    size_t n, names_room, entries_room;
    char **names; /* what td_result_count() shows; safe to print */
    struct td_text_entry {
        char *bytes; /* the name as it was recorded: the same memory as its shown name if they do not differ */
        size_t length; /* how many bytes */
        uint32_t first; /* the first text that differs from it only in case, or its own number */
        uint32_t follower; /* the text that came after this one the last time */
        uint32_t folded; /* td_name_hash(), which is the same for both cases */
        unsigned char modes; /* TD_MODE_* of its modifiers */
        bool generic; /* cycles, cpu-cycles or instructions */
        bool elapsed; /* duration_time: no event, but the elapsed time in ns */
        char core; /* the kind of core that its PMU is of: 'P', 'E' or 'L'; 0: its PMU does not say */
    } * entries;
    struct td_hash_index hashes;
    uint32_t last;
};

/* The number of a name, whatever its bytes are; a new one is added at the end. -E2BIG: more than TD_TEXTS_MAX different
 * ones, of which a recording has dozens; -ENOMEM. */
int td_texts_number(struct td_texts *, const char *name, size_t len);
/* The number of a name; -1: it is new. */
long td_texts_find(const struct td_texts *, const char *name, size_t len);
void td_texts_free(struct td_texts *);

#endif
