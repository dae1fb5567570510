/* SPDX-License-Identifier: MIT */
/* The part of a recording that was asked for. */
#ifndef TD_SESSION_TIMES_H
#define TD_SESSION_TIMES_H

#include "session/session.h"

/* Whether what ended then is in td_set_times(); without a time only if that begins with the recording. */
bool td_session_in_time(const struct td *, bool has_time, uint64_t time);
/* No interval of the stream or the percentages of that name is in td_set_times(): -EBADMSG. */
int td_session_none_in_time(struct td *, const char *name);

#endif
