/* SPDX-License-Identifier: MIT */
/* Writes whatever is read or measured as tdprobe-trace(5).
 *
 * A recording of any format, while td_next() reads it (td_set_convert()): a trace is copied
 * reading by reading; in another format each interval becomes a start row and a reading.
 * This machine's readings, as the meter takes them (td_set_record()). The passes through
 * regions that were kept (td_regions_write()). */
#ifndef TD_TO_TRACE_H
#define TD_TO_TRACE_H

#include "session/session.h"

/* Converts what the stream, which has been opened, gives from here on. */
void td_convert_begin(struct td_convert *, const struct td_stream *);
/* Queues an interval, preceded by the header. */
int td_convert_interval(struct td *, const struct td_interval *);
/* Passes on what is queued, if it is much or if err is not 0. err, or the
 * error of writing. */
int td_convert_flush(struct td *, int err);
void td_convert_free(struct td_convert *);
/* Passes on the readings that were taken. The error of writing is in the log. */
int td_record_flush(struct td *);
void td_record_free(struct td_record *);

#endif
