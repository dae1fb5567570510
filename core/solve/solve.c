/* SPDX-License-Identifier: MIT */
/* From counts to metrics: values, bounds, and reasons for what is absent. */
#include "core/verdict/level_sum.h"
#include "core/bounds/written_back.h"
#include "util/room.h"
#include "core/solve/work.h"

#include <math.h>
#include <stdio.h>

/* Counts whose four level-1 counts sum to more than this factor above or below the slots
 * are not of one CPU: healthy sums were seen from 0.79 to 1.25. Nor does
 * anything follow from a sum that is 0 or less, except for rounding. */
#define SUM_ABSURD 2.0
#define SUM_NOTHING 1e-9

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

/* Chooses the same copies as for the interval before, if that had the same ones. */
static int follow(struct td_forms *f, const struct td_counts *k, const struct td_solve_ask *ask)
{
    struct td_solving *s = &f->solving;
    int err = 0;

    if (!td_layout_same(&s->layout, k)) {
        s->selection = NULL;
        err = td_layout_make(&s->layout, k, f->uarch);
        err = err ? err : td_lint_arrange(&s->lint, f->uarch, &s->layout);
    }
    if (err)
        return err;
    if (!s->selection || s->selection->level != ask->level || s->selection->names != ask->names ||
        s->fixed != ask->fixed || s->hints != ask->hints)
        return choose(f, k, ask);
    err = td_choice_follow(&s->choice, s->selection, &s->layout, k, ask->hints);
    if (err)
        s->selection = NULL;
    return err;
}

static int make_room(struct td_forms *f, struct td_result *out)
{
    struct td_solving *s = &f->solving;
    const struct td_program *p = s->selection->form->p;
    const size_t words = td_bits_words(f->uarch->nevents);
    int err = td_room(&s->words, &s->words_room, words * (TD_WORK_SETS + 2 * s->choice.nsolutions), sizeof(*s->words));

    err = err ? err : td_room(&s->cells, &s->cells_room, td_program_cells(p), sizeof(*s->cells));
    err = err ? err : td_room(&s->copy, &s->copies_room, f->uarch->nevents, sizeof(*s->copy));
    err = err ? err : td_room(&s->coverage, &s->coverage_room, s->selection->n, sizeof(*s->coverage));
    err =
        err ? err : td_room(&s->corrections, &s->corrections_room, s->selection->corrections, sizeof(*s->corrections));
    err = err ? err : td_text_buffer_reserve(&s->formula, s->selection->text);
    err = err ? err : td_result_reserve(out, s->selection->n);
    if (!err && s->selection->corrections) /* here, so that solving allocates nothing once it has begun */
        err = td_lacking_reserve(s);
    if (err)
        return err;
    if (s->prepared != s->selection)
        td_program_prepare(p, s->cells);
    s->prepared = s->selection;
    s->blocked = td_work_set(s, words, TD_WORK_BLOCKED);
    s->left_out = td_work_set(s, words, TD_WORK_LEFT_OUT);
    s->named = td_work_set(s, words, TD_WORK_NAMED);
    s->used = td_work_set(s, words, TD_WORK_USED);
    s->assumed = td_work_set(s, words, TD_WORK_ASSUMED);
    s->sampled = td_work_set(s, words, TD_WORK_SAMPLED);
    s->means = td_work_set(s, words, TD_WORK_MEANS);
    return 0;
}

/* ---- its definitions ---------------------------------------------------------------- */

/* Whether the slots and the four fields of a sum are of the same intervals: only then can they be compared. */
static bool slots_beside_sum(const struct td_work *w, const struct td_solution *s)
{
    const struct td_bits *slots = td_program_needs(w->p, (size_t)w->sel->form->slots),
                         *sum = td_program_needs(w->p, (size_t)w->sel->form->sum);
    const struct td_count *first = NULL;

    if (!w->out->summary) /* td_count.which tells them apart in sums only */
        return true;
    for (size_t i = 0; i < s->nuses; i++) {
        const struct td_use *u = &w->s->choice.use[s->uses + i];
        const struct td_count *c =
            td_bits_has(slots, u->event) || td_bits_has(sum, u->event) ? td_work_copy(w, u) : NULL;

        if (c && first && c->which != first->which)
            return false;
        first = c ? c : first;
    }
    return true;
}

/* Slots per category are divided by their sum, not by slots; but the two must
 * agree to within what the 8 bits allow, which is err of the counts. */
