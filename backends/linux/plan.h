/* SPDX-License-Identifier: MIT */
/* Which events to count, in which groups, for one form of a CPU's formulas. Pure. */
#ifndef TD_PLAN_H
#define TD_PLAN_H

#include "fit.h"
#include "solver.h"

enum { TD_PLAN_GROUPS = 24 };

struct td_plan_ask {
    const struct td_solver *solver;
    struct td_counters counters;
    uint64_t absent; /* events that the kernel does not offer, as bits */
    int level; /* 1, 2; 0: 2 if it can be counted together with level 1, else 1 */
    bool fixed; /* forms of the metrics register are allowed */
    bool whole_core; /* the scopes hold all siblings of their cores */
    bool any; /* events that count for all siblings can be had */
    bool no_corrections; /* leave out the correction terms of the formula */
};

/* Events of the row that are scheduled together; the first leads. */
struct td_plan_group {
    uint64_t set;
    size_t n;
    uint8_t event[TD_EVENTS_MAX];
};

struct td_plan {
    const struct td_formcode *form;
    int level;
    uint64_t level1; /* the events of level 1 */
    uint64_t impossible; /* events of the row that cannot be counted here */
    bool level2; /* some node of level 2 can be counted; false where it was not asked for */
    bool together; /* all groups can be counted at the same time */
    size_t ngroups;
    struct td_plan_group group[TD_PLAN_GROUPS];
};

/* The forms that suit, the best first: how many. */
size_t td_plan_forms(const struct td_plan_ask *, const struct td_formcode *out[TD_FORMS_MAX]);
/* Events that are absent, or that no counter holds, stand in the groups too, and
 * take no counter: results then say why they miss. -E2BIG: too many groups. */
int td_plan_make(const struct td_plan_ask *, const struct td_formcode *, struct td_plan *out);
/* Makes one group of all, for counters that are switched as one; together is true. */
void td_plan_merge(const struct td_plan_ask *, struct td_plan *);
/* Adds an event of the row to the first group; false: it does not fit there. */
bool td_plan_join(const struct td_plan_ask *, struct td_plan *, int event);

#endif
