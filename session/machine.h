/* SPDX-License-Identifier: MIT */
/* The machine that a handle measures: set, found, and its meter. */
#ifndef TD_MACHINE_H
#define TD_MACHINE_H

#include "session/session.h"

/* The handle has a meter afterwards. -ENOMEM. */
int td_session_meter(struct td *);
/* The meter's PMUs, by the machine's formulas; the machine is known. */
int td_session_find_pmus(struct td *);

#endif
