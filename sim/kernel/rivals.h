/* SPDX-License-Identifier: MIT */
/* What another program counts: pinned events of CPUs, which it opened before anybody else and enables at a time, so
 * that they come before pinned events that had counters until then (perf_event_groups_less() in Linux
 * kernel/events/core.c: groups get counters in the order in which they were opened). */
#ifndef TD_RIVALS_H
#define TD_RIVALS_H

#include "sim/kernel/event.h"

struct td_sim;

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