static void check_slots(struct td_work *w, const struct td_solution *s)
{
    const struct td_val *slots = td_work_value(w, w->sel->form->slots), *sum = td_work_value(w, w->sel->form->sum);
    double off, err;

    w->sum_off = w->sum_absurd = w->sum_apart = false;
    w->off = HUGE_VAL; /* as long as the sum has not been compared with the slots */
    w->no_slots = (slots && slots->r.value == 0) || (sum && sum->r.value == 0);
    if (!slots || !sum || w->no_slots)
        return;
    off = fabs(sum->r.value - slots->r.value);
    w->off = td_likely_sum_off(sum->r.value, slots->r.value);
    err = sum->r.high - sum->r.value;
    w->sum_absurd = sum->r.value <= SUM_NOTHING * err;
    w->sum_apart = !slots_beside_sum(w, s);
    if (w->rest >= 0) /* with what is left of the slots it is never off */
        w->off = TD_LIKELY_REST_OFF;
    if (w->sum_apart)
        return;
    w->sum_off = w->rest < 0 && off > err;
    w->sum_absurd = sum->r.low > SUM_ABSURD * slots->r.value || sum->r.high * SUM_ABSURD < slots->r.value ||
                    sum->r.value <= SUM_NOTHING * err;
}

static void evaluate(struct td_work *w, const struct td_solution *s, double error)
{
    const size_t done = w->s->settled == w->s->choice.made ? s->steady : 0;

    td_load_counts(w, s, error);
    td_program_run(w->p, &w->s->choice.run[s->run + done], s->nrun - done, w->s->cells);
    w->s->evaluated += s->nrun - done;
}

/* error: in slots, of each field. The sum of the fields may be off by as much as that explains. */
static void widen(struct td_work *w, const struct td_solution *s, double error)
{
    const struct td_val *slots = td_work_value(w, w->sel->form->slots), *sum = td_work_value(w, w->sel->form->sum);
    double off;

    if (!slots || !sum || w->sum_absurd)
        return;
    off = fabs(sum->r.value - slots->r.value);
    evaluate(w, s, error);
    if (w->sum_apart)
        return;
    w->sum_off = w->rest < 0 && off > sum->r.high - sum->r.value;
    if (!w->sum_off)
        evaluate(w, s, td_restored_cover(error, sum->r.value, slots->r.value));
}

/* Whether a share of the solution is beyond what any can be. */
static bool beyond(const struct td_work *w, const struct td_solution *s)
{
    for (size_t m = 0; m < s->nmetrics; m++) {
        const struct td_asked *a = td_work_asked(w, s, m);
        const struct td_val *v = &w->s->cells[a->cell];

        if (a->of_slots && v->state <= TD_VAL_OMITTED && !(v->r.value >= -TD_SLACK && v->r.value <= 1 + TD_SLACK))
            return true;
    }
    return false;
}

/* One thread's part of a core: its sibling is taken to have run all the time, unless the counts show that it did not.
 */
static void evaluate_part(struct td_work *w, const struct td_solution *s)
{
    w->alone = false;
    evaluate(w, s, 0);
    w->alone = td_load_shares_core(w) && beyond(w, s);
    if (w->alone)
        evaluate(w, s, 0);
}

/* The result has the slots of the first solution that knows them. */
static void keep_slots(struct td_work *w)
{
    const struct td_val *slots = isnan(w->out->slots) ? td_work_slots(w) : NULL;

    if (slots)
        w->out->slots = slots->r.value;
}

/* The same with what the kernel's restores of the metrics register may have added. */
static void evaluate_restored(struct td_work *w, const struct td_solution *s)
{
    double error = 0;

    w->restored = TD_LIKELY_NO_SWITCHES;
    if (w->ask->taken && !w->sel->form->fields)
        w->restored = TD_LIKELY_GIVEN;
    else if (w->ask->taken)
        w->restored = td_restored_error(&w->s->choice.use[s->uses], s->nuses, w->counts, w->out->uarch,
                                        w->ask->switched, w->ask->taken, &error);
    evaluate_part(w, s);
    check_slots(w, s);
    keep_slots(w);
    if (w->restored == TD_LIKELY_GIVEN && error > 0)
        widen(w, s, error);
}

