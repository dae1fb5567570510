/* SPDX-License-Identifier: MIT */
/* What was counted, and what else is known, as values of a program. */
#include "core/solve/work.h"

#include <math.h>

/* Half the width of a mean's range, in standard errors: as of fair bounds (likely.c). */
#define LATENCY_ERRORS 2.2

/* By what part of the slots a difference of counts is off as they are rounded. */
#define ROUNDED 1e-9

static enum td_state state_of(enum td_status status)
{
    switch (status) {
    case TD_OK: return TD_VAL_OK;
    case TD_NOT_SUPPORTED: return TD_VAL_NOT_SUPPORTED;
    case TD_COUNTER_RESET: return TD_VAL_RESET;
    default: return TD_VAL_NOT_COUNTED;
    }
}

/* What perf's formulas for SMT were recorded with is taken to be of whole cores, as is a core's clock. */
bool td_load_one_sibling(const struct td_work *w)
{
    return !w->ask->smt_off && !(w->sel->form->form->flags & TD_FORM_SMT ? w->ask->whole_core : w->ask->both_siblings);
}

void td_load_inputs(struct td_work *w)
{
    const double known[TD_INPUTS] = {
        [TD_INPUT_SMT] = w->ask->smt_off ? 0 : 1, /* not known: as on, see td_siblings_try() */
        [TD_INPUT_SHARING] = 1,
        [TD_INPUT_DURATION] = w->ask->duration.value,
        [TD_INPUT_CPUS] = w->ask->cpus,
        [TD_INPUT_ONE_CPU] = w->ask->one_cpu,
        [TD_INPUT_WHOLE_CORE] = !td_load_one_sibling(w),
    };

    for (unsigned i = 0; i < TD_INPUTS; i++) {
        struct td_val *v = &w->s->cells[td_input_cell(w->p, (enum td_input)i)];
        const bool number = i == TD_INPUT_DURATION || i == TD_INPUT_CPUS;

        *v = (struct td_val){.r = td_range_exact(known[i])};
        if (number && !(known[i] > 0))
            *v = (struct td_val){.state = TD_VAL_MISSING, .event = (int)(w->out->uarch->nevents + i)};
        else if (i == TD_INPUT_DURATION)
            v->r = w->ask->duration;
        else if (i == TD_INPUT_HALTED)
            v->r.low = w->ask->halted ? TD_HALTED : 0;
    }
}

/* A latency that was not recorded is the published mean of the platform, if there is one. */
static void assume_latency(struct td_work *w, const struct td_use *u, struct td_val *v)
{
    const struct td_event *e = &w->out->uarch->events[u->event];

    if (e->latency <= 0)
        return;
    *v = (struct td_val){.r = td_range_exact(e->latency), .event = (int)u->event};
    td_bits_add(&w->s->assumed, u->event);
    w->assumes = true;
}

/* A sum of means over intervals is no mean. */
static double mean_of(const struct td_work *w, const struct td_count *c)
{
    const uint32_t intervals = w->counts->balanced && c->intervals ? w->counts->balanced : c->intervals;

    return intervals > 1 ? c->value / intervals : c->value;
}

/* The range that is likely to have the mean of all that the event counted. */
static struct td_range mean_of_samples(const struct td_count *c)
{
    const double n = (double)c->sampled.n, mean = c->value / n,
                 variance = fmax(0, (double)c->sampled.squares / n - mean * mean);
    const double half = LATENCY_ERRORS * sqrt(variance / (n - 1));

    return (struct td_range){fmax(0, mean - half), mean, mean + half};
}

static void load_latency(struct td_work *w, const struct td_use *u, const struct td_count *c, struct td_val *v)
{
    const bool known = v->state == TD_VAL_OK, few = known && c->sampled.any && c->sampled.n < TD_LATENCY_SAMPLES;

    if (!known || few) {
        *v = (struct td_val){.state = known ? TD_VAL_NOT_COUNTED : v->state, .event = (int)u->event};
        assume_latency(w, u, v);
        return;
    }
    v->r = c->sampled.any ? mean_of_samples(c) : td_range_exact(mean_of(w, c));
    td_bits_add(c->sampled.any ? &w->s->sampled : &w->s->means, u->event);
    w->samples = true;
}

