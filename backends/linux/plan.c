/* SPDX-License-Identifier: MIT */
#include "plan.h"

#include "nodes.h"

#include <errno.h>
#include <string.h>

enum { ANY_THREAD = 1 << 21 }; /* bit of IA32_PERFEVTSEL and of perf's raw config */

/* The smaller the better; negative: not here. */
static int rank(const struct td_plan_ask *a, const struct td_formcode *f, uint64_t needs)
{
    const struct td_uarch *u = td_solver_uarch(a->solver);
    unsigned flags = f->form->flags;
    bool any = false;

    for (unsigned e = 0; e < u->nevents && needs >> e; e++)
        if (needs >> e & 1 && u->events[e].config & ANY_THREAD)
            any = true;
    if (flags & TD_FORM_FIXED)
        return a->fixed && a->counters.fields ? 0 : -1;
    if (flags & TD_FORM_SYSFS_SCALE)
        return 6;
    if (flags & TD_FORM_LEGACY) /* of recordings only, unless it is all that the kernel offers */
        return strcmp(f->form->name, "kernel-topdown") ? -1 : 6;
    if (any && !a->any)
        return -1;
    if (flags & TD_FORM_CORE_CLOCK)
        return a->counters.sibling && a->whole_core ? 1 : -1;
    if (flags & TD_FORM_ONE_THREAD)
        return a->counters.sibling ? 5 : 1;
    return any ? 4 : 3;
}

static uint64_t needs_of(const struct td_formcode *f, int level, bool corrections)
{
    uint64_t set = 0;

    for (size_t n = 0; n < TD_NODES; n++) {
        size_t def = (size_t)f->node[n];

        if (f->node[n] < 0 || td_nodes[n].level > level)
            continue;
        set |= corrections ? td_program_corrections(f->p, def) : td_program_needs(f->p, def);
    }
    for (int i = 0; i < 2; i++) {
        int def = i ? f->sum : f->slots;

        if (def >= 0)
            set |= corrections ? td_program_corrections(f->p, (size_t)def) : td_program_needs(f->p, (size_t)def);
    }
    return set;
}

size_t td_plan_forms(const struct td_plan_ask *a, const struct td_formcode *out[TD_FORMS_MAX])
{
    size_t n = 0;

    for (int wanted = 0; wanted <= 6; wanted++)
        for (size_t i = 0; i < a->solver->nforms; i++)
            if (rank(a, &a->solver->forms[i], needs_of(&a->solver->forms[i], 1, false)) == wanted)
                out[n++] = &a->solver->forms[i];
    return n;
}

/* Whether the events can be counted at once, but for those that cannot be at all. */
static bool fits(const struct td_plan_ask *a, const struct td_plan *p, uint64_t set)
{
    return td_fit(&a->counters, td_solver_uarch(a->solver), set & ~p->impossible);
}

static uint64_t find_impossible(const struct td_plan_ask *a)
{
    const struct td_uarch *u = td_solver_uarch(a->solver);
    uint64_t set = a->absent;

    for (unsigned e = 0; e < u->nevents; e++)
        if (!td_fit(&a->counters, u, UINT64_C(1) << e))
            set |= UINT64_C(1) << e;
    return set;
}

/* slots leads, the fields follow, then the rest (reference: intel_pmu_hw_config()). */
static void order(const struct td_uarch *u, struct td_plan_group *g)
{
    g->n = 0;
    for (int pass = 0; pass < 3; pass++)
        for (unsigned e = 0; e < u->nevents && g->set >> e; e++) {
            int of = td_event_is_slots(&u->events[e]) ? 0 : u->events[e].field >= 0 ? 1 : 2;

            if (g->set >> e & 1 && of == pass)
                g->event[g->n++] = (uint8_t)e;
        }
}

static bool fields_in(const struct td_uarch *u, uint64_t set)
{
    for (unsigned e = 0; e < u->nevents && set >> e; e++)
        if (set >> e & 1 && u->events[e].field >= 0)
            return true;
    return false;
}

/* Events of the metrics register go nowhere without SLOTS. */
static uint64_t with_leader(const struct td_uarch *u, uint64_t set)
{
    if (fields_in(u, set))
        for (unsigned e = 0; e < u->nevents; e++)
            if (td_event_is_slots(&u->events[e]))
                set |= UINT64_C(1) << e;
    return set;
}

static struct td_plan_group *add_group(struct td_plan *p)
{
    return p->ngroups < TD_PLAN_GROUPS ? &p->group[p->ngroups++] : NULL;
}

/* Each event of a set that does not fit as a whole, where it first fits. */
static int spread(const struct td_plan_ask *a, struct td_plan *p, size_t first, uint64_t set)
{
    const struct td_uarch *u = td_solver_uarch(a->solver);

    for (unsigned e = 0; e < u->nevents && set >> e; e++) {
        uint64_t one = UINT64_C(1) << e;
        struct td_plan_group *g = NULL;

        if (!(set & one))
            continue;
        for (size_t i = first; i < p->ngroups && !g; i++)
            if (fits(a, p, with_leader(u, p->group[i].set | one)))
                g = &p->group[i];
        g = g ? g : add_group(p);
        if (!g)
            return -E2BIG;
        g->set = with_leader(u, g->set | one);
    }
    return 0;
}

static uint64_t planned(const struct td_plan *p)
{
    uint64_t set = 0;

    for (size_t i = 0; i < p->ngroups; i++)
        set |= p->group[i].set;
    return set;
}

