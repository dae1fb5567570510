/* SPDX-License-Identifier: MIT */
/* Room in the engine: 300 metrics on 6 levels over 200 events in 28 groups, 500 copies,
 * compared with an evaluation that follows the text of solve.h and formula.h one metric at a
 * time: without sets of bits, compiled formulas, or anything kept. */
#include "core/solve/solve.h"
#include "tests/support/synthetic.h"
#include "tests/support/unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NONE = -1, ROWS = 40 };

/* ---- the events of a metric ------------------------------------------------------- */

struct takes {
    bool needs[SYNTHETIC_EVENTS], corrections[SYNTHETIC_EVENTS], same_time[SYNTHETIC_EVENTS];
};

static void gather(const struct synthetic *s, const struct synthetic_term *t, struct takes *out)
{
    switch (t->kind) {
    case SYNTHETIC_EVENT: out->needs[t->index] = true; break;
    case SYNTHETIC_SAME_TIME:
        out->same_time[t->index] = true;
        out->corrections[t->index] = true;
        break;
    case SYNTHETIC_CORRECTION: out->corrections[t->index] = true; break;
    case SYNTHETIC_METRIC: gather(s, s->formula[t->index], out); break;
    default:
        for (size_t i = 0; i < 4 && t->arg[i]; i++)
            gather(s, t->arg[i], out);
    }
}

/* ---- choosing copies ------------------------------------------------------------------- */

static bool counted_in(const struct td_counts *k, unsigned group, unsigned event)
{
    for (size_t i = 0; i < k->n; i++)
        if (k->c[i].group == group && k->c[i].event == event && k->c[i].status == TD_OK)
            return true;
    return false;
}

static unsigned events_in(const struct td_counts *k, unsigned group)
{
    bool has[SYNTHETIC_EVENTS] = {false};
    unsigned n = 0;

    for (size_t i = 0; i < k->n; i++)
        if (k->c[i].group == group)
            has[k->c[i].event] = true;
    for (size_t e = 0; e < SYNTHETIC_EVENTS; e++)
        n += has[e];
    return n;
}

static int times[1 << 16]; /* of the counts at hand, by group: time_of() */
static bool wholes[SYNTHETIC_EVENTS]; /* the same, by event */

/* 2: counted all the time; 1: in every second turn; 0: less, as all are if any two counts of a group differ. */
static int time_of(const struct td_counts *k, unsigned group)
{
    int own = 0, before = -1;
    unsigned last = 0;

    for (size_t i = 0; i < k->n; i++) {
        const struct td_count *c = &k->c[i];
        const double share = c->enabled > 0 ? c->running / c->enabled : 1;
        const int this = share >= 0.999 ? 2 : share >= 0.4 ? 1 : 0;

        if (c->status != TD_OK)
            continue;
        if (before >= 0 && c->group == last && this != before)
            return 0;
        own = c->group == group ? this : own;
        last = c->group;
        before = this;
    }
    return own;
}

/* Whether an event was counted all the time while some group was not. */
static bool whole(const struct td_counts *k, unsigned event)
{
    bool any = false, turns = false;

    for (size_t i = 0; i < k->n; i++) {
        any = any || (k->c[i].event == event && k->c[i].status == TD_OK && times[k->c[i].group] == 2);
        turns = turns || times[k->c[i].group] < 2;
    }
    return any && turns;
}

static void find_times(const struct td_counts *k)
{
    for (size_t i = 0; i < k->n; i++)
        if (!i || k->c[i].group != k->c[i - 1].group)
            times[k->c[i].group] = time_of(k, k->c[i].group);
    for (unsigned e = 0; e < SYNTHETIC_EVENTS; e++)
        wholes[e] = whole(k, e);
}

/* How many of the events a group counted; without those counted all the time, unless these are all. */
static unsigned count_in(const struct td_counts *k, unsigned group, const bool *set)
{
    unsigned n = 0;
    bool all = true;

    for (unsigned e = 0; e < SYNTHETIC_EVENTS; e++)
        all = all && (!set[e] || wholes[e]);
    for (unsigned e = 0; e < SYNTHETIC_EVENTS; e++)
        n += set[e] && (all || !wholes[e]) && counted_in(k, group, e);
    return n;
}

/* The group with most of the needed events, then of the corrections, then counted longest, then the smallest, then that
 * of the least number. */
