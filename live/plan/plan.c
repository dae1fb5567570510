/* SPDX-License-Identifier: MIT */
/* Which events to count for a form, level by level; planner.h puts them into groups. */
#include "live/plan/planner.h"

enum {
    RANKS = 7,
};

/* ---- forms ------------------------------------------------------------------------- */

/* Adds the events of the nodes of the first level, or of their corrections. */
static void add_needs(const struct td_formcode *f, bool corrections, struct td_bits *out)
{
    const struct td_tree *t = f->uarch->tree;

    for (size_t n = 0; n < t->n; n++) {
        const int def = t->node[n].level == TD_LEVEL_TOP ? f->node[n] : -1;

        if (def >= 0)
            td_bits_join(out,
                         corrections ? td_program_corrections(f->p, (size_t)def) : td_program_needs(f->p, (size_t)def));
    }
}

/* Smaller is better; negative: not available here. */
static int rank(const struct td_plan_ask *a, const struct td_formcode *f, const struct td_bits *needs)
{
    unsigned flags = f->form->flags;
    bool any = false;

    TD_BITS_EACH(e, needs)
    any = any || td_uarch_of_siblings(f->uarch, &f->uarch->events[e]);
    if (flags & TD_FORM_FIXED)
        return a->fixed && a->counters.fields ? 0 : -1;
    if (flags & TD_FORM_SYSFS_SCALE)
        return 6;
    if (flags & TD_FORM_LEGACY) /* for recordings only, unless the kernel offers nothing else */
        return strcmp(f->form->name, "kernel-topdown") ? -1 : 6;
    if (any && !a->any)
        return -1;
    if (flags & TD_FORM_CORE_CLOCK)
        return a->counters.sibling && a->whole_core ? 1 : -1;
    if (flags & TD_FORM_ONE_THREAD)
        return a->counters.sibling ? 5 : 1;
    return any ? 4 : 3;
}

static int rank_form(const struct td_plan_ask *a, struct td_formcode *f, struct td_bits *needs, int *out)
{
    int err = td_form_compile(f, TD_LEVEL_TOP, a->forms->why, sizeof(a->forms->why));

    if (err)
        return err;
    td_bits_clear(needs);
    add_needs(f, false, needs);
    *out = rank(a, f, needs);
    return 0;
}

struct td_formcode *td_plan_form(const struct td_plan_ask *a, size_t i, int *err)
{
    struct td_formcode *found = NULL;
    struct td_bits needs;

    *err = td_bits_new(&needs, td_forms_uarch(a->forms)->nevents);
    for (int wanted = 0; wanted < RANKS && !found && !*err; wanted++)
        for (size_t f = 0; f < a->forms->n && !found && !*err; f++) {
            int has = -1;

            *err = rank_form(a, &a->forms->form[f], &needs, &has);
            if (!*err && has == wanted && i-- == 0)
                found = &a->forms->form[f];
        }
    td_bits_free(&needs);
    return found;
}

/* ---- events that others can replace -------------------------------------------------- */

/* SLOTS and SLOTS_P count the same: leaves out the one without a counter of its own. */
static int find_spare(struct td_planner *p)
{
    const int slots = p->form->slots;
    int err = 0;

    td_bits_clear(&p->spare);
    if (slots < 0)
        return 0;
    TD_BITS_EACH(e, td_program_needs(p->form->p, (size_t)slots))
    {
        enum td_state without = TD_VAL_MISSING;

        td_bits_clear(&p->set);
        td_bits_add(&p->set, e);
        if (!td_bits_has(&p->plan->impossible, e) && td_fit_general(&p->ask->counters, p->u, &p->set))
            err = td_planner_state_without(p, (size_t)slots, e, &without);
        if (err)
            return err;
        if (without == TD_VAL_OK)
            td_bits_add(&p->spare, e);
    }
    return 0;
}

/* ---- levels ------------------------------------------------------------------------- */

