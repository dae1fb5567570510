/* SPDX-License-Identifier: MIT */
/* Two members of one group can take samples in pairs, one shortly after the other: which intervals lie between the two
 * samples of a pair. */
#ifndef TD_PAIRS_H
#define TD_PAIRS_H

#include "samples/courses.h"

/* What kind of interval it is, and where its two ends are a pair, how far apart they are. */
struct td_pair {
    enum td_sample_pair kind;
    uint64_t distance;
};

/* Judges an interval that ends with a sample of that sampler; distance is what the group's first member counted in it.
 * Adds to the counts of pairs, and of those that are broken or too far apart, in the info. */
struct td_pair td_pair_of(const struct td_course_delta *, enum td_sampler, uint64_t distance, struct td_samples_info *);

#endif