/* The slots that can pass in the time that a CPU was measured, over those that did. */
static double busiest(const struct td_work *w, const struct td_solution *s)
{
    const struct td_use *use = &w->s->choice.use[s->uses];
    const struct td_val *slots = td_work_value(w, w->sel->form->slots);
    const bool halved = w->sel->form->form->flags & TD_FORM_CORE_CLOCK; /* between two siblings */

    for (size_t i = 0; i < s->nuses && slots && slots->r.value > 0; i++) {
        const struct td_count *c = td_work_copy(w, &use[i]);

        if (c && c->status == TD_OK && c->enabled > 0)
            return TD_FASTEST * w->out->uarch->width * td_taken_times(w->ask->taken, c).enabled / slots->r.value /
                   (halved ? 2 : 1);
    }
    return (double)NAN;
}

/* Room for what is seen of each solution. */
static int make_seen(struct td_solving *s)
{
    int err = td_room(&s->seen, &s->seen_room, s->choice.nsolutions, sizeof(*s->seen));

    for (; !err && s->nseen < s->choice.nsolutions; s->nseen++)
        s->seen[s->nseen] = (struct td_seen){0};
    return err;
}

static int find_groups(struct td_work *w, const struct td_solution *s)
{
    int err = td_room(&w->s->metric_cell, &w->s->metric_cells_room, s->nmetrics, sizeof(*w->s->metric_cell));

    err = err ? err
              : td_room(&w->s->metric_limited, &w->s->metrics_limited_room, s->nmetrics, sizeof(*w->s->metric_limited));
    for (size_t m = 0; m < s->nmetrics && !err; m++) {
        const struct td_asked *a = td_work_asked(w, s, m);

        w->s->metric_cell[m] = a->cell;
        w->s->metric_limited[m] = isfinite(td_fill_most(a->node));
    }
    w->look.metric = w->s->metric_cell;
    w->look.limited = w->s->metric_limited;
    return err ? err : td_seen_find(w->seen, &w->look);
}

/* Which groups the solution at hand takes its counts from, and what likely bounds need of them. */
static int look_at_groups(struct td_work *w, const struct td_solution *s, size_t i)
{
    int err = make_seen(w->s);

    if (err)
        return err;
    w->seen = &w->s->seen[i];
    w->look = (struct td_seen_solution){
        .use = &w->s->choice.use[s->uses],
        .nuses = s->nuses,
        .counts = w->counts,
        .made = w->s->choice.made,
        .omitted = &w->omitted,
        .program = w->p,
        .run = &w->s->choice.run[s->run],
        .nrun = s->nrun,
        .cells = w->s->cells,
        .nmetrics = s->nmetrics,
        .likely = w->ask->taken && w->partly && !w->no_slots, /* what was counted all the time has sound bounds */
    };
    if (!td_seen_stands(w->seen, &w->look))
        err = find_groups(w, s);
    if (err || !w->look.likely)
        return err;
    td_seen_times(w->seen, &w->look, w->ask->taken, busiest(w, s));
    td_seen_try(w->seen, &w->look);
    return 0;
}

/* What metrics are likely to be with the scales that hold with SMT, by which the cells are: the errors of counts that
 * did not see all are scaled as they are. */
static int look_at_scaled(struct td_work *w, const struct td_solution *s, size_t i)
{
    int err = look_at_groups(w, s, i);

    for (size_t m = 0; m < s->nmetrics && !err && w->look.likely; m++) {
        const struct td_asked *a = td_work_asked(w, s, m);
        const struct td_val *v = &w->s->cells[a->cell];
        struct td_range r = v->r;

        if (v->state > TD_VAL_OMITTED ||
            td_seen_bounds(w->seen, m, td_fill_most(a->node), NULL, 0, &r) != TD_LIKELY_GIVEN)
            continue;
        w->s->siblings[m].likely_low = r.low;
        w->s->siblings[m].likely_high = r.high;
    }
    return err;
}

static int solve_one(struct td_work *w, size_t i)
{
    const struct td_solution *s = td_work_take(w, i);
    bool partial;
    int err;

    evaluate_restored(w, s);
    w->out->sum_near = w->out->sum_near && (!w->sum_off || isfinite(w->off));
    partial = !w->complete || w->ask->coverage_unknown;
    td_lacking_find(w, s);
    err = td_siblings_try(w, s);
    if (!err && td_siblings_scale(w, s)) {
        err = partial ? look_at_scaled(w, s, i) : 0;
        td_siblings_unscale(w, s);
    }
    if (!err)
        td_lacking_try(w, s);
    if (!err && partial)
        err = look_at_groups(w, s, i);
    for (size_t m = 0; m < s->nmetrics && !err; m++)
        td_fill_metric(w, w->s->choice.metric[s->metrics + m], m);
    return err;
}

