/* SPDX-License-Identifier: MIT */
/* The one road: intervals of any stream to results. */
#ifndef TD_ROAD_H
#define TD_ROAD_H

#include "session/session.h"

/* td_next() of whatever stream is open. */
int td_session_next(struct td *, const struct td_result **out);

#endif
