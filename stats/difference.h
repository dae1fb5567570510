/* SPDX-License-Identifier: MIT */
/* What is known of the difference between one metric of two sides, before it is judged among others. */
#ifndef STATS_DIFFERENCE_H
#define STATS_DIFFERENCE_H

#include "stats/comparison.h"

/* One metric of one side: points that scatter, or one value with its bounds. */
struct td_side_metric {
    const struct td_weighted *point;
    size_t n;
    bool series; /* the points follow each other and may depend on each other */
    double neighbours; /* of a series: the mean of td_neighbours() over all that were measured together; NAN: none */
    double value, low, high; /* those of the side as a whole */
    enum td_bounds bounds;
    double width; /* half the width of a point's own bounds; NAN: it has none */
};

/* Sets a, b, diff.value, the basis, and what td_comparison_judge() needs. alike: both sides were measured
 * by the same formula, so that its errors are alike. paired: the i-th points belong together. 0 or -ENOMEM. */
int td_difference_of(const struct td_side_metric *a, const struct td_side_metric *b, bool alike, bool paired,
                     struct td_chance *, struct td_difference *out);
/* Whether a series has a trend, or two phases whose means differ by more than margin. Sets what out says of
 * that except whose it is. 0 or -ENOMEM. */
int td_course_of(const struct td_weighted *, size_t n, double margin, struct td_chance *, struct td_course *out);

#endif