/* The ticks of one CPU, which formulas compare with time: it was counted on each CPU or task for as long as that was
 * measured. Neither is known of every recording. */
static void load_tsc(const struct td_work *w, const struct td_count *c, struct td_val *v)
{
    const double measured = c && !w->ask->coverage_unknown && !w->ask->times_relative ? c->enabled / 1e9 : 0;

    if (v->state == TD_VAL_OK)
        v->r = td_range_exact(measured > 0 && w->ask->duration.value > 0 ? c->value * w->ask->duration.value / measured
                                                                         : c->value);
}

static void load_correction(struct td_work *w, const struct td_use *u, const struct td_val *v)
{
    struct td_val *cell = &w->s->cells[td_correction_cell(w->p, u->event)];

    *cell = *v;
    if (v->state == TD_VAL_OK && !td_bits_has(&w->s->blocked, u->event))
        return;
    *cell = (struct td_val){.state = TD_VAL_OMITTED, .event = (int)u->event};
    td_bits_add(&w->omitted, u->event);
    w->omits = true;
}

/* A count of a whole core, in a scope that one of its two threads has: all of it may be the thread's, or none. Its
 * slots are half of those of the core while the sibling ran too, and all of them while it did not. So it is with a
 * doubled clock as if the sibling never ran. */
static struct td_range part_of_core(const struct td_work *w, const struct td_event *e, const struct td_range *r)
{
    const double least = td_uarch_is_clock(w->out->uarch, e) ? r->low : 0;

    return (struct td_range){least, w->alone ? 2 * r->value : r->value, 2 * r->high};
}

bool td_load_shares_core(const struct td_work *w)
{
    return w->out->flags & TD_FLAG_ONE_SIBLING && !w->ask->smt_off;
}

/* The uses that a solution has of the slots and the four fields of level 1 that make them up. */
struct level1 {
    const struct td_use *slots, *field[TD_FIELD_BACKEND_BOUND + 1];
};

static struct level1 find_level1(const struct td_work *w, const struct td_solution *solution)
{
    const int slots = td_uarch_slots(w->out->uarch);
    struct level1 l = {0};

    for (size_t i = 0; i < solution->nuses; i++) {
        const struct td_use *u = &w->s->choice.use[solution->uses + i];
        const int field = w->out->uarch->events[u->event].field;

        if (field >= TD_FIELD_RETIRING && field <= TD_FIELD_BACKEND_BOUND)
            l.field[field] = u;
        else if ((int)u->event == slots)
            l.slots = u;
    }
    return l;
}

static bool counted(const struct td_count *c)
{
    return c && c->status == TD_OK;
}

/* Where one of the four fields was not recorded, and the others were counted with the slots: which event it is, and
 * what they leave, which is off by what all of them are. Else -1. */
static int find_rest(const struct td_work *w, const struct td_solution *solution, double error, struct td_range *r)
{
    const struct level1 l = find_level1(w, solution);
    const struct td_count *slots = l.slots ? td_work_copy(w, l.slots) : NULL;
    double left = counted(slots) ? slots->value : 0, err = 0;
    int rest = -1;

    if (!(left > 0))
        return -1;
    for (size_t i = 0; i <= TD_FIELD_BACKEND_BOUND; i++) {
        const struct td_count *c = l.field[i] ? td_work_copy(w, l.field[i]) : NULL;

        if (!l.field[i] || (!c && rest >= 0) || (c && !(counted(c) && td_copies_together(c, slots))))
            return -1;
        rest = c ? rest : (int)l.field[i]->event;
        left -= c ? c->value : 0;
        err += c ? c->err + error : 0;
    }
    *r = td_range_count(fmax(0, left), err);
    return left >= -err - ROUNDED * slots->value ? rest : -1;
}

