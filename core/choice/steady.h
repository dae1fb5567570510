/* SPDX-License-Identifier: MIT */
/* Definitions that have the same value in each interval, as nothing that they are made of was recorded: most of a deep
 * tree where only level 1 was. */
#ifndef TD_STEADY_H
#define TD_STEADY_H

#include "core/choice/copies.h"

/* Puts them before all others of their solution, and counts them in td_solution.steady. absent has room for events.
 * -ENOMEM. */
int td_steady_find(struct td_choice *, const struct td_program *, struct td_bits *absent);

#endif
