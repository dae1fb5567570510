/* SPDX-License-Identifier: MIT */
/* The corrections that were left out of metrics: what these may be by them, and the formula's name that lists them. */
#include "core/solve/work.h"

#include "core/bounds/missing_term.h"
#include "util/room.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum {
    CORRECTION_BITS = 32, /* of td_metric.corrections */
    TERMS_MAX = 4, /* formulas have two at most (tests/core/solve/test_missing_term.c) */
};

#define HALF 0.5
#define ALL UINT_MAX /* in place of the terms that changed */

/* Those that were left out, and how much each may be. */
struct terms {
    size_t event[TERMS_MAX], n;
    double most[TERMS_MAX];
    unsigned unknown; /* bits of those of which nothing is known */
};

/* ---- what lacks any ---------------------------------------------------------------------- */

static struct td_lacks *lacks_of(const struct td_work *w, const struct td_solution *s)
{
    return &w->s->lacks[s - w->s->choice.solution];
}

/* The corrections that were left out when what lacks them was found. */
static struct td_bits found_for(const struct td_work *w, const struct td_solution *s)
{
    const struct td_choice *c = &w->s->choice;

    return td_work_set(w->s, w->omitted.words, TD_WORK_SETS + c->nsolutions + (size_t)(s - c->solution));
}

/* Which of the terms that are tried a definition has, as bits of their numbers. */
static unsigned terms_of(const struct td_work *w, size_t def)
{
    const struct td_bits *corrections = td_program_corrections(w->p, def);
    unsigned n = 0, terms = 0;

    TD_BITS_EACH(e, &w->omitted)
    {
        if (n == TERMS_MAX)
            break;
        terms |= (unsigned)td_bits_has(corrections, e) << n++;
    }
    return terms;
}

int td_lacking_reserve(struct td_solving *s)
{
    const struct td_choice *c = &s->choice;
    int err = td_room_zeroed(&s->lacks, &s->lacks_room, c->nsolutions, sizeof(*s->lacks));

    err = err ? err : td_room(&s->lacking_def, &s->lacking_defs_room, c->nrun, sizeof(*s->lacking_def));
    err = err ? err : td_room(&s->lacking_terms, &s->lacking_terms_room, c->nrun, sizeof(*s->lacking_terms));
    err = err ? err : td_room(&s->without, &s->without_room, c->nrun, sizeof(*s->without));
    err =
        err ? err : td_room(&s->lacking_metric, &s->lacking_metrics_room, s->selection->n, sizeof(*s->lacking_metric));
    err = err ? err : td_room(&s->lacking, &s->lacking_room, s->selection->n, sizeof(*s->lacking));
    return err ? err : td_room(&s->lacking_bits, &s->lacking_bits_room, s->selection->n, sizeof(*s->lacking_bits));
}

static void list_lacking(struct td_work *w, const struct td_solution *s, struct td_lacks *l)
{
    uint32_t *def = &w->s->lacking_def[s->run];
    unsigned *terms = &w->s->lacking_terms[s->run];
    uint32_t *metric = &w->s->lacking_metric[s->metrics];

    l->ndefs = l->nmetrics = 0;
    l->wasted = SIZE_MAX;
    l->to_and_fro = false; /* bottlenecks and numbers move so, which are made of differences of nodes */
    for (size_t i = 0; i < s->nrun; i++) {
        const uint32_t run = w->s->choice.run[s->run + i];

        if (!td_bits_meet(td_program_corrections(w->p, run), &w->omitted))
            continue;
        def[l->ndefs] = run;
        terms[l->ndefs++] = terms_of(w, run);
    }
    for (size_t m = 0; m < s->nmetrics; m++) {
        const struct td_asked *a = td_work_asked(w, s, m);

        if (td_bits_meet(w->sel->need[a->need].corrections, &w->omitted))
            metric[l->nmetrics++] = (uint32_t)m;
        if (!strcmp(a->node->name, "bad_speculation"))
            l->wasted = m;
        l->to_and_fro = l->to_and_fro || a->node->kind != TD_METRIC_NODE;
    }
}

void td_lacking_find(struct td_work *w, const struct td_solution *s)
{
    const size_t i = (size_t)(s - w->s->choice.solution), made = w->s->choice.made;
    struct td_bits found = found_for(w, s);

    if (td_bits_empty(&w->omitted) || (w->s->lacks[i].made == made && td_bits_same(&found, &w->omitted)))
        return;
    list_lacking(w, s, lacks_of(w, s));
    td_bits_copy(&found, &w->omitted);
    w->s->lacks[i].made = made;
    w->s->numbered = false;
}

