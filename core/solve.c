/* SPDX-License-Identifier: MIT */
/* Counts to metrics: values, bounds, and reasons for what is absent. */
#include "core/solve.h"

#include "core/level_sum.h"
#include "core/restored.h"
#include "core/room.h"

#include <math.h>
#include <stdio.h>

/* How far outside 0..1 a share may be and still be shown (DESIGN: honest numbers). */
#define SLACK 0.05
/* A sum of the four level-1 counts further than this factor from the slots is
 * no recording of one CPU: healthy ones were seen from 0.79 to 1.25. Nor does
 * anything follow from a sum that is 0, or less, but for rounding. */
#define SUM_ABSURD 2.0
#define SUM_NOTHING 1e-9

/* The fastest that a CPU of the tables runs, in cycles per ns (Core i9-14900KS, by Intel's
 * data sheet): an idle one counts fewer slots, but none counts more. */
#define FASTEST 6.2

enum { CORRECTION_BITS = 32 /* of td_metric.corrections */ };

/* One interval, and of its solutions the one at hand. */
struct work {
    struct td_solving *s;
    const struct td_selection *sel;
    const struct td_program *p;
    const struct td_counts *counts;
    const struct td_solve_ask *ask;
    struct td_result *out;
    struct td_bits omitted; /* its corrections that were left out */
    bool complete; /* all its events were counted, all of the same time, but for corrections that were left out */
    bool omits; /* corrections were left out, in any solution */
    bool no_slots, sum_off, sum_absurd;
    struct td_seen_solution seen;
    enum td_likely_why restored; /* whether the error of the metrics register's restores is known: it is in the cells */
};

/* ---- what is kept from interval to interval --------------------------------------- */

static int choose(struct td_forms *f, const struct td_counts *k, const struct td_solve_ask *ask)
{
    struct td_solving *s = &f->solving;
    int err;

    s->fixed = ask->fixed;
    s->hints = ask->hints;
    err = td_forms_select(f, td_forms_choose(f, &s->layout, ask->fixed), ask->level, ask->names, &s->selection);
    err = err ? err : td_choice_make(&s->choice, s->selection, &s->layout, k, ask->hints);
    if (err)
        s->selection = NULL;
    return err;
}

/* The same copies chosen as for the interval before, if it had the same ones. */
static int follow(struct td_forms *f, const struct td_counts *k, const struct td_solve_ask *ask)
{
    struct td_solving *s = &f->solving;
    int err = 0;

    if (!td_layout_same(&s->layout, k)) {
        s->selection = NULL;
        err = td_layout_make(&s->layout, k, f->uarch->nevents);
    }
    if (err)
        return err;
    if (!s->selection || s->selection->level != ask->level || s->selection->names != ask->names || s->fixed != ask->fixed || s->hints != ask->hints)
        return choose(f, k, ask);
    td_choice_follow(&s->choice, s->selection, &s->layout, k);
    return 0;
}

static void set_at(struct td_bits *set, uint64_t *words, size_t n, size_t i)
{
    *set = (struct td_bits){words + i * n, n};
}

enum { SETS = 4 /* of the interval; one more for each solution */ };

static int make_room(struct td_forms *f, struct td_result *out)
{
    struct td_solving *s = &f->solving;
    const struct td_program *p = s->selection->form->p;
    const size_t words = td_bits_words(f->uarch->nevents);
    int err = td_room(&s->words, &s->words_room, words * (SETS + s->choice.nsolutions), sizeof(*s->words));

    err = err ? err : td_room(&s->cells, &s->cells_room, td_program_cells(p), sizeof(*s->cells));
    err = err ? err : td_room(&s->copy, &s->copies_room, f->uarch->nevents, sizeof(*s->copy));
    err = err ? err : td_room(&s->coverage, &s->coverage_room, s->selection->n, sizeof(*s->coverage));
    err = err ? err : td_room(&s->corrections, &s->corrections_room, s->selection->corrections, sizeof(*s->corrections));
    err = err ? err : td_text_buffer_reserve(&s->formula, s->selection->text);
    err = err ? err : td_result_reserve(out, s->selection->n);
    if (err)
        return err;
    if (s->prepared != s->selection)
        td_program_prepare(p, s->cells);
    s->prepared = s->selection;
    set_at(&s->blocked, s->words, words, 0);
    set_at(&s->left_out, s->words, words, 1);
    set_at(&s->named, s->words, words, 2);
    set_at(&s->used, s->words, words, 3);
    return 0;
}

