/* SPDX-License-Identifier: MIT */
/* Which events fit a PMU's counters together: a maximal matching, as
 * x86_schedule_events() and the armpmu drivers look for one. */
#ifndef TD_COUNTERS_H
#define TD_COUNTERS_H

#include "sim/kernel/event.h"

struct td_sim_fit {
    uint64_t counters, used;
    struct td_sim_event *owner[TD_SIM_COUNTERS];
    uint64_t extra[TD_SIM_EXTRAS][2]; /* what the extra registers hold */
    unsigned nextra[TD_SIM_EXTRAS];
};

/* All counters of a PMU and its metrics; NULL: none. */
uint64_t td_sim_fit_counters(const struct td_sim_pmu *);
/* Adds a group's events (and one more, or NULL), all or none. on: only those that are switched on. */
bool td_sim_fit_group(struct td_sim_fit *, struct td_sim_event *leader, struct td_sim_event *more, bool on);
/* The PMU of a group's events, TD_SIM_NONE: software only. */
size_t td_sim_group_pmu(const struct td_sim_event *leader);

#endif
