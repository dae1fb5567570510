/* SPDX-License-Identifier: MIT */
/* The source "rdpmc": counters of the calling thread, which the thread reads itself. They are opened
 * like those of the source perf, for reading by an instruction. */
#ifndef TD_THREAD_SOURCE_H
#define TD_THREAD_SOURCE_H

#include "live/source.h"
#include "live/thread/thread.h"

/* The source never reads: the thread does, by td_own_read(). td_unit.own is a struct td_own once td_own_begin() was
 * called. */
extern const struct td_source td_source_rdpmc;

/* Counters of the calling thread on the meter's machine, not open yet. NULL: out of memory. */
struct td_own *td_own_new(const struct td_meter *, const struct td_self_ask *);
/* Begins to read the meter's open unit: maps its events' pages, and makes room for all counts, so that a measurement
 * allocates nothing. own->delta gets empty counts. -ENOMEM, without a text; other errors are in the log. */
int td_own_begin(struct td_own *, struct td_meter *, const struct td_self_ask *);
/* Frees it, after its unit was closed; NULL is allowed. */
void td_own_free(struct td_own *);

#endif
