/* SPDX-License-Identifier: MIT */
/* Whether the shares that a tool printed beside its counts are those of a CPU's result. */
#ifndef TD_PRINTED_SHARES_H
#define TD_PRINTED_SHARES_H

#include "core/stream.h"
#include "core/result.h"

enum td_printed_says {
    TD_PRINTED_OPEN, /* too few are this CPU's to tell it by, and none is another's */
    TD_PRINTED_ITS, /* two or more are this CPU's to the last digit, and none is another's */
    TD_PRINTED_OTHERS, /* some are not this CPU's */
};

enum td_printed_says td_printed_shares_compare(const struct td_printed_shares *, const struct td_result *);

#endif
