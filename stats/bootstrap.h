/* SPDX-License-Identifier: MIT */
/* How precisely a mean is known from values that follow each other in time. */
#ifndef STATS_BOOTSTRAP_H
#define STATS_BOOTSTRAP_H

#include "stats/chance.h"

/* A value of an interval or a run. */
struct td_weighted {
    double value;
    double weight; /* above 0, such as the slots that passed */
};

struct td_estimate {
    double mean; /* weighted */
    double error; /* its standard error; NAN for fewer than two points */
    double degrees; /* degrees of freedom of the Student's t that error belongs to */
    double deviation; /* standard deviation of the points (n - 1) */
};

/* How the points of a series depend on those before them. Zeroed: not at all. */
struct td_dependence {
    double neighbours; /* correlation of one with the next, 0 to below 1 */
    double block; /* mean length of the blocks whose resampling keeps the dependence; 0 and 1: single points */
};

enum { TD_RESAMPLES = 1000 };

/* The correlation of neighbours, at most 0.98, corrected for what a short series hides of it. It is 0.98 for fewer than
 * 8 points, which cannot show that they do not depend on each other. NAN: the points do not scatter. */
double td_neighbours(const struct td_weighted *, size_t n);
/* The dependence of a series. common is the mean of td_neighbours() over all series that were measured together, since
 * one alone shows its dependence badly. */
struct td_dependence td_dependence_of(const struct td_weighted *, size_t n, double common);
/* Estimates the mean and its standard error by the stationary block bootstrap: with TD_RESAMPLES random resamples, or
 * without a td_chance (NULL) as all possible resamples would give it. */
void td_bootstrap(const struct td_weighted *, size_t n, struct td_dependence, struct td_chance *,
                  struct td_estimate *out);

#endif