static unsigned group_for(const struct td_counts *k, const struct takes *t)
{
    unsigned best = 0, most[2] = {0}, least = 0;
    int longest = 0;

    for (size_t i = 0; i < k->n; i++) {
        const unsigned group = k->c[i].group;
        unsigned has[2] = {0}, size;
        bool better;

        if (i && k->c[i - 1].group == group)
            continue;
        size = events_in(k, group);
        has[0] = count_in(k, group, t->needs);
        has[1] = count_in(k, group, t->corrections);
        better = has[0] != most[0]         ? has[0] > most[0]
                 : has[1] != most[1]       ? has[1] > most[1]
                 : times[group] != longest ? times[group] > longest
                 : size != least           ? size < least
                                           : group < best;
        if (best && !better)
            continue;
        best = group;
        most[0] = has[0];
        most[1] = has[1];
        least = size;
        longest = times[group];
    }
    return best;
}

/* The best copy: preferably counted, then in the group, then all the time, then by the event's own name, then of the
 * group of the least number; of equal ones the first. */
static int copy_of(const struct td_counts *k, unsigned group, unsigned event)
{
    int best = NONE;
    int most = -1;

    for (size_t i = 0; i < k->n; i++) {
        const struct td_count *c = &k->c[i];
        const int rank = 8 * (c->status == TD_OK) + 4 * (c->group == group) + 2 * (times[c->group] == 2) + !c->generic;

        if (c->event == event && (rank > most || (rank == most && c->group < k->c[best].group))) {
            best = (int)i;
            most = rank;
        }
    }
    return best;
}

static bool all_the_time(const struct td_count *c)
{
    return c->running >= c->enabled;
}

static bool at_the_same_time(const struct td_count *a, const struct td_count *b)
{
    return a->group == b->group || (all_the_time(a) && all_the_time(b));
}

/* ---- values ----------------------------------------------------------------------------- */

/* A number, or the status of the first event without one. */
struct answer {
    double number;
    bool omitted;
    enum td_status status;
    int event;
};

struct naive {
    const struct synthetic *s;
    const struct td_counts *k;
    struct takes takes[SYNTHETIC_METRICS];
    unsigned group[SYNTHETIC_METRICS];
    bool blocked[SYNTHETIC_EVENTS]; /* corrections (~) whose events were counted at another time, in any metric */
    /* for the current metric: */
    size_t metric;
    bool omitted[SYNTHETIC_EVENTS];
};

static struct answer evaluate(struct naive *n, const struct synthetic_term *t);

static struct answer number(double value)
{
    return (struct answer){.number = value, .event = NONE};
}

static struct answer event_value(const struct naive *n, unsigned event)
{
    const int copy = copy_of(n->k, n->group[n->metric], event);

    if (copy == NONE)
        return (struct answer){.status = TD_MISSING_EVENT, .event = (int)event};
    return (struct answer){.number = n->k->c[copy].value, .status = n->k->c[copy].status, .event = (int)event};
}

static struct answer correction_value(struct naive *n, unsigned event)
{
    struct answer a = event_value(n, event);

    if (a.status == TD_OK && !n->blocked[event])
        return a;
    n->omitted[event] = true;
    return (struct answer){.omitted = true, .event = (int)event};
}

static bool bad(const struct answer *a)
{
    return a->status != TD_OK;
}

static struct answer quotient(double a, double b)
{
    return b == 0 ? (struct answer){.status = TD_ZERO_DIVISOR, .event = NONE} : number(a / b);
}

/* Computes from two numbers. */
static struct answer calculate(enum synthetic_kind kind, double a, double b)
{
    switch (kind) {
    case SYNTHETIC_ADD: return number(a + b);
    case SYNTHETIC_SUB: return number(a - b);
    case SYNTHETIC_MUL: return number(a * b);
    case SYNTHETIC_DIV: return quotient(a, b);
    case SYNTHETIC_MIN: return number(fmin(a, b));
    default: return quotient(a, a + b); /* share */
    }
}

static struct answer two(struct naive *n, const struct synthetic_term *t)
{
    const bool sum = t->kind == SYNTHETIC_ADD || t->kind == SYNTHETIC_SUB;
    struct answer a = evaluate(n, t->arg[0]), b = evaluate(n, t->arg[1]);

    if (sum && b.omitted)
        return a;
    if (!sum && (a.omitted || b.omitted)) /* synthetic formulas only have them in products */
        return (struct answer){.omitted = true, .event = NONE};
    if (a.omitted)
        a = number(0);
    return bad(&a) ? a : bad(&b) ? b : calculate(t->kind, a.number, b.number);
}

static struct answer either(struct naive *n, const struct synthetic_term *t)
{
    const struct answer a = evaluate(n, t->arg[0]), b = evaluate(n, t->arg[1]);
    const bool never = a.status == TD_NOT_COUNTED || a.status == TD_NOT_SUPPORTED;

