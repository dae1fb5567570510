/* SPDX-License-Identifier: MIT */
/* Whether events can be counted at the same time: which counter holds which. */
#ifndef TD_FIT_H
#define TD_FIT_H

#include "core/uarch.h"

/* The counters of one PMU of one kind of core. */
struct td_counters {
    unsigned general; /* how many programmable ones; 0: not known, as many are assumed as the events name */
    uint64_t fixed; /* fixed ones, as bits; 0: not known, all are assumed that the events name */
    unsigned fields; /* how many the metrics register has: 0, 4 or 8 */
    bool sibling; /* a sibling thread is active: td_event.counters applies, else counters_alone */
    bool watchdog; /* the NMI watchdog holds the cycles counter */
    bool assumed; /* it is not known whether the watchdog is on: only what formulas need is counted */
};

/* Takes away the counter of the NMI watchdog, which counts cycles: their own, or if the row has none for them, a
 * programmable one. */
void td_counters_watch(struct td_counters *, const struct td_uarch *);
/* How many programmable counters there are, or are assumed. */
unsigned td_counters_general(const struct td_counters *, const struct td_uarch *);
/* True if all events (of the row) can be counted at once: each has a counter, and a register for its config1
 * (td_event_extra()) where it needs one. The time stamp counter needs none; of other PMUs none can be counted. Linux
 * lets an event with a fixed counter use a programmable one too, unless its event code is 0, as for SLOTS
 * (intel_pmu_check_event_constraints() in arch/x86/events/intel/core.c). */
bool td_fit(const struct td_counters *, const struct td_uarch *, const struct td_bits *events);
/* The same, while all of stay keep their counters: an event of both is counted twice, and the metrics register that
 * stay has is taken. */
bool td_fit_beside(const struct td_counters *, const struct td_uarch *, const struct td_bits *stay,
                   const struct td_bits *events);
/* td_fit() of one event. */
bool td_fit_one(const struct td_counters *, const struct td_uarch *, size_t event);
/* td_fit(), with the counter of each event of the row: programmable ones, fixed ones from
 * 32 on; -1: none, as for events not asked for. */
bool td_fit_assign(const struct td_counters *, const struct td_uarch *, const struct td_bits *events,
                   signed char *counter);
/* The smallest number of programmable counters that the events need. */
unsigned td_fit_general(const struct td_counters *, const struct td_uarch *, const struct td_bits *events);

#endif
