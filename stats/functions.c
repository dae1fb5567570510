/* SPDX-License-Identifier: MIT */
#include "stats/functions.h"

#include "private/result.h"
#include "stats/place_bounds.h"
#include "stats/series.h"
#include "util/words.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A kind of core: its metrics are those of its formula. */
struct td_functions_core {
    const char *name; /* NULL: there is only one kind */
    struct td_metric *metric; /* names and the like, without values */
    double *value; /* by metric: an interval's values */
    struct td_delta last; /* the one that was taken last */
    struct td_deltas deltas;
    struct td_function *function; /* in the order of the places of deltas */
    size_t functions, room;
    struct td_estimates *none; /* of places without any pure interval */
    struct td_estimates_store estimates;
    double slots; /* those of all kinds together */
};

/* ---- texts ------------------------------------------------------------------------- */

/* A copy of a text, one for all equal texts, of which there are few. NULL: text is NULL, or memory is out. */
static const char *keep(struct td_functions *f, const char *text)
{
    char **grown, *copy;

    for (size_t i = 0; text && i < f->texts; i++)
        if (!strcmp(f->text[i], text))
            return f->text[i];
    if (!text)
        return NULL;
    copy = strdup(text);
    grown = copy ? realloc(f->text, (f->texts + 1) * sizeof(*grown)) : NULL;
    if (!grown) {
        free(copy);
        return NULL;
    }
    f->text = grown;
    return f->text[f->texts++] = copy;
}

static bool keep_all(struct td_functions *f, struct td_metric *m)
{
    const struct td_metric was = *m;

    m->name = keep(f, m->name);
    m->parent = keep(f, m->parent);
    m->unit = keep(f, m->unit);
    m->event = keep(f, m->event);
    m->why = keep(f, m->why);
    return m->name && m->parent && m->unit && (!was.event || m->event) && (!was.why || m->why);
}

/* ---- kinds of cores ------------------------------------------------------------------ */

/* false: out of memory. */
static bool set_metrics(struct td_functions *f, struct td_functions_core *c, const struct td_result *r)
{
    const size_t n = td_result_metrics(r);

    c->metric = calloc(n + 1, sizeof(*c->metric));
    c->value = calloc(n + 1, sizeof(*c->value));
    if (!c->metric || !c->value || (td_result_core(r) && !c->name))
        return false;
    c->deltas.metrics = n;
    for (size_t i = 0; i < n; i++) {
        const struct td_metric *m = td_result_metric(r, i);

        c->metric[i] = (struct td_metric){.name = m->name,
                                          .parent = m->parent,
                                          .unit = m->unit,
                                          .level = m->level,
                                          .kind = m->kind,
                                          .status = TD_NOT_COUNTED,
                                          .value = (double)NAN,
                                          .low = (double)NAN,
                                          .high = (double)NAN};
        if (!keep_all(f, &c->metric[i]))
            return false;
    }
    return true;
}

/* The result's kind of core, which is added if it is new; NULL: out of memory. */
static struct td_functions_core *core_of(struct td_functions *f, const struct td_result *r)
{
    struct td_functions_core *grown;

    for (size_t i = 0; i < f->cores; i++)
        if (td_same_text(f->core[i].name, td_result_core(r)))
            return &f->core[i];
    grown = realloc(f->core, (f->cores + 1) * sizeof(*grown));
    if (!grown)
        return NULL;
    f->core = grown;
    grown[f->cores] = (struct td_functions_core){.name = keep(f, td_result_core(r))};
    return set_metrics(f, &grown[f->cores++], r) ? &grown[f->cores - 1] : NULL;
}

/* The i-th of the kind's metrics in a result, which is mostly at the same place, as formulas give their metrics in one
 * order. NULL: the result lacks it. */
static const struct td_metric *metric_of(const struct td_functions_core *c, const struct td_result *r, size_t i)
{
    const size_t n = td_result_metrics(r);

    if (i < n && !strcmp(td_result_metric(r, i)->name, c->metric[i].name))
        return td_result_metric(r, i);
    for (size_t k = 0; k < n; k++)
        if (!strcmp(td_result_metric(r, k)->name, c->metric[i].name))
            return td_result_metric(r, k);
    return NULL;
}

/* ---- intervals ------------------------------------------------------------------------ */

/* What an interval weighs: its slots, where they are known. */
static double weight_of(const struct td_result *r, double *seconds)
{
    double total[TD_TOTALS];

    td_totals_of(r, total);
    *seconds = total[TD_TOTAL_TIME];
    for (enum td_total i = TD_TOTAL_SLOTS; i < TD_TOTALS; i++)
        if (!isnan(total[i]))
            return total[i];
    return 1;
}

