/* SPDX-License-Identifier: MIT */
/* From a record's sample to what it hit: an address in some process, and its callers. samples/places.h makes functions
 * and lines of them. */
#ifndef TD_DATA_PLACE_H
#define TD_DATA_PLACE_H

#include "formats/perf_data/data_sample.h"
#include "samples/calls.h"
#include "samples/cgroups.h"

/* What a sample hit; misc is that of its record. */
struct td_hit td_perf_hit(const struct td_perf_data_event *, const struct td_perf_sample *, uint16_t misc,
                          const struct td_cgroups *);
/* The call that a sample hit. at: the n places of its own address, the innermost first. Its callers come from its
 * chain, if it has one, and are written to caller. Errors as of td_places_find(). */
int td_perf_call(const struct td_perf_sample *, const struct td_hit *, const struct td_place *const *at, size_t n,
                 struct td_places *, struct td_spaces *, struct td_calls *, struct td_hit caller[TD_FRAMES_MAX],
                 const struct td_call **out);

#endif
