/* SPDX-License-Identifier: MIT */
/* The rows of a comparison: which scopes and metrics the sides have in common, and what is known of each. */
#include "stats/comparison.h"

#include "stats/difference.h"
#include "util/room.h"
#include "util/words.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is needed while the rows are made. */
struct work {
    struct td_comparison *c;
    struct td_chance *chance;
    const struct td_side *a, *b;
    size_t side; /* the index of side b */
    size_t room, course_room, verdict_room;
};

/* ---- which scopes belong together ---------------------------------------------- */

static bool wanted(const struct work *w, const struct td_series_scope *s)
{
    return !w->c->set.kind || !strcmp(s->kind, w->c->set.kind);
}

/* Whether all wanted scopes of a run have one kind and name: then it may differ from the other side's. */
static bool only_one(const struct work *w, const struct td_series *run)
{
    const struct td_series_scope *first = NULL, *s;

    for (size_t i = 0; i < run->n; i++) {
        s = &run->scope[i];
        if (!wanted(w, s))
            continue;
        if (first && (strcmp(first->name, s->name) || strcmp(first->kind, s->kind)))
            return false;
        first = s;
    }
    return first;
}

static struct td_scope_id id_of(const struct td_series_scope *s)
{
    return (struct td_scope_id){.kind = s->kind, .name = s->name, .core = s->core, .length = strlen(s->name)};
}

/* The scope of a run that corresponds to another run's; NULL: it has none. any: whatever its kind and name, if the kind
 * of core is the same. */
static const struct td_series_scope *counterpart(const struct work *w, const struct td_series *run,
                                                 const struct td_series_scope *s, bool any)
{
    const struct td_scope_id id = id_of(s);
    const struct td_series_scope *same = td_series_find(run, &id);

    for (size_t i = 0; any && !same && i < run->n; i++)
        if (wanted(w, &run->scope[i]) && td_same_text(run->scope[i].core, s->core))
            same = &run->scope[i];
    return same;
}

/* A pair of scopes. */
struct scopes {
    const struct td_series_scope *a, *b;
    bool any;
    bool namesake; /* only its kind tells a from another scope of its side */
    double neighbours_a, neighbours_b; /* td_neighbours() on average over the nodes */
};

/* ---- what a side says of a metric ------------------------------------------------ */

/* One metric of a scope, from all runs of a side. */
struct picked {
    struct td_side_metric is;
    struct td_weighted *run; /* with several runs: what is.point points to, to be freed */
    const struct td_series_metric *first;
};

/* The metric of that name; NULL: there is none. It is mostly that of index near, as formulas give their metrics in one
 * order. */
static const struct td_series_metric *find_metric(const struct td_series_scope *s, const char *name, size_t near)
{
    if (near < s->n && !strcmp(s->metric[near].name, name))
        return &s->metric[near];
    for (size_t i = 0; i < s->n; i++)
        if (!strcmp(s->metric[i].name, name))
            return &s->metric[i];
    return NULL;
}

/* A single interval shows no scatter, which td_difference_of() knows. */
static void pick_series(const struct td_series_metric *m, struct picked *p)
{
    p->is.point = m->point;
    p->is.n = m->n;
    p->is.series = true;
    if (m->bounded == m->n)
        p->is.width = m->width / (double)m->n;
}

/* Picks a metric of one recording: its whole, and its intervals if there are several. */
static void pick_one(const struct td_series_metric *m, struct picked *p)
{
    p->is.value = m->value;
    p->is.low = m->low;
    p->is.high = m->high;
    p->is.bounds = m->bounds;
    if (m->bounds != TD_BOUNDS_NONE)
        p->is.width = (m->high - m->low) / 2;
    p->is.n = 1;
    if (m->n)
        pick_series(m, p);
}

static void pick_run(const struct td_series_metric *m, struct picked *p, double *widths)
{
    p->run[p->is.n++] = (struct td_weighted){m->value, 1};
    *widths += m->bounds == TD_BOUNDS_NONE ? (double)NAN : (m->high - m->low) / 2;
}

/* Picks a metric from the runs of a side; p->first is NULL if none has it. Where either side has several recordings,
 * each counts as one run, whatever its intervals. 0 or -ENOMEM. */
