/* SPDX-License-Identifier: MIT */
/* The corrections that were left out of metrics: what these may be by them, and the formula's name that lists them. */
#include "core/solve/work.h"

#include "core/bounds/missing_term.h"
#include "util/room.h"

#include <math.h>
#include <string.h>

enum {
    CORRECTION_BITS = 32, /* of td_metric.corrections */
    TERMS_MAX = 4, /* formulas have two at most (tests/core/solve/test_missing_term.c) */
};

#define HALF 0.5

/* ---- what metrics may be by them ------------------------------------------------------- */

/* Those that were left out, and how much each may be. */
struct terms {
    size_t event[TERMS_MAX], n;
    double most[TERMS_MAX];
};

/* What was counted of a term at another time: it is blocked, if it has a value. Whether there is any. */
static bool find_elsewhere(const struct td_work *w, size_t event, struct td_elsewhere *out)
{
    const struct td_val *v = &w->s->cells[td_event_cell(event)];
    const struct td_count *c = w->s->copy[event];
    const bool any = v->state == TD_VAL_OK && c;
    struct td_likely_windows windows = {NAN, NAN};

    if (any && w->ask->taken) {
        const struct td_likely_times times = td_taken_times(w->ask->taken, c);

        td_likely_windows(&times, &windows);
    }
    *out = (struct td_elsewhere){any ? v->r.value : 0, any && c->running > 0 ? fmax(1, c->enabled / c->running) : 1,
                                 windows.seen};
    return any;
}

/* What bad speculation wasted: of this solution, or of one before it, which the cells no longer hold. */
static void find_wasted(struct td_work *w, const struct td_solution *s, double slots)
{
    for (size_t m = 0; m < s->nmetrics; m++) {
        const struct td_val *v = td_work_metric(w, s, m);

        if (!strcmp(td_work_asked(w, s, m)->node->name, "bad_speculation") && v->state <= TD_VAL_OMITTED)
            w->wasted = v->r.high * slots;
    }
}

static void find_terms(struct td_work *w, const struct td_solution *s, struct terms *t)
{
    const struct td_val *slots = td_work_slots(w);
    struct td_slots_passed passed = {slots ? slots->r.value : 0, w->out->uarch->width, NAN};

    find_wasted(w, s, passed.slots);
    passed.wasted = w->wasted;
    *t = (struct terms){.n = 0};
    TD_BITS_EACH(e, &w->omitted)
    {
        struct td_elsewhere elsewhere;
        const bool any = find_elsewhere(w, e, &elsewhere);

        if (t->n == TERMS_MAX)
            return;
        t->event[t->n] = e;
        t->most[t->n++] = td_missing_most(w->out->uarch->events[e].name, any ? &elsewhere : NULL, &passed);
    }
}

/* Evaluates again what lacks any, with those of a set (bits of their numbers) at this part of their most. Of those of
 * which nothing is known any number shows which way they move a metric. */
static void evaluate_with(struct td_work *w, const struct td_solution *s, const struct terms *t, unsigned set,
                          double part)
{
    const uint32_t *run = &w->s->choice.run[s->run];

    for (size_t i = 0; i < t->n; i++) {
        struct td_val *cell = &w->s->cells[td_correction_cell(w->p, t->event[i])];

        *cell = (struct td_val){.state = TD_VAL_OMITTED, .event = (int)t->event[i]};
        if (set >> i & 1)
            *cell = (struct td_val){.r = td_range_exact(part * (isfinite(t->most[i]) ? t->most[i] : 1))};
    }
    for (size_t i = 0; i < s->nrun; i++)
        if (td_bits_meet(td_program_corrections(w->p, run[i]), &w->omitted))
            td_program_run(w->p, &run[i], 1, w->s->cells);
}

static bool all_known(const struct terms *t, unsigned set)
{
    for (size_t i = 0; i < t->n; i++)
        if (set >> i & 1 && !isfinite(t->most[i]))
            return false;
    return true;
}

/* Adds what a metric is with some of them; without, it has this value, or NAN: none, which they do not change. */
static void take(struct td_range *r, const struct td_val *v, bool known)
{
    const bool valued = v->state <= TD_VAL_OMITTED;

    if (isnan(r->value))
        return;
    r->low = td_least(r->low, !valued || (!known && v->r.value < r->value) ? -HUGE_VAL : v->r.low);
    r->high = td_most(r->high, !valued || (!known && v->r.value > r->value) ? HUGE_VAL : v->r.high);
}

/* Whether terms may move some metric to and fro: bottlenecks and numbers do, which are made of differences of nodes. */
static bool to_and_fro(const struct td_work *w, const struct td_solution *s)
{
    for (size_t m = 0; m < s->nmetrics; m++)
        if (td_work_asked(w, s, m)->node->kind != TD_METRIC_NODE)
            return true;
    return false;
}

/* With each set of them at the most, and at half of it where that may be less or more than both. */
static void evaluate_sets(struct td_work *w, const struct td_solution *s, const struct terms *t, td_lacking_fn *seen)
{
    const double least = to_and_fro(w, s) ? HALF : 1;

    for (double part = 1; part >= least; part -= HALF)
        for (unsigned set = 1; set < 1u << t->n; set++) {
            evaluate_with(w, s, t, set, part);
            seen(w, s, all_known(t, set));
        }
}

