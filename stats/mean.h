/* SPDX-License-Identifier: MIT */
/* Mean and standard deviation of numbers that come one after the other; ends, middle and spread of a set of counts. */
#ifndef STATS_MEAN_H
#define STATS_MEAN_H

#include "private/exported.h"

#include <stddef.h>
#include <stdint.h>

/* Of numbers that come one after the other. Zeroed: none yet. */
struct td_mean {
    unsigned n; /* how many numbers */
    double mean; /* 0 if there are none */
    double squares; /* sum of the squared deviations from the mean */
};

TD_PRIVATE void td_mean_add(struct td_mean *, double value);
/* Standard deviation of the sample (n - 1); NAN for fewer than two numbers. */
TD_PRIVATE double td_mean_deviation(const struct td_mean *);
/* How far the mean is from that of all such numbers, in 95 of 100 cases, if they scatter like a
 * normal distribution (Student's t); NAN for fewer than three numbers. */
double td_mean_error(const struct td_mean *);

/* Of a set of counts. All NAN without values; deviation: of the sample, NAN for fewer than two. */
struct td_spread {
    double min, median, mean, deviation, max;
};

/* Finds the spread of n values, which it sorts. The median of an even number of values is the mean of the middle
 * two. */
TD_PRIVATE void td_spread_of(uint64_t *value, size_t n, struct td_spread *out);

#endif
