/* SPDX-License-Identifier: MIT */
#include "report/layouts.h"

#include "report/columns.h"
#include "report/digits.h"
#include "report/tree_view.h"
#include "report/tree_rows.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

/* ---- the head ---------------------------------------------------------------- */

static void put_time(struct td_output *o, uint64_t ns)
{
    char seconds[TD_DIGITS_INTEGER], *at;

    td_output_bytes(o, seconds, (size_t)(td_digits_integer(ns / 1000000000, seconds) - seconds));
    at = td_output_room(o, 10);
    *at++ = '.';
    td_output_take(o, td_digits_padded((uint32_t)(ns % 1000000000), 9, at));
    td_output_text(o, "  ");
}

/* Whether the line of the speed says how long it took: of a whole run, not of one of its intervals, whose head says
 * when it ended. */
static bool says_elapsed(const struct td_report *r, const struct td_result *result)
{
    uint64_t ns;

    return r->command && (r->once || td_result_is_summary(result)) && td_result_duration(result, &ns);
}

static void put_head(struct td_report *report, const struct td_result *r)
{
    struct td_output *o = &report->out;
    const char *core = td_result_core(r);
    uint64_t ns;

    if (td_result_is_summary(r) && report->means)
        td_output_format(o, "%u runs  ", report->means->runs);
    else if (td_result_is_summary(r))
        td_output_text(o, "summary  ");
    else if (td_result_time(r, &ns) && !says_elapsed(report, r))
        put_time(o, ns);
    td_put_cleaned(o, td_result_scope(r));
    if (core)
        td_output_format(o, "  %s-cores", core);
    td_output_text(o, "  ");
    td_output_text(o, td_result_cpu(r));
    td_output_text(o, "  [");
    td_output_text(o, td_result_formula(r));
    td_output_char(o, ']');
    if (td_result_coverage(r) < 1)
        td_output_format(o, "  counted %.0f %% of the time", 100 * td_result_coverage(r));
    td_output_char(o, '\n');
}

/* Puts the time of a command, and how fast it ran, as far as that was counted. */
static void put_speed(struct td_report *r, const struct td_result *result)
{
    const double ipc = td_result_ipc(result), ghz = td_result_ghz(result);
    const bool elapsed = says_elapsed(r, result);
    const char *between = "";
    uint64_t ns;

    if (!r->command || !td_result_duration(result, &ns) || !(elapsed || !isnan(ipc) || !isnan(ghz)))
        return;
    td_put_blanks(&r->out, TD_TREE_MARGIN);
    if (elapsed)
        td_output_format(&r->out, "%.3f s elapsed", (double)ns / 1e9), between = ", ";
    if (!isnan(ipc))
        td_output_format(&r->out, "%sIPC %.2f", between, ipc), between = ", ";
    if (!isnan(ghz))
        td_output_format(&r->out, "%s%.2f GHz", between, ghz);
    td_output_char(&r->out, '\n');
}

/* ---- the tree ---------------------------------------------------------------- */

/* The children of a node as a list of numbers of metrics, from 1 on; 0 ends it. The last element of the array is for
 * metrics without a parent. */
struct children {
    size_t first, next;
};

static bool is_named(const struct td_metric *m, const char *name)
{
    return m->name == name || (*m->name == *name && !strcmp(m->name, name));
}

/* The number of a metric's parent; n + 1: it has none; 0: the parent is absent. near is where it is looked for
 * first. */
static size_t parent_of(const struct td_result *r, size_t n, const struct td_metric *m, size_t near)
{
    if (!*m->parent)
        return n + 1;
    if (near && near <= n && is_named(td_result_metric(r, near - 1), m->parent))
        return near;
    for (size_t i = 0; i < n; i++)
        if (is_named(td_result_metric(r, i), m->parent))
            return i + 1;
    return 0;
}

/* Links siblings in the order of the metrics. children: n + 2 of them, zeroed. */
static void link_children(const struct td_result *r, size_t n, struct children *children)
{
    size_t parent = 0; /* siblings are mostly neighbours */

    for (size_t i = n; i > 0; i--) {
        parent = parent_of(r, n, td_result_metric(r, i - 1), parent);
        children[i].next = children[parent].first;
        children[parent].first = i;
    }
}

static void put_children(struct td_report *r, const struct td_tree_view *v, const struct td_result *result,
                         const struct children *children, size_t parent)
{
    for (size_t i = children[parent].first; i; i = children[i].next) {
        if (v->shown[i - 1])
            td_tree_metric(r, v, result, td_result_metric(result, i - 1));
        put_children(r, v, result, children, i);
    }
}

static void put_tree(struct td_report *r, const struct td_tree_view *v, const struct td_result *result)
{
    const size_t n = td_result_metrics(result);
    struct children *children = calloc(n + 2, sizeof(*children));

    if (!children) {
        r->out.error = -ENOMEM;
        return;
    }
    link_children(result, n, children);
    put_children(r, v, result, children, n + 1);
    put_children(r, v, result, children, 0); /* metrics that were named without their parents */
    free(children);
}

void td_tree_result(struct td_report *r, const struct td_result *result)
{
    const int room = r->width ? (int)r->width - TD_TREE_MARGIN - TD_TREE_ROW : 0;
    struct td_tree_view view;

    if (td_tree_view_make(&view, r, result, room)) {
        r->out.error = -ENOMEM;
        return;
    }
    put_head(r, result);
    put_speed(r, result);
    put_tree(r, &view, result);
    td_tree_notes(r, &view, result);
    td_tree_view_free(&view);
}
