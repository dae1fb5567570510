/* SPDX-License-Identifier: MIT */
/* Results from percentages that a tool printed: nothing is computed, and nothing can be checked. */
#ifndef TD_PRINTED_H
#define TD_PRINTED_H

#include "session/session.h"

/* The next one of those in td_set_times(). -ENODATA: there is none; -EBADMSG: there was none at all. */
int td_printed_next(struct td *, const struct td_result **out);
/* The i-th scope's mean over all of them, each of which weighs the same: there are no counts to be added up. -ENODATA:
 * there are no more. */
int td_printed_summary(struct td *, size_t i, const struct td_result **out);
void td_printed_free(struct td *);

#endif
