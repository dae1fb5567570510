/* SPDX-License-Identifier: MIT */
#include "live/plan/plan.h"

#include "core/room.h"

enum {
    ANY_THREAD = 1 << 21, /* bit in IA32_PERFEVTSEL and in perf's raw config */
    RANKS = 7,
};

/* A plan in the making. */
struct planner {
    const struct td_plan_ask *ask;
    const struct td_uarch *u;
    struct td_formcode *form;
    struct td_plan *plan;
    int level;
    struct td_bits able; /* the events of a set that can be counted: for fits() and general() */
    struct td_bits joined; /* a group with the events it would get */
    struct td_bits spare; /* events that others can replace */
    struct td_bits set, all, rest; /* used by the current function */
};

/* ---- forms ------------------------------------------------------------------------- */

/* Adds the events of the nodes of some levels, or of their corrections; slots and sum belong to the first level. */
static void add_needs(const struct td_formcode *f, int from, int to, bool corrections, struct td_bits *out)
{
    const struct td_tree *t = f->uarch->tree;
    const int first[] = {f->slots, f->sum};

    for (size_t n = 0; n < t->n + 2; n++) {
        const int def = n < t->n ? f->node[n] : from == TD_LEVEL_TOP ? first[n - t->n] : -1;

        if (def < 0 || (n < t->n && (t->node[n].level < from || t->node[n].level > to)))
            continue;
        td_bits_join(out, corrections ? td_program_corrections(f->p, (size_t)def) : td_program_needs(f->p, (size_t)def));
    }
}