static int pick(const struct work *w, const struct td_side *side, const struct scopes *of, size_t metric,
                struct picked *p)
{
    const bool runs = w->a->n > 1 || w->b->n > 1;
    double widths = 0;

    *p = (struct picked){.is = {.value = (double)NAN, .low = (double)NAN, .high = (double)NAN, .width = (double)NAN}};
    p->run = calloc(side->n, sizeof(*p->run));
    if (!p->run)
        return -ENOMEM;
    p->is.point = p->run;
    for (size_t i = 0; i < side->n; i++) {
        const struct td_series_scope *in = counterpart(w, &side->run[i], of->a, of->any);
        const struct td_series_metric *m = in ? find_metric(in, of->a->metric[metric].name, metric) : NULL;

        if (!m || isnan(m->value))
            continue;
        p->first = p->first ? p->first : m;
        if (runs)
            pick_run(m, p, &widths);
        else
            pick_one(m, p);
    }
    if (runs && p->is.n)
        p->is.width = widths / (double)p->is.n;
    return 0;
}

/* ---- what a row is ----------------------------------------------------------------- */

/* More of a node is bad where its slots are lost, and good where they retire; kinds of retiring are neither. */
static enum td_direction direction_of(const struct td_series_scope *s, const struct td_series_metric *m)
{
    const char *root = m->name;

    if (!strcmp(m->name, "retiring") || !strcmp(m->name, TD_SERIES_IPC))
        return TD_DIRECTION_GOOD;
    if (m->kind != TD_METRIC_NODE)
        return TD_DIRECTION_UNCLEAR;
    for (int level = 0; m && *m->parent && level < TD_LEVELS; level++) {
        root = m->parent;
        m = find_metric(s, m->parent, 0);
    }
    return !strcmp(root, "bad_speculation") || !strcmp(root, "frontend_bound") || !strcmp(root, "backend_bound")
               ? TD_DIRECTION_BAD
               : TD_DIRECTION_UNCLEAR;
}

static struct td_difference *new_row(struct work *w)
{
    struct td_comparison *c = w->c;

    if (td_room(&c->row, &w->room, c->n + 1, sizeof(*c->row)))
        return NULL;
    c->row[c->n] = (struct td_difference){.a = {(double)NAN, (double)NAN, (double)NAN},
                                          .b = {(double)NAN, (double)NAN, (double)NAN},
                                          .diff = {(double)NAN, (double)NAN, (double)NAN},
                                          .saved = (double)NAN,
                                          .side = w->side};
    return &c->row[c->n++];
}

/* NAN: no node tells it. */
static double mean_neighbours(const struct td_series_scope *s)
{
    double sum = 0;
    size_t n = 0;

    for (size_t i = 0; i < s->n; i++) {
        const double one =
            s->metric[i].kind == TD_METRIC_NODE ? td_neighbours(s->metric[i].point, s->metric[i].n) : (double)NAN;

        if (isnan(one))
            continue;
        sum += one;
        n++;
    }
    return sum / (double)n;
}

static void name_row(struct td_difference *row, const struct scopes *of)
{
    row->scope = of->a->name;
    row->kind = of->a->kind;
    row->core = of->a->core;
    row->namesake = of->namesake;
    row->other = strcmp(of->a->name, of->b->name) ? of->b->name : NULL;
}

/* The mean over a side's runs; NAN: none has it. */
static double mean_total(const struct work *w, const struct td_side *side, const struct scopes *of, enum td_total total)
{
    double sum = 0;
    size_t n = 0;

    for (size_t i = 0; i < side->n; i++) {
        const struct td_series_scope *in = counterpart(w, &side->run[i], of->a, of->any);

        if (!in || isnan(in->total[total]))
            continue;
        sum += in->total[total];
        n++;
    }
    return sum / (double)n;
}

/* What the shares mean in slots. As many are not told from as many by the last digits of a product. */
static void weigh_row(const struct work *w, const struct scopes *of, struct td_difference *row)
{
    static const double rounding = 1e-12;
    const double slots_a = mean_total(w, w->a, of, TD_TOTAL_SLOTS), slots_b = mean_total(w, w->b, of, TD_TOTAL_SLOTS);

    if (row->share && !strcmp(row->unit, "slots"))
        row->saved = row->a.value * slots_a - row->b.value * slots_b;
    if (fabs(row->saved) < rounding * (slots_a + slots_b))
        row->saved = 0;
}

