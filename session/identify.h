/* SPDX-License-Identifier: MIT */
/* Which CPU a stream's counts belong to: asked for, named by the stream, or all that fit its events. */
#ifndef TD_IDENTIFY_H
#define TD_IDENTIFY_H

#include "session/session.h"

/* With the first batch: fills candidates, and sets ready; or drops the batch, if it
 * has nothing that distinguishes CPUs. */
int td_session_identify(struct td *);
/* Whether an interval has any event of the CPU's formulas. */
bool td_session_matches(struct td *, const struct td_interval *);
/* Whether it has events of none of the CPUs that may have been recorded. */
bool td_session_strange(struct td *, const struct td_interval *);
/* Whether the batch at hand, of which the CPUs that may have been recorded compute no metric, fits others. Of a
 * recording only the first such batches are looked at; none whose intervals, as this one, name their own CPU, since
 * their events are numbers of it. */
bool td_session_others(struct td *, const struct td_interval *);
/* Fails for a stream that ended without such an interval: -EBADMSG, or -EOPNOTSUPP if
 * its events belong to a CPU that there is no formula for. */
int td_session_unmatched(struct td *);
/* The same if it had no event at all that identifies a CPU. */
int td_session_no_events(struct td *);

#endif