/* What new places are called. */
static int name_places(struct td_functions_core *c)
{
    if (c->room != c->deltas.room) {
        struct td_function *grown = realloc(c->function, c->deltas.room * sizeof(*grown));

        if (!grown)
            return -ENOMEM;
        c->function = grown;
        c->room = c->deltas.room;
    }
    for (; c->functions < c->deltas.n; c->functions++)
        c->function[c->functions] = (struct td_function){.name = c->deltas.place[c->functions].place};
    return 0;
}

static const struct td_delta_place *place_of(const struct td_function *f)
{
    return &f->of->of->deltas.place[f - f->of->of->function];
}

static int begin(struct td_functions *f, const struct td_result *r)
{
    f->cpu = keep(f, td_result_cpu(r));
    f->formula = keep(f, td_result_formula(r));
    f->kind = keep(f, td_result_scope_kind(r));
    return f->cpu && f->formula && f->kind ? 0 : -ENOMEM;
}

/* Most places are of one kind. */
static const char *kind_of_place(struct td_functions *f, const struct td_result *r)
{
    return strcmp(f->kind, td_result_scope_kind(r)) ? keep(f, td_result_scope_kind(r)) : f->kind;
}

/* Which kind of delta an interval is: where samples come in pairs, one between two pairs only has weight. */
static enum td_delta_kind kind_of(const struct td_result *r)
{
    static const enum td_delta_kind kinds[] = {[TD_PAIR_NONE] = TD_DELTA_PLAIN,
                                               [TD_PAIR_SHORT] = TD_DELTA_SHORT,
                                               [TD_PAIR_REST] = TD_DELTA_REST,
                                               [TD_PAIR_FAR] = TD_DELTA_REST};

    return kinds[td_result_pair(r)];
}

/* A task was not switched out between two samples if it was on its CPU all the time, but for what two clocks differ. A
 * wait does not say how many switches it was: up to 10,000 a second; without times, one. Each restores what was counted
 * until then, cut off at a field's unit: half of the whole on average, and one switch may have come at the end. */
static double restored(const struct td_result *r)
{
    static const double differ = 500 /* ns */, drift = 5e-4 /* the most that CLOCK_MONOTONIC is slewed */,
                        often = 1e5 /* ns */;
    uint64_t waited, duration;
    double most;

    if (!td_result_waited(r, &waited) || !td_result_duration(r, &duration))
        return 1;
    most = (double)waited <= differ + drift * (double)duration ? 0 : 1 + (double)duration / often;
    return (most + sqrt(most)) / 2;
}

/* Sets the weight and values of a delta, which are the same for all functions of a sample's chain. */
static void weigh(struct td_functions_core *c, const struct td_result *r, struct td_delta *d)
{
    const struct td_delta *last = &c->last;

    d->value = c->value;
    if (d->nth > 1 && last->nth + 1 == d->nth && last->course == d->course) {
        d->weight = last->weight;
        d->seconds = last->seconds;
        d->restored = last->restored;
        return;
    }
    d->weight = weight_of(r, &d->seconds);
    d->restored = restored(r);
    for (size_t i = 0; i < c->deltas.metrics; i++) {
        const struct td_metric *m = metric_of(c, r, i);

        c->value[i] = m && m->status == TD_OK ? m->value : (double)NAN;
    }
}

/* Takes what the first interval that ends at a place has of it, which all others have too. */
static int describe(struct td_functions *f, struct td_function *to, const struct td_result *r)
{
    if (to->kind)
        return 0;
    to->dso = td_result_dso(r);
    to->symbols = td_result_symbols(r);
    to->code = td_result_code(r);
    to->kind = kind_of_place(f, r);
    return to->kind ? 0 : -ENOMEM;
}

int td_functions_add(struct td_functions *f, const struct td_result *r)
{
    struct td_functions_core *c = core_of(f, r);
    struct td_delta d = {.kind = kind_of(r),
                         .began = td_result_began(r),
                         .place = td_result_scope(r),
                         .nth = (unsigned)(td_result_depth(r) + 1)};
    int err = !c ? -ENOMEM : f->cpu ? 0 : begin(f, r);

    if (err)
        return err;
    d.course = td_result_course(r, &d.own, &d.back);
    weigh(c, r, &d);
    c->last = d;
    if (d.kind == TD_DELTA_SHORT && d.nth <= 1)
        td_distances_add(&f->distances, td_result_distance(r));
    if (d.nth <= 1) {
        f->left[td_result_start(r)].n++;
        f->left[td_result_start(r)].slots += d.weight;
    }
    err = td_deltas_add(&c->deltas, &d);
    err = err ? err : name_places(c);
    return err || !c->deltas.last ? err : describe(f, &c->function[c->deltas.last - 1], r);
}

