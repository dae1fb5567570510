/* SPDX-License-Identifier: MIT */
/* Readings of all units, added up by lane, and their intervals. */
#ifndef TD_READINGS_H
#define TD_READINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct td_meter;
struct td_stream;

/* The state of reading. */
struct td_readings {
    uint64_t start; /* when it was opened first, ns */
    uint64_t time; /* when the last reading was taken, ns since then */
    uint32_t epoch;
    bool told_starved; /* it was reported that a group never ran */
    bool told_lost; /* it was reported that a pinned group lost its counters */
    bool told_online; /* it was reported that a CPU came online that is not measured */
    uint64_t looked; /* when such a CPU was last looked for, ns */
    size_t next; /* the lane whose interval is returned next */
};

/* Makes room for the readings of each lane: a sample for each event of its plan. */
int td_readings_layout(struct td_meter *);
/* Begins counting; makes room too, and takes readings of zero. */
int td_readings_begin(struct td_meter *);
/* Reads all units. -ENODATA: all CPUs went offline, and this was the last. */
int td_readings_take(struct td_meter *);
/* Returns the intervals of the last reading, lane by lane; -EAGAIN after the last. */
int td_readings_next(struct td_stream *);

#endif
