/* SPDX-License-Identifier: MIT */
#include "stats/series.h"

#include "stats/scope_of.h"
#include "util/room.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* False: out of memory. */
static bool copy(const char *text, char **out)
{
    *out = text ? strdup(text) : NULL;
    return !text || *out;
}

/* A scope without a name yet, which td_series_find() does not find. NULL: out of memory. */
static struct td_series_scope *new_scope(struct td_series *s)
{
    struct td_series_scope *new;

    if (td_room(&s->scope, &s->room, s->n + 1, sizeof(*s->scope)))
        return NULL;
    new = s->scope + s->n++;
    *new = (struct td_series_scope){.judged = TD_VERDICT_NONE, .weighed = TD_TOTALS};
    for (enum td_total i = 0; i < TD_TOTALS; i++)
        new->total[i] = (double)NAN;
    return new;
}

/* The scope added last is found by this from now on, unless another is. 0 or -ENOMEM. */
static int number_scope(struct td_series *s, const struct td_scope_id *id)
{
    const size_t known = s->ids.n;
    const long at = td_scope_table_number(&s->ids, id);

    if (at < 0 || td_room(&s->first, &s->first_room, s->ids.n, sizeof(*s->first)))
        return -ENOMEM;
    if ((size_t)at == known)
        s->first[at] = s->n - 1;
    return 0;
}

static int insert_scope(struct td_series *s, const struct td_result *r, const struct td_scope_id *id)
{
    struct td_series_scope *new = new_scope(s);

    return new &&copy(id->name, &new->name) && copy(id->kind, &new->kind) && copy(id->core, &new->core) &&
                   copy(td_result_cpu(r), &new->cpu) && copy(td_result_backend(r), &new->backend) &&
                   copy(td_result_formula(r), &new->formula)
               ? number_scope(s, id)
               : -ENOMEM;
}

struct td_series_scope *td_series_find(const struct td_series *s, const struct td_scope_id *id)
{
    const long at = td_scope_table_find(&s->ids, id);

    return at < 0 ? NULL : &s->scope[s->first[at]];
}

/* NULL: out of memory. */
static struct td_series_scope *scope_of(struct td_series *s, const struct td_result *r)
{
    const struct td_scope_id id = td_scope_of(r);
    const long at = td_scope_table_find(&s->ids, &id);

    if (at < 0)
        return insert_scope(s, r, &id) ? NULL : &s->scope[s->n - 1];
    s->ids.last = (size_t)at;
    return &s->scope[s->first[at]];
}

static int insert_metric(struct td_series_scope *s, const struct td_metric *m)
{
    struct td_series_metric *new;

    if (td_room(&s->metric, &s->room, s->n + 1, sizeof(*s->metric)))
        return -ENOMEM;
    new = s->metric + s->n++;
    *new = (struct td_series_metric){
        .kind = m->kind, .level = m->level, .value = (double)NAN, .low = (double)NAN, .high = (double)NAN};
    return copy(m->name, &new->name) && copy(m->parent, &new->parent) && copy(m->unit, &new->unit) ? 0 : -ENOMEM;
}

/* Those of one formula come in one order: the i-th is mostly the metric searched for. NULL: out of memory. */
static struct td_series_metric *metric_of(struct td_series_scope *s, const struct td_metric *m, size_t i)
{
    if (i < s->n && !strcmp(s->metric[i].name, m->name))
        return &s->metric[i];
    for (size_t k = 0; k < s->n; k++)
        if (!strcmp(s->metric[k].name, m->name))
            return &s->metric[k];
    return insert_metric(s, m) ? NULL : &s->metric[s->n - 1];
}

static int add_point(struct td_series_metric *to, double value, double weight)
{
    if (to->n == to->room) {
        const size_t room = to->room ? 2 * to->room : 16;
        struct td_weighted *grown = realloc(to->point, room * sizeof(*grown));

        if (!grown)
            return -ENOMEM;
        to->point = grown;
        to->room = room;
    }
    to->point[to->n++] = (struct td_weighted){value, weight};
    return 0;
}

static int add_interval(struct td_series_metric *to, const struct td_metric *m, double weight)
{
    if (m->bounds != TD_BOUNDS_NONE) {
        to->width += (m->high - m->low) / 2;
        to->bounded++;
    }
    return add_point(to, m->value, weight);
}

static void take_whole(struct td_series_metric *to, const struct td_metric *m)
{
    to->value = m->value;
    to->bounds = m->bounds;
    if (m->bounds != TD_BOUNDS_NONE) {
        to->low = m->low;
        to->high = m->high;
    }
    to->flags = m->flags;
}

static int add_metric(struct td_series_scope *s, const struct td_metric *m, size_t i, double weight, bool whole)
{
    struct td_series_metric *to;

    if (m->status != TD_OK)
        return 0;
    to = metric_of(s, m, i);
    if (!to)
        return -ENOMEM;
    if (whole)
        take_whole(to, m);
    else if (weight > 0)
        return add_interval(to, m, weight);
    return 0;
}

/* As far as cycles and instructions were counted along. Their counts are exact unless they were multiplexed. */
static struct td_metric speed(const struct td_result *r)
{
    const double ipc = td_result_ipc(r);
    const bool exact = td_result_coverage(r) >= 1;

    return (struct td_metric){.name = TD_SERIES_IPC,
                              .parent = "",
                              .unit = "per cycle",
                              .status = isnan(ipc) ? TD_NOT_COUNTED : TD_OK,
                              .value = ipc,
                              .low = ipc,
                              .high = ipc,
                              .bounds = exact ? TD_BOUNDS_SOUND : TD_BOUNDS_NONE,
                              .kind = TD_METRIC_INFO};
}

