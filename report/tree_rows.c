/* SPDX-License-Identifier: MIT */
#include "report/tree_rows.h"

#include "report/columns.h"
#include "report/digits.h"
#include "report/flags.h"
#include "report/screen.h"

#include <math.h>

enum { BAR = 25, SIDES = 4 /* of a bar */ };

struct flag_list {
    struct td_output *out;
    size_t n;
};

static void put_flag(void *ctx, const char *flag, const char *about)
{
    struct flag_list *l = ctx;

    td_output_text(l->out, l->n++ ? ", " : "  ! ");
    td_output_text(l->out, flag);
    if (!about)
        return;
    td_output_char(l->out, ':');
    td_output_text(l->out, about);
}

void td_tree_flags(struct td_output *o, const struct td_result *r, unsigned flags, unsigned latencies)
{
    struct flag_list l = {o, 0};

    td_flags_each_of(r, flags, 0, latencies, put_flag, &l);
}

/* Puts a bar of that length, which is at most BAR. */
static void put_bar(struct td_output *o, double value, int length)
{
    int filled = (int)(fmin(fmax(value, 0), 1) * length + 0.5);

    td_output_format(o, "  |%.*s%*s|", filled, "#########################", length - filled, "");
}

/* The width that the bounds leave on the screen; if too small, no bar. */
static int bar_length(const struct td_report *r, int names)
{
    const int left = r->width ? (int)r->width - TD_TREE_MARGIN - names - TD_TREE_ROW - SIDES : BAR;

    return left > BAR ? BAR : left < 5 ? 0 : left;
}

int td_tree_bounds(struct td_output *o, double low, double high, enum td_bounds bounds)
{
    char *begin = td_output_room(o, 8 + 2 * TD_DIGITS_FIXED), *at = begin;

    if (isnan(low)) {
        at = stpcpy(at, "  no bounds");
    } else if (high - low >= 0.0005) {
        at = td_digits_fixed(100 * low, 1, stpcpy(at, bounds == TD_BOUNDS_LIKELY ? "  ~ " : "  "));
        at = td_digits_fixed(100 * high, 1, stpcpy(at, " .. "));
    }
    td_output_take(o, at);
    return (int)(at - begin);
}

/* Decimals of what is no share: of a thousand or more they say nothing, and a count that is whole has none. */
static int decimals_of(double value, const char *unit)
{
    const bool count = !strcmp(unit, "cycles") || !strcmp(unit, "slots") || !strcmp(unit, "instructions");

    return fabs(value) >= 1000 || (count && value == floor(value)) ? 0 : 3;
}

void td_tree_limits(struct td_output *o, double low, double high, enum td_bounds bounds)
{
    const int decimals = isnan(low) ? 0 : decimals_of(high, "");

    if (isnan(low))
        td_output_text(o, "  no bounds");
    else if (high - low >= (decimals ? 0.0005 : 0.5))
        td_output_format(o, "  %s%.*f .. %.*f", bounds == TD_BOUNDS_LIKELY ? "~ " : "", decimals, low, decimals, high);
}

/* Puts what a metric is a share of. In deep trees that is a column of its own. */
static void put_domain(struct td_output *o, const struct td_tree_view *v, const struct td_metric *m, int columns)
{
    if (!strcmp(m->unit, "slots"))
        return;
    if (v->deep)
        td_put_blanks(o, TD_TREE_BOUNDS - columns);
    td_output_format(o, "  of %s", strcmp(m->unit, "core_cycles") ? m->unit : "core cycles");
}

/* What the runs had of a metric, in the tree of their summary; NULL: there are none, or one. */
static const struct td_repeat_metric *runs_of(const struct td_report *r, const struct td_result *result,
                                              const struct td_metric *m)
{
    const struct td_repeat_metric *runs =
        r->means && td_result_is_summary(result) ? td_repeat_find(r->means, result, m->name) : NULL;

    return runs && runs->mean.n > 1 ? runs : NULL;
}