/* ---- the events of a solution ------------------------------------------------------ */

static const struct td_count *copy_of(const struct work *w, const struct td_use *u)
{
    return u->copy < 0 ? NULL : &w->counts->c[u->copy];
}

static enum td_state state_of(enum td_status status)
{
    switch (status) {
    case TD_OK:
        return TD_VAL_OK;
    case TD_NOT_SUPPORTED:
        return TD_VAL_NOT_SUPPORTED;
    case TD_COUNTER_RESET:
        return TD_VAL_RESET;
    default:
        return TD_VAL_NOT_COUNTED;
    }
}

/* What is known of the machine and the interval. */
static void load_inputs(struct work *w)
{
    const double known[TD_INPUTS] = {
        [TD_INPUT_SMT] = w->ask->smt_off ? 0 : 1,
        [TD_INPUT_DURATION] = w->ask->duration,
        [TD_INPUT_CPUS] = w->ask->cpus,
        [TD_INPUT_ONE_CPU] = w->ask->one_cpu,
    };

    for (unsigned i = 0; i < TD_INPUTS; i++) {
        struct td_val *v = &w->s->cells[td_input_cell(w->p, (enum td_input)i)];
        const bool number = i == TD_INPUT_DURATION || i == TD_INPUT_CPUS;

        *v = (struct td_val){.r = td_range_exact(known[i]), .event = -1};
        if (number && !(known[i] > 0))
            *v = (struct td_val){.state = TD_VAL_MISSING, .event = (int)(w->out->uarch->nevents + i)};
    }
}

/* A latency that was not recorded is the published mean of the platform, if there is one. */
static void assume_latency(struct work *w, const struct td_use *u, struct td_val *v)
{
    const struct td_event *e = &w->out->uarch->events[u->event];

    if (e->latency <= 0)
        return;
    *v = (struct td_val){.r = td_range_exact(e->latency), .event = (int)u->event};
}

/* A sum of means over intervals is no mean. */
static double mean_of(const struct td_count *c)
{
    return c->intervals > 1 ? c->value / c->intervals : c->value;
}

static void load_latency(struct work *w, const struct td_use *u, const struct td_count *c, struct td_val *v)
{
    if (v->state == TD_VAL_OK)
        v->r = td_range_exact(mean_of(c));
    else
        assume_latency(w, u, v);
}

static void load_correction(struct work *w, const struct td_use *u, const struct td_val *v)
{
    struct td_val *cell = &w->s->cells[td_correction_cell(w->p, u->event)];

    *cell = *v;
    if (v->state == TD_VAL_OK && !td_bits_has(&w->s->blocked, u->event))
        return;
    *cell = (struct td_val){.state = TD_VAL_OMITTED, .event = (int)u->event};
    td_bits_add(&w->omitted, u->event);
    w->omits = true;
}

/* error: in slots, that fields of the metrics register have beside that of their counts */
static void load(struct work *w, const struct td_solution *solution, double error)
{
    const struct td_use *u = &w->s->choice.use[solution->uses], *end = u + solution->nuses;
    const struct td_count *any = NULL;

    w->complete = true;
    td_bits_clear(&w->omitted);
    for (; u < end; u++) {
        const struct td_count *c = copy_of(w, u);
        struct td_val *v = &w->s->cells[td_event_cell(u->event)];

        *v = (struct td_val){.state = c ? state_of(c->status) : TD_VAL_MISSING, .event = (int)u->event};
        if (w->out->uarch->events[u->event].kind == TD_EVENT_LATENCY)
            load_latency(w, u, c, v);
        else if (v->state == TD_VAL_OK)
            v->r = td_range_count(c->value, c->err + (w->out->uarch->events[u->event].field >= 0 ? error : 0));
        w->s->copy[u->event] = c;
        if (c && v->state == TD_VAL_OK ? c->running < c->enabled : u->needed)
            w->complete = false;
        if (c && v->state == TD_VAL_OK && any && c->which != any->which) /* a sum's, of other intervals */
            w->complete = false;
        any = c && v->state == TD_VAL_OK ? c : any;
        if (u->correction)
            load_correction(w, u, v);
    }
}