/* ---- sums ------------------------------------------------------------------------------- */

/* The index of a metric among the kind's, around i; the number of these where there is no such metric. */
static size_t index_of(const struct td_functions_core *c, const struct td_metric *m, size_t i)
{
    if (i < c->deltas.metrics && !strcmp(c->metric[i].name, m->name))
        return i;
    for (i = 0; i < c->deltas.metrics && strcmp(c->metric[i].name, m->name);)
        i++;
    return i;
}

/* Widens bounds by the slots of the interrupt's handler, which are counted between the samples of a pair and can be of
 * any node. At most they are taken to be those of 8 readings of metrics, of 500 cycles each, with 6 slots a cycle. */
static void widen_by_handler(const struct td_delta_place *p, struct td_whole *w)
{
    static const double most = 24000;
    const struct td_pure_deltas *pure = &td_stays_of(p)->pure;
    const double part = most * (double)pure->n / pure->slots; /* infinite where no slots are known */

    if (!w->share || part >= 1) {
        w->low = w->high = (double)NAN;
        return;
    }
    w->low = fmax(fmin(0, w->low), (w->low - part) / (1 - part));
    w->high = fmin(fmax(1, w->high), w->high / (1 - part));
}

/* What the counts of a metric leave open: a task's register is written back each time that the task is switched in, and
 * its fields have 8 bits. */
static struct td_whole whole_of(const struct td_delta_place *p, const struct td_metric *m)
{
    const struct td_pure_deltas *pure = &td_stays_of(p)->pure;
    const double fields = (1 + pure->restored / pure->slots) / 255; /* without slots there are no bounds at all */

    struct td_whole w = {.value = m->value, .low = m->low, .high = m->high, .share = m->kind == TD_METRIC_NODE};

    w.apart = m->flags & TD_FLAG_SPLIT_GROUPS && !(m->flags & TD_FLAG_MULTIPLEXED);
    if (!w.apart && m->bounds == TD_BOUNDS_NONE && m->flags & TD_FLAG_SWITCHES_UNKNOWN && w.share) {
        /* no share is outside of 0..1, unless its formula says so */
        w.low = fmax(m->value - fields, fmin(0, m->value));
        w.high = fmin(m->value + fields, fmax(1, m->value));
    }
    return w;
}

static int widen(struct td_functions *f, const struct td_functions_core *c, const struct td_delta_place *p,
                 const struct td_smear *smear, size_t at, struct td_metric *m)
{
    struct td_whole whole = whole_of(p, m);
    int err;

    if (m->status != TD_OK)
        return 0;
    if (f->handler && c->deltas.pairs)
        widen_by_handler(p, &whole);
    m->low = m->high = (double)NAN;
    err = at < c->deltas.metrics
              ? td_place_bounds(&c->deltas, p, at, smear, &whole, f->confidence, f->chance, &m->low, &m->high)
              : 0;
    m->bounds = isnan(m->low) || isnan(m->high) ? TD_BOUNDS_NONE : TD_BOUNDS_LIKELY;
    return err;
}

/* Whether the result has the metrics of the kind, in their order. */
static bool has_same_metrics(const struct td_functions_core *c, const struct td_result *r)
{
    bool same = td_result_metrics(r) == c->deltas.metrics;

    for (size_t i = 0; same && i < c->deltas.metrics; i++)
        same = !strcmp(c->metric[i].name, td_result_metric(r, i)->name);
    return same;
}

static int take_all(const struct td_functions_core *c, const struct td_delta_place *p, const struct td_result *r,
                    struct td_estimates *to)
{
    struct td_weighed *all = calloc(to->metrics + 1, sizeof(*all));

    to->all = all;
    for (size_t i = 0; all && i < to->metrics; i++) {
        const size_t at = index_of(c, td_result_metric(r, i), i);

        if (at < c->deltas.metrics)
            all[i] = td_deltas_all(&c->deltas, p, at);
    }
    return all ? 0 : -ENOMEM;
}

