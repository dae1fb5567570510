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

/* One for each function, as the places of its deltas. */
extern const char sampled_place[SAMPLED_FUNCTIONS];

void sampled_places_add(struct td_deltas *, const struct sampled_delta *, struct sampled_sums *);
/* Runs the program for so many samples. */
void sampled_places_run(struct sampled_run *, unsigned long samples, struct td_deltas *, struct sampled_sums *);
/* What the counts of a function leave open of a node. */
struct td_whole sampled_places_whole(const struct sampled_sums *, size_t node);

#endif