static int plan_level1(struct td_planner *p)
{
    struct td_plan *plan = p->plan;
    struct td_plan_group *g;

    add_needs(p->form, false, &plan->level1);
    td_bits_drop(&plan->level1, &p->spare);
    td_planner_lead(p, &plan->level1);
    if (!td_planner_fits(p, &plan->level1))
        return td_planner_spread(p, 0, &plan->level1);
    g = td_planner_group(p);
    if (!g)
        return -ENOMEM;
    td_bits_copy(&g->set, &plan->level1);
    td_bits_clear(&p->set);
    if (!p->ask->no_corrections)
        add_needs(p->form, true, &p->set);
    /* one by one: a correction that gets no counter is left out, and results report it */
    TD_BITS_EACH(e, &p->set)
    if (td_planner_fits(p, td_planner_with(p, &g->set, e)))
        td_bits_add(&g->set, e);
    return 0;
}

/* The events of the n-th node below level 1, in p->set; false: none. */
static bool take_node(struct td_planner *p, size_t n)
{
    const struct td_node *node = &p->u->tree->node[n];

    if (p->form->node[n] < 0 || node->level == TD_LEVEL_TOP || node->level > p->level)
        return false;
    td_bits_copy(&p->set, td_program_needs(p->form->p, (size_t)p->form->node[n]));
    td_bits_drop(&p->set, &p->spare);
    td_planner_take_stay(p, &p->set);
    td_planner_lead(p, &p->set);
    return !td_bits_empty(&p->set);
}

/* Plans the levels below level 1 together with it, if all can be counted at the same time. */
static int plan_beside(struct td_planner *p, bool *done)
{
    struct td_bits *first = &p->plan->group[0].set;
    struct td_plan_group *g;

    *done = false;
    td_bits_clear(&p->all);
    for (size_t n = 0; n < p->u->tree->n; n++)
        if (take_node(p, n))
            td_bits_join(&p->all, &p->set);
    td_planner_union(p->plan, &p->rest);
    if (!td_bits_within(&p->plan->level1, first) || !td_planner_fits(p, td_planner_with_all(p, &p->rest, &p->all)))
        return 0;
    *done = true;
    td_bits_drop(&p->all, &p->rest);
    td_bits_clear(&p->rest);
    TD_BITS_EACH(e, &p->all)
    td_bits_add(td_planner_general(p, td_planner_with(p, first, e)) > td_planner_general(p, first) ? &p->rest : first,
                e);
    if (td_bits_empty(&p->rest))
        return 0;
    g = td_planner_group(p);
    if (g)
        td_bits_copy(&g->set, &p->rest);
    return g ? 0 : -ENOMEM;
}

/* Puts as many of a node's events as fit into one group, with their own copies
 * of those of level 1: groups that take turns cannot share. */
static int plan_node(struct td_planner *p, size_t n)
{
    bool placed;
    int err;

    if (!take_node(p, n))
        return 0;
    err = td_planner_place(p, &p->set, &placed);
    if (err || placed)
        return err;
    td_planner_union(p->plan, &p->all);
    td_bits_drop(&p->set, &p->all);
    return td_planner_spread(p, 1, &p->set);
}

/* From now on the first group keeps its counters. */
static void stay(struct td_planner *p)
{
    p->plan->first = p->first;
    if (p->first == TD_FIRST_STAYS)
        td_bits_copy(&p->stay, td_planner_able(p, &p->plan->group[0].set));
}

static int plan_deeper(struct td_planner *p)
{
    bool done;
    int err;

    for (size_t n = 0; n < p->u->tree->n; n++)
        if (take_node(p, n) && !td_bits_meet(&p->set, &p->plan->impossible))
            p->plan->deeper = true;
    err = plan_beside(p, &done);
    if (!err)
        stay(p);
    for (size_t n = 0; n < p->u->tree->n && !err && !done; n++)
        err = plan_node(p, n);
    return err;
}

/* ---- the plan ------------------------------------------------------------------------ */

