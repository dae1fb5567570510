/* SPDX-License-Identifier: MIT */
/* Counts to metrics: values, bounds, and reasons for what is absent. */
#include "solver.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* How far outside 0..1 a share may be and still be shown (DESIGN: honest numbers). */
#define SLACK 0.05
/* A sum of the four level-1 counts further than this factor from the slots is
 * no recording of one CPU: healthy ones were seen from 0.79 to 1.25. Nor does
 * anything follow from a sum that is 0, or less, but for rounding. */
#define SUM_ABSURD 2.0
#define SUM_NOTHING 1e-9

struct solution {
    struct td_binding binding;
    struct td_val vals[TD_DEFS_MAX];
    bool no_slots, sum_off, sum_absurd;
};

struct work {
    const struct td_formcode *form;
    const struct td_program *p;
    const struct td_solve_ask *ask;
    struct td_result *out;
    uint64_t blocked;
    size_t nsolutions;
    struct solution solutions[TD_NODES];
    unsigned char solution_of[TD_NODES]; /* by metric of out */
    int def_of[TD_NODES];
    size_t node_of[TD_NODES];
};

static struct solution *solution_for(struct work *w, const struct td_counts *k, size_t metric)
{
    struct solution *s = &w->solutions[w->nsolutions];
    size_t def = (size_t)w->def_of[metric];

    if (!td_binding_by_line(&s->binding, k, w->node_of[metric]))
        td_binding_choose(&s->binding, k, td_program_needs(w->p, def), td_program_corrections(w->p, def));
    for (size_t i = 0; i < w->nsolutions; i++)
        if (td_binding_same(&w->solutions[i].binding, &s->binding))
            return &w->solutions[i];
    w->nsolutions++;
    return s;
}

/* A correction marked ~ joins all of its metrics or none: half of it would
 * take slots from one node and give them to no other. */
static void block_corrections(struct work *w, const struct td_binding *b, int def)
{
    uint64_t same = td_program_same_time(w->p, (size_t)def), needs = td_program_needs(w->p, (size_t)def);

    for (unsigned c = 0; c < TD_EVENTS_MAX && same >> c; c++)
        for (unsigned e = 0; (same >> c & 1) && e < TD_EVENTS_MAX && needs >> e; e++)
            if ((needs >> e & 1) && b->copy[e] >= 0 && !td_binding_together(b, c, e))
                w->blocked |= UINT64_C(1) << c;
}

static bool no_choice(const struct td_counts *k)
{
    uint64_t seen = 0;

    for (size_t i = 0; i < k->n; i++) {
        if (k->c[i].group != k->c[0].group || k->c[i].modes != k->c[0].modes || seen >> k->c[i].event & 1)
            return false;
        seen |= UINT64_C(1) << k->c[i].event;
    }
    return true;
}

static void choose(struct work *w, const struct td_counts *k)
{
    bool single = no_choice(k);

    for (size_t m = 0; m < w->out->nmetrics; m++) {
        int def = w->def_of[m];
        struct solution *s;

        if (def < 0)
            continue;
        s = single && w->nsolutions ? w->solutions : solution_for(w, k, m);
        w->solution_of[m] = (unsigned char)(s - w->solutions);
        block_corrections(w, &s->binding, def);
    }
}

/* The level-1 fields of the metrics register, where the form uses it. */
static uint64_t fields_of(const struct work *w)
{
    return w->form->sum < 0 ? 0 : td_program_needs(w->p, (size_t)w->form->sum);
}

static const struct td_val *def_value(const struct solution *s, int def)
{
    return def < 0 || s->vals[def].state != TD_VAL_OK ? NULL : &s->vals[def];
}

/* Slots per category are divided by their sum, not by slots; but the two must
 * agree to within what the 8 bits allow, which is what err of the counts says. */
static void check_slots(const struct work *w, struct solution *s)
{
    const struct td_val *slots = def_value(s, w->form->slots), *sum = def_value(s, w->form->sum);
    double off, err;

    s->sum_off = s->sum_absurd = false;
    s->no_slots = (slots && slots->r.value == 0) || (sum && sum->r.value == 0);
    if (!slots || !sum || s->no_slots)
        return;
    off = fabs(sum->r.value - slots->r.value);
    err = sum->r.high - sum->r.value;
    s->sum_off = off > err;
    s->sum_absurd = sum->r.low > SUM_ABSURD * slots->r.value || sum->r.high * SUM_ABSURD < slots->r.value ||
                    sum->r.value <= SUM_NOTHING * err;
}