static int take_verdict(struct td_series_scope *s, const struct td_result *r)
{
    struct td_verdict v;

    v = *td_result_verdict(r);
    s->judged = v.status;
    free(s->verdict);
    return copy(v.node ? v.node->name : NULL, &s->verdict) ? 0 : -ENOMEM;
}

/* An interval's weight, by the same total in all of a scope's: the first that is known, as shares are of slots. */
static double weigh(struct td_series_scope *s, const double total[TD_TOTALS])
{
    if (!s->started)
        for (s->weighed = TD_TOTAL_SLOTS; s->weighed < TD_TOTALS && isnan(total[s->weighed]);)
            s->weighed++;
    s->started = true;
    return s->weighed < TD_TOTALS ? total[s->weighed] : 1;
}

static int add_metrics(struct td_series_scope *s, const struct td_result *r, double weight, bool whole)
{
    const struct td_metric ipc = speed(r);
    bool own = false;
    int err = 0;

    for (size_t i = 0; !err && i < td_result_metrics(r); i++) {
        own = own || !strcmp(td_result_metric(r, i)->name, TD_SERIES_IPC);
        err = add_metric(s, td_result_metric(r, i), i, weight, whole);
    }
    return err || own ? err : add_metric(s, &ipc, s->n, weight, whole);
}

static int add_as_interval(struct td_series *s, const struct td_result *r)
{
    struct td_series_scope *scope = scope_of(s, r);
    double total[TD_TOTALS];

    if (!scope)
        return -ENOMEM;
    td_totals_of(r, total);
    return add_metrics(scope, r, weigh(scope, total), false);
}

static int add_as_whole(struct td_series *s, const struct td_result *r)
{
    struct td_series_scope *scope = scope_of(s, r);

    if (!scope)
        return -ENOMEM;
    td_totals_of(r, scope->total);
    return add_metrics(scope, r, 1, true) || take_verdict(scope, r) ? -ENOMEM : 0;
}

int td_series_add(struct td_series *s, const struct td_result *r)
{
    return td_result_is_summary(r) ? add_as_whole(s, r) : add_as_interval(s, r);
}

int td_series_add_all(struct td_series *s, const struct td_result *r)
{
    return add_as_interval(s, r) || add_as_whole(s, r) ? -ENOMEM : 0;
}

/* ---- places of samples ------------------------------------------------------------------------- */

/* Names that several of the places have. */
struct namesakes {
    struct td_scope_table names;
    bool *several; /* by number in the table */
    size_t room;
};

static struct td_scope_id name_of(const struct td_function *g)
{
    return (struct td_scope_id){.kind = "", .name = g->name, .core = g->of->core, .length = strlen(g->name)};
}

static int find_namesakes(const struct td_functions *f, struct namesakes *out)
{
    for (size_t i = 0; i < f->n; i++) {
        const struct td_scope_id id = name_of(f->function[i]);
        const size_t known = out->names.n;
        const long at = td_scope_table_number(&out->names, &id);

        if (at < 0 || td_room_zeroed(&out->several, &out->room, out->names.n, sizeof(*out->several)))
            return -ENOMEM;
        out->several[at] = (size_t)at < known;
    }
    return 0;
}

static void free_namesakes(struct namesakes *s)
{
    td_scope_table_free(&s->names);
    free(s->several);
}

/* False: out of memory. */
static bool name_place(const struct namesakes *n, const struct td_function *g, char **out)
{
    const struct td_scope_id id = name_of(g);
    const char *slash = g->dso ? strrchr(g->dso, '/') : NULL;

    if (!g->dso || !n->several[td_scope_table_find(&n->names, &id)])
        return copy(g->name, out);
    if (asprintf(out, "%s [%s]", g->name, slash ? slash + 1 : g->dso) < 0)
        *out = NULL;
    return *out;
}

static int add_function(struct td_series *s, const struct td_functions *f, const struct namesakes *n,
                        const struct td_function *g)
{
    struct td_series_scope *to = new_scope(s);
    int err =
        to && name_place(n, g, &to->name) && copy(f->kind, &to->kind) && copy(g->of->core, &to->core) &&
                copy(f->cpu, &to->cpu) && copy(f->formula, &to->formula) &&
                copy(g->of->verdict->node ? g->of->verdict->node->name : NULL, &to->verdict)
            ? number_scope(s,
                           &(struct td_scope_id){
                               .kind = f->kind, .name = to->name, .core = g->of->core, .length = strlen(to->name)})
            : -ENOMEM;

    if (err)
        return err;
    to->total[TD_TOTAL_SLOTS] = g->slots;
    to->judged = g->of->verdict->status;
    for (size_t i = 0; !err && i < g->of->metrics; i++)
        err = add_metric(to, g->of->metric[i], i, 1, true);
    return err;
}

int td_series_add_functions(struct td_series *s, const struct td_functions *f)
{
    struct namesakes n = {.several = NULL};
    int err = find_namesakes(f, &n);

    for (size_t i = 0; !err && i < f->n; i++)
        err = td_function_estimated(f->function[i]) ? add_function(s, f, &n, f->function[i]) : 0;
    free_namesakes(&n);
    return err;
}

static void free_scope(struct td_series_scope *s)
{
    for (size_t i = 0; i < s->n; i++) {
        free(s->metric[i].name);
        free(s->metric[i].parent);
        free(s->metric[i].unit);
        free(s->metric[i].point);
    }
    free(s->metric);
    free(s->name);
    free(s->kind);
    free(s->core);
    free(s->cpu);
    free(s->backend);
    free(s->formula);
    free(s->verdict);
}

void td_series_free(struct td_series *s)
{
    for (size_t i = 0; i < s->n; i++)
        free_scope(&s->scope[i]);
    free(s->scope);
    free(s->first);
    td_scope_table_free(&s->ids);
    *s = (struct td_series){0};
}