/* A correction marked ~ joins all of its metrics or none: half of it would
 * take slots from one node and give them to no other. */
static void block_corrections(struct work *w, size_t def)
{
    const struct td_bits *corrections = td_program_same_time(w->p, def), *needs = td_program_needs(w->p, def);

    TD_BITS_EACH(c, corrections) {
        TD_BITS_EACH(e, needs) {
            const struct td_count *correction = w->s->copy[c], *copy = w->s->copy[e];

            if (copy && !(correction && td_copies_together(correction, copy)))
                td_bits_add(&w->s->blocked, c);
        }
    }
}

static void find_blocked(struct work *w)
{
    const struct td_choice *choice = &w->s->choice;

    td_bits_clear(&w->s->blocked);
    for (size_t i = 0; i < choice->nsolutions && w->sel->same_time; i++) {
        const struct td_solution *s = &choice->solution[i];

        for (size_t u = 0; u < s->nuses; u++)
            w->s->copy[choice->use[s->uses + u].event] = copy_of(w, &choice->use[s->uses + u]);
        for (size_t m = 0; m < s->nmetrics; m++)
            block_corrections(w, (size_t)w->sel->asked[choice->metric[s->metrics + m]].def);
    }
}

/* ---- its definitions ---------------------------------------------------------------- */

static const struct td_val *value_of(const struct work *w, int def)
{
    const struct td_val *v = def < 0 ? NULL : &w->s->cells[td_def_cell(w->p, (size_t)def)];

    return v && v->state == TD_VAL_OK ? v : NULL;
}

/* Slots per category are divided by their sum, not by slots; but the two must
 * agree to within what the 8 bits allow, which is what err of the counts says. */
static void check_slots(struct work *w)
{
    const struct td_val *slots = value_of(w, w->sel->form->slots), *sum = value_of(w, w->sel->form->sum);
    double off, err;

    w->sum_off = w->sum_absurd = false;
    w->no_slots = (slots && slots->r.value == 0) || (sum && sum->r.value == 0);
    if (!slots || !sum || w->no_slots)
        return;
    off = fabs(sum->r.value - slots->r.value);
    err = sum->r.high - sum->r.value;
    w->sum_off = off > err;
    w->sum_absurd = sum->r.low > SUM_ABSURD * slots->r.value || sum->r.high * SUM_ABSURD < slots->r.value ||
                    sum->r.value <= SUM_NOTHING * err;
}

static void set_absent(const struct work *w, struct td_metric *m, int def, const struct td_val *v)
{
    static const enum td_status statuses[] = {
        [TD_VAL_MISSING] = TD_MISSING_EVENT,
        [TD_VAL_NOT_COUNTED] = TD_NOT_COUNTED,
        [TD_VAL_NOT_SUPPORTED] = TD_NOT_SUPPORTED,
        [TD_VAL_RESET] = TD_COUNTER_RESET,
        [TD_VAL_ZERO_DIV] = TD_ZERO_DIVISOR,
        [TD_VAL_WRONG_FORMULA] = TD_PUBLISHED_FORMULA_WRONG,
    };
    static const char *const inputs[TD_INPUTS] = {[TD_INPUT_DURATION] = "duration_time", [TD_INPUT_CPUS] = "cpus"};

    m->status = statuses[v->state];
    if (v->event >= (int)w->out->uarch->nevents)
        m->event = inputs[v->event - (int)w->out->uarch->nevents];
    else if (v->event >= 0)
        m->event = w->out->uarch->events[v->event].name;
    m->why = td_program_def(w->p, (size_t)def)->wrong;
}