/* ---- the result as a whole ------------------------------------------------------------ */

static void list_metrics(struct td_work *w)
{
    struct td_result *out = w->out;

    out->nmetrics = w->sel->n;
    out->family = w->sel->family;
    for (size_t i = 0; i < w->sel->n; i++) {
        out->metrics[i] = w->sel->blank[i];
        out->nodes[i] = w->sel->asked[i].node;
        out->per_cpu[i] = w->sel->asked[i].per_cpu;
        out->lacks[i] = 0;
        if (w->sel->asked[i].def < 0)
            out->metrics[i].status = w->sel->asked[i].undefined;
    }
}

static void set_result_flags(struct td_work *w)
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
    out->common = out->flags;
}

/* The least of all metrics; those that use no count have none. */
static void set_coverage(struct td_work *w)
{
    struct td_result *out = w->out;

    for (size_t i = 0; i < w->sel->n && !w->ask->coverage_unknown; i++)
        if (w->sel->asked[i].def >= 0 && (isnan(out->coverage) || w->s->coverage[i] < out->coverage))
            out->coverage = w->s->coverage[i];
}

/* For a faulty table the text is there already. */
static int failed(struct td_forms *f, int err)
{
    if (err == -ENOMEM)
        snprintf(f->why, sizeof(f->why), "out of memory");
    return err;
}

/* Looks for counts that cannot be: what rests on them will be absent, or has no bounds. */
static int lint(struct td_work *w)
{
    struct td_lint *l = &w->s->lint;
    const struct td_lint_ask ask = {
        .smt_off = w->ask->smt_off,
        .scale_assumed = w->ask->scale_assumed,
        .switched = w->ask->switched,
        .coverage_unknown = w->ask->coverage_unknown,
        .cpus = w->ask->one_cpu ? 1 : w->ask->cpus,
        .pieces_unknown = w->ask->in_pieces,
        .taken = w->ask->taken,
    };
    int err = td_lint_run(l, w->counts, &ask);

    w->out->ncontradictions = l->nbroken;
    w->out->contradictions = l->texts;
    w->out->too_wide = false;
    for (size_t i = 0; i < l->nbroken; i++)
        w->out->too_wide = w->out->too_wide || (l->broken[i].sure && l->broken[i].code->relation->widths);
    w->out->common |= (l->width ? TD_FLAG_OTHER_WIDTH : 0u) | (l->shared ? TD_FLAG_SMT_UNKNOWN : 0u);
    w->out->flags |= w->out->common;
    return err;
}

int td_solve(struct td_forms *forms, const struct td_counts *k, const struct td_solve_ask *ask, struct td_result *out)
{
    struct td_solving *s = &forms->solving;
    struct td_work w = {.s = s, .counts = k, .ask = ask, .out = out, .wasted = NAN};
    int err = follow(forms, k, ask);

    err = err ? err : make_room(forms, out);
    if (err)
        return failed(forms, err);
    w.sel = s->selection;
    w.p = w.sel->form->p;
    out->uarch = forms->uarch;
    out->counts = k;
    out->modes = s->layout.modes;
    out->ncorrections = 0;
    out->smt_unknown = ask->smt_askable && !ask->smt_on && !ask->smt_off;
    out->sum_near = w.sel->form->sum >= 0;
    memset(out->latency, 0, sizeof(out->latency));
    out->coverage = out->slots = NAN;
    list_metrics(&w);
    set_result_flags(&w);
    if (w.sel->inputs)
        td_load_inputs(&w);
    td_load_blocked(&w);
    err = lint(&w);
    for (size_t i = 0; i < s->choice.nsolutions && !err; i++)
        err = solve_one(&w, i);
    if (err)
        return failed(forms, err);
    s->settled = s->choice.made;
    if (w.sel->form->sum < 0)
        td_level_sum_check(out, SUM_ABSURD);
    for (size_t i = 0; i < out->nmetrics; i++)
        out->flags |= out->metrics[i].flags;
    out->judged = NULL;
    if (w.sel->judge)
        td_judge_run(w.sel->judge, out);
    set_coverage(&w);
    return failed(forms, td_lacking_name(&w));
}