static int add_metric(struct work *w, const struct scopes *of, size_t metric)
{
    const struct td_series_metric *m = &of->a->metric[metric];
    const bool alike = td_same_text(of->a->formula, of->b->formula) && td_same_text(of->a->cpu, of->b->cpu);
    struct td_difference *row;
    struct picked a, b;
    int err = pick(w, w->a, of, metric, &a);

    err = pick(w, w->b, of, metric, &b) ? -ENOMEM : err;
    row = !err && a.first && b.first ? new_row(w) : NULL;
    a.is.neighbours = of->neighbours_a;
    b.is.neighbours = of->neighbours_b;
    if (row) {
        name_row(row, of);
        row->metric = m->name;
        row->parent = m->parent;
        row->unit = m->unit;
        row->level = m->level;
        row->share = m->kind == TD_METRIC_NODE;
        row->direction = direction_of(of->a, m);
        row->flagged = a.first->flags || b.first->flags;
        err = td_difference_of(&a.is, &b.is, alike, w->c->set.paired, w->chance, row);
        weigh_row(w, of, row);
    } else if (!err && a.first && b.first) {
        err = -ENOMEM;
    }
    free(a.run);
    free(b.run);
    return err;
}

/* ---- totals -------------------------------------------------------------------------- */

static int pick_totals(const struct work *w, const struct td_side *side, const struct scopes *of, enum td_total total,
                       struct td_side_metric *out)
{
    struct td_weighted *run = calloc(side->n, sizeof(*run));

    *out = (struct td_side_metric){.point = run,
                                   .value = mean_total(w, side, of, total),
                                   .low = (double)NAN,
                                   .high = (double)NAN,
                                   .width = (double)NAN};
    for (size_t i = 0; run && i < side->n; i++) {
        const struct td_series_scope *in = counterpart(w, &side->run[i], of->a, of->any);

        if (in && !isnan(in->total[total]))
            run[out->n++] = (struct td_weighted){in->total[total], 1};
    }
    return run ? 0 : -ENOMEM;
}

static int add_total(struct work *w, const struct scopes *of, enum td_total total)
{
    struct td_side_metric a, b;
    struct td_difference *row = NULL;
    int err = pick_totals(w, w->a, of, total, &a) | pick_totals(w, w->b, of, total, &b) ? -ENOMEM : 0;

    if (!err && a.n && b.n) {
        row = new_row(w);
        err = row ? 0 : -ENOMEM;
    }
    if (row) {
        name_row(row, of);
        row->metric = td_total_name(total);
        row->parent = "";
        row->unit = total == TD_TOTAL_TIME ? "s" : td_total_name(total);
        row->total = true;
        err = td_difference_of(&a, &b, true, w->c->set.paired, w->chance, row);
        row->unbounded = false; /* a count has no error of its own */
    }
    free((void *)a.point);
    free((void *)b.point);
    return err;
}

/* ---- how the series run ---------------------------------------------------------------- */

static int add_course(struct work *w, const struct td_course *course)
{
    struct td_comparison *c = w->c;

    if (td_room(&c->course, &w->course_room, c->courses + 1, sizeof(*c->course)))
        return -ENOMEM;
    c->course[c->courses++] = *course;
    return 0;
}

/* Adds the courses of level 1 only: what happens below shows there too. */
static int add_courses(struct work *w, size_t side, const struct td_side *of, const struct td_series_scope *s)
{
    for (size_t i = 0; of->n == 1 && i < s->n; i++) {
        const struct td_series_metric *m = &s->metric[i];
        struct td_course course = {.side = side, .scope = s->name, .core = s->core, .metric = m->name};
        int err;

        if (m->level != TD_LEVEL_TOP)
            continue;
        err = td_course_of(m->point, m->n, w->c->set.margin, w->chance, &course);
        if (!err && (course.trend || course.change))
            err = add_course(w, &course);
        if (err)
            return err;
    }
    return 0;
}

/* ---- verdicts --------------------------------------------------------------------------- */

