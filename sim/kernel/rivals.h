/* SPDX-License-Identifier: MIT */
/* Who else holds counters, by pinned events of cycles: the kernel itself, whose NMI watchdog has one on each online CPU
 * (hardlockup_detector_event_create() in Linux kernel/watchdog_perf.c); and another program, which opened its events
 * before anybody else and enables them at a time, so that they come before pinned events that had counters until then
 * (perf_event_groups_less() in Linux kernel/events/core.c: groups get counters in the order in which they were opened).
 */
#ifndef TD_RIVALS_H
#define TD_RIVALS_H

#include "sim/kernel/event.h"

struct td_sim;

struct td_sim_watchdog {
    bool on;
    struct td_sim_event **event; /* by CPU, or NULL */
};

/* A pinned event of cycles of the CPU's own PMU: 0; -ENOMEM; another error: no counter can hold it. */
int td_sim_cycles_new(struct td_sim *, unsigned cpu, bool disabled, struct td_sim_event **out);
/* The machine begins: 0 or -ENOMEM. */
int td_sim_watchdog_begin(struct td_sim *);
/* A CPU came online, or goes offline. */
void td_sim_watchdog_on(struct td_sim *, unsigned cpu);
void td_sim_watchdog_off(struct td_sim *, unsigned cpu);
void td_sim_watchdog_free(struct td_sim *);

struct td_sim_rivals {
    struct td_sim_rival *rival;
    size_t n;
};

/* Adds an event of cycles: its number, or -ENOMEM. */
int td_sim_rival_add(struct td_sim *, unsigned cpu);
/* The machine begins: 0 or -ENOMEM. */
int td_sim_rivals_begin(struct td_sim *);
void td_sim_rival_on(struct td_sim *, size_t rival);
void td_sim_rival_off(struct td_sim *, size_t rival);
void td_sim_rivals_free(struct td_sim *);

#endif
