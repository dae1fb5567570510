/* SPDX-License-Identifier: MIT */
/* What samples of a model program say of its functions, by the code that is tested. */
#ifndef SAMPLED_PLACES_H
#define SAMPLED_PLACES_H

#include "stats/place_bounds.h"
#include "tests/support/sampled_program.h"

/* The sums of a function's pure deltas. */
struct sampled_sums {
    double slots, count[SAMPLED_NODES], sum;
};

/* One for each function of a program, or of threads for each or for all functions of each, as the places of deltas. */
enum { SAMPLED_PLACES_MOST = SAMPLED_THREADS * SAMPLED_FUNCTIONS };
extern const char sampled_place[SAMPLED_PLACES_MOST];

typedef void sampled_places_fn(struct td_deltas *, const struct sampled_delta *, struct sampled_sums *);
/* To the functions where a delta began and ended. */
sampled_places_fn sampled_places_add;
/* To all functions of the chain where it ended: it is pure of those that the chain where it began shares, from the
 * outermost on. */
sampled_places_fn sampled_places_add_chain;
/* Runs the program for so many samples. */
void sampled_places_run(struct sampled_run *, unsigned long samples, sampled_places_fn *add, struct td_deltas *,
                        struct sampled_sums *);
/* What the counts of a function leave open of a node. */
struct td_whole sampled_places_whole(const struct sampled_sums *, size_t node);

#endif