static void run(struct work *w)
{
    for (size_t i = 0; i < w->nsolutions; i++) {
        struct solution *s = &w->solutions[i];


        s->binding.blocked = w->blocked;
        td_program_run(w->p, td_binding_value, &s->binding, s->vals);
        check_slots(w, s);
    }
}

static void set_absent(struct work *w, struct td_metric *m, const struct td_def *def, const struct td_val *v)
{
    static const enum td_status statuses[] = {
        [TD_VAL_MISSING] = TD_MISSING_EVENT,
        [TD_VAL_NOT_COUNTED] = TD_NOT_COUNTED,
        [TD_VAL_NOT_SUPPORTED] = TD_NOT_SUPPORTED,
        [TD_VAL_RESET] = TD_COUNTER_RESET,
        [TD_VAL_ZERO_DIV] = TD_ZERO_DIVISOR,
        [TD_VAL_WRONG_FORMULA] = TD_PUBLISHED_FORMULA_WRONG,
    };

    m->status = statuses[v->state];
    if (v->event >= 0)
        m->event = w->out->uarch->events[v->event].name;
    m->why = def->wrong;
}

/* The flags of a metric, from the copies of events that it used. */
static unsigned copy_flags(const struct work *w, const struct solution *s, int def)
{
    const struct td_binding *b = &s->binding;
    uint64_t used = td_program_needs(w->p, (size_t)def) | td_program_corrections(w->p, (size_t)def);
    unsigned flags = 0;
    int first = -1;

    if (b->omitted & td_program_corrections(w->p, (size_t)def))
        flags |= TD_FLAG_CORRECTION_MISSING;
    if (td_program_needs(w->p, (size_t)def) & fields_of(w))
        flags |= (w->ask->switched ? TD_FLAG_NO_BOUNDS : 0u) | (s->sum_off ? TD_FLAG_SUM_OFF : 0u);
    used &= ~b->omitted;
    if (!w->ask->coverage_unknown && !(td_binding_coverage(b, used) < 1))
        return flags;
    flags |= w->ask->coverage_unknown ? TD_FLAG_NO_BOUNDS : TD_FLAG_MULTIPLEXED;
    for (unsigned e = 0; e < TD_EVENTS_MAX && used >> e; e++) {
        if (!(used >> e & 1) || b->copy[e] < 0)
            continue;
        if (first >= 0 && !td_binding_together(b, (unsigned)first, e))
            flags |= TD_FLAG_SPLIT_GROUPS;
        first = first < 0 ? (int)e : first;
    }
    return flags;
}

static void set_bounds(struct td_metric *m, const struct td_range *r)
{
    const unsigned unbounded = TD_FLAG_MULTIPLEXED | TD_FLAG_SPLIT_GROUPS | TD_FLAG_SUM_OFF | TD_FLAG_ONE_SIBLING | TD_FLAG_NO_BOUNDS;

    if (!(m->flags & unbounded) && isfinite(r->low) && isfinite(r->high)) {
        m->low = fmin(r->low, m->value);
        m->high = fmax(strcmp(m->unit, "slots") ? r->high : fmin(r->high, 1), m->value); /* no true share is above 1 */
    } else if (!(m->flags & unbounded)) {
        m->flags |= TD_FLAG_NO_BOUNDS;
    }
}

static void set_value(struct td_metric *m, const struct td_range *r, bool absurd)
{
    if (absurd || !(r->value >= -SLACK && r->value <= 1 + SLACK)) {
        m->status = TD_IMPOSSIBLE;
        m->raw = r->value;
        m->flags = 0;
        return;
    }
    m->status = TD_OK;
    m->value = r->value;
    m->flags |= r->value < 0 ? TD_FLAG_NEGATIVE : r->value > 1 ? TD_FLAG_OVER_ONE : 0;
    set_bounds(m, r);
}

static void set_undefined(struct td_metric *m, const struct td_solver *s, size_t node)
{
    m->status = s->defined >> node & 1 ? TD_NOT_IN_THIS_FORMULA : TD_NOT_ON_THIS_CPU;
}

/* interval: TD_OK, or why none of its counts says anything */
static void fill(struct work *w, const struct td_solver *solver, enum td_status interval, size_t i)
{
    struct td_metric *m = &w->out->metrics[i];
    int def = w->def_of[i];
    const struct solution *s;
    const struct td_val *v;

    if (def < 0) {
        set_undefined(m, solver, w->node_of[i]);
        return;
    }
    s = &w->solutions[w->solution_of[i]];
    v = &s->vals[def];
    if (td_program_def(w->p, (size_t)def)->unit)
        m->unit = td_program_def(w->p, (size_t)def)->unit;
    if (interval != TD_OK) {
        m->status = interval;
    } else if (s->no_slots) {
        m->status = TD_NO_SLOTS;
    } else if (v->state > TD_VAL_OMITTED) {
        set_absent(w, m, td_program_def(w->p, (size_t)def), v);
    } else {
        m->flags = copy_flags(w, s, def) | (w->out->flags & TD_FLAG_ONE_SIBLING);
        set_value(m, &v->r, s->sum_absurd);
    }
}

