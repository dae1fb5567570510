/* SPDX-License-Identifier: MIT */
/* The deltas that began and ended at one place, in their order: joined to chunks, so that many need no more room. */
#ifndef STATS_PURE_DELTAS_H
#define STATS_PURE_DELTAS_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

/* The sums of one metric: the weights of the deltas that have it, and their values times weight. */
struct td_weighed {
    double weight, sum;
};

/* The weighted mean; NAN: no delta has the metric. */
static inline double td_weighed_mean(const struct td_weighed *w)
{
    return w->weight > 0 ? w->sum / w->weight : (double)NAN;
}

enum {
    TD_CHUNKS = 256, /* if there are more pure deltas than so many, consecutive ones are joined to chunks */
};

/* Zeroed: there are none. */
struct td_pure_deltas {
    uint64_t n;
    double slots;
    double restored; /* the sum of weight * restored */
    /* by chunk: of each column the sum of weighted values, then the weights: one where every delta has all columns,
     * else one of each column. A recording of 8 MB can have a million chunks. td_pure_chunk() reads them. */
    double *sum;
    uint32_t columns, weights;
    size_t chunks, room;
    uint64_t each, open; /* each: deltas in a chunk; open: in the last */
};

/* Adds a delta. value: by column, of which later deltas may have more; NAN: it lacks it. 0 or -ENOMEM. */
int td_pure_add(struct td_pure_deltas *, const double *value, size_t columns, double weight, double restored);
struct td_weighed td_pure_chunk(const struct td_pure_deltas *, size_t chunk, size_t column);
/* Gives the chunks back; the rest stays. */
void td_pure_free(struct td_pure_deltas *);

#endif
