/* SPDX-License-Identifier: MIT */
/* Results from percentages that a tool printed: nothing is computed, and nothing can be checked. */
#ifndef TD_PRINTED_H
#define TD_PRINTED_H

#include "session/session.h"

/* The next one. -ENODATA: there is none. */
int td_printed_next(struct td *, const struct td_result **out);
void td_printed_free(struct td *);

#endif
