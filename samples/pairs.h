/* SPDX-License-Identifier: MIT */
/* Samples that two members of one group take in pairs: which intervals lie between the two. */
#ifndef TD_PAIRS_H
#define TD_PAIRS_H

#include "samples/courses.h"

/* What an interval is, and how far apart its ends are where they are a pair. */
struct td_pair {
    enum td_sample_pair kind;
    uint64_t distance;
};

/* Of an interval that ends with a sample: what the first member counted is the distance. The info learns of pairs and
 * of those that are none. */
struct td_pair td_pair_of(const struct td_course_delta *, enum td_sampler, uint64_t distance, struct td_samples_info *);

#endif
