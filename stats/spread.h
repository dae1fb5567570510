/* SPDX-License-Identifier: MIT */
/* A summary of a set of counts: its ends, its middle and its spread. */
#ifndef STATS_SPREAD_H
#define STATS_SPREAD_H

#include "private/exported.h"

#include <stddef.h>
#include <stdint.h>

/* All NAN without values; deviation: of the sample, NAN for fewer than two. */
struct td_spread {
    double min, median, mean, deviation, max;
};

/* Finds the spread of n values, which it sorts. The median of an even number of values is the mean of the middle
 * two. */
TD_PRIVATE void td_spread_of(uint64_t *value, size_t n, struct td_spread *out);

#endif
