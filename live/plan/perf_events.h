/* SPDX-License-Identifier: MIT */
/* A plan in the words of perf stat -e. */
#ifndef TD_PERF_EVENTS_H
#define TD_PERF_EVENTS_H

#include "live/plan/plan.h"

/* How it names the vendors' events. The kernel's own it always names as sysfs does. */
enum td_perf_words {
    TD_PERF_NAMES, /* as perf's lists of events do: cpu_core/int_misc.uop_dropping/ */
    TD_PERF_ENCODINGS, /* by what is counted, which any perf takes: cpu/config=0x100d,name=int_misc.uop_dropping/ */
    TD_PERF_WORDS,
};

/* "{slots,topdown-retiring},{...}": the groups, without what cannot be counted. several: there are other
 * kinds of core, and each event says of which it is. The caller frees it; NULL: out of memory. */
char *td_perf_events_text(const struct td_plan *, const struct td_uarch *, const char *pmu, bool several, enum td_perf_words);

#endif
