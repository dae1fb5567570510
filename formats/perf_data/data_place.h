/* SPDX-License-Identifier: MIT */
/* Where a sample was, and who had called that. */
#ifndef TD_DATA_PLACE_H
#define TD_DATA_PLACE_H

#include "formats/perf_data/data_sample.h"
#include "samples/calls.h"
#include "samples/cgroups.h"

/* The address of a sample; misc: its record's. */
struct td_hit td_perf_hit(const struct td_perf_data_event *, const struct td_perf_sample *, uint16_t misc,
                          const struct td_cgroups *);
/* The call of a sample whose own places are the n at at, the innermost first: by its chain, or else alone. Errors as of
 * td_places_find(). */
int td_perf_call(const struct td_perf_sample *, const struct td_hit *, const struct td_place *const *at, size_t n,
                 struct td_places *, struct td_spaces *, struct td_calls *, const struct td_call **out);

#endif
