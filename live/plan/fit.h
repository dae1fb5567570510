/* SPDX-License-Identifier: MIT */
/* Whether events can be counted at the same time: which counters hold them. */
#ifndef TD_FIT_H
#define TD_FIT_H

#include "core/uarch.h"

/* The counters of one PMU of one kind of core. */
struct td_counters {
    unsigned general; /* programmable ones; 0: not known, as many as the events name */
    uint64_t fixed; /* as bits; 0: not known, all that the events name */
    unsigned fields; /* of the metrics register: 0, 4 or 8 */
    bool sibling; /* a sibling thread is active: td_event.counters, else counters_alone */
    bool watchdog; /* the NMI watchdog holds the cycles counter */
    bool assumed; /* nobody looked whether it does: nothing is to be counted beside the formulas */
};

/* True if all events (of the row) can be counted at once. Linux lets an
 * event with a fixed counter use a programmable one too, unless its event code
 * is 0, as of SLOTS (intel_pmu_check_event_constraints() in
 * arch/x86/events/intel/core.c). */
bool td_fit(const struct td_counters *, const struct td_uarch *, const struct td_bits *events);
/* The same of one event. */
bool td_fit_one(const struct td_counters *, const struct td_uarch *, size_t event);
/* The same, with the counter of each event of the row: programmable ones, fixed ones from
 * 32 on; -1: none, as of those not asked for. */
bool td_fit_assign(const struct td_counters *, const struct td_uarch *, const struct td_bits *events, signed char *counter);
/* How many programmable counters the events take at least. */
unsigned td_fit_general(const struct td_counters *, const struct td_uarch *, const struct td_bits *events);

#endif
