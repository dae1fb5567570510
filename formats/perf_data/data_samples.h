/* SPDX-License-Identifier: MIT */
/* The perf.data of perf record with groups of events: each sample has a reading of its group, and ends an interval. */
#ifndef TD_DATA_SAMPLES_H
#define TD_DATA_SAMPLES_H

#include "formats/perf_data/data_order.h"
#include "formats/perf_data/data_sample.h"

/* Whether a file whose header has been read is of perf record. */
bool td_perf_samples_are(const struct td_perf_data *);
/* -EBADMSG: no event has samples with readings of a group. */
int td_perf_samples_open(struct td_recording *);
/* td_reader.next */
int td_perf_samples_next(struct td_recording *);
void td_perf_samples_free(struct td_perf_samples *);

#endif
