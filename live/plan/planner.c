/* SPDX-License-Identifier: MIT */
/* Which events of a plan share a group. Whether counters hold them all is asked of fit.h. */
#include "live/plan/planner.h"

#include "util/room.h"

const struct td_bits *td_planner_able(struct td_planner *p, const struct td_bits *set)
{
    td_bits_copy(&p->able, set);
    td_bits_drop(&p->able, &p->plan->impossible);
    return &p->able;
}

bool td_planner_fits(struct td_planner *p, const struct td_bits *set)
{
    if (p->plan->first == TD_FIRST_STAYS)
        return td_fit_beside(&p->ask->counters, p->u, &p->stay, td_planner_able(p, set));
    return td_fit(&p->ask->counters, p->u, td_planner_able(p, set));
}

unsigned td_planner_general(struct td_planner *p, const struct td_bits *set)
{
    return td_fit_general(&p->ask->counters, p->u, td_planner_able(p, set));
}

const struct td_bits *td_planner_with(struct td_planner *p, const struct td_bits *set, size_t event)
{
    td_bits_copy(&p->joined, set);
    td_bits_add(&p->joined, event);
    return &p->joined;
}

const struct td_bits *td_planner_with_all(struct td_planner *p, const struct td_bits *set, const struct td_bits *more)
{
    td_bits_copy(&p->joined, set);
    td_bits_join(&p->joined, more);
    return &p->joined;
}

void td_planner_take_stay(struct td_planner *p, struct td_bits *set)
{
    bool fields = false;

    TD_BITS_EACH(e, &p->stay)
    fields = fields || p->u->events[e].field >= 0;
    for (size_t e = 0; e < p->u->nevents && fields; e++) {
        if (!td_bits_has(set, e) || (p->u->events[e].field < 0 && !td_event_is_slots(&p->u->events[e])))
            continue;
        td_bits_add(&p->plan->group[0].set, e);
        td_bits_remove(set, e);
    }
}

/* Adds what slots are computed from, as far as it can be counted here; where a form has no slots, the clock of level 1.
 */
static void add_slots(const struct td_planner *p, struct td_bits *set)
{
    const struct td_bits *from =
        p->form->slots >= 0 ? td_program_needs(p->form->p, (size_t)p->form->slots) : &p->plan->level1;

    TD_BITS_EACH(e, from)
    if (!td_bits_has(&p->spare, e) && !td_bits_has(&p->plan->impossible, e) &&
        (p->form->slots >= 0 || td_uarch_is_clock(p->u, &p->u->events[e])))
        td_bits_add(set, e);
}

void td_planner_lead(const struct td_planner *p, struct td_bits *set)
{
    const int slots = td_uarch_slots(p->u);
    bool fields = false;

    TD_BITS_EACH(e, set)
    fields = fields || p->u->events[e].field >= 0;
    if (fields && slots >= 0)
        td_bits_add(set, (size_t)slots);
    if (p->ask->sampled && !td_bits_empty(set))
        add_slots(p, set);
}

struct td_plan_group *td_planner_group(struct td_planner *p)
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

int td_planner_spread(struct td_planner *p, size_t first, const struct td_bits *set)
{
    TD_BITS_EACH(e, set)
    {
        struct td_plan_group *g = NULL;

        for (size_t i = first; i < p->plan->ngroups && !g; i++) {
            td_planner_with(p, &p->plan->group[i].set, e);
            td_planner_lead(p, &p->joined);
            g = td_planner_fits(p, &p->joined) ? &p->plan->group[i] : NULL;
        }
        g = g ? g : td_planner_group(p);
        if (!g)
            return -ENOMEM;
        td_bits_add(&g->set, e);
        td_planner_lead(p, &g->set);
    }
    return 0;
}

void td_planner_union(const struct td_plan *plan, struct td_bits *out)
{
    td_bits_clear(out);
    for (size_t i = 0; i < plan->ngroups; i++)
        td_bits_join(out, &plan->group[i].set);
}

struct td_plan_group *td_planner_group_for(struct td_planner *p, const struct td_bits *set)
{
    struct td_plan_group *best = NULL;
    size_t most = 0;

    for (size_t i = 0; i < p->plan->ngroups; i++) {
        struct td_plan_group *g = &p->plan->group[i];
        const size_t has = td_bits_common(&g->set, set);

        if (i == 0 && p->plan->first == TD_FIRST_STAYS) {
            if (has == td_bits_count(set))
                return g;
            continue;
        }
        if ((best && has <= most) || !td_planner_fits(p, td_planner_with_all(p, &g->set, set)))
            continue;
        if (i == 0 && td_planner_general(p, &p->joined) > td_planner_general(p, &g->set))
            continue;
        best = g;
        most = has;
    }
    return best;
}

int td_planner_place(struct td_planner *p, const struct td_bits *set, bool *placed)
{
    struct td_plan_group *g = td_planner_group_for(p, set);

    *placed = g || td_planner_fits(p, set);
    if (!*placed)
        return 0;
    g = g ? g : td_planner_group(p);
    if (!g)
        return -ENOMEM;
    td_bits_join(&g->set, set);
    return 0;
}

int td_planner_state_without(const struct td_planner *p, size_t def, size_t event, enum td_state *out)
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
        *out = cells[td_def_cell(code, def)].state;
    }
    free(order);
    free(cells);
    return order && cells ? 0 : -ENOMEM;
}
