/* SPDX-License-Identifier: MIT */
/* Events get counters, lose them, and count. The rules are those of Linux kernel/events/core.c: contexts, groups,
 * rotation. Groups of slots and metrics share two registers, which are saved and restored: icl_update_topdown_event()
 * and icl_set_topdown_event_period() in arch/x86/events/intel/core.c. */
#ifndef TD_SCHEDULE_H
#define TD_SCHEDULE_H

#include "sim/kernel/event.h"

struct td_sim;

/* What a CPU counts, whatever task it has. */
struct td_sim_counting {
    struct td_sim_context events;
    struct td_sim_event *topdown; /* the leader that has the metrics register, possibly its task's */
};

/* Decides which groups of a CPU have counters now. The core must be in sync. */
void td_sim_resched(struct td_sim *, unsigned cpu);
/* The CPU's timer interrupt: the next groups get the counters. */
void td_sim_rotate(void *ctx, unsigned cpu);
/* Takes a group's counters away. */
void td_sim_group_stop(struct td_sim *, struct td_sim_event *leader);
/* Stops all of a context's groups that count on a CPU, and brings their times up to date. */
void td_sim_context_out(struct td_sim *, struct td_sim_context *);
/* Adds a leader at the end. */
void td_sim_context_add(struct td_sim_context *, struct td_sim_event *leader);
/* Brings the count up to now, reading the counter as read(2) does. */
void td_sim_event_update(struct td_sim *, struct td_sim_event *);

/* The registers of the CPU continue from what the group's leader has saved. */
void td_sim_topdown_start(struct td_sim *, unsigned cpu, struct td_sim_event *leader);
/* Adds to all counts of the CPU's group; reset: as a read(2) does, which sets the registers to zero. */
void td_sim_topdown_update(struct td_sim *, unsigned cpu, bool reset);
/* A slots leader gets its first metric. */
void td_sim_topdown_join(struct td_sim *, struct td_sim_event *leader);

#endif