static uint64_t left_out_of(const struct work *w, size_t i)
{
    if (w->def_of[i] < 0 || w->out->metrics[i].status != TD_OK)
        return 0;
    return w->solutions[w->solution_of[i]].binding.omitted & td_program_corrections(w->p, (size_t)w->def_of[i]);
}

static void add_correction(struct work *w, unsigned event)
{
    struct td_result *out = w->out;
    size_t n = strlen(out->formula);
    const char *name = out->uarch->events[event].name;

    snprintf(out->formula + n, sizeof(out->formula) - n, "%s%s", out->ncorrections ? "," : " without ", name);
    for (size_t i = 0; i < out->nmetrics; i++)
        if (left_out_of(w, i) >> event & 1)
            out->metrics[i].corrections |= 1u << out->ncorrections;
    out->corrections[out->ncorrections++] = name;
}

/* The formula's name, and the corrections that the metrics given lack. */
static void name_formula(struct work *w)
{
    uint64_t left_out = 0;

    snprintf(w->out->formula, sizeof(w->out->formula), "%s", w->form->form->name);
    for (size_t i = 0; i < w->out->nmetrics; i++)
        left_out |= left_out_of(w, i);
    for (unsigned e = 0; e < TD_EVENTS_MAX && left_out >> e && w->out->ncorrections < TD_CORRECTIONS_MAX; e++)
        if (left_out >> e & 1)
            add_correction(w, e);
}

static void list_metrics(struct work *w)
{
    struct td_result *out = w->out;

    out->nmetrics = 0;
    for (size_t n = 0; n < TD_NODES; n++) {
        const struct td_node *node = &td_nodes[n];

        if (node->level > w->ask->level || (!node->always && w->form->node[n] < 0))
            continue;
        w->def_of[out->nmetrics] = w->form->node[n];
        w->node_of[out->nmetrics] = n;
        out->metrics[out->nmetrics++] = (struct td_metric){
            .name = node->name, .parent = node->parent, .level = node->level, .unit = "slots",
            .value = NAN, .low = NAN, .high = NAN, .raw = NAN,
        };
    }
}

static void set_result_flags(struct work *w, const struct td_solver *solver)
{
    struct td_result *out = w->out;

    out->flags = w->ask->flags | solver->uarch->flags;
    if (w->form->form->flags & TD_FORM_ONE_THREAD && !w->ask->smt_off)
        out->flags |= TD_FLAG_SMT_UNKNOWN;
    if (w->form->form->flags & TD_FORM_SYSFS_SCALE && w->ask->scale_assumed)
        out->flags |= TD_FLAG_SMT_UNKNOWN;
    if (w->form->form->flags & TD_FORM_CORE_CLOCK && (!w->ask->whole_core || w->ask->smt_off))
        out->flags |= TD_FLAG_ONE_SIBLING;
}

static void set_coverage(struct work *w)
{
    if (w->ask->coverage_unknown)
        return;
    for (size_t i = 0; i < w->out->nmetrics; i++) {
        size_t def = (size_t)w->def_of[i];
        const struct td_binding *b;
        double c;

        if (w->def_of[i] < 0)
            continue;
        b = &w->solutions[w->solution_of[i]].binding;
        c = td_binding_coverage(b, (td_program_needs(w->p, def) | td_program_corrections(w->p, def)) & ~b->omitted);
        if (!(w->out->coverage <= c))
            w->out->coverage = c;
    }
}

void td_solve(const struct td_solver *solver, const struct td_counts *k, const struct td_solve_ask *ask, struct td_result *out)
{
    struct work w; /* large, and not worth zeroing: choose() fills what is used */

    w.ask = ask;
    w.out = out;
    w.blocked = 0;
    w.nsolutions = 0;
    out->uarch = solver->uarch;
    out->counts = k;
    out->ncorrections = 0;
    out->coverage = NAN;
    w.form = td_solver_form(solver, k, ask->fixed);
    w.p = w.form->p;
    list_metrics(&w);
    set_result_flags(&w, solver);
    choose(&w, k);
    run(&w);
    for (size_t i = 0; i < out->nmetrics; i++) {
        fill(&w, solver, k->status, i);
        out->flags |= out->metrics[i].flags;
    }
    set_coverage(&w);
    name_formula(&w);
}