/* The events that a metric used: what it needs, and the corrections that were not left out. */
static void find_used(struct work *w, const struct td_asked *a)
{
    const struct td_need *need = &w->sel->need[a->need];

    for (size_t i = 0; i < w->s->used.words; i++)
        w->s->used.word[i] = (need->needs->word[i] | need->corrections->word[i]) & ~w->omitted.word[i];
}

/* The least running / enabled over those that were counted, NAN where there is none. */
static double coverage_of(const struct work *w)
{
    double least = NAN;

    TD_BITS_EACH(e, &w->s->used) {
        const struct td_count *c = w->s->copy[e];

        if (!c || c->status != TD_OK)
            continue;
        if (isnan(least))
            least = 1;
        if (c->running < c->enabled && c->running / c->enabled < least)
            least = c->running / c->enabled;
    }
    return least;
}

/* Whether they were counted at different times. */
static bool split(const struct work *w)
{
    const struct td_count *first = NULL;

    TD_BITS_EACH(e, &w->s->used) {
        const struct td_count *c = w->s->copy[e];

        if (first && c && !td_copies_together(first, c))
            return true;
        first = first ? first : c;
    }
    return false;
}

/* The flags of a metric, from the copies of events that it used. */
static unsigned copy_flags(const struct work *w, const struct td_asked *a, double coverage)
{
    unsigned flags = 0;

    if (w->omits && td_bits_meet(&w->omitted, w->sel->need[a->need].corrections))
        flags |= TD_FLAG_CORRECTION_MISSING;
    if (a->of_fields)
        flags |= (w->ask->switched ? TD_FLAG_NO_BOUNDS : 0u) | (w->sum_off ? TD_FLAG_SUM_OFF : 0u);
    if (w->ask->coverage_unknown || coverage < 1)
        flags |= w->ask->coverage_unknown ? TD_FLAG_NO_BOUNDS : TD_FLAG_MULTIPLEXED;
    else if (w->complete || !w->out->summary) /* a sum may be of events that were counted one after the other */
        return flags;
    return flags | (split(w) ? TD_FLAG_SPLIT_GROUPS : 0u);
}

/* ---- bounds ---- */

/* For flags, why there are no likely bounds. */
static unsigned flag_of(enum td_likely_why why)
{
    return why == TD_LIKELY_GIVEN ? 0u : (unsigned)TD_FLAG_FEW_WINDOWS << (why - TD_LIKELY_FEW_WINDOWS);
}

/* Of the metric-th of the solution's metrics, whose range is r if all had been counted. */
static enum td_likely_why find_likely(struct work *w, size_t i, size_t metric, struct td_range *r)
{
    const struct td_asked *a = &w->sel->asked[i];
    const struct td_taken *t = w->ask->taken;
    const unsigned flags = w->out->metrics[i].flags;

    if (w->ask->coverage_unknown)
        return TD_LIKELY_NO_COVERAGE;
    if (a->of_fields && w->restored != TD_LIKELY_GIVEN)
        return w->restored;
    if (!(flags & (TD_FLAG_MULTIPLEXED | TD_FLAG_SPLIT_GROUPS)))
        return TD_LIKELY_GIVEN;
    if (w->out->summary && !(flags & TD_FLAG_MULTIPLEXED)) /* of different intervals, and no rotation mixed them */
        return TD_LIKELY_NO_LIMITS;
    return td_seen_bounds(&w->s->seen, &w->seen, metric, &w->s->used, !a->quantity, t->parts ? t->parts + i * t->nparts : NULL, t->nparts, r);
}

/* No true share is below 0, or above 1; but the value itself may be. */
static void put_bounds(struct td_metric *m, const struct td_range *r, const struct td_asked *a, enum td_bounds kind)
{
    const double low = kind == TD_BOUNDS_LIKELY && !a->quantity ? td_most(r->low, 0) : r->low;

    m->low = td_least(low, m->value);
    m->high = td_most(a->of_slots ? td_least(r->high, 1) : r->high, m->value);
    m->bounds = kind;
}

