/* SPDX-License-Identifier: MIT */
/* Which events to count, in which groups, for one form of a CPU's formulas. Pure. */
#ifndef TD_PLAN_H
#define TD_PLAN_H

#include "core/solve/forms.h"
#include "live/plan/fit.h"

struct td_plan_ask {
    struct td_forms *forms;
    struct td_counters counters;
    const struct td_bits *absent; /* events that the kernel does not offer; NULL: none */
    int level; /* 1 to TD_LEVELS; 0: the second if it can be counted together with the first, else the first */
    const char *metrics; /* besides those of the level: td_selection_new(); NULL: none */
    bool fixed; /* forms of the metrics register are allowed */
    bool whole_core; /* the scopes hold all siblings of their cores */
    bool any; /* events that count for all siblings can be used */
    bool no_corrections; /* leave out the correction terms of the formulas */
    bool one_group; /* if no level is asked for, plan only what one group holds, so that nothing is multiplexed */
    bool beside; /* count cycles and instructions too, if they take no programmable counter */
    /* all in one group if the counters hold it; else each group has what slots are computed from, as a sample has
     * nothing of other groups, and cycles lead those without the metrics register */
    bool sampled;
    bool keep_level1; /* where groups take turns, level 1 is counted more than the others: td_plan.first */
};

/* How the first group, which has the events of level 1, is counted where groups take turns. */
enum td_plan_first {
    TD_FIRST_TAKES_TURNS, /* as every other */
    TD_FIRST_STAYS, /* pinned: all the time, and the others take turns beside it */
    TD_FIRST_AGAIN, /* opened once before each of the others: every second turn is its own */
};

/* Events of the row that are scheduled together; the first leads. */
struct td_plan_group {
    struct td_bits set, able; /* able: the events of set that can be counted */
    uint16_t *event; /* the events of set, in the order in which they are opened */
    size_t n;
};

/* Must be zeroed before first use; freed by td_plan_free(). */
struct td_plan {
    const struct td_formcode *form;
    int level;
    struct td_bits level1; /* the events of level 1 */
    /* mean retire latencies that metrics need, and the events that are sampled for them */
    struct td_bits latencies, sampled;
    struct td_bits impossible; /* events of the row that cannot be counted here */
    bool deeper; /* some node below level 1 can be counted; false if it was not asked for */
    bool together; /* all groups can be counted at the same time */
    enum td_plan_first first;
    bool no_cycles; /* they were asked for, but would need a programmable counter because of the NMI watchdog */
    struct td_plan_group *group;
    size_t ngroups, groups_room;
};

/* The i-th suitable form, the best first; NULL: no more, or (*err) it cannot be compiled: td_forms_why(). */
struct td_formcode *td_plan_form(const struct td_plan_ask *, size_t i, int *err);
/* Events that are absent, or that no counter can hold, are in the groups too, and
 * take no counter: so results report why they are missing. An event that another can replace
 * is left out if that saves a programmable counter. Frees what out held.
 * -ENOMEM; -EINVAL, -ENOENT: a faulty table. */
int td_plan_make(const struct td_plan_ask *, struct td_formcode *, struct td_plan *out);
/* Puts all events in one group, for counters that are switched together; together is true. -ENOMEM. */
int td_plan_merge(const struct td_plan_ask *, struct td_plan *);
/* Adds an event of the row to the first group; 1: added; 0: it does not fit there; -ENOMEM. */
int td_plan_join(const struct td_plan_ask *, struct td_plan *, int event);
/* Whether the events can be counted in a turn of their own, beside a first group that stays. */
bool td_plan_turn_fits(const struct td_plan *, const struct td_counters *, const struct td_uarch *,
                       const struct td_bits *events);
/* The programmable counters that the fullest group takes. */
unsigned td_plan_general(const struct td_plan *, const struct td_counters *, const struct td_uarch *);
/* How often the first group is opened besides its own place. */
size_t td_plan_again(const struct td_plan *);
/* How many groups take turns: 1 where all are counted at the same time, 0 of an empty plan. */
unsigned td_plan_turns(const struct td_plan *);
/* Whether a group is counted if of those that take turns only this one, from 1 on, is; 0: all are. */
bool td_plan_takes_turn(const struct td_plan *, size_t group, unsigned only);
/* The deepest level that the row has nodes of. */
int td_plan_deepest(const struct td_uarch *);
void td_plan_free(struct td_plan *);

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