static int take_metrics(struct td_functions *f, struct td_functions_core *c, const struct td_delta_place *p,
                        const struct td_smear *smear, const struct td_result *r, struct td_estimates *to)
{
    const size_t n = td_result_metrics(r);
    struct td_metric *metric = calloc(n + 1, sizeof(*metric));
    int err = metric ? 0 : -ENOMEM;

    to->core = c->name;
    for (size_t i = 0; !err && i < n; i++) {
        struct td_metric *m = &metric[i];

        *m = *td_result_metric(r, i);
        if (!keep_all(f, m))
            err = -ENOMEM;
        else if (smear->status == TD_PLACE_OK)
            err = widen(f, c, p, smear, index_of(c, m, i), m);
        else
            td_estimate_take_away(m);
    }
    err = err ? err : td_estimates_set(&c->estimates, to, metric, n);
    if (!err && smear->status == TD_PLACE_OK)
        err = td_estimates_judge(to, r, metric);
    free(metric);
    return err || has_same_metrics(c, r) ? err : take_all(c, p, r, to);
}

static bool is_instruction(const struct td_function *f)
{
    return f->kind && !strcmp(f->kind, "instruction");
}

/* To be called before the first sum: gets random numbers, unless resampling would take longer than reading the file
 * did. */
static int begin_sums(struct td_functions *f)
{
    static const size_t most = 200000;
    size_t points = 0;

    if (f->summed || !td_chance_available())
        return 0;
    for (size_t i = 0; i < f->cores; i++)
        for (size_t k = 0; k < f->core[i].deltas.n; k++) {
            const size_t chunks = td_stays_of(&f->core[i].deltas.place[k])->pure.chunks;

            points += is_instruction(&f->core[i].function[k]) ? 0 : chunks * f->core[i].deltas.metrics;
        }
    f->summed = true;
    if (points > most)
        return 0;
    f->chance = td_chance_new(f->seed);
    return f->chance ? 0 : -ENOMEM;
}

/* No instruction lasts from one sample to the next: what lies between two samples at one instruction is the loop around
 * it. */
static struct td_smear smear_of(const struct td_functions_core *c, const struct td_function *f)
{
    struct td_smear out;

    td_smear_of(&c->deltas, &c->deltas.place[f - c->function], &out);
    if (is_instruction(f)) {
        out.status = TD_PLACE_SMEARED;
        out.rate = (double)NAN;
        out.needed = 0;
    }
    return out;
}

int td_functions_whole(struct td_functions *f, const struct td_result *r)
{
    struct td_functions_core *c = core_of(f, r);
    const struct td_delta_place *p = c ? td_deltas_find(&c->deltas, td_result_scope(r)) : NULL;
    struct td_function *function = p ? &c->function[p - c->deltas.place] : NULL;
    struct td_estimates *to;
    struct td_smear smear;
    int err = 0;

    if (!c || begin_sums(f))
        return -ENOMEM;
    if (!p || function->of)
        return 0;
    smear = smear_of(c, function);
    function->of = smear.status == TD_PLACE_OK ? NULL : td_estimates_alike(&c->estimates, r);
    if (!function->of) {
        function->of = to =
            td_estimates_new(&c->estimates, td_result_flags(r), smear.status != TD_PLACE_OK && has_same_metrics(c, r));
        err = to ? take_metrics(f, c, p, &smear, r, to) : -ENOMEM;
    }
    td_deltas_drop_chunks(&c->deltas, p); /* what they say is in the bounds */
    return err;
}

/* ---- the whole -------------------------------------------------------------------------- */

/* The best that is known of a node: the estimate, else the mean of all intervals that end there. */
static double seen(const struct td_function *f, size_t i)
{
    return f->of->metric[i]->status == TD_OK ? f->of->metric[i]->value : td_function_naive(f, i);
}

static bool is_loss(const struct td_metric *m)
{
    return m->kind == TD_METRIC_NODE && m->level == TD_LEVEL_TOP && strcmp(m->name, "retiring") != 0;
}

/* Finds the node of level 1 that the verdict names, or else the one that takes most slots besides those that retire. */
static void find_limit(struct td_function *f)
{
    const struct td_verdict *v = f->of->verdict;
    const struct td_metric *named = v->npath ? v->path[0] : v->namong ? v->among[0] : NULL;
    const struct td_metric *const *m = f->of->metric;
    double most = 0;

    for (size_t i = 0; i < f->of->metrics; i++)
        if (is_loss(m[i]) && (named ? named == m[i] : seen(f, i) > most)) {
            f->limit = m[i];
            most = seen(f, i);
        }
    f->weight = td_function_share(f) * most;
}

static void complete(struct td_functions_core *c, size_t i)
{
    struct td_function *to = &c->function[i];

    if (to->of)
        ((struct td_estimates *)(uintptr_t)to->of)->of = c;
    else
        to->of = c->none;
    to->status = smear_of(c, to).status;
    to->slots = c->deltas.place[i].slots;
    to->intervals = c->deltas.place[i].intervals;
    find_limit(to);
}

