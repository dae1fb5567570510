/* SPDX-License-Identifier: MIT */
/* The different names of events in a recording, each kept once. */
#ifndef TD_EVENT_NAMES_H
#define TD_EVENT_NAMES_H

#include "util/hash_index.h"

#include <stdbool.h>

enum { TD_TEXTS_MAX = 4096 };

/* Zeroed: none. */
struct td_texts {
    size_t n, names_room, entries_room;
    char **names; /* what td_result_count() shows; safe to print */
    struct td_text_entry {
        char *bytes; /* of the name as recorded: the same memory as its name if that shows them as they are */
        size_t length; /* of these */
        uint32_t first; /* the first text that differs in case only, or itself */
        uint32_t follower; /* which text came after this one last time */
        uint32_t folded; /* td_name_hash(): the same for all spellings */
        unsigned char modes; /* TD_MODE_* of its modifiers */
        bool generic; /* cycles, cpu-cycles or instructions */
        bool elapsed; /* duration_time: no event, but the elapsed time in ns */
        char core; /* 'P', 'E', 'L' by its PMU, or 0 */
    } * entries;
    struct td_hash_index hashes;
    uint32_t last;
};

/* The number of a name, whatever its bytes, new ones at the end.
 * -E2BIG: more than TD_TEXTS_MAX different ones (a recording has dozens), -ENOMEM. */
int td_texts_number(struct td_texts *, const char *name, size_t len);
/* The same, but -1 where the name is new. */
long td_texts_find(const struct td_texts *, const char *name, size_t len);
void td_texts_free(struct td_texts *);

#endif