static void set_bounds(struct work *w, size_t i, size_t metric, const struct td_range *range)
{
    struct td_metric *m = &w->out->metrics[i];
    struct td_range r = *range;
    enum td_likely_why why;

    if (m->flags & (TD_FLAG_SUM_OFF | TD_FLAG_ONE_SIBLING))
        return;
    if (!isfinite(r.low) || !isfinite(r.high)) {
        m->flags |= TD_FLAG_NO_BOUNDS;
    } else if (!(m->flags & (TD_FLAG_MULTIPLEXED | TD_FLAG_SPLIT_GROUPS | TD_FLAG_NO_BOUNDS))) {
        put_bounds(m, &r, &w->sel->asked[i], TD_BOUNDS_SOUND);
    } else if (w->ask->taken) {
        why = find_likely(w, i, metric, &r);
        m->flags |= flag_of(why);
        if (why != TD_LIKELY_GIVEN)
            return;
        put_bounds(m, &r, &w->sel->asked[i], TD_BOUNDS_LIKELY);
        if (m->flags & (TD_FLAG_MULTIPLEXED | TD_FLAG_SPLIT_GROUPS) && w->ask->taken->interval_assumed)
            m->flags |= TD_FLAG_MUX_INTERVAL_ASSUMED;
    }
}

/* A number that is no share: there is nothing to judge it by. */
static void set_quantity(struct work *w, size_t i, size_t metric, const struct td_range *r)
{
    struct td_metric *m = &w->out->metrics[i];

    m->status = isfinite(r->value) ? TD_OK : TD_IMPOSSIBLE;
    m->value = isfinite(r->value) ? r->value : NAN;
    m->raw = isfinite(r->value) ? NAN : r->value;
    if (m->status == TD_OK)
        set_bounds(w, i, metric, r);
}

static void set_value(struct work *w, size_t i, size_t metric, const struct td_range *r)
{
    struct td_metric *m = &w->out->metrics[i];

    /* of cycles and stalls shares are estimates, which may exceed 1 */
    if (w->sum_absurd || !isfinite(r->value) || (w->sel->asked[i].of_slots && !(r->value >= -SLACK && r->value <= 1 + SLACK))) {
        m->status = TD_IMPOSSIBLE;
        m->raw = r->value;
        m->flags = 0;
        return;
    }
    m->status = TD_OK;
    m->value = r->value;
    m->flags |= r->value < 0 ? TD_FLAG_NEGATIVE : r->value > 1 ? TD_FLAG_OVER_ONE : 0;
    set_bounds(w, i, metric, r);
}

/* A metric that the form has, the metric-th of the solution. */
static void fill(struct work *w, size_t i, size_t metric)
{
    const struct td_asked *a = &w->sel->asked[i];
    const struct td_val *v = &w->s->cells[a->cell];
    struct td_metric *m = &w->out->metrics[i];
    const bool whole = w->complete && a->needs_any;

    if (!whole || w->ask->coverage_unknown)
        find_used(w, a);
    w->s->coverage[i] = whole ? 1 : coverage_of(w);
    if (w->counts->status != TD_OK) { /* none of its counts says anything */
        m->status = w->counts->status;
    } else if (w->no_slots) {
        m->status = TD_NO_SLOTS;
    } else if (v->state > TD_VAL_OMITTED) {
        set_absent(w, m, a->def, v);
    } else {
        m->flags = copy_flags(w, a, w->s->coverage[i]) | (w->out->flags & TD_FLAG_ONE_SIBLING);
        if (a->quantity)
            set_quantity(w, i, metric, &v->r);
        else
            set_value(w, i, metric, &v->r);
    }
}

static void evaluate(struct work *w, const struct td_solution *s, double error)
{
    load(w, s, error);
    td_program_run(w->p, &w->s->choice.run[s->run], s->nrun, w->s->cells);
    w->s->evaluated += s->nrun;
}

/* error: in slots, of each field. The sum of the fields may be off by what that explains. */
static void widen(struct work *w, const struct td_solution *s, double error)
{
    const struct td_val *slots = value_of(w, w->sel->form->slots), *sum = value_of(w, w->sel->form->sum);
    double off;

    if (!slots || !sum || w->sum_absurd)
        return;
    off = fabs(sum->r.value - slots->r.value);
    evaluate(w, s, error);
    w->sum_off = off > sum->r.high - sum->r.value;
    if (!w->sum_off)
        evaluate(w, s, td_restored_cover(error, sum->r.value, slots->r.value));
}

