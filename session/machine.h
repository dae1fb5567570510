/* SPDX-License-Identifier: MIT */
/* The machine that a handle measures: set, detected, and its meter. */
#ifndef TD_MACHINE_H
#define TD_MACHINE_H

#include "session/session.h"

/* Makes the handle's meter, if it has none. -ENOMEM. */
int td_session_meter(struct td *);
/* Finds the meter's PMUs, by the machine's formulas; the machine is known. */
int td_session_find_pmus(struct td *);

#endif
