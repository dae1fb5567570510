/* SPDX-License-Identifier: MIT */
/* A plan in the words of perf stat -e. */
#ifndef TD_PERF_EVENTS_H
#define TD_PERF_EVENTS_H

#include "live/plan/plan.h"

/* "{slots,topdown-retiring},{...}": the groups, without what cannot be counted, each event by the name
 * that perf's lists have for it. pmu: of several kinds of core, else NULL. The caller frees it; NULL: out of memory. */
char *td_perf_events_text(const struct td_plan *, const struct td_uarch *, const char *pmu);

#endif
