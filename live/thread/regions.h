/* SPDX-License-Identifier: MIT */
/* Named regions of the calling thread: their passes are measured, added up, and kept in a ring. */
#ifndef TD_THREAD_REGIONS_H
#define TD_THREAD_REGIONS_H

#include "core/sink.h"
#include "live/thread/thread.h"

/* Allocates the arrays for regions, stack and ring. -ENOMEM. */
int td_regions_init(struct td_own *, const struct td_self_ask *);
void td_regions_free(struct td_own *);

/* These do what td_region(), td__region_begin() and td__region_end() promise. */
int td_regions_number(struct td_own *, const char *name);
int td_regions_begin(struct td_own *, int region);
int td_regions_end(struct td_own *, int region, const struct td_point *to);
/* What is known about a region, and its counts in own->delta. */
int td_regions_sum(struct td_own *, size_t region);

/* Keeps a pass that ended in the ring (passes.c). */
void td_ring_keep(struct td_own *, const struct td_pass *);
/* Passes both readings of each pass that is kept to the sink. */
void td_ring_tell(const struct td_own *, const struct td_sink *);
void td_ring_clear(struct td_own *);

#endif