/* The node that limits all runs of a side; NULL: it is not decided in one of them, or the runs differ. */
static const char *verdict_of(const struct work *w, const struct td_side *side, const struct scopes *of)
{
    const char *node = NULL;

    for (size_t i = 0; i < side->n; i++) {
        const struct td_series_scope *in = counterpart(w, &side->run[i], of->a, of->any);

        if (!in || !in->verdict || (node && strcmp(node, in->verdict)))
            return NULL;
        node = in->verdict;
    }
    return node;
}

/* Adds the verdicts of a scope, whose rows begin at index begin. */
static int add_verdict(struct work *w, const struct scopes *of, size_t begin)
{
    struct td_comparison *c = w->c;

    if (td_room(&c->verdict, &w->verdict_room, c->verdicts + 1, sizeof(*c->verdict)))
        return -ENOMEM;
    c->verdict[c->verdicts++] = (struct td_verdicts){w->side,
                                                     of->a->name,
                                                     of->a->core,
                                                     verdict_of(w, w->a, of),
                                                     verdict_of(w, w->b, of),
                                                     of->namesake ? of->a->kind : NULL,
                                                     begin,
                                                     c->n - begin};
    return 0;
}

/* ---- all of it --------------------------------------------------------------------------- */

static int add_scope(struct work *w, const struct scopes *of)
{
    const size_t begin = w->c->n;
    int err = 0;

    if (!td_same_text(of->a->cpu, of->b->cpu) && !w->c->cpu_a) {
        w->c->cpu_a = of->a->cpu;
        w->c->cpu_b = of->b->cpu;
    }
    for (enum td_total i = 0; !err && i < TD_TOTALS; i++)
        err = add_total(w, of, i);
    for (size_t i = 0; !err && i < of->a->n; i++)
        err = add_metric(w, of, i);
    err = err ? err : add_verdict(w, of, begin);
    if (!err && w->side == 1)
        err = add_courses(w, 0, w->a, of->a);
    return err ? err : add_courses(w, w->side, w->b, of->b);
}

static void add_lone(struct work *w, const struct td_series_scope *s)
{
    if (!w->c->lone++)
        w->c->lone_scope = s->name;
}

static int add_side(struct work *w)
{
    const struct td_series *a = &w->a->run[0], *b = &w->b->run[0];
    const bool any = only_one(w, a) && only_one(w, b);
    int err = 0;

    for (size_t i = 0; !err && i < a->n; i++) {
        struct scopes of = {.a = &a->scope[i], .any = any};
        struct td_scope_id id;

        if (!wanted(w, of.a))
            continue;
        of.b = counterpart(w, b, of.a, any);
        if (!of.b) {
            add_lone(w, of.a);
            continue;
        }
        id = id_of(of.a);
        of.namesake = td_scope_table_namesake(&a->ids, &id);
        of.neighbours_a = mean_neighbours(of.a);
        of.neighbours_b = mean_neighbours(of.b);
        err = add_scope(w, &of);
    }
    for (size_t i = 0; i < b->n; i++)
        if (wanted(w, &b->scope[i]) && !counterpart(w, a, &b->scope[i], any))
            add_lone(w, &b->scope[i]);
    return err;
}

static int compare_all(struct work *w, const struct td_side *side, size_t n)
{
    int err = 0;

    w->a = &side[0];
    for (w->side = 1; !err && w->side < n; w->side++) {
        w->b = &side[w->side];
        err = add_side(w);
    }
    if (err)
        return err;
    return w->c->n ? td_comparison_judge(w->c) : -ENODATA;
}

int td_compare(const struct td_side *side, size_t n, const struct td_comparison_settings *set,
               struct td_comparison *out)
{
    struct work w = {.c = out, .chance = td_chance_new(set->seed)};
    int err;

    *out = (struct td_comparison){.set = *set, .side = side, .sides = n};
    err = w.chance ? compare_all(&w, side, n) : -ENOMEM;
    td_chance_free(w.chance);
    if (!err)
        err = td_comparison_sort(out);
    if (err)
        td_comparison_free(out);
    return err;
}

void td_comparison_free(struct td_comparison *c)
{
    free(c->row);
    free(c->course);
    free(c->verdict);
    c->row = NULL;
    c->course = NULL;
    c->verdict = NULL;
    c->n = c->courses = c->verdicts = 0;
}
