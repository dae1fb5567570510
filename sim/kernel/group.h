/* SPDX-License-Identifier: MIT */
/* Groups of events and the contexts that they are in: joined, broken, inherited. */
#ifndef TD_GROUP_H
#define TD_GROUP_H

#include "sim/kernel/event.h"

struct td_sim;

/* Ends the events of a context, whose CPU went offline (off) or whose task ended. */
void td_sim_context_end(struct td_sim *, struct td_sim_context *, bool off);
/* Simulates the event's core up to now. */
void td_sim_event_sync(struct td_sim *, const struct td_sim_event *);
/* The event was changed: decides again which events count on its CPU. */
void td_sim_event_resched(struct td_sim *, const struct td_sim_event *);
/* Adds a new event to its context, or to the end of its group; leader: the group's, or NULL. */
void td_sim_event_install(struct td_sim *, struct td_sim_event *leader, struct td_sim_event *);
/* Sets to whose ring the event's records go; NULL: to its own. */
void td_sim_event_output(struct td_sim_event *, struct td_sim_event *to);
/* Ends and frees an event that has neither a descriptor nor a page, and its heirs. */
void td_sim_event_end(struct td_sim *, struct td_sim_event *);

/* Copies the groups of the parent's context that a task inherits when it is born (attr.inherit), by the rules of
 * inherit_event() in Linux kernel/events/core.c; their cores must be in sync. A group for which there is
 * no memory is left out. */
void td_sim_heirs_born(struct td_sim *, const struct td_sim_context *parent, struct td_sim_task *);

#endif
