/* SPDX-License-Identifier: MIT */
/* Computes results from intervals, with one CPU's formulas or with several CPUs', which must agree. */
#ifndef TD_SOLUTION_H
#define TD_SOLUTION_H

#include "session/session.h"

/* Whether an interval has no result: no counts, or those of a kind of core that
 * the CPU does not have (which is noted once). */
bool td_session_skips(struct td *, const struct td_interval *);
/* Solves an interval for all candidates; whole: it is the sum of a stream. -EINVAL:
 * their answers differ. After an error *out is NULL. */
int td_session_solve(struct td *, const struct td_interval *, bool whole, const struct td_result **out);

/* The same for one of several CPUs that fit, whose answers differ. *out is NULL where that CPU has no such kind of
 * core. */
int td_session_solve_for(struct td *, const struct td_interval *, bool whole, size_t cpu, const struct td_result **out);

#endif