/* ---- what metrics may be by them --------------------------------------------------------- */

/* What was counted of a term at another time: it is blocked, if it has a value. Whether there is any. */
static bool find_elsewhere(const struct td_work *w, size_t event, struct td_elsewhere *out)
{
    const struct td_val *v = &w->s->cells[td_event_cell(event)];
    const struct td_count *c = w->s->copy[event];
    struct td_likely_windows windows = {NAN, NAN};

    if (v->state != TD_VAL_OK || !c)
        return false;
    if (w->ask->taken) {
        const struct td_likely_times times = td_taken_times(w->ask->taken, c);

        td_likely_windows(&times, &windows);
    }
    *out = (struct td_elsewhere){v->r.value, c->running > 0 ? fmax(1, c->enabled / c->running) : 1, windows.seen};
    return true;
}

/* What bad speculation wasted: of this solution, or of one before it, which the cells no longer hold. */
static void find_wasted(struct td_work *w, const struct td_solution *s, double slots)
{
    const size_t metric = lacks_of(w, s)->wasted;
    const struct td_val *v = metric == SIZE_MAX ? NULL : td_work_metric(w, s, metric);

    if (v && v->state <= TD_VAL_OMITTED)
        w->wasted = v->r.high * slots;
}

static void find_terms(struct td_work *w, const struct td_solution *s, const struct td_val *slots, struct terms *t)
{
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
        t->most[t->n] = td_missing_most(w->out->uarch->events[e].name, any ? &elsewhere : NULL, &passed);
        t->unknown |= (unsigned)!isfinite(t->most[t->n]) << t->n;
        t->n++;
    }
}

/* Evaluates again what lacks any of the terms in changed, or all that lacks any, with those of a set (bits of their
 * numbers) at this part of their most. Of those of which nothing is known any number shows which way they move a
 * metric. */