/* The same with what the kernel's restores of the metrics register may have added. */
static void evaluate_restored(struct work *w, const struct td_solution *s)
{
    double error = 0;

    w->restored = TD_LIKELY_NO_SWITCHES;
    if (w->ask->taken)
        w->restored = td_restored_error(&w->s->choice.use[s->uses], s->nuses, w->counts, w->out->uarch, w->ask->switched, w->ask->taken, &error);
    evaluate(w, s, 0);
    check_slots(w);
    if (w->restored == TD_LIKELY_GIVEN && error > 0)
        widen(w, s, error);
}

/* How much more slots can pass than those that did, in the time that a CPU was measured. */
static double busiest(const struct work *w)
{
    const struct td_val *slots = value_of(w, w->sel->form->slots);
    const bool halved = w->sel->form->form->flags & TD_FORM_CORE_CLOCK; /* between two siblings */

    for (size_t i = 0; i < w->counts->n && slots && slots->r.value > 0; i++)
        if (w->counts->c[i].status == TD_OK && w->counts->c[i].enabled > 0)
            return FASTEST * w->out->uarch->width * w->counts->c[i].enabled / slots->r.value / (halved ? 2 : 1);
    return (double)NAN;
}

/* What likely bounds take: which groups there are, and how far metrics depend on them. */
static int look_at_groups(struct work *w, const struct td_solution *s)
{
    int err = td_room(&w->s->metric_cell, &w->s->metric_cells_room, s->nmetrics, sizeof(*w->s->metric_cell));

    for (size_t m = 0; m < s->nmetrics && !err; m++)
        w->s->metric_cell[m] = w->sel->asked[w->s->choice.metric[s->metrics + m]].cell;
    w->seen = (struct td_seen_solution){
        .use = &w->s->choice.use[s->uses], .nuses = s->nuses, .counts = w->counts, .program = w->p, .run = &w->s->choice.run[s->run],
        .nrun = s->nrun, .cells = w->s->cells, .metric = w->s->metric_cell, .nmetrics = s->nmetrics,
    };
    err = err ? err : td_seen_find(&w->s->seen, &w->seen, w->ask->taken, busiest(w));
    return err ? err : td_seen_try(&w->s->seen, &w->seen);
}

static int solve_one(struct work *w, size_t i)
{
    const struct td_solution *s = &w->s->choice.solution[i];
    int err = 0;

    set_at(&w->omitted, w->s->words, td_bits_words(w->out->uarch->nevents), SETS + i);
    evaluate_restored(w, s);
    if (w->ask->taken && !w->complete && !w->no_slots)
        err = look_at_groups(w, s);
    for (size_t m = 0; m < s->nmetrics && !err; m++)
        fill(w, w->s->choice.metric[s->metrics + m], m);
    return err;
}

/* ---- the result as a whole ------------------------------------------------------------ */

static void list_metrics(struct work *w)
{
    struct td_result *out = w->out;

    out->nmetrics = w->sel->n;
    memcpy(out->metrics, w->sel->blank, w->sel->n * sizeof(*out->metrics));
    for (size_t i = 0; i < w->sel->n; i++) {
        out->nodes[i] = w->sel->asked[i].node;
        if (w->sel->asked[i].def < 0)
            out->metrics[i].status = w->sel->asked[i].undefined;
    }
}

static void set_result_flags(struct work *w)
{
    const unsigned form = w->sel->form->form->flags;
    struct td_result *out = w->out;

    out->flags = w->ask->flags | out->uarch->flags;
    if (form & TD_FORM_ONE_THREAD && !w->ask->smt_off)
        out->flags |= TD_FLAG_SMT_UNKNOWN;
    if (form & TD_FORM_SYSFS_SCALE && w->ask->scale_assumed)
        out->flags |= TD_FLAG_SMT_UNKNOWN;
    if (form & TD_FORM_CORE_CLOCK && (!w->ask->whole_core || w->ask->smt_off))
        out->flags |= TD_FLAG_ONE_SIBLING;
}