    return a.status == TD_MISSING_EVENT || (never && b.status == TD_OK) ? b : a;
}

static struct answer when(struct naive *n, const struct synthetic_term *t)
{
    const struct answer a = evaluate(n, t->arg[0]), b = evaluate(n, t->arg[1]);

    if (bad(&a) || bad(&b))
        return bad(&a) ? a : b;
    return evaluate(n, t->arg[a.number > b.number ? 2 : 3]);
}

static struct answer evaluate(struct naive *n, const struct synthetic_term *t)
{
    struct answer a;

    switch (t->kind) {
    case SYNTHETIC_NUMBER: return number(t->number);
    case SYNTHETIC_EVENT: return event_value(n, t->index);
    case SYNTHETIC_CORRECTION:
    case SYNTHETIC_SAME_TIME: return correction_value(n, t->index);
    case SYNTHETIC_METRIC: return evaluate(n, n->s->formula[t->index]);
    case SYNTHETIC_MAX0:
        a = evaluate(n, t->arg[0]);
        a.number = a.number > 0 ? a.number : 0;
        return a;
    case SYNTHETIC_EITHER: return either(n, t);
    case SYNTHETIC_WHEN: return when(n, t);
    default: return two(n, t);
    }
}

/* ---- all metrics for an interval ------------------------------------------------------- */

static void block(struct naive *n, size_t metric)
{
    const struct takes *t = &n->takes[metric];

    for (unsigned c = 0; c < SYNTHETIC_EVENTS; c++)
        for (unsigned e = 0; e < SYNTHETIC_EVENTS && t->same_time[c]; e++) {
            const int correction = copy_of(n->k, n->group[metric], c),
                      event = t->needs[e] ? copy_of(n->k, n->group[metric], e) : NONE;

            if (event != NONE && (correction == NONE || !at_the_same_time(&n->k->c[correction], &n->k->c[event])))
                n->blocked[c] = true;
        }
}

/* A correction is included in all metrics that are asked for, or in none. */
static void naive_begin(struct naive *n, const struct synthetic *s, int level)
{
    *n = (struct naive){.s = s, .k = &s->counts};
    find_times(n->k);
    for (size_t m = 0; m < SYNTHETIC_METRICS; m++) {
        gather(s, s->formula[m], &n->takes[m]);
        n->group[m] = group_for(n->k, &n->takes[m]);
    }
    for (size_t m = 0; m < SYNTHETIC_METRICS; m++)
        if (s->node[m].level <= level)
            block(n, m);
}

/* The smallest share of the time for which anything used was counted. */
static double coverage(const struct naive *n)
{
    const struct takes *t = &n->takes[n->metric];
    double least = NAN;

    for (unsigned e = 0; e < SYNTHETIC_EVENTS; e++) {
        const int copy = t->needs[e] || t->corrections[e] ? copy_of(n->k, n->group[n->metric], e) : NONE;

        if (copy == NONE || n->k->c[copy].status != TD_OK || (n->omitted[e] && !t->needs[e]))
            continue;
        least = fmin(least, n->k->c[copy].running / n->k->c[copy].enabled);
    }
    return least;
}

static bool near(double a, double b)
{
    return (isnan(a) && isnan(b)) || fabs(a - b) <= 1e-12 * fmax(1, fabs(b));
}

static bool lacks(const struct td_result *r, const struct td_metric *m, const char *event)
{
    for (unsigned i = 0; i < r->ncorrections && i < 32; i++)
        if (m->corrections >> i & 1 && !strcmp(r->corrections[i], event))
            return true;
    return false;
}

/* The engine reports for a metric what the evaluation gives. */
static bool agrees(struct naive *n, const struct td_result *r, const struct td_metric *m)
{
    struct answer a;
    bool good, any = false;

    memset(n->omitted, 0, sizeof(n->omitted));
    for (unsigned e = 0; e < SYNTHETIC_EVENTS; e++)
        if (n->takes[n->metric].corrections[e])
            correction_value(n, e);
    a = evaluate(n, n->s->formula[n->metric]);
    if (a.status != TD_OK)
        return m->status == a.status &&
               (a.event < 0 ? !m->event : m->event && !strcmp(m->event, n->s->event[a.event].name));
    if (!strcmp(m->unit, "slots") && (a.number < -0.05 || a.number > 1.05))
        return m->status == TD_IMPOSSIBLE && near(m->raw, a.number);
    good = m->status == TD_OK && near(m->value, a.number);
    for (unsigned e = 0; e < SYNTHETIC_EVENTS && good; e++) {
        const bool left_out = n->takes[n->metric].corrections[e] && n->omitted[e];

        any = any || left_out;
        good = lacks(r, m, n->s->event[e].name) == left_out;
    }
    return good && any == !!(m->flags & TD_FLAG_CORRECTION_MISSING) &&
           (coverage(n) < 1) == !!(m->flags & TD_FLAG_MULTIPLEXED);
}

