/* SPDX-License-Identifier: MIT */
/* Counts to metrics, by the formulas of one CPU. */
#ifndef TD_SOLVE_H
#define TD_SOLVE_H

#include "result.h"

/* The forms of one CPU, compiled. Constant once made. */
struct td_solver;

struct td_solve_ask {
    int level; /* 1 or 2 */
    bool fixed; /* may use the forms of the metrics register */
    bool smt_off; /* known: no sibling thread was active */
    bool scale_assumed; /* raw counts were scaled as without SMT, which is not known */
    /* The counts are of a task, and the kernel accounted for the metrics register
     * at each of its context switches, where it drops what looks negative and
     * writes back 8 bits (icl_update_topdown_event() and icl_set_topdown_event_period()
     * in Linux arch/x86/events/intel/core.c). The fields are off by up to a unit
     * at each switch, and no bound is known. */
    bool switched;
    bool coverage_unknown; /* for which part of the time the events were counted was not recorded */
    bool whole_core; /* known or assumed: the counts of all siblings are in the scope */
    unsigned flags; /* TD_FLAG_* that hold whatever the counts are */
};

/* 0; -ENOMEM, or what td_program_compile() says of a faulty table, with why. */
int td_solver_new(const struct td_uarch *, struct td_solver **out, char *why, size_t whysize);
void td_solver_free(struct td_solver *);
const struct td_uarch *td_solver_uarch(const struct td_solver *);

/* The form that the events recorded select. */
struct td_formcode;
const struct td_formcode *td_solver_form(const struct td_solver *, const struct td_counts *, bool fixed);

/* Fills out's metrics, formula, flags, corrections and coverage; the caller
 * gives the rest (scope, time, names). Never fails: what cannot be computed is
 * absent with its reason. */
void td_solve(const struct td_solver *, const struct td_counts *, const struct td_solve_ask *, struct td_result *out);

/* Number of the row's event of that vendor's name or alias, or -1. */
int td_uarch_event_number(const struct td_uarch *, const char *name);
/* The same by perf's raw config: vendor's events before sysfs events of the same encoding. */
int td_uarch_event_by_config(const struct td_uarch *, uint64_t config);
/* The events that any form of the solver's CPU uses, as bits. */
uint64_t td_solver_used(const struct td_solver *);

#endif
