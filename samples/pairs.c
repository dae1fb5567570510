/* SPDX-License-Identifier: MIT */
#include "samples/pairs.h"

/* An interval from a first sample to a second one: a pair, unless samples were lost between them. */
static struct td_pair closed(const struct td_course_delta *d, uint64_t distance, struct td_samples_info *info)
{
    const bool whole = d->start == TD_START_SAMPLE && !d->reset,
               near = distance >= TD_PAIR_LEAST && distance <= TD_PAIR_MOST;

    info->broken += !whole;
    info->far += whole && !near;
    info->pairs += whole && near;
    return whole ? (struct td_pair){near ? TD_PAIR_SHORT : TD_PAIR_FAR, distance} : (struct td_pair){TD_PAIR_REST, 0};
}

struct td_pair td_pair_of(const struct td_course_delta *d, enum td_sampler sampler, uint64_t distance,
                          struct td_samples_info *info)
{
    if (sampler == TD_SAMPLER_ONLY)
        return (struct td_pair){info->paired ? TD_PAIR_REST : TD_PAIR_NONE, 0};
    if (d->from == TD_SAMPLER_FIRST && sampler == TD_SAMPLER_SECOND)
        return closed(d, distance, info);
    info->broken += d->from == sampler; /* the other one of a pair is missing */
    return (struct td_pair){TD_PAIR_REST, 0};
}
