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
    size_t next; /* the next move from there, as index + 1; 0: none */
};

/* Zeroed: none. */
struct td_moves {
    struct td_move *move;
    size_t n, room;
    size_t *slot, nslots; /* by the hash of both places: index + 1 */
};

/* One more; first: the from place's first move, as index + 1, 0 before there is one: it is kept up to date. 0 or
 * -ENOMEM. */
int td_moves_add(struct td_moves *, size_t from, size_t to, size_t *first);
/* How often. */
uint64_t td_moves_count(const struct td_moves *, size_t from, size_t to);
void td_moves_free(struct td_moves *);

#endif
