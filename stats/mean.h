/* SPDX-License-Identifier: MIT */
/* Mean and standard deviation of numbers that come one after the other. */
#ifndef STATS_MEAN_H
#define STATS_MEAN_H

#include "private/exported.h"

/* Zeroed: no numbers yet. */
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

#endif
