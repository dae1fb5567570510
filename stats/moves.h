/* SPDX-License-Identifier: MIT */
/* How often the program was in one place and a short distance later in another. */
#ifndef STATS_MOVES_H
#define STATS_MOVES_H

#include <stddef.h>
#include <stdint.h>

/* From one place to another, by the caller's numbers of places. */
struct td_move {
    size_t from, to;
    uint64_t n;
    size_t next; /* the next move from the same place, as its index plus 1; 0: there is none */
};

/* Zeroed to begin with. */
struct td_moves {
    struct td_move *move;
    size_t n, room;
    size_t *slot, nslots; /* a hash table by both places: a move's index plus 1 */
};

/* Counts one more move. *first is the first move from the place from, as its index plus 1, or 0 before there is one; it
 * is kept up to date. 0 or -ENOMEM. */
int td_moves_add(struct td_moves *, size_t from, size_t to, size_t *first);
/* How often the move was counted. */
uint64_t td_moves_count(const struct td_moves *, size_t from, size_t to);
void td_moves_free(struct td_moves *);

#endif
