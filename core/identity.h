/* SPDX-License-Identifier: MIT */
/* Which CPU counts are from. */
#ifndef TD_IDENTITY_H
#define TD_IDENTITY_H

#include "core/uarch.h"

enum { TD_PARTS_MAX = 3, TD_IDENTITY_TEXT = 64 };

/* One row, or one for each kind of core of a hybrid. */
struct td_identity {
    char name[24]; /* "spr", "adl" */
    const struct td_uarch *part[TD_PARTS_MAX];
    size_t nparts; /* 0: not known, or not asked for */
    bool hybrid; /* it has several kinds of core, each with a PMU of its own */
    unsigned flags; /* TD_FLAG_REVISION_ASSUMED */
};

#endif
