/* SPDX-License-Identifier: MIT */
/* The NMI watchdog: an event of the kernel itself on each online CPU, cycles, pinned
 * (hardlockup_detector_event_create() in Linux kernel/watchdog_perf.c). */
#ifndef TD_WATCHDOG_H
#define TD_WATCHDOG_H

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

#endif