static void set_coverage(struct work *w)
{
    for (size_t i = 0; i < w->sel->n && !w->ask->coverage_unknown; i++)
        if (w->sel->asked[i].def >= 0 && !(w->out->coverage <= w->s->coverage[i]))
            w->out->coverage = w->s->coverage[i];
}

/* Whether a metric was given without corrections that it has: fill() flags it then. */
static bool lacks_any(const struct td_metric *m)
{
    return m->status == TD_OK && m->flags & TD_FLAG_CORRECTION_MISSING;
}

/* Which corrections a metric of a solution lacks. */
static void find_lacking(struct work *w, size_t metric, struct td_bits *out)
{
    td_bits_copy(out, w->sel->need[w->sel->asked[metric].need].corrections);
    for (size_t n = 0; n < out->words; n++)
        out->word[n] &= w->omitted.word[n];
}

static void lack(struct work *w, const struct td_solution *s)
{
    for (size_t m = 0; m < s->nmetrics; m++) {
        const size_t i = w->s->choice.metric[s->metrics + m];

        if (!lacks_any(&w->out->metrics[i]))
            continue;
        find_lacking(w, i, &w->s->used);
        td_bits_join(&w->s->left_out, &w->s->used);
    }
}

/* For each correction that a metric lacks: its bit, by its number among all that are left out. */
static void number_corrections(struct work *w, const struct td_solution *s)
{
    for (size_t m = 0; m < s->nmetrics; m++) {
        const size_t i = w->s->choice.metric[s->metrics + m];
        unsigned n = 0;

        if (!lacks_any(&w->out->metrics[i]))
            continue;
        find_lacking(w, i, &w->s->used);
        TD_BITS_EACH(e, &w->s->left_out) {
            if (n < CORRECTION_BITS && td_bits_has(&w->s->used, e))
                w->out->metrics[i].corrections |= 1u << n;
            n++;
        }
    }
}

static void each_solution(struct work *w, void (*fn)(struct work *, const struct td_solution *))
{
    for (size_t i = 0; i < w->s->choice.nsolutions; i++) {
        set_at(&w->omitted, w->s->words, td_bits_words(w->out->uarch->nevents), SETS + i);
        fn(w, &w->s->choice.solution[i]);
    }
}

/* "NAME without EVENT,EVENT", once for as long as the same ones are left out. */
static int write_formula(struct work *w)
{
    struct td_solving *s = w->s;
    int err = td_text_buffer_clear(&s->formula);

    s->named_form = NULL;
    s->ncorrections = 0;
    err = err ? err : td_text_buffer_add(&s->formula, "%s", w->sel->form->form->name);
    TD_BITS_EACH(e, &s->left_out) {
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

/* The formula's name, and the corrections that the metrics given lack. */
static int name_formula(struct work *w)
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

/* Of a faulty table the text is there. */
static int failed(struct td_forms *f, int err)
{
    if (err == -ENOMEM)
        snprintf(f->why, sizeof(f->why), "out of memory");
    return err;
}

int td_solve(struct td_forms *forms, const struct td_counts *k, const struct td_solve_ask *ask, struct td_result *out)
{
    struct td_solving *s = &forms->solving;
    struct work w = {.s = s, .counts = k, .ask = ask, .out = out};
    int err = follow(forms, k, ask);

    err = err ? err : make_room(forms, out);
    if (err)
        return failed(forms, err);
    w.sel = s->selection;
    w.p = w.sel->form->p;
    out->uarch = forms->uarch;
    out->counts = k;
    out->ncorrections = 0;
    out->coverage = NAN;
    list_metrics(&w);
    set_result_flags(&w);
    if (w.sel->inputs)
        load_inputs(&w);
    find_blocked(&w);
    for (size_t i = 0; i < s->choice.nsolutions && !err; i++)
        err = solve_one(&w, i);
    if (err)
        return failed(forms, err);
    if (w.sel->form->sum < 0)
        td_level_sum_check(out, SUM_ABSURD);
    for (size_t i = 0; i < out->nmetrics; i++)
        out->flags |= out->metrics[i].flags;
    set_coverage(&w);
    return failed(forms, name_formula(&w));
}