static size_t seen[TD_NOT_IN_THIS_FORMULA + 1]; /* answers, by status */

static void compare(const struct synthetic *s, const struct td_result *r, int level)
{
    static struct naive n;
    size_t at = 0, wrong = 0;
    double least = NAN;

    naive_begin(&n, s, level);
    for (n.metric = 0; n.metric < SYNTHETIC_METRICS; n.metric++) {
        if (s->node[n.metric].level > level)
            continue;
        CU_ASSERT_FATAL(at < r->nmetrics && !strcmp(r->metrics[at].name, s->node[n.metric].name));
        if (!agrees(&n, r, &r->metrics[at]) && !wrong++)
            printf("\n    %s differs", s->node[n.metric].name);
        least = fmin(least, coverage(&n));
        seen[r->metrics[at++].status]++;
    }
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT_EQUAL(at, r->nmetrics);
    CU_ASSERT_TRUE(near(r->coverage, least));
}

static void solve(struct td_forms *forms, const struct synthetic *s, int level, struct td_result *r)
{
    const struct td_solve_ask ask = {.level = level, .smt_off = true, .whole_core = true};

    CU_ASSERT_EQUAL_FATAL(td_solve(forms, &s->counts, &ask, r), 0);
    compare(s, r, level);
}

/* The sizes that the numbers are about: a smaller row would prove nothing. */
static void is_large(const struct synthetic *s)
{
    bool event[SYNTHETIC_EVENTS] = {false}, level[TD_LEVELS + 1] = {false};
    size_t events = 0, levels = 0;

    for (size_t i = 0; i < s->counts.n; i++)
        event[s->counts.c[i].event] = true;
    for (size_t m = 0; m < SYNTHETIC_METRICS; m++)
        level[s->node[m].level] = true;
    for (size_t e = 0; e < SYNTHETIC_EVENTS; e++)
        events += event[e];
    for (size_t l = TD_LEVEL_TOP; l <= TD_LEVELS; l++)
        levels += level[l];
    CU_ASSERT_EQUAL(s->counts.n, 500);
    CU_ASSERT_EQUAL(s->counts.c[s->counts.n - 1].group, 28);
    CU_ASSERT_EQUAL(events, 200);
    CU_ASSERT_EQUAL(levels, 6);
    CU_ASSERT_EQUAL(s->tree.n, 300);
}

static void shuffle(struct synthetic *s)
{
    for (size_t i = s->counts.n; i > 1; i--) {
        const size_t j = unit_random_below(&s->random, i);
        const struct td_count c = s->counts.c[i - 1];

        s->counts.c[i - 1] = s->counts.c[j];
        s->counts.c[j] = c;
    }
}

/* Answers of every kind were compared, and most of them were numbers. */
static void check_kinds(void)
{
    static const enum td_status kinds[] = {TD_MISSING_EVENT, TD_NOT_COUNTED,  TD_NOT_SUPPORTED,
                                           TD_COUNTER_RESET, TD_ZERO_DIVISOR, TD_IMPOSSIBLE};
    size_t others = 0;

    for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
        CU_ASSERT_TRUE(seen[kinds[i]] > 0);
        others += seen[kinds[i]];
    }
    CU_ASSERT_TRUE(seen[TD_OK] > others);
}

/* Intervals with one layout, with others, the first again, and the same in another order:
 * what is kept from one to the next must not matter. */
static void large_row(void)
{
    const unsigned long rows = unit_long_rounds(ROWS);
    static struct td_result r;

    for (unsigned long seed = 1; seed <= rows; seed++) {
        struct synthetic *s = synthetic_new(seed);
        struct td_forms *forms;

        CU_ASSERT_FATAL(s && !td_forms_new(&s->uarch, &forms));
        for (int i = 0; i < 6; i++) {
            CU_ASSERT_EQUAL_FATAL(synthetic_count(s, i % 3 < 2), 0);
            if (!i)
                is_large(s);
            solve(forms, s, TD_LEVELS, &r);
        }
        for (int level = TD_LEVEL_TOP; level < TD_LEVELS; level++)
            solve(forms, s, level, &r);
        td_forms_free(forms);
        synthetic_free(s);
    }
    td_result_free(&r);
    if (rows > 1)
        check_kinds();
}

