/* SPDX-License-Identifier: MIT */
/* The values of an event or its group in their read_format, for read(2) and for samples. */
#ifndef TD_SIM_VALUES_H
#define TD_SIM_VALUES_H

#include "sim/kernel/event.h"

struct td_sim;

/* The most words that the event's format has. */
size_t td_sim_values_most(const struct td_sim_event *);
/* perf_read_group() or perf_read_one(): updates and writes; the number of words. */
size_t td_sim_values_read(struct td_sim *, struct td_sim_event *, uint64_t *out);
/* perf_output_read() in the interrupt of the event's overflow on a CPU, which has updated the event itself. */
size_t td_sim_values_sample(struct td_sim *, unsigned cpu, struct td_sim_event *, uint64_t *out);

#endif
