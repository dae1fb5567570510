/* SPDX-License-Identifier: MIT */
/* A plan in the making: its groups. Only plan.c and wanted.c use it. */
#ifndef TD_PLANNER_H
#define TD_PLANNER_H

#include "live/plan/plan.h"

struct td_planner {
    const struct td_plan_ask *ask;
    const struct td_uarch *u;
    struct td_formcode *form;
    struct td_plan *plan;
    int level;
    enum td_plan_first first;
    bool wanted; /* plan what is asked for beyond levels 1 and 2, too */
    struct td_bits able; /* the events of a set that can be counted: for td_planner_fits() and td_planner_general() */
    struct td_bits joined; /* a group with the events it would get */
    struct td_bits spare; /* events that others can replace */
    struct td_bits stay; /* the events of a first group that stays, which can be counted; else empty */
    struct td_bits set, all, rest; /* used by the current function */
};

/* The events of a set that can be counted, in able. */
const struct td_bits *td_planner_able(struct td_planner *, const struct td_bits *set);
/* Whether the events can be counted at once, beside the group that stays, ignoring those that cannot be counted at all;
 * and how many programmable counters they take. */
bool td_planner_fits(struct td_planner *, const struct td_bits *set);
unsigned td_planner_general(struct td_planner *, const struct td_bits *set);
/* A group with one more event, or with all of another set, in joined. */
const struct td_bits *td_planner_with(struct td_planner *, const struct td_bits *set, size_t event);
const struct td_bits *td_planner_with_all(struct td_planner *, const struct td_bits *set, const struct td_bits *more);
/* Where the group that stays has the metrics register: moves the register's events of a set there, which cost no
 * counter. */
void td_planner_take_stay(struct td_planner *, struct td_bits *set);
/* Events of the metrics register need SLOTS in their group: adds it, and what else each group is to have. */
void td_planner_lead(const struct td_planner *, struct td_bits *set);
/* A new group, empty; NULL: out of memory. */
struct td_plan_group *td_planner_group(struct td_planner *);
/* The group that has most of a set and can hold the rest of it. Level 1 only
 * gets what needs no programmable counter: another program may hold some of them; nothing, if it stays. */
struct td_plan_group *td_planner_group_for(struct td_planner *, const struct td_bits *set);
/* Puts a set into one group; false: no group can hold it. -ENOMEM. */
int td_planner_place(struct td_planner *, const struct td_bits *set, bool *placed);
/* Puts each event of a set that does not fit as a whole into the first group that it fits, from a number on. -ENOMEM.
 */
int td_planner_spread(struct td_planner *, size_t first, const struct td_bits *set);
/* The events of all groups, in out. */
void td_planner_union(const struct td_plan *, struct td_bits *out);

/* What a definition is from made-up counts if neither the event nor spare ones, nor what is impossible, were counted.
 * -ENOMEM. */
int td_planner_state_without(const struct td_planner *, size_t def, size_t event, enum td_state *);

/* Adds groups for the nodes below level 2 and the metrics that are asked for. -ENOMEM, or as td_program_compile(). */
int td_planner_wanted(struct td_planner *);

#endif
