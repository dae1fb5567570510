/* SPDX-License-Identifier: MIT */
/* Samples of counters put to the places of a program: what lies between two samples is known of where it
 * began and where it ended, and of nothing in between. */
#ifndef STATS_DELTAS_H
#define STATS_DELTAS_H

#include "stats/bootstrap.h"
#include "stats/moves.h"

#include <math.h>
#include <stdint.h>

/* What a delta can say of its place. */
enum td_delta_kind {
    TD_DELTA_PLAIN, /* samples follow each other at one distance */
    TD_DELTA_SHORT, /* samples come in pairs, and it lies between the two of one */
    TD_DELTA_REST, /* it lies between pairs: it only has weight */
};

/* What was counted between two samples of one course. */
struct td_delta {
    enum td_delta_kind kind;
    uint32_t course; /* whose samples follow each other; from 0, nearly without gaps */
    const void *began, *place; /* where it began and ended: equal places are equal pointers; began NULL: not known */
    double weight; /* slots */
    double seconds; /* NAN: not known */
    double restored; /* how far a task's switches may have taken the counts off, in units of a field of 8 bits */
    const double *value; /* of each metric; NAN: none */
    /* of several with one beginning and end, from 1, for places that contain each other; 0: it is the only one */
    unsigned nth;
};

/* Of each metric, the weights of the deltas that have it, and their weighted values. */
struct td_weighed {
    double weight, sum;
};

/* NAN: no delta has it. */
static inline double td_weighed_mean(const struct td_weighed *w)
{
    return w->weight > 0 ? w->sum / w->weight : (double)NAN;
}

enum {
    TD_CHUNKS = 256, /* consecutive pure deltas are put together where there are more than so many */
};

/* A place, and the deltas that begin or end there. A delta is pure if it does both. Numbers of deltas
 * are without those of TD_DELTA_REST. */
struct td_delta_place {
    const void *place;
    uint64_t intervals; /* that end here */
    uint64_t began; /* that begin here */
    uint64_t pure;
    uint64_t triples, returns; /* three samples in a row, the first and the third here; and the second is not */
    /* of places that contain each other, short deltas: that begin here as the innermost; and end in another one */
    uint64_t inner, inner_left;
    size_t moves; /* of the short deltas, where those that began here ended elsewhere: td_move.next */
    double slots; /* of all deltas that end here */
    double pure_slots;
    double pure_restored; /* of pure deltas: the sum of weight * restored */
    struct td_weighed *chunk; /* pure deltas in their order: by chunk, then by metric */
    size_t chunks, room;
    uint64_t each, open; /* each: deltas in a chunk; open: in the last */
};

struct td_follow;
struct td_slot;

/* Zeroed but for metrics. */
struct td_deltas {
    size_t metrics; /* that each delta has */
    struct td_delta_place *place; /* in the order in which they first came */
    struct td_weighed *all; /* by place, then by metric: all deltas that end there */
    double *most; /* by metric: the greatest value of any of these; 0: none is greater */
    size_t n, room;
    bool pairs; /* there are short deltas or the rest of them */
    bool nested; /* places contain each other */
    /* by index of the places; of nested ones, to the innermost place of the end, without the last of each course */
    struct td_moves moves;
    struct td_moves entries; /* of nested ones: from the innermost place of the beginning */
    uint64_t intervals; /* that are put to places, without those of TD_DELTA_REST */
    double slots; /* of all */
    double seconds; /* NAN: not known of all */
    uint64_t unknown; /* whose beginning is not known: left out */
    double unknown_slots;
    /* inside */
    struct td_slot *slot; /* by the places' hashes */
    size_t nslots;
    struct td_follow *follow; /* by course */
    size_t courses;
};

/* 0 or -ENOMEM. */
int td_deltas_add(struct td_deltas *, const struct td_delta *);
/* NULL: no delta begins or ends there. */
const struct td_delta_place *td_deltas_find(const struct td_deltas *, const void *place);
void td_deltas_free(struct td_deltas *);

#endif