/* The same events in other copies. */
static void other_order(void)
{
    struct synthetic *s = synthetic_new(99);
    static struct td_result r;
    struct td_forms *forms;

    CU_ASSERT_FATAL(s && !td_forms_new(&s->uarch, &forms));
    for (int i = 0; i < 4; i++) {
        CU_ASSERT_EQUAL_FATAL(synthetic_count(s, true), 0);
        solve(forms, s, TD_LEVELS, &r);
        shuffle(s);
        solve(forms, s, TD_LEVELS, &r);
    }
    td_forms_free(forms);
    synthetic_free(s);
    td_result_free(&r);
}

/* ---- what is kept between intervals -------------------------------------------------- */

static bool same_metric(const struct td_metric *m, const struct td_metric *o)
{
    return m->status == o->status && m->flags == o->flags && m->corrections == o->corrections && m->event == o->event &&
           near(m->value, o->value) && near(m->raw, o->raw) && near(m->low, o->low) && near(m->high, o->high);
}

static bool same_result(const struct td_result *a, const struct td_result *b)
{
    bool same = a->nmetrics == b->nmetrics && a->flags == b->flags && near(a->coverage, b->coverage) &&
                !strcmp(a->formula, b->formula);

    for (size_t i = 0; i < a->nmetrics && same; i++)
        same = same_metric(&a->metrics[i], &b->metrics[i]);
    return same;
}

static struct td_count *any_count(struct synthetic *s)
{
    return &s->counts.c[unit_random_below(&s->random, s->counts.n)];
}

enum { CHANGES = 10 };

/* Changes one of the things that decide which copies are used. */
static void change(struct synthetic *s, struct td_hints *hints)
{
    struct td_count *c = any_count(s);

    switch (unit_random_below(&s->random, CHANGES)) {
    case 0: c->value += 1000; break;
    case 1: c->running = c->enabled * unit_random_ratio(&s->random); break;
    case 2: c->running = any_count(s)->running; break;
    case 3: c->status = c->status == TD_OK ? TD_NOT_COUNTED : TD_OK; break;
    case 4: c->generic = !c->generic; break;
    case 5:
        c->printed = td_hints_one(hints, td_hint_published((unsigned)unit_random_below(&s->random, SYNTHETIC_METRICS)));
        break;
    case 6: c->modes = !c->modes; break;
    case 7: c->group = any_count(s)->group; break;
    case 8: c->event = any_count(s)->event; break;
    default: s->counts.n--;
    }
}

/* Metrics printed next to counts, and groups that were counted part of the time. */
static void begin_lines(struct synthetic *s, struct td_hints *hints)
{
    CU_ASSERT_EQUAL_FATAL(synthetic_count(s, false), 0);
    for (unsigned m = 0; m < SYNTHETIC_METRICS; m += 2)
        any_count(s)->printed = td_hints_one(hints, td_hint_published(m));
}

/* Solving with what the previous interval left must equal solving for the first time. */
static void kept(void)
{
    const unsigned long rounds = unit_long_rounds(4000);
    static struct td_result r, fresh_result;
    struct synthetic *s = synthetic_new(7);
    struct td_hints hints = {.nsets = 0};
    struct td_forms *forms;
    size_t wrong = 0;

    CU_ASSERT_FATAL(s && !td_forms_new(&s->uarch, &forms));
    for (unsigned long i = 0; i < rounds; i++) {
        struct td_solve_ask ask = {.level = TD_LEVELS, .smt_off = true, .whole_core = true, .hints = &hints};
        struct td_forms *fresh;

        if (i % 100 == 0)
            begin_lines(s, &hints);
        change(s, &hints);
        if (i % 7 == 0)
            ask.level = TD_LEVEL_TOP + (int)unit_random_below(&s->random, TD_LEVELS);
        if (i % 11 == 0)
            ask.hints = NULL;
        CU_ASSERT_FATAL(!td_forms_new(&s->uarch, &fresh));
        CU_ASSERT_FATAL(!td_solve(forms, &s->counts, &ask, &r) && !td_solve(fresh, &s->counts, &ask, &fresh_result));
        wrong += !same_result(&r, &fresh_result);
        td_forms_free(fresh);
    }
    CU_ASSERT_EQUAL(wrong, 0);
    td_forms_free(forms);
    synthetic_free(s);
    td_hints_free(&hints);
    td_result_free(&r);
    td_result_free(&fresh_result);
}

static const CU_TestInfo tests[] = {
    {"300 metrics, 200 events, 500 copies", large_row},
    {"in another order", other_order},
    {"what is kept", kept},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("room", tests);
