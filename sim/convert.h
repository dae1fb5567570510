/* SPDX-License-Identifier: MIT */
/* A recording of any format to tdprobe-trace(5), while td_next() reads it. A trace
 * is copied reading by reading; of another format each interval becomes a start row
 * and a reading. */
#ifndef TD_CONVERT_H
#define TD_CONVERT_H

#include "session.h"

/* Queues an interval, before it the header; errors said. */
int td_convert_interval(struct td *, const struct td_interval *);
/* Hands over what is queued, if it is much or if err is not 0. err, or the
 * error of writing, which is said. */
int td_convert_flush(struct td *, int err);
void td_convert_free(struct td_convert *);

#endif
