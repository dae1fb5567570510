/* SPDX-License-Identifier: MIT */
/* The common path from intervals of any stream to results. */
#ifndef TD_NEXT_H
#define TD_NEXT_H

#include "session/session.h"

/* td_next() for any stream that is open. */
int td_session_next(struct td *, const struct td_result **out);
/* Whether what ended then is in td_set_times(); without a time only if that begins with the recording. */
bool td_session_in_time(const struct td *, bool has_time, uint64_t time);
/* -EBADMSG: nothing is. */
int td_session_none_in_time(struct td *, const char *name);

#endif
