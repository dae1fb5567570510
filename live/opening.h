/* SPDX-License-Identifier: MIT */
/* From what is wanted to open counters: makes plans, and finds a way where a plan cannot be opened. */
#ifndef TD_OPENING_H
#define TD_OPENING_H

#include <stdbool.h>

struct td_live;
struct td_meter;

/* Makes a plan for each PMU, and opens all units with them; dry: plans only. After an error some
 * may be open. */
int td_units_open(struct td_meter *, const struct td_live *, bool dry);
int td_units_enable(struct td_meter *, bool on);
/* An error reports what could not be given back. */
int td_units_close(struct td_meter *);

#endif