static int complete_all(struct td_functions *f, struct td_functions_core *c)
{
    c->slots = f->slots;
    c->none = td_estimates_new(&c->estimates, 0, false);
    if (!c->none || td_estimates_set(&c->estimates, c->none, c->metric, c->deltas.metrics))
        return -ENOMEM;
    c->none->core = c->name;
    c->none->of = c;
    td_deltas_end(&c->deltas);
    for (size_t i = 0; i < c->functions; i++) {
        complete(c, i);
        if (c->function[i].slots > 0)
            f->function[f->n++] = &c->function[i];
    }
    return 0;
}

static void add_up(struct td_functions *f)
{
    size_t places = 0;

    for (size_t i = 0; i < f->cores; i++) {
        f->intervals += f->core[i].deltas.intervals;
        f->slots += f->core[i].deltas.slots;
        f->seconds += f->core[i].deltas.seconds;
        f->turns = f->turns || f->core[i].deltas.turns;
        places += f->core[i].deltas.n;
    }
    f->function = calloc(places + 1, sizeof(*f->function));
}

int td_functions_finish(struct td_functions *f)
{
    add_up(f);
    if (!f->function)
        return -ENOMEM;
    for (size_t i = 0; i < f->cores; i++)
        if (complete_all(f, &f->core[i]))
            return -ENOMEM;
    return td_functions_sort(f, TD_FUNCTIONS_BY_LOST);
}

/* ---- what is known --------------------------------------------------------------------------- */

double td_function_share(const struct td_function *f)
{
    return f->slots / f->of->of->slots;
}

double td_function_lost(const struct td_function *f)
{
    return f->limit && f->limit->status == TD_OK ? f->weight : (double)NAN;
}

uint64_t td_function_pure(const struct td_function *f)
{
    return td_stays_of(place_of(f))->pure.n;
}

struct td_smear td_function_smear(const struct td_function *f)
{
    return smear_of(f->of->of, f);
}

struct td_weighed td_function_all(const struct td_function *f, size_t metric)
{
    return f->of->all ? f->of->all[metric] : td_deltas_all(&f->of->of->deltas, place_of(f), metric);
}

static void fetch(const void *from, size_t size)
{
    enum { LINE = 64 }; /* bytes; of a CPU with longer ones, some are asked for twice */

    for (size_t at = 0; at < size; at += LINE)
        __builtin_prefetch((const void *)((uintptr_t)from + at)); /* past its end, perhaps: that is no access */
}

/* What td_function_all() will read. */
static void fetch_sums(const struct td_function *f)
{
    const struct td_deltas *d = &f->of->of->deltas;
    const size_t at = (size_t)(f - f->of->of->function);

    if (f->of->all) {
        fetch(f->of->all, f->of->metrics * sizeof(*f->of->all));
        return;
    }
    fetch(&d->place[at], sizeof(*d->place));
    fetch(&d->sum[at * d->columns_room], d->columns * sizeof(*d->sum));
}

void td_functions_fetch(const struct td_functions *f, size_t i)
{
    enum { SOON = 8, NAME = 128 /* bytes: most of a name */ };
    const struct td_function *next;

    if (i + 2 * SOON >= f->n)
        return;
    fetch(f->function[i + 2 * SOON], sizeof(*f->function[i]));
    next = f->function[i + SOON]; /* it was fetched by an earlier call */
    fetch(next->name, NAME);
    fetch_sums(next);
}

double td_function_naive(const struct td_function *f, size_t metric)
{
    const struct td_weighed all = td_function_all(f, metric);

    return td_weighed_mean(&all);
}

bool td_function_estimated(const struct td_function *f)
{
    for (size_t i = f->of->metrics; f->status == TD_PLACE_OK && i-- > 0;)
        if (f->of->metric[i]->status == TD_OK)
            return true;
    return false;
}

bool td_functions_estimated(const struct td_functions *f)
{
    for (size_t i = 0; i < f->n; i++)
        if (td_function_estimated(f->function[i]))
            return true;
    return false;
}

static void free_core(struct td_functions_core *c)
{
    td_estimates_free(&c->estimates);
    free(c->function);
    free(c->metric);
    free(c->value);
    td_deltas_free(&c->deltas);
}

void td_functions_free(struct td_functions *f)
{
    for (size_t i = 0; i < f->cores; i++)
        free_core(&f->core[i]);
    for (size_t i = 0; i < f->texts; i++)
        free(f->text[i]);
    free(f->core);
    free(f->text);
    free(f->function);
    td_chance_free(f->chance);
    *f = (struct td_functions){.n = 0};
}
