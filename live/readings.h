/* SPDX-License-Identifier: MIT */
/* Readings of all units, added up by lane; their intervals. */
#ifndef TD_READINGS_H
#define TD_READINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct td_meter;
struct td_stream;

/* How far reading came. */
struct td_readings {
    uint64_t start, time; /* of the first opening; of the last reading since then, ns */
    uint32_t epoch;
    bool told_starved, told_online; /* that a group never ran; that a CPU came that is not measured */
    uint64_t looked; /* when for such a CPU was last looked, ns */
    size_t next; /* lane whose interval is to be given next */
};

/* Room for the readings of each lane: a sample for each event of its plan. */
int td_readings_layout(struct td_meter *);
/* The beginning of counting: the same, and readings of zero. */
int td_readings_begin(struct td_meter *);
/* Reads all units. -ENODATA: all CPUs went offline, and this was the last. */
int td_readings_take(struct td_meter *);
/* Gives the intervals of the last reading, lane by lane; -EAGAIN after the last. */
int td_readings_next(struct td_stream *);

#endif
