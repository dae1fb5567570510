/* SPDX-License-Identifier: MIT */
/* Events that sample: when they overflow, throttling, and periods by frequency. The rules are those of
 * x86_perf_event_set_period() in Linux arch/x86/events/core.c, and of __perf_event_overflow(), perf_adjust_period() and
 * perf_adjust_freq_unthr_context() in kernel/events/core.c. */
#ifndef TD_SIM_SAMPLER_H
#define TD_SIM_SAMPLER_H

#include "sim/kernel/event.h"

struct td_sim;

enum { TD_SIM_MAX_RATE = 100000 /* kernel.perf_event_max_sample_rate */ };

/* The period begins anew with what the event has counted now, as with PERF_EVENT_IOC_PERIOD. The core must be in sync.
 */
void td_sim_sampler_set(struct td_sim *, struct td_sim_event *, uint64_t period);
/* Sets up a new event as its attr says. 0, -EINVAL. */
int td_sim_sampler_init(const struct perf_event_attr *, struct td_sim_event *);
/* td_sim_hw.due and td_sim_hw.overflow */
uint64_t td_sim_sampling_due(void *ctx, unsigned cpu);
void td_sim_sampling_happen(void *ctx, unsigned cpu);

#endif