/* slots leads, the fields follow, then the others (Linux: intel_pmu_hw_config()), and last what is of another PMU. */
static int rank_event(const struct td_uarch *u, const struct td_event *e, bool clock_leads)
{
    if (clock_leads && !e->modes && td_uarch_is_clock(u, e))
        return 0;
    return td_event_is_slots(e) ? 0 : e->field >= 0 ? 1 : e->kind == TD_EVENT_COUNT ? 2 : 3;
}

static bool has_slots(const struct td_uarch *u, const struct td_plan_group *g)
{
    const int slots = td_uarch_slots(u);

    return slots >= 0 && td_bits_has(&g->set, (size_t)slots);
}

static int order(const struct td_plan_ask *a, const struct td_plan *plan, struct td_plan_group *g)
{
    const struct td_uarch *u = td_forms_uarch(a->forms);
    const bool clock_leads = a->sampled && plan->ngroups > 1 && !has_slots(u, g);
    uint16_t *event = realloc(g->event, (td_bits_count(&g->set) + 1) * sizeof(*event));

    if (!event)
        return -ENOMEM;
    td_bits_copy(&g->able, &g->set);
    td_bits_drop(&g->able, &plan->impossible);
    g->event = event;
    g->n = 0;
    for (int pass = 0; pass < 4; pass++)
        TD_BITS_EACH(e, &g->set)
        {
            if (rank_event(u, &u->events[e], clock_leads) == pass)
                g->event[g->n++] = (uint16_t)e;
        }
    return 0;
}

static void find_impossible(struct td_planner *p)
{
    if (p->ask->absent)
        td_bits_copy(&p->plan->impossible, p->ask->absent);
    for (size_t e = 0; e < p->u->nevents; e++)
        if (!td_fit_one(&p->ask->counters, p->u, e))
            td_bits_add(&p->plan->impossible, e);
}

/* Events in two groups are counted twice, which takes more counters. */
static bool apart(const struct td_plan *plan)
{
    for (size_t i = 1; i < plan->ngroups; i++)
        for (size_t k = 0; k < i; k++)
            if (td_bits_meet(&plan->group[i].set, &plan->group[k].set))
                return false;
    return true;
}

static void free_group(struct td_plan_group *g)
{
    td_bits_free(&g->set);
    td_bits_free(&g->able);
    free(g->event);
}

static void merge(struct td_plan *plan)
{
    for (size_t i = 1; i < plan->ngroups; i++) {
        td_bits_join(&plan->group[0].set, &plan->group[i].set);
        free_group(&plan->group[i]);
    }
    plan->ngroups = plan->ngroups ? 1 : 0;
}

/* Whether an event with its own counter can join a group, and all groups could still count at the same time. */
static bool costs_nothing(struct td_planner *p, const struct td_counters *c, size_t event)
{
    const struct td_plan *plan = p->plan;
    const struct td_bits *const first = td_planner_able(p, &plan->group[0].set), *with_it;
    const unsigned before = td_fit_general(c, p->u, first);

    with_it = td_planner_able(p, td_planner_with(p, &plan->group[0].set, event));
    if (!td_fit(c, p->u, with_it) || td_fit_general(c, p->u, with_it) > before)
        return false;
    td_planner_union(plan, &p->all);
    return !plan->together || td_fit(c, p->u, td_planner_able(p, td_planner_with(p, &p->all, event)));
}

/* Adds cycles and instructions to the first group if they take no programmable counter.
 * A group that is full except for cycles, whose fixed counter the NMI watchdog holds, would
 * open and never run. */