/* Terms are parts of the slots: those of the fields, where these were recorded without them. */
void td_lacking_each(struct td_work *w, const struct td_solution *s, td_lacking_fn *seen)
{
    const int def = w->sel->form->slots;
    const struct td_val *slots = td_work_slots(w);
    struct td_val kept = {.event = -1}, *cell = def < 0 ? &kept : &w->s->cells[td_def_cell(w->p, (size_t)def)];
    struct terms t;

    if (td_bits_empty(&w->omitted))
        return;
    find_terms(w, s, &t);
    kept = *cell;
    *cell = slots ? *slots : *cell;
    evaluate_sets(w, s, &t, seen);
    *cell = kept;
    evaluate_with(w, s, &t, 0, 0);
}

static void take_all(struct td_work *w, const struct td_solution *s, bool known)
{
    for (size_t m = 0; m < s->nmetrics; m++)
        take(&w->s->lacking[m], td_work_metric(w, s, m), known);
}

int td_lacking_try(struct td_work *w, const struct td_solution *s)
{
    int err = td_room(&w->s->lacking, &w->s->lacking_room, s->nmetrics, sizeof(*w->s->lacking));

    for (size_t m = 0; m < s->nmetrics && !err; m++) {
        const struct td_val *v = td_work_metric(w, s, m);

        w->s->lacking[m] = v->state <= TD_VAL_OMITTED ? v->r : td_range_exact((double)NAN);
    }
    if (!err)
        td_lacking_each(w, s, take_all);
    return err;
}

/* ---- the formula's name ------------------------------------------------------------------ */

/* Whether corrections of a metric were left out: td_fill_metric() flags it then. */
static bool lacks_any(const struct td_metric *m)
{
    return m->status == TD_OK && m->flags & TD_FLAG_CORRECTION_MISSING;
}

/* A metric of the solution at hand lacks those of its corrections that were left out. */
static const struct td_bits *corrections_of(const struct td_work *w, size_t metric)
{
    return w->sel->need[w->sel->asked[metric].need].corrections;
}

static void lack(struct td_work *w, const struct td_solution *s)
{
    for (size_t m = 0; m < s->nmetrics; m++) {
        const size_t i = w->s->choice.metric[s->metrics + m];

        if (!lacks_any(&w->out->metrics[i]))
            continue;
        for (size_t n = 0; n < w->s->left_out.words; n++)
            w->s->left_out.word[n] |= td_bits_word(corrections_of(w, i), n) & td_bits_word(&w->omitted, n);
    }
}

/* For each correction that a metric lacks: its bit, by its number among all that are left out. */
static void number_corrections(struct td_work *w, const struct td_solution *s)
{
    for (size_t m = 0; m < s->nmetrics; m++) {
        const size_t i = w->s->choice.metric[s->metrics + m];
        unsigned n = 0;

        if (!lacks_any(&w->out->metrics[i]))
            continue;
        TD_BITS_EACH(e, &w->s->left_out)
        {
            if (n < CORRECTION_BITS && td_bits_has(corrections_of(w, i), e) && td_bits_has(&w->omitted, e))
                w->out->metrics[i].corrections |= 1u << n;
            n++;
        }
    }
}

static void each_solution(struct td_work *w, void (*fn)(struct td_work *, const struct td_solution *))
{
    for (size_t i = 0; i < w->s->choice.nsolutions; i++)
        fn(w, td_work_take(w, i));
}

/* "NAME without EVENT,EVENT", written once for as long as the same ones are left out. */
static int write_formula(struct td_work *w)
{
    struct td_solving *s = w->s;
    int err = td_text_buffer_clear(&s->formula);

    s->named_form = NULL;
    s->ncorrections = 0;
    err = err ? err : td_text_buffer_add(&s->formula, "%s", w->sel->form->form->name);
    TD_BITS_EACH(e, &s->left_out)
    {
        const char *name = w->out->uarch->events[e].name;

        err = err ? err : td_text_buffer_add(&s->formula, "%s%s", s->ncorrections ? "," : " without ", name);
        if (err)
            return err;
        s->corrections[s->ncorrections++] = name;
    }
    td_bits_copy(&s->named, &s->left_out);
    s->named_form = w->sel->form;
    return err;
}

int td_lacking_name(struct td_work *w)
{
    struct td_solving *s = w->s;
    int err = 0;

    w->out->formula = w->sel->form->form->name;
    if (!w->omits)
        return 0;
    td_bits_clear(&s->left_out);
    each_solution(w, lack);
    if (td_bits_empty(&s->left_out))
        return 0;
    if (s->named_form != w->sel->form || !td_bits_same(&s->named, &s->left_out))
        err = write_formula(w);
    if (err)
        return err;
    each_solution(w, number_corrections);
    w->out->formula = s->formula.at;
    w->out->corrections = s->corrections;
    w->out->ncorrections = s->ncorrections;
    return 0;
}
