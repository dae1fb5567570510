/* SPDX-License-Identifier: MIT */
/* How precisely a metric of one place is known. */
#ifndef STATS_PLACE_BOUNDS_H
#define STATS_PLACE_BOUNDS_H

#include "stats/smear.h"

/* What a metric of a place is, by the sum of its pure deltas; low, high: what its counts alone leave open. */
struct td_whole {
    double value, low, high; /* low and high: NAN where there are no bounds */
    bool share; /* 0..1 */
    bool apart; /* no delta has all of its counts, as they are of groups that take turns: low and high have chance */
};

/* The mean of the deltas that end there, pure or not; NAN: none. */
double td_place_naive(const struct td_deltas *, const struct td_delta_place *, size_t metric);
/* Likely bounds: what the counts leave open, what chance does (a block bootstrap of the pure deltas), and what may hide
 * in pure deltas that were elsewhere for some time. low and high NAN: there are none, as where this was built without
 * GSL. chance: as td_bootstrap() takes it. 0 or -ENOMEM. */
int td_place_bounds(const struct td_deltas *, const struct td_delta_place *, size_t metric, const struct td_smear *,
                    const struct td_whole *, double confidence, struct td_chance *, double *low, double *high);

#endif
