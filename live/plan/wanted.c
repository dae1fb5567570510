/* SPDX-License-Identifier: MIT */
/* Groups for what is asked for beyond levels 1 and 2. The kernel multiplexes them; the events of one metric are
 * in one group wherever a group can hold them, with copies of what other groups count too. */
#include "live/plan/planner.h"

struct wanted {
    struct td_planner *p;
    const struct td_selection *sel;
    bool *keeps; /* by need: its metrics have no value without the events that others can replace elsewhere */
};

static bool of_this_pmu(const struct td_event *e)
{
    return e->kind == TD_EVENT_COUNT || e->kind == TD_EVENT_TSC;
}

/* The events of a need that this PMU counts, in p->set. Others are not opened: results name the first that is missing;
 * latencies are sampled, or a published mean replaces them. */
static const struct td_bits *take_need(const struct wanted *w, size_t need, const struct td_bits *events)
{
    struct td_planner *p = w->p;

    td_bits_copy(&p->set, events);
    if (!w->keeps[need])
        td_bits_drop(&p->set, &p->spare);
    TD_BITS_EACH(e, events)
    if (!of_this_pmu(&p->u->events[e]))
        td_bits_remove(&p->set, e);
    td_planner_take_stay(p, &p->set);
    td_planner_lead(p, &p->set);
    return &p->set;
}

/* Which metrics name SLOTS_P itself, where others take SLOTS in its place. */
static int find_keeps(const struct wanted *w)
{
    int err = 0;

    for (size_t m = 0; m < w->sel->n && !err; m++) {
        const struct td_asked *a = &w->sel->asked[m];
        enum td_state state = TD_VAL_OK;

        TD_BITS_EACH(e, &w->p->spare)
        {
            if (a->def < 0 || err || !td_bits_has(w->sel->need[a->need].needs, e))
                continue;
            err = td_planner_state_without(w->p, (size_t)a->def, e, &state);
            w->keeps[a->need] = w->keeps[a->need] || state == TD_VAL_MISSING || state == TD_VAL_NOT_SUPPORTED;
        }
    }
    return err;
}

/* The needs of that size. Those that no group can hold are spread once all others have their groups. */
static int place_needs(const struct wanted *w, size_t size)
{
    bool placed = true;
    int err = 0;

    for (size_t i = 0; i < w->sel->nneeds && !err; i++)
        if (td_bits_count(take_need(w, i, w->sel->need[i].needs)) == size)
            err = td_planner_place(w->p, &w->p->set, &placed);
    return err;
}

static int spread_rest(const struct wanted *w, size_t need, const struct td_bits *events)
{
    struct td_planner *p = w->p;
    bool placed = false;

    td_planner_union(p->plan, &p->rest);
    take_need(w, need, events);
    if (td_bits_within(&p->set, &p->rest))
        return 0;
    td_bits_drop(&p->set, &p->rest);
    td_planner_lead(p, &p->set);
    if (td_planner_fits(p, &p->set))
        return td_planner_place(p, &p->set, &placed);
    return td_planner_spread(p, 1, &p->set);
}

/* The largest first: the others find room beside them. */
static int place_all(const struct wanted *w)
{
    const struct td_selection *s = w->sel;
    size_t most = 0;
    int err = find_keeps(w);

    for (size_t i = 0; i < s->nneeds; i++) {
        const size_t size = td_bits_count(take_need(w, i, s->need[i].needs));

        most = size > most ? size : most;
    }
    for (size_t size = most; size > 0 && !err; size--)
        err = place_needs(w, size);
    for (size_t i = 0; i < s->nneeds && !err; i++)
        err = spread_rest(w, i, s->need[i].needs);
    for (size_t i = 0; i < s->nneeds && !err && !w->p->ask->no_corrections; i++)
        err = spread_rest(w, i, s->need[i].corrections);
    return err;
}

/* The events that have them are counted too, by all metrics that need them. */
static void find_latencies(const struct wanted *w)
{
    struct td_planner *p = w->p;

    for (size_t i = 0; i < w->sel->nneeds; i++)
        TD_BITS_EACH(e, w->sel->need[i].needs)
        {
            const int of = td_uarch_latency_event(p->u, e);

            if (of < 0)
                continue;
            td_bits_add(&p->plan->latencies, e);
            td_bits_add(&p->plan->sampled, (size_t)of);
        }
}

int td_planner_wanted(struct td_planner *p)
{
    struct wanted w = {.p = p};
    int err = td_forms_select(p->ask->forms, p->form, p->level, p->ask->metrics, &w.sel);

    if (err)
        return err;
    find_latencies(&w);
    w.keeps = calloc(w.sel->nneeds + 1, sizeof(*w.keeps));
    err = w.keeps ? place_all(&w) : -ENOMEM;
    free(w.keeps);
    return err;
}
