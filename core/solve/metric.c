/* SPDX-License-Identifier: MIT */
/* A metric from its definition's value: status, flags, bounds and their kind. */
#include "core/solve/work.h"

#include <math.h>
#include <string.h>

static void set_absent(const struct td_work *w, struct td_metric *m, int def, const struct td_val *v)
{
    static const enum td_status statuses[] = {
        [TD_VAL_MISSING] = TD_MISSING_EVENT,       [TD_VAL_NOT_COUNTED] = TD_NOT_COUNTED,
        [TD_VAL_NOT_SUPPORTED] = TD_NOT_SUPPORTED, [TD_VAL_RESET] = TD_COUNTER_RESET,
        [TD_VAL_ZERO_DIV] = TD_ZERO_DIVISOR,       [TD_VAL_WRONG_FORMULA] = TD_PUBLISHED_FORMULA_WRONG,
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
static void find_used(struct td_work *w, const struct td_asked *a)
{
    const struct td_need *need = &w->sel->need[a->need];

    for (size_t i = 0; i < w->s->used.words; i++)
        w->s->used.word[i] = (need->needs->word[i] | need->corrections->word[i]) & ~w->omitted.word[i];
}

/* The least running / enabled of the used events that were counted; NAN: there are none. */
static double coverage_of(const struct td_work *w, const struct td_asked *a, size_t metric)
{
    if (!w->complete || w->ask->coverage_unknown)
        return td_seen_coverage(w->seen, &w->look, metric);
    return a->needs_any || !td_bits_within(w->sel->need[a->need].corrections, &w->omitted) ? 1 : (double)NAN;
}

/* Whether the used events were counted at different times. */
static bool split(struct td_work *w, const struct td_asked *a, size_t metric)
{
    const struct td_count *first = NULL;

    if (!w->seen->metric[metric].uncounted)
        return w->seen->metric[metric].n > 1;
    find_used(w, a);
    TD_BITS_EACH(e, &w->s->used)
    {
        const struct td_count *c = w->s->copy[e];

        if (first && c && !td_copies_together(first, c))
            return true;
        first = first ? first : c;
    }
    return false;
}

/* The number of a table in the result, which lists it from now on. */
static unsigned number_of(struct td_result *r, const char *table)
{
    unsigned i = 0;

    while (i < TD_LATENCY_TABLES - 1 && r->latency[i] && strcmp(r->latency[i], table) != 0)
        i++;
    r->latency[i] = table;
    return i;
}

/* Whose means stand for latencies of the metric. */
static unsigned tables_of(const struct td_work *w, const struct td_asked *a)
{
    const struct td_bits *needs = w->sel->need[a->need].needs;
    unsigned tables = 0;

    TD_BITS_EACH(e, &w->s->assumed)
    {
        if (td_bits_has(needs, e))
            tables |= 1u << number_of(w->out, w->out->uarch->events[e].latency_table);
    }
    return tables;
}

/* The flags of a metric, from the copies of events that it used. */
static unsigned copy_flags(struct td_work *w, const struct td_asked *a, size_t metric, double coverage)
{
    unsigned flags = 0;

    if (w->omits && td_bits_meet(&w->omitted, w->sel->need[a->need].corrections))
        flags |= TD_FLAG_CORRECTION_MISSING;
    if (w->assumes && td_bits_meet(&w->s->assumed, w->sel->need[a->need].needs))
        flags |= TD_FLAG_LATENCY_ASSUMED;
    if (w->samples && td_bits_meet(&w->s->means, w->sel->need[a->need].needs))
        flags |= TD_FLAG_NO_BOUNDS;
    if (a->of_fields && w->rest >= 0)
        flags |= TD_FLAG_REST_OF_SLOTS;
    if (a->of_fields)
        flags |= (w->ask->switched ? TD_FLAG_NO_BOUNDS : 0u) | (w->sum_off ? TD_FLAG_SUM_OFF : 0u);
    if (w->ask->coverage_unknown || coverage < 1)
        flags |= w->ask->coverage_unknown ? TD_FLAG_NO_BOUNDS : TD_FLAG_MULTIPLEXED;
    else if (w->complete || !w->out->summary) /* a sum may be of events that were counted one after the other */
        return flags;
    return flags | (split(w, a, metric) ? TD_FLAG_SPLIT_GROUPS : 0u);
}

/* ---- bounds ---- */

double td_fill_most(const struct td_node *n)
{
    return n->kind == TD_METRIC_NODE ? 1 : n->kind == TD_METRIC_BOTTLENECK ? 100 : HUGE_VAL;
}

/* The flag for the reason why there are no likely bounds. */
static unsigned flag_of(enum td_likely_why why)
{
    return why == TD_LIKELY_GIVEN ? 0u : (unsigned)TD_FLAG_FEW_WINDOWS << (why - TD_LIKELY_FEW_WINDOWS);
}

/* Of the used events: in how many intervals the one was counted that was counted in the fewest. */
static uint32_t fewest_intervals(struct td_work *w, const struct td_asked *a)
{
    uint32_t least = UINT32_MAX;

    find_used(w, a);
    TD_BITS_EACH(e, &w->s->used)
    {
        const struct td_count *c = w->s->copy[e];

        if (c && c->status == TD_OK && c->intervals < least)
            least = c->intervals;
    }
    return least == UINT32_MAX ? 0 : least;
}

static enum td_likely_why likely_apart(struct td_work *w, const struct td_asked *a, const double *parts,
                                       struct td_range *r)
{
    const struct td_likely_apart ask = {
        .value = r->value,
        .low = r->low,
        .high = r->high,
        .parts = parts,
        .nparts = td_seen_usable(parts, w->ask->taken->nparts),
        .times = fewest_intervals(w, a),
    };

    return td_likely_apart(&ask, &r->low, &r->high);
}

/* Whether how far the four counts of level 1 are off the slots bounds what each of them is off: where they are off, or
 * where the times that the kernel wrote the register back were too many, or not known, of counts that perf printed. */
static bool bounded_by_sum(const struct td_work *w, size_t i)
{
    const struct td_asked *a = &w->sel->asked[i];
    const bool printed = w->ask->taken && w->ask->taken->always;

    if (!a->of_fields || !a->of_slots || !isfinite(w->off) ||
        (w->ask->taken && w->ask->taken->switches > TD_LIKELY_SUM_SWITCHES) ||
        (w->restored == TD_LIKELY_MANY_SWITCHES && w->ask->switched && !printed))
        return false;
    return w->sum_off || (w->restored != TD_LIKELY_GIVEN && printed && !w->sum_apart);
}

/* For the metric-th of the solution's metrics, whose range would be r if all had been counted. */
static enum td_likely_why find_likely(struct td_work *w, size_t i, size_t metric, struct td_range *r)
{
    const struct td_asked *a = &w->sel->asked[i];
    const struct td_taken *t = w->ask->taken;
    const unsigned flags = w->out->metrics[i].flags;

    if (w->ask->coverage_unknown)
        return TD_LIKELY_NO_COVERAGE;
    if (a->of_fields && w->restored != TD_LIKELY_GIVEN && !bounded_by_sum(w, i))
        return w->restored;
    if (!(flags & (TD_FLAG_MULTIPLEXED | TD_FLAG_SPLIT_GROUPS)))
        return TD_LIKELY_GIVEN;
    /* counted in different intervals, and no rotation mixed them */
    if (w->out->summary && !(flags & TD_FLAG_MULTIPLEXED))
        return likely_apart(w, a, t->parts ? t->parts + i * t->nparts : NULL, r);
    return td_seen_bounds(w->seen, metric, td_fill_most(a->node), t->parts ? t->parts + i * t->nparts : NULL, t->nparts,
                          r);
}

/* No true share is below 0, or above 1; but the value itself may be, and estimates of cycles. */
static void put_bounds(struct td_metric *m, const struct td_range *r, const struct td_asked *a, enum td_bounds kind)
{
    const bool likely = kind == TD_BOUNDS_LIKELY, bottleneck = a->node->kind == TD_METRIC_BOTTLENECK;
    const double most = a->of_slots ? 1 : likely && bottleneck ? td_fill_most(a->node) : HUGE_VAL;

    m->low = td_least(likely && isfinite(td_fill_most(a->node)) ? td_most(r->low, 0) : r->low, m->value);
    m->high = td_most(td_least(r->high, most), m->value);
    m->bounds = kind;
}

/* With what it may be if sibling threads are otherwise than was assumed. */
static struct td_range with_siblings(const struct td_work *w, const struct td_metric *m, size_t metric,
                                     const struct td_range *r)
{
    const struct td_siblings *s = m->flags & TD_FLAG_SMT_UNKNOWN ? &w->s->siblings[metric] : NULL;

    return s ? (struct td_range){td_least(r->low, s->low), r->value, td_most(r->high, s->high)} : *r;
}

/* With what it is likely to be by other scales. */
static struct td_range with_scales(const struct td_work *w, const struct td_metric *m, size_t metric,
                                   const struct td_range *r)
{
    const struct td_siblings *s = m->flags & TD_FLAG_SMT_UNKNOWN ? &w->s->siblings[metric] : NULL;

    return s && m->flags & (TD_FLAG_MULTIPLEXED | TD_FLAG_SPLIT_GROUPS)
               ? (struct td_range){td_least(r->low, s->likely_low), r->value, td_most(r->high, s->likely_high)}
               : *r;
}

/* Whether one of these latencies is needed by the i-th metric asked for. */
static inline bool needs_latency(const struct td_work *w, size_t i, const struct td_bits *latencies)
{
    return w->samples && td_bits_meet(latencies, w->sel->need[w->sel->asked[i].need].needs);
}

/* No less than what the sum does not show. The two counts of a node of level 2, its own and its parent's, are each off
 * by as much. */
static double error_by_sum(const struct td_work *w, const struct td_metric *m)
{
    return (m->level > TD_LEVEL_TOP ? 2 : 1) *
           td_most(w->off, w->restored == TD_LIKELY_GIVEN ? TD_LIKELY_SUM_FINE : TD_LIKELY_SUM_LEAST);
}

/* Those bounds: beside what its range and the time that was not seen leave open. */
static enum td_likely_why likely_by_sum(struct td_work *w, size_t i, size_t metric, struct td_range *r)
{
    const struct td_metric *m = &w->out->metrics[i];
    const enum td_likely_why why = find_likely(w, i, metric, r);

    r->low -= error_by_sum(w, m);
    r->high += error_by_sum(w, m);
    return why;
}

/* Of the parts of a core only the nodes of level 1 are bounded by what its sibling may have counted: deeper ones use
 * other counts of whole cores too. */
static bool shared_unbounded(const struct td_work *w, size_t i)
{
    const struct td_metric *m = &w->out->metrics[i];

    return w->out->flags & TD_FLAG_ONE_SIBLING &&
           (!td_load_shares_core(w) || w->sel->asked[i].quantity || m->level > TD_LEVEL_TOP);
}

/* How far a term that was left out moves a bound: by any number, if there is no bound without it. */
static double moved(double without, double with)
{
    return isfinite(without) ? fabs(with - without) : HUGE_VAL;
}

/* A metric that lacks terms: with what it may be by them, as far as it can be at all. */
static struct td_range with_terms(struct td_work *w, size_t i, size_t metric, const struct td_range *r)
{
    const double most = td_fill_most(w->sel->asked[i].node), least = isfinite(most) ? 0 : -HUGE_VAL;
    const struct td_range *with = &w->s->lacking[metric];
    const double low = td_least(r->low, td_most(with->low, least)), high = td_most(r->high, td_least(with->high, most));

    w->out->lacks[i] = td_most(moved(r->low, low), moved(r->high, high));
    return (struct td_range){low, r->value, high};
}

static void set_bounds(struct td_work *w, size_t i, size_t metric, const struct td_range *given)
{
    struct td_metric *m = &w->out->metrics[i];
    const struct td_range whole = m->flags & TD_FLAG_CORRECTION_MISSING ? with_terms(w, i, metric, given) : *given;
    struct td_range r;
    const unsigned guessed =
        TD_FLAG_SMT_UNKNOWN | TD_FLAG_ONE_SIBLING | TD_FLAG_CORRECTION_MISSING | TD_FLAG_REST_OF_SLOTS;
    enum td_likely_why why;

    if (shared_unbounded(w, i) || m->flags & (TD_FLAG_LATENCY_ASSUMED | TD_FLAG_COUNTS_DOUBTFUL) ||
        needs_latency(w, i, &w->s->means) || (m->flags & TD_FLAG_SUM_OFF && !bounded_by_sum(w, i)))
        return;
    r = with_siblings(w, m, metric, &whole);
    if (!isfinite(r.low) || !isfinite(r.high)) {
        /* else smt_unknown says it */
        m->flags |= isfinite(whole.low) && isfinite(whole.high) ? 0 : TD_FLAG_NO_BOUNDS;
    } else if (!(m->flags & (TD_FLAG_MULTIPLEXED | TD_FLAG_SPLIT_GROUPS | TD_FLAG_NO_BOUNDS | TD_FLAG_SUM_OFF))) {
        put_bounds(m, &r, &w->sel->asked[i],
                   m->flags & guessed || needs_latency(w, i, &w->s->sampled) ? TD_BOUNDS_LIKELY : TD_BOUNDS_SOUND);
    } else if (w->ask->taken) {
        why = bounded_by_sum(w, i) ? likely_by_sum(w, i, metric, &r) : find_likely(w, i, metric, &r);
        m->flags |= flag_of(why);
        if (why != TD_LIKELY_GIVEN)
            return;
        r = with_scales(w, m, metric, &r);
        put_bounds(m, &r, &w->sel->asked[i], TD_BOUNDS_LIKELY);
        if (m->flags & (TD_FLAG_MULTIPLEXED | TD_FLAG_SPLIT_GROUPS) && w->ask->taken->interval_assumed)
            m->flags |= TD_FLAG_MUX_INTERVAL_ASSUMED;
    }
}

/* A number that is no share: there is nothing to judge it by. */
static void set_quantity(struct td_work *w, size_t i, size_t metric, const struct td_range *r)
{
    struct td_metric *m = &w->out->metrics[i];

    m->status = isfinite(r->value) ? TD_OK : TD_IMPOSSIBLE;
    m->value = isfinite(r->value) ? r->value : NAN;
    m->raw = isfinite(r->value) ? NAN : r->value;
    if (m->status == TD_OK)
        set_bounds(w, i, metric, r);
}

static void set_value(struct td_work *w, size_t i, size_t metric, const struct td_range *r)
{
    struct td_metric *m = &w->out->metrics[i];

    /* shares of cycles and stalls are estimates, which may exceed 1 */
    if (w->sum_absurd || !isfinite(r->value) ||
        (w->sel->asked[i].of_slots && !(r->value >= -TD_SLACK && r->value <= 1 + TD_SLACK))) {
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

/* The event of a metric whose count is the most doubtful, and how much it is; none is doubtful: TD_LINT_NONE. */
static enum td_lint_doubt most_doubtful(struct td_work *w, const struct td_asked *a, const struct td_count **which)
{
    enum td_lint_doubt worst = TD_LINT_NONE;

    find_used(w, a);
    TD_BITS_EACH(e, &w->s->used)
    {
        const struct td_count *c = w->s->copy[e];
        const enum td_lint_doubt doubt = c ? td_lint_doubt(&w->s->lint, (size_t)(c - w->counts->c)) : TD_LINT_NONE;

        *which = doubt > worst ? c : *which;
        worst = doubt > worst ? doubt : worst;
    }
    return worst;
}

/* The metric rests on a count that cannot be: there is no number. */
static void forbid(const struct td_work *w, struct td_metric *m, const struct td_count *wrong, double raw)
{
    m->status = w->no_slots ? TD_NO_SLOTS : TD_IMPOSSIBLE;
    m->raw = w->no_slots ? (double)NAN : raw;
    m->event = w->out->uarch->events[wrong->event].name;
    m->why = w->s->lint.why[wrong - w->counts->c];
}

static void set_counted(struct td_work *w, size_t i, size_t metric, const struct td_range *r)
{
    const struct td_asked *a = &w->sel->asked[i];
    struct td_metric *m = &w->out->metrics[i];
    const struct td_count *wrong = NULL;
    const enum td_lint_doubt doubt = w->s->lint.nbroken ? most_doubtful(w, a, &wrong) : TD_LINT_NONE;

    if (doubt > TD_LINT_LIKELY) {
        forbid(w, m, wrong, r->value);
        return;
    }
    m->flags = copy_flags(w, a, metric, w->s->coverage[i]) | (w->out->flags & TD_FLAG_ONE_SIBLING);
    m->flags |= doubt == TD_LINT_LIKELY ? TD_FLAG_COUNTS_DOUBTFUL : 0u;
    if (w->tries_siblings && w->s->siblings[metric].differs)
        m->flags |= TD_FLAG_SMT_UNKNOWN;
    if (a->part_of_core && td_load_one_sibling(w) && r->low < r->high)
        m->flags |= TD_FLAG_ONE_SIBLING;
    if (m->flags & TD_FLAG_LATENCY_ASSUMED)
        m->latencies = tables_of(w, a);
    if (a->quantity)
        set_quantity(w, i, metric, r);
    else
        set_value(w, i, metric, r);
}

void td_fill_metric(struct td_work *w, size_t i, size_t metric)
{
    const struct td_asked *a = &w->sel->asked[i];
    const struct td_val *v = &w->s->cells[a->cell];
    struct td_metric *m = &w->out->metrics[i];
    const struct td_count *wrong = NULL;

    w->s->coverage[i] = coverage_of(w, a, metric);
    if (w->counts->status != TD_OK) { /* none of its counts means anything */
        m->status = w->counts->status;
    } else if (w->no_slots) {
        m->status = TD_NO_SLOTS;
        if (w->s->lint.nbroken && most_doubtful(w, a, &wrong) > TD_LINT_LIKELY)
            forbid(w, m, wrong, (double)NAN);
    } else if (v->state > TD_VAL_OMITTED) {
        set_absent(w, m, a->def, v);
    } else {
        set_counted(w, i, metric, &v->r);
    }
}