static void join_beside(struct td_planner *p)
{
    static const char *const names[] = {"cycles", "instructions"};
    struct td_counters free_of_it = p->ask->counters;
    struct td_plan *plan = p->plan;

    if (p->ask->counters.assumed)
        return;
    free_of_it.watchdog = false;
    for (size_t i = 0; i < sizeof(names) / sizeof(*names) && plan->ngroups; i++) {
        const int e = td_uarch_event_number(p->u, names[i]);

        td_planner_union(plan, &p->all);
        if (e < 0 || td_bits_has(&p->all, (size_t)e) || td_bits_has(&plan->impossible, (size_t)e))
            continue;
        if (costs_nothing(p, &p->ask->counters, (size_t)e))
            td_bits_add(&plan->group[0].set, (size_t)e);
        else if (p->ask->counters.watchdog && costs_nothing(p, &free_of_it, (size_t)e))
            plan->no_cycles = true;
    }
}

/* How the first group can be counted more than the others, which take turns. What takes half of the counters or more
 * would leave the others too few, if it stayed: but then two of it are never counted at the same time, and every second
 * turn can be its own. */
static enum td_plan_first first_of(struct td_planner *p)
{
    const struct td_plan *plan = p->plan;
    unsigned takes;

    if (!p->ask->keep_level1 || p->ask->counters.assumed || plan->together || plan->ngroups < 2 ||
        !td_bits_within(&plan->level1, &plan->group[0].set))
        return TD_FIRST_TAKES_TURNS;
    takes = td_planner_general(p, &plan->group[0].set);
    return 2 * takes <= td_counters_general(&p->ask->counters, p->u) ? TD_FIRST_STAYS : TD_FIRST_AGAIN;
}

/* Makes the plan down to the planner's level, with its first group as the planner's. */
static int make_with(struct td_planner *p)
{
    struct td_plan *plan = p->plan;
    int err;

    td_bits_clear(&p->stay);
    td_plan_free(plan);
    plan->form = p->form;
    plan->level = p->level;
    err = td_bits_new(&plan->level1, p->u->nevents);
    err = err ? err : td_bits_new(&plan->latencies, p->u->nevents);
    err = err ? err : td_bits_new(&plan->sampled, p->u->nevents);
    err = err ? err : td_bits_new(&plan->impossible, p->u->nevents);
    if (err)
        return err;
    find_impossible(p);
    err = td_form_compile(p->form, p->level, p->ask->forms->why, sizeof(p->ask->forms->why));
    err = err ? err : find_spare(p);
    err = err ? err : plan_level1(p);
    if (!err && p->level > TD_LEVEL_TOP)
        err = plan_deeper(p);
    else if (!err)
        stay(p);
    if (!err && p->wanted)
        err = td_planner_wanted(p);
    td_planner_union(plan, &p->all);
    plan->together = p->first != TD_FIRST_STAYS && td_planner_fits(p, &p->all) && apart(plan);
    if ((p->ask->one_group || p->ask->sampled) && plan->together)
        merge(plan);
    if (p->ask->beside && p->first != TD_FIRST_STAYS && !err)
        join_beside(p);
    for (size_t i = 0; i < plan->ngroups && !err; i++)
        err = order(p->ask, plan, &plan->group[i]);
    return err;
}

static int make(struct td_planner *p)
{
    int err;

    p->first = TD_FIRST_TAKES_TURNS;
    err = make_with(p);
    p->first = err ? TD_FIRST_TAKES_TURNS : first_of(p);
    if (p->first == TD_FIRST_STAYS)
        err = make_with(p);
    else if (!err)
        p->plan->first = p->first;
    return err;
}

static int deepest_of_tree(const struct td_tree *t)
{
    int level = TD_LEVEL_TOP;

    for (size_t n = 0; n < t->n; n++)
        level = t->node[n].level > level ? t->node[n].level : level;
    return level;
}

int td_plan_deepest(const struct td_uarch *u)
{
    int level = deepest_of_tree(u->tree);

    for (size_t i = 0; u->table && i < u->table->n; i++)
        if (u->table->row[i].kind == TD_ROW_NODE && u->table->row[i].level > level)
            level = u->table->row[i].level;
    return level;
}

