/* SPDX-License-Identifier: MIT */
/* Groups of slots and metrics share two registers, which are saved and restored:
 * icl_update_topdown_event() and icl_set_topdown_event_period() in Linux
 * arch/x86/events/intel/core.c. */
#ifndef TD_TOPDOWN_H
#define TD_TOPDOWN_H

#include "sim/kernel/event.h"

struct td_sim;

/* The registers of the CPU continue from what the group's leader has saved. */
void td_sim_topdown_start(struct td_sim *, unsigned cpu, struct td_sim_event *leader);
/* Adds to all counts of the CPU's group; reset: as a read(2) does, which sets the registers to zero. */
void td_sim_topdown_update(struct td_sim *, unsigned cpu, bool reset);
/* A slots leader gets its first metric. */
void td_sim_topdown_join(struct td_sim *, struct td_sim_event *leader);

#endif
