/* SPDX-License-Identifier: MIT */
/* What is known of how an interval's counts were taken, for its likely bounds. */
#ifndef TD_SESSION_TAKEN_H
#define TD_SESSION_TAKEN_H

#include "session/session.h"

/* Of an interval, or of a lane's sum (whole), whose counts a part of the first candidates' CPU
 * has as bound. */
struct td_taken td_session_taken(struct td *, const struct td_interval *, bool whole, const struct td_uarch *, const struct td_counts *bound);
/* Whether the intervals of the lane say how much chance there was in its sum. */
bool td_session_spreads(struct td *, const struct td_interval *sum);
/* The counts of a lane's sum without its i-th part; out is the session's, and lasts until the next. -ENOMEM. */
int td_session_without(struct td *, const struct td_interval *sum, size_t part, const struct td_interval **out);

#endif