static void evaluate_with(struct td_work *w, const struct td_solution *s, const struct terms *t, unsigned set,
                          double part, unsigned changed)
{
    const uint32_t *def = &w->s->lacking_def[s->run];
    const unsigned *terms = &w->s->lacking_terms[s->run];
    const size_t n = lacks_of(w, s)->ndefs;

    for (size_t i = 0; i < t->n; i++) {
        struct td_val *cell = &w->s->cells[td_correction_cell(w->p, t->event[i])];

        if (!(changed >> i & 1))
            continue;
        *cell = (struct td_val){.state = TD_VAL_OMITTED, .event = (int)t->event[i]};
        if (set >> i & 1)
            *cell = (struct td_val){.r = td_range_exact(part * (isfinite(t->most[i]) ? t->most[i] : 1))};
    }
    for (size_t from = 0, to; from < n; from = to + 1) {
        for (to = from; to < n && (terms[to] & changed || changed == ALL);)
            to++;
        if (to > from)
            td_program_run(w->p, &def[from], to - from, w->s->cells);
    }
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

/* With each set of them at the most, and at half of it where that may be less or more than both. From one set to the
 * next one term comes or goes (a Gray code), which is all that has to be evaluated again. afresh: not at the first. */
static void evaluate_sets(struct td_work *w, const struct td_solution *s, const struct terms *t, bool afresh,
                          td_lacking_fn *seen)
{
    const double least = lacks_of(w, s)->to_and_fro ? HALF : 1;
    unsigned before = 0;

    for (double part = 1; part >= least; part -= HALF)
        for (unsigned i = 1; i < 1u << t->n; i++) {
            const unsigned set = i ^ i >> 1, changed = i == 1 ? set | before : set ^ before;

            evaluate_with(w, s, t, set, part, afresh ? ALL : changed);
            afresh = false;
            before = set;
            seen(w, s, !(t->unknown & set));
        }
}

/* Keeps what lacks any as it is without, or takes it back. */
static void keep_without(struct td_work *w, const struct td_solution *s)
{
    const size_t n = lacks_of(w, s)->ndefs;

    for (size_t i = 0; i < n; i++)
        w->s->without[i] = w->s->cells[td_def_cell(w->p, w->s->lacking_def[s->run + i])];
}

static void take_back(struct td_work *w, const struct td_solution *s, const struct terms *t)
{
    const size_t n = lacks_of(w, s)->ndefs;

    for (size_t i = 0; i < n; i++)
        w->s->cells[td_def_cell(w->p, w->s->lacking_def[s->run + i])] = w->s->without[i];
    for (size_t i = 0; i < t->n; i++)
        w->s->cells[td_correction_cell(w->p, t->event[i])] =
            (struct td_val){.state = TD_VAL_OMITTED, .event = (int)t->event[i]};
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
    find_terms(w, s, slots, &t);
    keep_without(w, s);
    kept = *cell;
    *cell = slots ? *slots : *cell;
    evaluate_sets(w, s, &t, slots && slots != cell, seen);
    take_back(w, s, &t);
    *cell = kept;
}

static void take_all(struct td_work *w, const struct td_solution *s, bool known)
{
    const uint32_t *metric = &w->s->lacking_metric[s->metrics], *end = metric + lacks_of(w, s)->nmetrics;

    for (; metric < end; metric++)
        take(&w->s->lacking[*metric], td_work_metric(w, s, *metric), known);
}

void td_lacking_try(struct td_work *w, const struct td_solution *s)
{
    const uint32_t *metric, *end;

    if (td_bits_empty(&w->omitted))
        return;
    metric = &w->s->lacking_metric[s->metrics];
    end = metric + lacks_of(w, s)->nmetrics;
    for (; metric < end; metric++) {
        const struct td_val *v = td_work_metric(w, s, *metric);

        w->s->lacking[*metric] = v->state <= TD_VAL_OMITTED ? v->r : td_range_exact((double)NAN);
    }
    td_lacking_each(w, s, take_all);
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

/* Calls fn for each metric of each solution that lacks any: i-th of the result, at-th in td_solving.lacking_bits. */
static void each_lacking(struct td_work *w, void (*fn)(struct td_work *, size_t i, size_t at))
{
    for (size_t n = 0; n < w->s->choice.nsolutions; n++) {
        const struct td_solution *s = td_work_take(w, n);
        const size_t metrics = td_bits_empty(&w->omitted) ? 0 : lacks_of(w, s)->nmetrics;

        for (size_t m = 0; m < metrics; m++)
            fn(w, w->s->choice.metric[s->metrics + w->s->lacking_metric[s->metrics + m]], s->metrics + m);
    }
}

/* Whether it lacks them as in the interval before decides whether the numbers are those of before, which it gets. */
static void compare(struct td_work *w, size_t i, size_t at)
{
    struct td_lacking_bits *bits = &w->s->lacking_bits[at];
    const bool lacks = lacks_any(&w->out->metrics[i]);

    w->s->numbered = w->s->numbered && bits->lacked == lacks;
    bits->lacked = lacks;
    if (lacks)
        w->out->metrics[i].corrections = bits->corrections;
}

static void leave_out(struct td_work *w, size_t i, size_t at)
{
    (void)at;
    if (!lacks_any(&w->out->metrics[i]))
        return;
    for (size_t n = 0; n < w->s->left_out.words; n++)
        w->s->left_out.word[n] |= td_bits_word(corrections_of(w, i), n) & td_bits_word(&w->omitted, n);
}

/* Each correction's bit, by its number among all that are left out. */
static void number_corrections(struct td_work *w, size_t i, size_t at)
{
    unsigned n = 0, bits = 0;

    TD_BITS_EACH(e, &w->s->left_out)
    {
        if (n < CORRECTION_BITS && td_bits_has(corrections_of(w, i), e) && td_bits_has(&w->omitted, e))
            bits |= 1u << n;
        n++;
    }
    w->s->lacking_bits[at].corrections = bits;
    if (lacks_any(&w->out->metrics[i]))
        w->out->metrics[i].corrections = bits;
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

/* Finds which corrections are left out, and numbers them, where there are any. */
static int number(struct td_work *w)
{
    struct td_solving *s = w->s;
    int err = 0;

    td_bits_clear(&s->left_out);
    each_lacking(w, leave_out);
    if (td_bits_empty(&s->left_out))
        return 0;
    if (s->named_form != w->sel->form || !td_bits_same(&s->named, &s->left_out))
        err = write_formula(w);
    if (err)
        return err;
    each_lacking(w, number_corrections);
    s->numbered = true;
    return 0;
}

int td_lacking_name(struct td_work *w)
{
    struct td_solving *s = w->s;
    int err;

    w->out->formula = w->sel->form->form->name;
    if (!w->omits)
        return 0;
    each_lacking(w, compare);
    err = s->numbered ? 0 : number(w);
    if (err || !s->numbered)
        return err;
    w->out->formula = s->formula.at;
    w->out->corrections = s->corrections;
    w->out->ncorrections = s->ncorrections;
    return 0;
}
