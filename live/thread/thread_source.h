/* SPDX-License-Identifier: MIT */
/* The source "rdpmc": counters of the calling thread, which the thread reads itself. They are opened
 * like those of the source perf, for reading by an instruction. */
#ifndef TD_THREAD_SOURCE_H
#define TD_THREAD_SOURCE_H

#include "live/source.h"
#include "live/thread/thread.h"

/* Its unit's own is a struct td_own, once that has begun. The source does not read them: the thread does
 * (td_own_read()). */
extern const struct td_source td_source_rdpmc;

/* For the meter's machine, not open yet. NULL: out of memory. */
struct td_own *td_own_new(const struct td_meter *, const struct td_self_ask *);
/* For an open unit: maps its events' pages, and makes room for all counts, so that a
 * measurement allocates nothing; own->delta holds empty counts. -ENOMEM, without a text; other errors are in the log.
 */
int td_own_begin(struct td_own *, struct td_meter *, const struct td_self_ask *);
/* Call after its unit was closed; NULL is allowed. */
void td_own_free(struct td_own *);

#endif
