/* SPDX-License-Identifier: MIT */
/* Puts what was counted between two samples to places of the program: of such a delta it is known where it began and
 * ended, but not where the program was in between. */
#ifndef STATS_DELTAS_H
#define STATS_DELTAS_H

#include "private/result.h"
#include "stats/bootstrap.h"
#include "stats/moves.h"
#include "stats/pure_deltas.h"

/* What a delta can say of its place. */
enum td_delta_kind {
    TD_DELTA_PLAIN, /* samples follow each other at one distance */
    TD_DELTA_SHORT, /* samples come in pairs, and it lies between the two of one */
    TD_DELTA_REST, /* it lies between pairs, or between two turns of its group: it only has weight */
};

/* What was counted between two samples of one course. */
struct td_delta {
    enum td_delta_kind kind;
    uint32_t course; /* the number of its course; from 0, nearly without gaps */
    const void *began, *place; /* where it began (NULL: not known) and ended; equal places are equal pointers */
    double weight; /* slots */
    double seconds; /* NAN: not known */
    double restored; /* how far a task's switches may have taken the counts off, in units of a field of 8 bits */
    const double *value; /* by metric; NAN: it has no value */
    /* where places contain each other, one sample makes several deltas: which of them this is, from 1; 0: the only
     * one */
    unsigned nth;
    double own; /* td_result_course() */
    enum td_back back; /* the same */
};

/* What most of hundreds of thousands of places do not have: deltas that stay, come back, or move. */
struct td_stays {
    struct td_pure_deltas pure;
    uint64_t triples, returns; /* three samples in a row, the first and the third here; and the second is not */
    uint64_t own_triples, own_returns; /* of these, those whose three samples are of one thread */
    double own; /* of pure deltas, the sum of weight * own */
    /* of deltas of one thread that was not pre-empted in them, and of pre-empted threads that are back: those that end
     * here, and of these those that began elsewhere */
    struct td_entries {
        uint64_t n, entered;
    } going_on, back;
    /* of places that contain each other, short deltas: that begin here as the innermost; and end in another one */
    uint64_t inner, inner_left;
    size_t moves; /* where short deltas ended that began here: the first in a list by td_move.next */
};

/* A place, and the deltas that begin or end there. A delta is pure if it does both. Numbers of deltas
 * are without those of TD_DELTA_REST. */
struct td_delta_place {
    const void *place;
    uint64_t intervals; /* how many deltas end here */
    uint64_t began; /* how many begin here */
    struct td_stays *stays; /* NULL: none of it; td_stays_of() */
    double slots; /* of all deltas that end here */
    double *weight; /* by column of td_deltas.sum: of the deltas that have it; NULL: all have all columns */
};

/* What stays at a place, comes back, or moves: zeroed where nothing does. */
static inline const struct td_stays *td_stays_of(const struct td_delta_place *p)
{
    static const struct td_stays none;

    return p->stays ? p->stays : &none;
}

struct td_follow;
struct td_slot;

/* Zeroed to begin with, except for metrics. */
struct td_deltas {
    size_t metrics; /* how many each delta has */
    struct td_delta_place *place; /* in the order in which they first came */
    /* all deltas that end at a place: td_deltas_all(). A column for each metric that any of them has, as there are
     * hundreds of thousands of places, and few of the metrics that a CPU has are in one recording. */
    double *sum; /* by place, then by column: of weighted values */
    uint32_t *column; /* by metric: its column + 1; 0: none */
    size_t columns, columns_room;
    double *value; /* by column: those of the delta that is put; NAN: it lacks it */
    double *most; /* by metric: the greatest value of any of these; 0: none is greater */
    size_t n, room;
    size_t last; /* where the last delta ended: the place's index + 1; 0: it was put to none */
    bool pairs; /* samples come in pairs: deltas are short or the rest */
    bool turns; /* samples are of groups that take turns: deltas are plain or the rest */
    bool plain, some_short, some_rest; /* deltas of these kinds have come */
    bool nested; /* places contain each other */
    /* of short deltas, by the places' indices; with nested, to the innermost place of the end, and without each
     * course's last one */
    struct td_moves moves;
    struct td_moves entries; /* with nested: from the innermost place of the beginning */
    uint64_t intervals; /* how many deltas are put to places, without those of TD_DELTA_REST */
    double slots; /* those of all deltas */
    double seconds; /* how long all took; NAN: not known of all */
    uint64_t unknown; /* how many were left out, because it is not known where they began */
    double unknown_slots;
    /* inside */
    struct td_slot *slot; /* by the places' hashes */
    size_t nslots;
    struct td_follow *follow; /* by course */
    size_t courses;
};

/* Adds a delta: 0 or -ENOMEM. */
int td_deltas_add(struct td_deltas *, const struct td_delta *);
/* After the last td_deltas_find(): gives back the memory that only that and td_deltas_add() need. */
void td_deltas_end(struct td_deltas *);
/* What is known of a place; NULL: no delta begins or ends there. */
const struct td_delta_place *td_deltas_find(const struct td_deltas *, const void *place);
/* Of a metric, all deltas that end at the place. */
struct td_weighed td_deltas_all(const struct td_deltas *, const struct td_delta_place *, size_t metric);
/* The same of a chunk of those that are pure. */
struct td_weighed td_deltas_chunk(const struct td_deltas *, const struct td_delta_place *, size_t chunk, size_t metric);
/* After the last td_deltas_chunk() of the place: gives back the memory that only that needs. */
void td_deltas_drop_chunks(struct td_deltas *, const struct td_delta_place *);
void td_deltas_free(struct td_deltas *);

#endif
