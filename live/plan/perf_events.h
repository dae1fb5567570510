/* SPDX-License-Identifier: MIT */
/* A plan as events for perf stat -e. */
#ifndef TD_PERF_EVENTS_H
#define TD_PERF_EVENTS_H

#include "live/plan/plan.h"

/* How the vendors' events are named. The kernel's own events always have the names in sysfs. */
enum td_perf_words {
    TD_PERF_NAMES, /* as in perf's lists of events: cpu_core/int_misc.uop_dropping/ */
    TD_PERF_ENCODINGS, /* by their encoding, which any perf accepts: cpu/config=0x100d,name=int_misc.uop_dropping/ */
    TD_PERF_LATENCIES, /* no groups, but the events whose retire latencies are sampled: mem_load_retired.l2_hit:R */
    TD_PERF_WORDS,
};

/* "{slots,topdown-retiring},{...}": the groups, without events that cannot be counted. several: there are other
 * kinds of core, and each event names its kind. only: of groups that take turns this one, from 1 on; 0: all. The caller
 * frees it; NULL: out of memory. */
char *td_perf_events_text(const struct td_plan *, const struct td_uarch *, const char *pmu, bool several, unsigned only,
                          enum td_perf_words);

#endif
