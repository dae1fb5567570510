/* SPDX-License-Identifier: MIT */
#include "tests/support/sampled_places.h"

#include "tests/support/unit.h"

const char sampled_place[SAMPLED_FUNCTIONS];

static enum td_delta_kind kind_of(const struct sampled_delta *d)
{
    return d->rest ? TD_DELTA_REST : d->paired ? TD_DELTA_SHORT : TD_DELTA_PLAIN;
}

void sampled_places_add(struct td_deltas *all, const struct sampled_delta *d, struct sampled_sums *sums)
{
    double value[SAMPLED_NODES], sum = 0;

    for (size_t i = 0; i < SAMPLED_NODES; i++)
        sum += d->count[i];
    for (size_t i = 0; i < SAMPLED_NODES; i++)
        value[i] = d->count[i] / sum;
    CU_ASSERT_FATAL(!td_deltas_add(all, &(struct td_delta){.kind = kind_of(d), .began = &sampled_place[d->began], .place = &sampled_place[d->ended],
                                                           .weight = d->slots, .seconds = 1e-4, .value = value}));
    if (d->began != d->ended || d->rest)
        return;
    sums[d->began].slots += d->slots;
    sums[d->began].sum += sum;
    for (size_t i = 0; i < SAMPLED_NODES; i++)
        sums[d->began].count[i] += d->count[i];
}

void sampled_places_run(struct sampled_run *run, unsigned long samples, struct td_deltas *all, struct sampled_sums *sums)
{
    struct sampled_delta d;

    for (unsigned long i = 0; i < samples; i++) {
        sampled_run_next(run, &d);
        sampled_places_add(all, &d, sums);
    }
}

/* Fields are cut off: the truth is 0 to 1 of 255 above what they show. */
struct td_whole sampled_places_whole(const struct sampled_sums *s, size_t node)
{
    const double least = s->count[node] / s->slots;

    return (struct td_whole){.value = s->count[node] / s->sum, .low = least, .high = least + 1.0 / 255, .share = true};
}