/* Smaller is better; negative: not available here. */
static int rank(const struct td_plan_ask *a, const struct td_formcode *f, const struct td_bits *needs)
{
    unsigned flags = f->form->flags;
    bool any = false;

    TD_BITS_EACH(e, needs)
        any = any || f->uarch->events[e].config & ANY_THREAD;
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
    add_needs(f, TD_LEVEL_TOP, TD_LEVEL_TOP, false, needs);
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

/* Whether a definition has a value if neither these events nor one more were counted: either() has. */
static int does_without(const struct planner *p, size_t def, size_t event, bool *out)
{
    const struct td_program *code = p->form->p;
    const size_t ncells = td_program_cells(code);
    uint32_t *order = calloc(td_program_count(code), sizeof(*order));
    struct td_val *cells = calloc(ncells, sizeof(*cells));

    for (size_t i = 0; order && cells && i < ncells; i++)
        cells[i] = (struct td_val){.r = {1, 1, 1}, .event = -1};
    for (size_t e = 0; order && cells && e < p->u->nevents; e++)
        if (e == event || td_bits_has(&p->plan->impossible, e) || td_bits_has(&p->spare, e))
            cells[td_event_cell(e)].state = e == event ? TD_VAL_MISSING : TD_VAL_NOT_SUPPORTED;
    if (order && cells) {
        td_program_prepare(code, cells);
        td_program_run(code, order, td_program_order(code, td_program_uses(code, def), order), cells);
        *out = cells[td_def_cell(code, def)].state == TD_VAL_OK;
    }
    free(order);
    free(cells);
    return order && cells ? 0 : -ENOMEM;
}

/* SLOTS and SLOTS_P count the same: leaves out the one without a counter of its own. */
static int find_spare(struct planner *p)
{
    const int slots = p->form->slots;
    int err = 0;

    td_bits_clear(&p->spare);
    if (slots < 0)
        return 0;
    TD_BITS_EACH(e, td_program_needs(p->form->p, (size_t)slots)) {
        bool spare = false;

        td_bits_clear(&p->set);
        td_bits_add(&p->set, e);
        if (!td_bits_has(&p->plan->impossible, e) && td_fit_general(&p->ask->counters, p->u, &p->set))
            err = does_without(p, (size_t)slots, e, &spare);
        if (err)
            return err;
        if (spare)
            td_bits_add(&p->spare, e);
    }
    return 0;
}

/* ---- groups ------------------------------------------------------------------------ */

static const struct td_bits *without_impossible(struct planner *p, const struct td_bits *set)
{
    td_bits_copy(&p->able, set);
    td_bits_drop(&p->able, &p->plan->impossible);
    return &p->able;
}

/* Whether the events can be counted at once, ignoring those that cannot be counted at all. */
static bool fits(struct planner *p, const struct td_bits *set)
{
    return td_fit(&p->ask->counters, p->u, without_impossible(p, set));
}

static unsigned general(struct planner *p, const struct td_bits *set)
{
    return td_fit_general(&p->ask->counters, p->u, without_impossible(p, set));
}

/* A group with one more event, in p->joined. */
static const struct td_bits *with(struct planner *p, const struct td_bits *set, size_t event)
{
    td_bits_copy(&p->joined, set);
    td_bits_add(&p->joined, event);
    return &p->joined;
}

/* A group with all of another set, in p->joined. */
static const struct td_bits *with_all(struct planner *p, const struct td_bits *set, const struct td_bits *more)
{
    td_bits_copy(&p->joined, set);
    td_bits_join(&p->joined, more);
    return &p->joined;
}

/* Events of the metrics register need SLOTS in their group. */
static void add_leader(const struct td_uarch *u, struct td_bits *set)
{
    const int slots = td_uarch_slots(u);
    bool fields = false;

    TD_BITS_EACH(e, set)
        fields = fields || u->events[e].field >= 0;
    if (fields && slots >= 0)
        td_bits_add(set, (size_t)slots);
}

static struct td_plan_group *add_group(struct planner *p)
{
    struct td_plan *plan = p->plan;
    struct td_plan_group *g;

    if (td_room(&plan->group, &plan->groups_room, plan->ngroups + 1, sizeof(*plan->group)))
        return NULL;
    g = &plan->group[plan->ngroups];
    *g = (struct td_plan_group){0};
    plan->ngroups++;
    return td_bits_new(&g->set, p->u->nevents) || td_bits_new(&g->able, p->u->nevents) ? NULL : g;
}

/* Puts each event of a set that does not fit as a whole into the first group that it fits. */
static int spread(struct planner *p, size_t first, const struct td_bits *set)
{
    TD_BITS_EACH(e, set) {
        struct td_plan_group *g = NULL;

        for (size_t i = first; i < p->plan->ngroups && !g; i++) {
            with(p, &p->plan->group[i].set, e);
            add_leader(p->u, &p->joined);
            g = fits(p, &p->joined) ? &p->plan->group[i] : NULL;
        }
        g = g ? g : add_group(p);
        if (!g)
            return -ENOMEM;
        td_bits_add(&g->set, e);
        add_leader(p->u, &g->set);
    }
    return 0;
}

/* The events of all groups, in out. */
static void join_groups(const struct td_plan *plan, struct td_bits *out)
{
    td_bits_clear(out);
    for (size_t i = 0; i < plan->ngroups; i++)
        td_bits_join(out, &plan->group[i].set);
}

/* ---- levels ------------------------------------------------------------------------- */

static int plan_level1(struct planner *p)
{
    struct td_plan *plan = p->plan;
    struct td_plan_group *g;

    add_needs(p->form, TD_LEVEL_TOP, TD_LEVEL_TOP, false, &plan->level1);
    td_bits_drop(&plan->level1, &p->spare);
    add_leader(p->u, &plan->level1);
    if (!fits(p, &plan->level1))
        return spread(p, 0, &plan->level1);
    g = add_group(p);
    if (!g)
        return -ENOMEM;
    td_bits_copy(&g->set, &plan->level1);
    td_bits_clear(&p->set);
    if (!p->ask->no_corrections)
        add_needs(p->form, TD_LEVEL_TOP, TD_LEVEL_TOP, true, &p->set);
    /* one by one: a correction that gets no counter is left out, and results report it */
    TD_BITS_EACH(e, &p->set)
        if (fits(p, with(p, &g->set, e)))
            td_bits_add(&g->set, e);
    return 0;
}

/* The group that has most of a set and can hold the rest of it. Level 1 only
 * gets what needs no programmable counter: another program may hold some of them. */
static struct td_plan_group *group_for(struct planner *p, const struct td_bits *set)
{
    struct td_plan_group *best = NULL;
    size_t most = 0;

    for (size_t i = 0; i < p->plan->ngroups; i++) {
        struct td_plan_group *g = &p->plan->group[i];
        const size_t has = td_bits_common(&g->set, set);

        if ((best && has <= most) || !fits(p, with_all(p, &g->set, set)))
            continue;
        if (i == 0 && general(p, &p->joined) > general(p, &g->set))
            continue;
        best = g;
        most = has;
    }
    return best;
}

/* The events of the n-th node below level 1, in p->set; false: none. */
static bool take_node(struct planner *p, size_t n)
{
    const struct td_node *node = &p->u->tree->node[n];

    if (p->form->node[n] < 0 || node->level == TD_LEVEL_TOP || node->level > p->level)
        return false;
    td_bits_copy(&p->set, td_program_needs(p->form->p, (size_t)p->form->node[n]));
    td_bits_drop(&p->set, &p->spare);
    add_leader(p->u, &p->set);
    return !td_bits_empty(&p->set);
}

/* Plans the levels below level 1 together with it, if all can be counted at the same time. */
static int plan_beside(struct planner *p, bool *done)
{
    struct td_bits *first = &p->plan->group[0].set;
    struct td_plan_group *g;

    *done = false;
    td_bits_clear(&p->all);
    for (size_t n = 0; n < p->u->tree->n; n++)
        if (take_node(p, n))
            td_bits_join(&p->all, &p->set);
    join_groups(p->plan, &p->rest);
    if (!td_bits_within(&p->plan->level1, first) || !fits(p, with_all(p, &p->rest, &p->all)))
        return 0;
    *done = true;
    td_bits_drop(&p->all, &p->rest);
    td_bits_clear(&p->rest);
    TD_BITS_EACH(e, &p->all)
        td_bits_add(general(p, with(p, first, e)) > general(p, first) ? &p->rest : first, e);
    if (td_bits_empty(&p->rest))
        return 0;
    g = add_group(p);
    if (g)
        td_bits_copy(&g->set, &p->rest);
    return g ? 0 : -ENOMEM;
}

/* Puts as many of a node's events as fit into one group, with their own copies
 * of those of level 1: groups that take turns cannot share. */
static int plan_node(struct planner *p, size_t n)
{
    struct td_plan_group *g;

    if (!take_node(p, n))
        return 0;
    g = group_for(p, &p->set);
    if (!g && fits(p, &p->set)) {
        g = add_group(p);
        if (!g)
            return -ENOMEM;
    }
    if (g) {
        td_bits_join(&g->set, &p->set);
        return 0;
    }
    join_groups(p->plan, &p->all);
    td_bits_drop(&p->set, &p->all);
    return spread(p, 1, &p->set);
}

static int plan_deeper(struct planner *p)
{
    bool done;
    int err;

    for (size_t n = 0; n < p->u->tree->n; n++)
        if (take_node(p, n) && !td_bits_meet(&p->set, &p->plan->impossible))
            p->plan->deeper = true;
    err = plan_beside(p, &done);
    for (size_t n = 0; n < p->u->tree->n && !err && !done; n++)
        err = plan_node(p, n);
    return err;
}

/* ---- the plan ------------------------------------------------------------------------ */

/* slots leads, the fields follow, then the others (Linux: intel_pmu_hw_config()). */
static int order(const struct td_uarch *u, const struct td_plan *plan, struct td_plan_group *g)
{
    uint16_t *event = realloc(g->event, (td_bits_count(&g->set) + 1) * sizeof(*event));

    if (!event)
        return -ENOMEM;
    td_bits_copy(&g->able, &g->set);
    td_bits_drop(&g->able, &plan->impossible);
    g->event = event;
    g->n = 0;
    for (int pass = 0; pass < 3; pass++)
        TD_BITS_EACH(e, &g->set) {
            int of = td_event_is_slots(&u->events[e]) ? 0 : u->events[e].field >= 0 ? 1 : 2;

            if (of == pass)
                g->event[g->n++] = (uint16_t)e;
        }
    return 0;
}

static void find_impossible(struct planner *p)
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
static bool costs_nothing(struct planner *p, const struct td_counters *c, size_t event)
{
    const struct td_plan *plan = p->plan;
    const struct td_bits *const first = without_impossible(p, &plan->group[0].set), *with_it;
    const unsigned before = td_fit_general(c, p->u, first);

    with_it = without_impossible(p, with(p, &plan->group[0].set, event));
    if (!td_fit(c, p->u, with_it) || td_fit_general(c, p->u, with_it) > before)
        return false;
    join_groups(plan, &p->all);
    return !plan->together || td_fit(c, p->u, without_impossible(p, with(p, &p->all, event)));
}

/* Adds cycles and instructions to the first group if they take no programmable counter.
 * A group that is full except for cycles, whose fixed counter the NMI watchdog holds, would
 * open and never run. */
static void join_beside(struct planner *p)
{
    static const char *const names[] = {"cycles", "instructions"};
    struct td_counters free_of_it = p->ask->counters;
    struct td_plan *plan = p->plan;

    if (p->ask->counters.assumed)
        return;
    free_of_it.watchdog = false;
    for (size_t i = 0; i < sizeof(names) / sizeof(*names) && plan->ngroups; i++) {
        const int e = td_uarch_event_number(p->u, names[i]);

        join_groups(plan, &p->all);
        if (e < 0 || td_bits_has(&p->all, (size_t)e) || td_bits_has(&plan->impossible, (size_t)e))
            continue;
        if (costs_nothing(p, &p->ask->counters, (size_t)e))
            td_bits_add(&plan->group[0].set, (size_t)e);
        else if (p->ask->counters.watchdog && costs_nothing(p, &free_of_it, (size_t)e))
            plan->no_cycles = true;
    }
}

/* Makes the plan down to the planner's level. */
static int make(struct planner *p)
{
    struct td_plan *plan = p->plan;
    int err;

    td_plan_free(plan);
    plan->form = p->form;
    plan->level = p->level;
    err = td_bits_new(&plan->level1, p->u->nevents);
    err = err ? err : td_bits_new(&plan->impossible, p->u->nevents);
    if (err)
        return err;
    find_impossible(p);
    err = td_form_compile(p->form, p->level, p->ask->forms->why, sizeof(p->ask->forms->why));
    err = err ? err : find_spare(p);
    err = err ? err : plan_level1(p);
    if (!err && p->level > TD_LEVEL_TOP)
        err = plan_deeper(p);
    join_groups(plan, &p->all);
    plan->together = fits(p, &p->all) && apart(plan);
    if (p->ask->one_group && plan->together)
        merge(plan);
    if (p->ask->beside && !err)
        join_beside(p);
    for (size_t i = 0; i < plan->ngroups && !err; i++)
        err = order(p->u, plan, &plan->group[i]);
    return err;
}

static int deepest(const struct td_tree *t)
{
    int level = TD_LEVEL_TOP;

    for (size_t n = 0; n < t->n; n++)
        level = t->node[n].level > level ? t->node[n].level : level;
    return level;
}

static int planner_new(struct planner *p)
{
    struct td_bits *const sets[] = {&p->able, &p->joined, &p->spare, &p->set, &p->all, &p->rest};
    int err = 0;

    for (size_t i = 0; i < sizeof(sets) / sizeof(*sets) && !err; i++)
        err = td_bits_new(sets[i], p->u->nevents);
    return err;
}

static void planner_free(struct planner *p)
{
    td_bits_free(&p->able);
    td_bits_free(&p->joined);
    td_bits_free(&p->spare);
    td_bits_free(&p->set);
    td_bits_free(&p->all);
    td_bits_free(&p->rest);
}

int td_plan_make(const struct td_plan_ask *a, struct td_formcode *f, struct td_plan *out)
{
    struct planner p = {.ask = a, .u = td_forms_uarch(a->forms), .form = f, .plan = out};
    int err = planner_new(&p), all = deepest(p.u->tree);

    p.level = a->level ? a->level : TD_LEVEL_USUAL;
    p.level = p.level < all ? p.level : all;
    err = err ? err : make(&p);
    if (!err && !a->level && !(out->deeper && out->together)) {
        p.level = TD_LEVEL_TOP;
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
    return order(td_forms_uarch(a->forms), plan, &plan->group[0]);
}

int td_plan_join(const struct td_plan_ask *a, struct td_plan *plan, int event)
{
    const struct td_uarch *u = td_forms_uarch(a->forms);
    struct planner p = {.ask = a, .u = u, .plan = plan};
    int err = event < 0 || !plan->ngroups ? 0 : planner_new(&p);

    if (!err && event >= 0 && plan->ngroups && fits(&p, with(&p, &plan->group[0].set, (size_t)event))) {
        td_bits_add(&plan->group[0].set, (size_t)event);
        err = order(u, plan, &plan->group[0]);
        err = err ? err : 1;
    }
    planner_free(&p);
    return err;
}

void td_plan_free(struct td_plan *plan)
{
    for (size_t i = 0; i < plan->ngroups; i++)
        free_group(&plan->group[i]);
    free(plan->group);
    td_bits_free(&plan->level1);
    td_bits_free(&plan->impossible);
    *plan = (struct td_plan){0};
}
