/* SPDX-License-Identifier: MIT */
/* What events have counted, and for how long. */
#ifndef TD_COUNT_H
#define TD_COUNT_H

#include "sim/kernel/event.h"

struct td_sim;

/* The CPU that the event's counter is on, or would be, or -1. */
int td_sim_event_cpu(const struct td_sim_event *);
/* True while the time of an event that is switched on counts as enabled. */
bool td_sim_event_live(const struct td_sim *, const struct td_sim_event *);
/* Brings the event's times up to when its core was simulated. */
void td_sim_event_time(struct td_sim *, struct td_sim_event *);
void td_sim_context_times(struct td_sim *, struct td_sim_context *);

/* What the event's counter on that CPU has counted since the machine began: counts times TD_PMU_WHOLE, modulo 2^64. */
uint64_t td_sim_event_counter(const struct td_sim *, const struct td_sim_event *, unsigned cpu);
/* The value that read(2) gives, as of the last update. */
uint64_t td_sim_event_value(const struct td_sim *, const struct td_sim_event *);
/* The value that read(2) would give now, with what the counter holds. The core must be in sync. */
uint64_t td_sim_event_now(const struct td_sim *, const struct td_sim_event *);
/* The register PERF_METRICS of a CPU. */
uint64_t td_sim_metrics(const struct td_sim *, unsigned cpu);

#endif
