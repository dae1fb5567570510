/* SPDX-License-Identifier: MIT */
/* How far apart the samples of pairs are, in bounded memory. */
#ifndef STATS_DISTANCES_H
#define STATS_DISTANCES_H

#include "include/td_samples.h"

enum { TD_DISTANCE_STEP = 100, TD_DISTANCE_STEPS = (TD_PAIR_MOST - TD_PAIR_LEAST) / TD_DISTANCE_STEP + 1 };

/* Zeroed to begin with. */
struct td_distances {
    uint64_t n, least, most;
    uint64_t step[TD_DISTANCE_STEPS];
};

/* Adds a distance from TD_PAIR_LEAST to TD_PAIR_MOST. */
void td_distances_add(struct td_distances *, uint64_t distance);
/* Their median, to within TD_DISTANCE_STEP; 0: there are none. */
uint64_t td_distances_median(const struct td_distances *);

#endif