void td_load_counts(struct td_work *w, const struct td_solution *solution, double error)
{
    const struct td_use *u = &w->s->choice.use[solution->uses], *end = u + solution->nuses;
    const struct td_count *any = NULL;
    const bool shares = td_load_shares_core(w) || (w->sel->form->form->flags & TD_FORM_EBS && td_load_one_sibling(w));
    struct td_range left = {0, 0, 0};

    w->complete = true;
    w->partly = w->assumes = w->samples = false;
    td_bits_clear(&w->omitted);
    td_bits_clear(&w->s->assumed);
    td_bits_clear(&w->s->sampled);
    td_bits_clear(&w->s->means);
    w->rest = w->sel->form->fields && solution->lacks_field ? find_rest(w, solution, error, &left) : -1;
    for (; u < end; u++) {
        const struct td_count *c = td_work_copy(w, u);
        const struct td_event *e = &w->out->uarch->events[u->event];
        struct td_val *v = &w->s->cells[td_event_cell(u->event)];

        v->state = !c ? TD_VAL_MISSING : c->status == TD_OK ? TD_VAL_OK : state_of(c->status);
        v->event = (int)u->event;
        if (e->kind == TD_EVENT_LATENCY)
            load_latency(w, u, c, v);
        else if (e->kind == TD_EVENT_TSC)
            load_tsc(w, c, v);
        else if (v->state == TD_VAL_OK)
            v->r = td_range_count(c->value, c->err + (e->field >= 0 ? error : 0));
        if ((int)u->event == w->rest)
            *v = (struct td_val){left, TD_VAL_OK, w->rest};
        if (shares && v->state == TD_VAL_OK && td_uarch_of_siblings(w->out->uarch, e))
            v->r = part_of_core(w, e, &v->r);
        w->s->copy[u->event] = c;
        if (c && c->status == TD_OK && c->running < c->enabled)
            w->partly = true;
        if (u->needed && (v->state != TD_VAL_OK || (!c && (int)u->event != w->rest)))
            w->complete = false;
        if (c && v->state == TD_VAL_OK) {
            if (any && c->which != any->which) /* in a sum: counted in other intervals */
                w->complete = false;
            any = c;
        }
        if (u->correction)
            load_correction(w, u, v);
    }
    w->complete = w->complete && !w->partly;
}

/* A correction marked ~ joins all of its metrics or none: half of it would
 * take slots from one node and give them to no other. */
static void block_corrections(struct td_work *w, size_t def)
{
    const struct td_bits *corrections = td_program_same_time(w->p, def), *needs = td_program_needs(w->p, def);

    TD_BITS_EACH(c, corrections)
    {
        TD_BITS_EACH(e, needs)
        {
            const struct td_count *correction = w->s->copy[c], *copy = w->s->copy[e];

            if (copy && !(correction && td_copies_together(correction, copy)))
                td_bits_add(&w->s->blocked, c);
        }
    }
}

static void load_copies(struct td_work *w, const struct td_solution *s)
{
    const struct td_use *u = &w->s->choice.use[s->uses], *end = u + s->nuses;

    for (; u < end; u++)
        w->s->copy[u->event] = td_work_copy(w, u);
}

void td_load_blocked(struct td_work *w)
{
    const struct td_choice *choice = &w->s->choice;

    td_bits_clear(&w->s->blocked);
    for (size_t i = 0; i < choice->nsolutions && w->sel->same_time; i++) {
        const struct td_solution *s = &choice->solution[i];

        bool loaded = false;

        for (size_t m = 0; m < s->nmetrics; m++) {
            const struct td_asked *a = td_work_asked(w, s, m);

            if (!a->same_time)
                continue;
            if (!loaded)
                load_copies(w, s);
            loaded = true;
            block_corrections(w, (size_t)a->def);
        }
    }
}