static int planner_new(struct td_planner *p)
{
    struct td_bits *const sets[] = {&p->able, &p->joined, &p->spare, &p->stay, &p->set, &p->all, &p->rest};
    int err = 0;

    for (size_t i = 0; i < sizeof(sets) / sizeof(*sets) && !err; i++)
        err = td_bits_new(sets[i], p->u->nevents);
    return err;
}

static void planner_free(struct td_planner *p)
{
    td_bits_free(&p->able);
    td_bits_free(&p->joined);
    td_bits_free(&p->spare);
    td_bits_free(&p->stay);
    td_bits_free(&p->set);
    td_bits_free(&p->all);
    td_bits_free(&p->rest);
}

int td_plan_make(const struct td_plan_ask *a, struct td_formcode *f, struct td_plan *out)
{
    struct td_planner p = {.ask = a, .u = td_forms_uarch(a->forms), .form = f, .plan = out};
    int err = planner_new(&p), all = a->level > TD_LEVEL_USUAL ? td_plan_deepest(p.u) : deepest_of_tree(p.u->tree);

    p.level = a->level ? a->level : TD_LEVEL_USUAL;
    p.level = p.level < all ? p.level : all;
    p.wanted = p.level > TD_LEVEL_USUAL || (a->metrics && a->level);
    err = err ? err : make(&p);
    if (!err && !a->level && !(out->deeper && out->together)) {
        p.level = TD_LEVEL_TOP;
        err = a->metrics ? 0 : make(&p);
    }
    if (!err && a->metrics && !a->level) { /* they do not decide the level */
        p.wanted = true;
        err = make(&p);
    }
    planner_free(&p);
    if (err)
        td_plan_free(out);
    return err;
}

int td_plan_merge(const struct td_plan_ask *a, struct td_plan *plan)
{
    merge(plan);
    return order(a, plan, &plan->group[0]);
}

int td_plan_join(const struct td_plan_ask *a, struct td_plan *plan, int event)
{
    const struct td_uarch *u = td_forms_uarch(a->forms);
    struct td_planner p = {.ask = a, .u = u, .plan = plan};
    int err = event < 0 || !plan->ngroups ? 0 : planner_new(&p);

    if (!err && event >= 0 && plan->ngroups &&
        td_planner_fits(&p, td_planner_with(&p, &plan->group[0].set, (size_t)event))) {
        td_bits_add(&plan->group[0].set, (size_t)event);
        err = order(a, plan, &plan->group[0]);
        err = err ? err : 1;
    }
    planner_free(&p);
    return err;
}

bool td_plan_turn_fits(const struct td_plan *plan, const struct td_counters *c, const struct td_uarch *u,
                       const struct td_bits *events)
{
    return plan->first == TD_FIRST_STAYS ? td_fit_beside(c, u, &plan->group[0].able, events) : td_fit(c, u, events);
}

unsigned td_plan_general(const struct td_plan *plan, const struct td_counters *c, const struct td_uarch *u)
{
    unsigned most = 0;

    for (size_t g = 0; g < plan->ngroups; g++) {
        const unsigned n = td_fit_general(c, u, &plan->group[g].able);

        most = n > most ? n : most;
    }
    return most;
}

size_t td_plan_again(const struct td_plan *plan)
{
    return plan->first == TD_FIRST_AGAIN && plan->ngroups > 2 ? plan->ngroups - 2 : 0;
}

unsigned td_plan_turns(const struct td_plan *plan)
{
    return plan->together ? 1 : (unsigned)plan->ngroups;
}

bool td_plan_takes_turn(const struct td_plan *plan, size_t group, unsigned only)
{
    return !only || plan->together || group + 1 == only;
}

void td_plan_free(struct td_plan *plan)
{
    for (size_t i = 0; i < plan->ngroups; i++)
        free_group(&plan->group[i]);
    free(plan->group);
    td_bits_free(&plan->level1);
    td_bits_free(&plan->latencies);
    td_bits_free(&plan->sampled);
    td_bits_free(&plan->impossible);
    *plan = (struct td_plan){0};
}
