/* SPDX-License-Identifier: MIT */
#include "tests/support/sampled_places.h"

#include "tests/support/unit.h"

const char sampled_place[SAMPLED_PLACES_MOST];
static const char elsewhere;

static enum td_delta_kind kind_of(const struct sampled_delta *d)
{
    return d->rest ? TD_DELTA_REST : d->paired ? TD_DELTA_SHORT : TD_DELTA_PLAIN;
}

/* The sum of the nodes' counts; value: their shares of it. */
static double shares_of(const struct sampled_delta *d, double value[SAMPLED_NODES])
{
    double sum = 0;

    for (size_t i = 0; i < SAMPLED_NODES; i++)
        sum += d->count[i];
    for (size_t i = 0; i < SAMPLED_NODES; i++)
        value[i] = d->count[i] / sum;
    return sum;
}

/* nth: as struct td_delta has it. */
static void add(struct td_deltas *all, const struct sampled_delta *d, const char *began, size_t ended, unsigned nth,
                struct sampled_sums *to)
{
    double value[SAMPLED_NODES];
    const double sum = shares_of(d, value);

    CU_ASSERT_FATAL(!td_deltas_add(all, &(struct td_delta){.kind = kind_of(d),
                                                           .began = began,
                                                           .place = &sampled_place[ended],
                                                           .weight = d->slots,
                                                           .seconds = 1e-4,
                                                           .value = value,
                                                           .own = d->own,
                                                           .back = d->back,
                                                           .nth = nth}));
    if (began != &sampled_place[ended] || d->rest)
        return;
    to->slots += d->slots;
    to->sum += sum;
    for (size_t i = 0; i < SAMPLED_NODES; i++)
        to->count[i] += d->count[i];
}

void sampled_places_add(struct td_deltas *all, const struct sampled_delta *d, struct sampled_sums *sums)
{
    add(all, d, &sampled_place[d->began], d->ended, 0, &sums[d->ended]);
}

void sampled_places_add_chain(struct td_deltas *all, const struct sampled_delta *d, struct sampled_sums *sums)
{
    size_t shared = 0;

    while (shared < d->to.depth && shared < d->from.depth && d->to.place[shared] == d->from.place[shared])
        shared++;
    for (size_t i = d->to.depth; i-- > 0;)
        add(all, d, i < shared ? &sampled_place[d->to.place[i]] : &elsewhere, d->to.place[i],
            (unsigned)(d->to.depth - i), &sums[d->to.place[i]]);
}

void sampled_places_run(struct sampled_run *run, unsigned long samples, sampled_places_fn *add_delta,
                        struct td_deltas *all, struct sampled_sums *sums)
{
    struct sampled_delta d = {0};

    for (unsigned long i = 0; i < samples; i++) {
        sampled_run_next(run, &d);
        add_delta(all, &d, sums);
    }
}

/* Fields are cut off: the truth is 0 to 1 of 255 above what they show. */
struct td_whole sampled_places_whole(const struct sampled_sums *s, size_t node)
{
    const double least = s->count[node] / s->slots;

    return (struct td_whole){.value = s->count[node] / s->sum, .low = least, .high = least + 1.0 / 255, .share = true};
}
