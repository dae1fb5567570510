/* SPDX-License-Identifier: MIT */
/* What metrics would be if sibling threads were otherwise than was assumed: of that not everything may be recorded. */
#include "core/solve/work.h"

#include "util/room.h"

#include <math.h>

/* The most threads of a core that share its clock: Intel's big cores have two. */
#define THREADS_MOST 2.0

/* What may be the case instead: SMT is off; or, where a core's clock was not recorded, its threads shared it for part
 * of the time, or all of it. */
static const struct {
    bool if_known; /* also where it is known that SMT is on */
    double smt, sharing;
} cases[] = {{false, 0, 1}, {true, 1, THREADS_MOST}};

/* Evaluates again what asks for either. */
static void evaluate(struct td_work *w, const struct td_solution *s, double smt, double sharing)
{
    const uint32_t *run = &w->s->choice.run[s->run];

    w->s->cells[td_input_cell(w->p, TD_INPUT_SMT)].r = td_range_exact(smt);
    w->s->cells[td_input_cell(w->p, TD_INPUT_SHARING)].r = (struct td_range){1, 1, sharing};
    for (size_t i = 0; i < s->nrun; i++)
        if (td_program_inputs(w->p, run[i]) & TD_INPUTS_SIBLINGS)
            td_program_run(w->p, &run[i], 1, w->s->cells);
}

static bool same(const struct td_range *a, const struct td_range *b)
{
    return a->low == b->low && a->value == b->value && a->high == b->high;
}

/* Whether raw counts were scaled as if without SMT, which is not known. */
static bool scale_assumed(const struct td_work *w)
{
    return w->ask->scale_assumed && w->sel->form->form->flags & TD_FORM_SYSFS_SCALE;
}

/* Evaluates it all with the scales that hold with SMT. */
static void evaluate_scaled(struct td_work *w, const struct td_solution *s)
{
    for (size_t i = 0; i < s->nuses; i++) {
        const struct td_use *u = &w->s->choice.use[s->uses + i];
        const struct td_event *e = &w->out->uarch->events[u->event];
        const double factor = e->scale_smt / e->scale;
        struct td_range *r = &w->s->cells[td_event_cell(u->event)].r;

        if (td_work_copy(w, u))
            *r = (struct td_range){r->low * factor, r->value * factor, r->high * factor};
    }
    td_program_run(w->p, &w->s->choice.run[s->run], s->nrun, w->s->cells);
}

/* Adds what a metric is in a case; without a value there are no bounds. */
static void widen(struct td_siblings *o, const struct td_val *v, bool valued)
{
    o->low = valued ? td_least(o->low, v->r.low) : -HUGE_VAL;
    o->high = td_most(o->high, v->r.high);
}

/* Compares what a metric is in a case with what it is otherwise. */
static void take(struct td_siblings *o, const struct td_val *v, const struct td_val *usual)
{
    const bool valued = v->state <= TD_VAL_OMITTED;

    if (usual->state > TD_VAL_OMITTED || (valued && same(&v->r, &usual->r)))
        return;
    o->differs = true;
    widen(o, v, valued);
}

static int make_room(struct td_work *w, const struct td_solution *s)
{
    int err = td_room(&w->s->siblings, &w->s->siblings_room, s->nmetrics, sizeof(*w->s->siblings));

    err = err ? err : td_room(&w->s->alone, &w->s->alone_room, s->nmetrics, sizeof(*w->s->alone));
    for (size_t m = 0; m < s->nmetrics && !err; m++) {
        w->s->alone[m] = *td_work_metric(w, s, m);
        w->s->siblings[m] =
            (struct td_siblings){.low = HUGE_VAL, .high = -HUGE_VAL, .likely_low = HUGE_VAL, .likely_high = -HUGE_VAL};
    }
    return err;
}

/* Of what differs anyway: what it is in a case with terms that were left out, too. */
static void take_with_terms(struct td_work *w, const struct td_solution *s, bool known)
{
    for (size_t m = 0; m < s->nmetrics; m++) {
        const struct td_val *v = td_work_metric(w, s, m);

        if (w->s->siblings[m].differs)
            widen(&w->s->siblings[m], v, known && v->state <= TD_VAL_OMITTED);
    }
}

static void compare(struct td_work *w, const struct td_solution *s)
{
    for (size_t m = 0; m < s->nmetrics; m++)
        take(&w->s->siblings[m], td_work_metric(w, s, m), &w->s->alone[m]);
    td_lacking_each(w, s, take_with_terms);
}

int td_siblings_try(struct td_work *w, const struct td_solution *s)
{
    bool any = scale_assumed(w);
    int err;

    for (size_t m = 0; m < s->nmetrics && w->sel->siblings && !w->ask->smt_off && !any; m++)
        any = td_work_asked(w, s, m)->siblings;
    w->tries_siblings = any;
    err = any ? make_room(w, s) : 0;
    if (err || !any)
        return err;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        if ((w->ask->smt_on || w->sel->form->form->flags & TD_FORM_SMT) && !cases[i].if_known)
            continue;
        evaluate(w, s, cases[i].smt, cases[i].sharing);
        compare(w, s);
    }
    evaluate(w, s, 1, 1);
    return 0;
}

bool td_siblings_scale(struct td_work *w, const struct td_solution *s)
{
    const bool scales = scale_assumed(w);

    if (scales) {
        evaluate_scaled(w, s);
        compare(w, s);
    }
    return scales;
}

void td_siblings_unscale(struct td_work *w, const struct td_solution *s)
{
    td_load_counts(w, s, 0);
    td_program_run(w->p, &w->s->choice.run[s->run], s->nrun, w->s->cells);
}
