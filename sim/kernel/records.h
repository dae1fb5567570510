/* SPDX-License-Identifier: MIT */
/* The records of events that sample: samples, throttling, and what happens to tasks; and the values of an event or its
 * group in their read_format, for samples and for read(2). The fields are those of perf_output_sample() and of the
 * perf_event_*() around it in Linux kernel/events/core.c. */
#ifndef TD_SIM_RECORDS_H
#define TD_SIM_RECORDS_H

#include "sim/kernel/event.h"

struct td_sim;
struct td_sim_task;

/* The bits of sample_type that are simulated. */
enum {
    TD_SIM_SAMPLES = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID |
                     PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_READ |
                     PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT,
    TD_SIM_WEIGHTS = PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT, /* one of them */
};

/* The event overflowed on a CPU. */
void td_sim_record_sample(struct td_sim *, unsigned cpu, struct td_sim_event *);
/* PERF_RECORD_THROTTLE, or with off UNTHROTTLE. */
void td_sim_record_throttle(struct td_sim *, unsigned cpu, const struct td_sim_event *, bool off);
/* A task executes a program: its name and the mapping of the program's file. */
void td_sim_record_exec(struct td_sim *, const struct td_sim_task *);
/* A task was started by its parent; or, with a parent of NULL, has ended. */
void td_sim_record_task(struct td_sim *, const struct td_sim_task *, const struct td_sim_task *parent);
/* The task that a CPU has is switched in, or with out will be switched out; other: the one before it, or after it. NULL
 * and a CPU without one: it idles. */
void td_sim_record_switch(struct td_sim *, unsigned cpu, const struct td_sim_task *other, bool out);

/* The most words that the event's format has. */
size_t td_sim_values_most(const struct td_sim_event *);
/* perf_read_group() or perf_read_one(): updates and writes; the number of words. */
size_t td_sim_values_read(struct td_sim *, struct td_sim_event *, uint64_t *out);
/* perf_output_read() in the interrupt of the event's overflow on a CPU, which has updated the event itself. */
size_t td_sim_values_sample(struct td_sim *, unsigned cpu, struct td_sim_event *, uint64_t *out);

#endif
