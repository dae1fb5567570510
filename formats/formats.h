/* SPDX-License-Identifier: MIT */
/* The formats of recordings, how to find which one a file has, and the metadata that PerfSpect keeps beside the counts.
 */
#ifndef TD_FORMATS_H
#define TD_FORMATS_H

#include "sim/replay/recording.h"

extern const struct td_reader td_reader_perf_data, td_reader_trace, td_reader_perf_json, td_reader_perf_text,
    td_reader_arm_events, td_reader_perf_csv;

/* All formats, in the order in which they are tried; NULL after the last. */
const struct td_reader *td_reader_at(size_t i);
/* Finds the format of what read gives, unless one is asked for (otherwise NULL), and opens
 * it. The recording, which is from calloc(), has stream.name, settings, log and sink, and what is known of the
 * machine; it moves, to become the struct of its reader. Call td_recording_close() in any case. */
int td_recording_open(struct td_recording **, td_read_fn *read, void *ctx, const struct td_reader *format);

/* Reads them: sets identity (unless one was asked for) and smt. -EBADMSG: they cannot be
 * read; -EOPNOTSUPP: the CPU has no top-down events; else read's error. */
int td_perfspect_metadata(struct td_recording *, td_read_fn *read, void *ctx);

#endif
