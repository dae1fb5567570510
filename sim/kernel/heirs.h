/* SPDX-License-Identifier: MIT */
/* Events that a task inherits when it is born: attr.inherit. The rules are those of inherit_event() in Linux
 * kernel/events/core.c. */
#ifndef TD_HEIRS_H
#define TD_HEIRS_H

#include "sim/kernel/event.h"

struct td_sim;

/* Copies the groups of the parent's context that are inherited; their cores must be in sync. A group for which there is
 * no memory is left out. */
void td_sim_heirs_born(struct td_sim *, const struct td_sim_context *parent, struct td_sim_task *);

#endif
