/* SPDX-License-Identifier: MIT */
/* From counts to metrics, by the formulas of one CPU. */
#ifndef TD_SOLVE_H
#define TD_SOLVE_H

#include "core/solve/forms.h"
#include "core/result.h"
#include "core/bounds/measured.h"

struct td_solve_ask {
    int level; /* 1 to TD_LEVELS; deeper than the CPU's tree: the whole tree */
    bool fixed; /* may use the forms of the metrics register */
    bool smt_off; /* known: no sibling thread was active */
    bool scale_assumed; /* raw counts were scaled as if without SMT, which is not known */
    /* The counts are of a task, and the kernel accounted for the metrics register
     * at each of its context switches, where it drops what looks negative and
     * writes back 8 bits (icl_update_topdown_event() and icl_set_topdown_event_period()
     * in Linux arch/x86/events/intel/core.c). The fields are off by up to a unit
     * at each switch: there are no sound bounds. */
    bool switched;
    bool coverage_unknown; /* the part of the time for which the events were counted was not recorded */
    bool times_relative; /* enabled and running are no times: td_stream.times */
    bool whole_core; /* known or assumed: the counts of all siblings are in the scope */
    bool both_siblings; /* known: they are, of cores that have two */
    bool halted; /* they may have been counted while a thread halted, too, and its sibling ran */
    bool smt_on; /* known: siblings were online */
    bool smt_askable; /* what is not known of it, the caller can be asked: td_set_smt() */
    bool one_cpu; /* the counts are of one logical CPU */
    bool in_pieces; /* counting began and ended any number of times: in regions, and between samples */
    struct td_range duration; /* of the interval, in s; 0: not known */
    unsigned cpus; /* logical CPUs online; 0: not known */
    const char *names; /* metrics besides those of the level: td_selection_new(); NULL: none */
    unsigned flags; /* TD_FLAG_* that hold whatever the counts are */
    const struct td_hints *hints; /* what td_count.printed means; NULL: nothing was printed */
    const struct td_taken *taken; /* for likely bounds; NULL: they are not asked for */
};

/* Fills out's metrics, formula, flags, corrections and coverage; the caller
 * fills in the rest (scope, time, names). What cannot be computed is absent with its
 * reason. Definitions that no metric of the level needs are not evaluated, and not
 * even compiled. -ENOMEM; -EINVAL, -ENOENT: the row's tables are faulty; td_forms_why(). */
int td_solve(struct td_forms *, const struct td_counts *, const struct td_solve_ask *, struct td_result *out);

#endif
