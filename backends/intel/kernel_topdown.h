/* SPDX-License-Identifier: MIT */
/* The kernel's first top-down events, which several families share. */
#ifndef TD_KERNEL_TOPDOWN_H
#define TD_KERNEL_TOPDOWN_H

#include "backends/rows.h"

/* Linux tools/perf/util/stat-shadow.c of 4.8 to 6.2, without its clamp of
 * -0.02..0. The events' counts have their sysfs .scale applied. */
static const struct td_def td_kernel_topdown_l1[] = {
    TD_DEF("slots", "{topdown-total-slots}"),
    TD_DEF("frontend_bound", "{topdown-fetch-bubbles} / slots"),
    TD_DEF("bad_speculation",
           "({topdown-slots-issued} - {topdown-slots-retired} + {topdown-recovery-bubbles}) / slots"),
    TD_DEF("retiring", "{topdown-slots-retired} / slots"),
    TD_DEF("backend_bound", "1 - (bad_speculation + retiring + frontend_bound)"),
    {0},
};

#endif
