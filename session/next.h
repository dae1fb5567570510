/* SPDX-License-Identifier: MIT */
/* The common path from intervals of any stream to results. */
#ifndef TD_NEXT_H
#define TD_NEXT_H

#include "session/session.h"

/* td_next() for any stream that is open. */
int td_session_next(struct td *, const struct td_result **out);

#endif
