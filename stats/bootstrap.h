/* SPDX-License-Identifier: MIT */
/* How precisely a mean is known from values that follow each other in time. */
#ifndef STATS_BOOTSTRAP_H
#define STATS_BOOTSTRAP_H

#include "stats/chance.h"

/* A value of an interval or a run. */
struct td_weighted {
    double value;
    double weight; /* such as the slots that passed; above 0 */
};

struct td_estimate {
    double mean; /* weighted */
    double error; /* its standard error; NAN for fewer than two points */
    double degrees; /* of freedom of a Student's t that error belongs to */
    double deviation; /* of the points, n - 1 */
};

/* How the points of a series depend on those before them. Zeroed: not at all. */
struct td_dependence {
    double neighbours; /* correlation of one with the next, 0 to below 1 */
    double block; /* mean length of the blocks whose resampling keeps the dependence; 0 and 1: single points */
};

enum { TD_RESAMPLES = 1000 };

/* The correlation of neighbours, 0.98 at the most, without what a short series hides of it. Fewer than 8 points cannot
 * show that they do not depend on each other: 0.98. NAN: the points do not scatter. */
double td_neighbours(const struct td_weighted *, size_t n);
/* A series' dependence. common: td_neighbours() on average over what was measured along: one series alone
 * shows its dependence badly. */
struct td_dependence td_dependence_of(const struct td_weighted *, size_t n, double common);
/* The standard error by the stationary block bootstrap: of TD_RESAMPLES that chance makes, or without it of all that
 * there can be. */
void td_bootstrap(const struct td_weighted *, size_t n, struct td_dependence, struct td_chance *,
                  struct td_estimate *out);

#endif