static unsigned general(const struct td_plan_ask *a, const struct td_plan *p, uint64_t set)
{
    return td_fit_general(&a->counters, td_solver_uarch(a->solver), set & ~p->impossible);
}

static int plan_level1(const struct td_plan_ask *a, struct td_plan *p)
{
    const struct td_uarch *u = td_solver_uarch(a->solver);
    uint64_t corrections = a->no_corrections ? 0 : needs_of(p->form, 1, true);

    p->level1 = with_leader(u, needs_of(p->form, 1, false));
    if (!fits(a, p, p->level1))
        return spread(a, p, 0, p->level1);
    add_group(p)->set = p->level1;
    /* one by one: a correction that finds no counter is left out, and said to be */
    for (unsigned e = 0; e < u->nevents && corrections >> e; e++)
        if (corrections >> e & 1 && fits(a, p, p->group[0].set | UINT64_C(1) << e))
            p->group[0].set |= UINT64_C(1) << e;
    return 0;
}

/* The group that has most of a set and can take the rest of it. Level 1 takes
 * only what needs no programmable counter: somebody else may hold some of them. */
static struct td_plan_group *group_for(const struct td_plan_ask *a, struct td_plan *p, uint64_t set)
{
    struct td_plan_group *best = NULL;
    int most = -1;

    for (size_t i = 0; i < p->ngroups; i++) {
        struct td_plan_group *g = &p->group[i];
        int has = __builtin_popcountll(g->set & set);

        if (has <= most || !fits(a, p, g->set | set))
            continue;
        if (i == 0 && general(a, p, g->set | set) > general(a, p, g->set))
            continue;
        best = g;
        most = has;
    }
    return best;
}

static uint64_t needs_of_node(const struct td_plan_ask *a, const struct td_plan *p, size_t n)
{
    if (p->form->node[n] < 0 || td_nodes[n].level != 2)
        return 0;
    return with_leader(td_solver_uarch(a->solver), td_program_needs(p->form->p, (size_t)p->form->node[n]));
}

/* Level 2 beside level 1, where all can be counted at the same time. */
static bool plan_beside(const struct td_plan_ask *a, struct td_plan *p)
{
    uint64_t all = 0, rest = 0;

    for (size_t n = 0; n < TD_NODES; n++)
        all |= needs_of_node(a, p, n);
    if (p->group[0].set != (p->group[0].set | p->level1) || !fits(a, p, planned(p) | all))
        return false;
    for (unsigned e = 0; e < TD_EVENTS_MAX && all >> e; e++) {
        uint64_t one = UINT64_C(1) << e & all & ~planned(p);

        if (one && general(a, p, p->group[0].set | one) > general(a, p, p->group[0].set))
            rest |= one;
        else
            p->group[0].set |= one;
    }
    if (rest)
        add_group(p)->set = rest;
    return true;
}

/* Each node's events in one group as far as they fit, with their own copies of
 * those of level 1: groups that take turns cannot share. */
static void plan_level2(const struct td_plan_ask *a, struct td_plan *p)
{
    for (size_t n = 0; n < TD_NODES; n++) {
        uint64_t set = needs_of_node(a, p, n);

        p->level2 = p->level2 || (set && !(set & p->impossible));
    }
    if (plan_beside(a, p))
        return;
    for (size_t n = 0; n < TD_NODES; n++) {
        uint64_t set = needs_of_node(a, p, n);
        struct td_plan_group *g = set ? group_for(a, p, set) : NULL;

        if (set && !g && fits(a, p, set))
            g = add_group(p);
        if (g)
            g->set |= set;
        else
            spread(a, p, 1, set & ~planned(p)); /* what finds no group is missing, and said to be */
    }
}

static void finish(const struct td_plan_ask *a, struct td_plan *p, int level)
{
    const struct td_uarch *u = td_solver_uarch(a->solver);

    p->level = level;
    for (size_t i = 0; i < p->ngroups; i++)
        order(u, &p->group[i]);
    p->together = fits(a, p, planned(p));
    for (size_t i = 1; i < p->ngroups; i++)
        for (size_t j = 0; j < i; j++)
            if (p->group[i].set & p->group[j].set) /* counted twice: that takes more counters */
                p->together = false;
}

int td_plan_make(const struct td_plan_ask *a, const struct td_formcode *f, struct td_plan *out)
{
    uint64_t impossible = find_impossible(a);
    int err;

    *out = (struct td_plan){.form = f, .impossible = impossible};
    err = plan_level1(a, out);
    if (!err && a->level != 1) {
        plan_level2(a, out);
        finish(a, out, 2);
        if (a->level == 2 || (out->level2 && out->together))
            return 0;
        *out = (struct td_plan){.form = f, .impossible = impossible};
        err = plan_level1(a, out);
    }
    if (!err)
        finish(a, out, 1);
    return err;
}

void td_plan_merge(const struct td_plan_ask *a, struct td_plan *p)
{
    p->group[0].set = planned(p);
    p->ngroups = 1;
    order(td_solver_uarch(a->solver), &p->group[0]);
}

bool td_plan_join(const struct td_plan_ask *a, struct td_plan *p, int event)
{
    const struct td_uarch *u = td_solver_uarch(a->solver);
    uint64_t set = event < 0 || !p->ngroups ? 0 : p->group[0].set | UINT64_C(1) << event;

    if (!set || !fits(a, p, set))
        return false;
    p->group[0].set = set;
    order(u, &p->group[0]);
    return true;
}
