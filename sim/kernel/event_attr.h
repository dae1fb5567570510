/* SPDX-License-Identifier: MIT */
/* What a perf_event_attr asks for: a PMU, one of its events, and the counters that can
 * hold it. The rules are those of perf_init_event() in Linux kernel/events/core.c, of
 * intel_pmu_hw_config() and the constraint tables in arch/x86/events/intel/core.c. */
#ifndef TD_EVENT_ATTR_H
#define TD_EVENT_ATTR_H

enum { TD_SIM_MSR_TYPE = 17 }; /* perf_event_attr.type of the PMU msr */

#include "sim/kernel/event.h"

struct td_sim;

/* The event's PMU and kind, and its config on that PMU: 0 or -ENOENT. */
int td_sim_attr_pmu(const struct td_sim *, const struct perf_event_attr *, struct td_sim_event *, uint64_t *config);
/* True if a hardware event counts for all threads of a core. */
bool td_sim_attr_any(const struct td_sim *, const struct td_sim_event *, uint64_t config);
/* The counters that can hold the event, and how an instruction reads them; leader: the
 * group's, or NULL. 0, -EINVAL, -EOPNOTSUPP. */
int td_sim_attr_counters(const struct td_sim *, const struct perf_event_attr *, uint64_t config,
                         const struct td_sim_event *leader, struct td_sim_event *);
/* Takes the rest of the attr, of which nothing is refused. */
void td_sim_attr_set(const struct td_sim *, const struct perf_event_attr *, struct td_sim_event *);

#endif