/* Puts how far the runs differ, in points or in the metric's unit. */
static void put_spread(struct td_output *o, const struct td_repeat_metric *runs, double factor, int decimals)
{
    if (runs)
        td_output_format(o, " +- %.*f", decimals, factor * td_repeat_error(&runs->mean));
}

static void put_value(struct td_report *r, const struct td_tree_view *v, const struct td_metric *m,
                      const struct td_repeat_metric *runs)
{
    struct td_output *o = &r->out;
    int n;

    td_put_fixed(o, td_percent(m->value), 1, 6);
    td_output_text(o, " %");
    put_spread(o, runs, 100, 1);
    n = td_tree_bounds(o, m->low, m->high, m->bounds);
    if (o->terminal && !*m->parent && !runs && bar_length(r, v->names)) {
        td_put_blanks(o, TD_TREE_BOUNDS - n);
        put_bar(o, m->value, bar_length(r, v->names));
        n = TD_TREE_BOUNDS;
    }
    put_domain(o, v, m, n);
}

static void put_absent(struct td_output *o, const struct td_result *r, const struct td_metric *m)
{
    char status[TD_STATUS_TEXT];

    td_output_format(o, "%8s  %s", "-", td_status_said(r, m, status));
    if (m->status == TD_NOT_COUNTED && td_never_ran(r))
        return;
    if (m->event && m->status != TD_MISSING_EVENT && m->status != TD_IMPOSSIBLE)
        td_output_format(o, " (%s)", m->event);
    if (m->status == TD_IMPOSSIBLE)
        td_output_format(o, " (%.1f %%)", 100 * m->raw);
    if (m->why)
        td_output_format(o, " (%s)", m->why);
}

void td_tree_name(struct td_report *r, const char *name, int level, const struct td_tree_style *s)
{
    struct td_output *o = &r->out;
    const int indent = td_tree_indent(level), room = s->columns - indent, length = (int)strlen(name);

    td_put_blanks(o, TD_TREE_MARGIN + indent - 2);
    td_output_text(o, s->marked ? "> " : "  ");
    if (s->coloured)
        td_output_text(o, TD_COLOUR_LIMIT);
    if (length <= room)
        td_output_bytes(o, name, (size_t)length);
    else
        td_screen_put(o, name, (size_t)length, room > 0 ? (size_t)room : 1);
    if (s->coloured)
        td_output_text(o, TD_COLOUR_END);
    td_put_blanks(o, room - length);
}

/* Puts a metric that is no share, in its unit. */
static void put_quantity(struct td_report *r, const struct td_metric *m, const struct td_repeat_metric *runs)
{
    td_put_fixed(&r->out, m->value, decimals_of(m->value, m->unit), 12);
    td_output_format(&r->out, "  %s", m->unit);
    put_spread(&r->out, runs, 1, decimals_of(m->value, m->unit));
    td_tree_limits(&r->out, m->low, m->high, m->bounds);
}

void td_tree_metric(struct td_report *r, const struct td_tree_view *v, const struct td_result *result,
                    const struct td_metric *m)
{
    const bool limits = td_tree_view_limits(v, m);
    const struct td_tree_style style = {v->names, r->colour && limits, v->deep && limits};
    const struct td_repeat_metric *runs = m->status == TD_OK ? runs_of(r, result, m) : NULL;
    struct td_metric shown = *m;

    if (runs) { /* the mean, which has bounds of its own */
        shown.value = runs->mean.mean;
        shown.bounds = td_repeat_bounds(runs, &shown.low, &shown.high);
    }
    td_tree_name(r, m->name, m->level, &style);
    if (m->status != TD_OK)
        put_absent(&r->out, result, m);
    else if (m->kind != TD_METRIC_NODE)
        put_quantity(r, &shown, runs);
    else
        put_value(r, v, &shown, runs);
    td_tree_flags(&r->out, result, td_tree_view_flags(v, m), m->latencies);
    td_output_char(&r->out, '\n');
}
