/* SPDX-License-Identifier: MIT */
/* What is known about how an interval's counts were taken, for its likely bounds. */
#ifndef TD_SESSION_MEASURED_H
#define TD_SESSION_MEASURED_H

#include "session/session.h"

/* For an interval, or for a lane's sum (whole); bound: its counts, as the row, a part of a
 * candidate's CPU, has them. before: what it was for a candidate before it, NULL: this is the first of them. */
struct td_taken td_session_taken(struct td *, const struct td_interval *, bool whole, const struct td_uarch *,
                                 const struct td_counts *bound, const struct td_taken *before);
/* Whether the scope is known to have the counts of all threads of its cores. What no tool says more of than that it is
 * the system may be a task, as perf stat -x, tells of neither. */
bool td_session_both_siblings(const struct td_stream *, const struct td_interval *);
/* Whether the CPUs of a scope that is called a CPU are several: a part of some cores is (tdprobe -C 0,2). */
bool td_session_several_cpus(const struct td_stream *, const struct td_interval *);
/* Whether tasks were counted, whose metrics register the kernel writes back. A trace of readings says it of each;
 * perf's text of a command is of tasks too. */
bool td_session_switched(const struct td_stream *, const struct td_interval *);
/* Whether the intervals of the lane show the random variation of its sum. */
bool td_session_spreads(struct td *, const struct td_interval *sum);
/* The counts of a lane's sum without its i-th part; out is the session's, and valid until the next call. -ENOMEM. */
int td_session_without(struct td *, const struct td_interval *sum, size_t part, const struct td_interval **out);

#endif
