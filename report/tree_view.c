/* SPDX-License-Identifier: MIT */
#include "report/tree_view.h"

#include "report/flags.h"
#include "report/shown.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int td_tree_indent(int level)
{
    return level > TD_LEVEL_TOP ? 2 * (level - TD_LEVEL_TOP) : 0;
}

static bool is_deep(const struct td_metric *m)
{
    return m->kind == TD_METRIC_NODE && m->level > TD_LEVEL_USUAL;
}

/* Whether a metric has a line of its own; those whose events were not recorded share one. */
static bool has_line(const struct td_metric *m)
{
    return !(m->status == TD_NOT_ON_THIS_CPU && m->kind == TD_METRIC_NODE) &&
           !(m->status == TD_MISSING_EVENT && m->event);
}

static const struct td_metric *find(const struct td_result *r, const char *name)
{
    for (size_t i = 0; i < td_result_metrics(r); i++)
        if (!strcmp(td_result_metric(r, i)->name, name))
            return td_result_metric(r, i);
    return NULL;
}

/* Whether a deeper node is worth a line: where its threshold is or may be exceeded, or if it has no value, that of its
 * parent. */
static bool is_worth(const struct td_report *r, const struct td_result *result, const struct td_metric *m)
{
    const struct td_metric *parent;

    if (!is_deep(m) || r->all || td_report_names(r, m))
        return true;
    if (m->status == TD_OK)
        return m->over != TD_OVER_NO;
    parent = find(result, m->parent);
    return parent && parent->over == TD_OVER_YES;
}

/* Shows the parents of a metric that is shown. */
static void show_parents(struct td_tree_view *v, const struct td_result *r, const struct td_metric *m)
{
    while (m && *m->parent) {
        m = find(r, m->parent);
        if (!m || v->shown[m - td_result_metric(r, 0)])
            return;
        v->shown[m - td_result_metric(r, 0)] = has_line(m);
    }
}

static void look(struct td_tree_view *v, const struct td_metric *m)
{
    const int columns = td_tree_indent(m->level) + (int)strlen(m->name);

    v->mixed = v->mixed || (is_deep(m) && strcmp(m->unit, "slots") != 0);
    v->names = columns > v->names ? columns : v->names;
}

/* The flags of a metric that a row lists. It leaves out no_bounds, for which it has the words "no bounds", and
 * correction_missing, which the formula's name tells. */
static unsigned shown_flags(const struct td_metric *m)
{
    return m->flags & ~((unsigned)TD_FLAG_NO_BOUNDS | (unsigned)TD_FLAG_CORRECTION_MISSING);
}

bool td_tree_view_counts(const struct td_tree_view *v, const struct td_result *r, size_t i)
{
    return v->shown[i] && td_result_metric(r, i)->status == TD_OK;
}

/* Those of the flags that most rows have, and many: a few flags are best seen in their rows. Tables whose means stand
 * for latencies are named in each row. */
static unsigned most_of(const struct td_tree_view *v, const struct td_result *r, unsigned flags)
{
    enum { MANY = 8 };
    unsigned most = 0;

    for (flags &= ~(unsigned)TD_FLAG_LATENCY_ASSUMED; flags; flags &= flags - 1) {
        const unsigned flag = flags & -flags;
        size_t rows = 0, with = 0;

        for (size_t i = 0; i < td_result_metrics(r); i++) {
            rows += td_tree_view_counts(v, r, i);
            with += td_tree_view_counts(v, r, i) && td_result_metric(r, i)->flags & flag;
        }
        most |= with >= MANY && 2 * with > rows ? flag : 0;
    }
    return most;
}

/* Tables whose means stand for latencies are named in each row. */
static void gather_flags(struct td_tree_view *v, const struct td_result *r)
{
    struct td_tree_flags f = {.common = ~(unsigned)TD_FLAG_LATENCY_ASSUMED};
    bool any = false;

    for (size_t i = 0; i < td_result_metrics(r); i++) {
        const struct td_metric *m = td_result_metric(r, i);

        if (!td_tree_view_counts(v, r, i))
            continue;
        any = true;
        f.common &= shown_flags(m);
        f.rows |= shown_flags(m);
        f.likely = f.likely || m->bounds == TD_BOUNDS_LIKELY;
        f.marks |= td_mark_of(m);
        f.marks |= v->deep && td_tree_view_limits(v, m) ? TD_MARK_LIMITS : 0;
    }
    f.common = (any ? f.common : 0) | td_flags_of_whole(r);
    f.rows &= ~f.common;
    f.most = most_of(v, r, f.rows);
    f.rows &= ~f.most;
    v->flags = f;
}

unsigned td_tree_view_flags(const struct td_tree_view *v, const struct td_metric *m)
{
    return shown_flags(m) & ~(v->flags.common | v->flags.most);
}

int td_tree_view_make(struct td_tree_view *v, const struct td_report *report, const struct td_result *r, int room)
{
    const size_t n = td_result_metrics(r);

    *v = (struct td_tree_view){
        .names = TD_TREE_NAMES, .verdict = &report->verdict, .shown = calloc(n + 1, sizeof(*v->shown))};
    if (!v->shown)
        return -ENOMEM;
    for (size_t i = 0; i < n; i++) {
        const struct td_metric *m = td_result_metric(r, i);

        v->shown[i] = has_line(m) && is_worth(report, r, m) && td_report_shows(report, m);
    }
    for (size_t i = 0; i < n; i++)
        if (v->shown[i] && is_deep(td_result_metric(r, i)))
            show_parents(v, r, td_result_metric(r, i));
    for (size_t i = 0; i < n; i++) {
        const struct td_metric *m = td_result_metric(r, i);

        v->deep = v->deep || is_deep(m);
        if (v->shown[i])
            look(v, m);
        else if (is_deep(m) && m->status == TD_OK && td_report_shows(report, m))
            v->hidden++;
    }
    gather_flags(v, r);
    if (room && v->names > room)
        v->names = room > TD_TREE_NAMES ? room : TD_TREE_NAMES;
    return 0;
}

void td_tree_view_free(struct td_tree_view *v)
{
    free(v->shown);
}

bool td_tree_view_limits(const struct td_tree_view *v, const struct td_metric *m)
{
    for (size_t i = 0; i < v->verdict->npath; i++)
        if (v->verdict->path[i] == m)
            return true;
    return false;
}
