/* SPDX-License-Identifier: MIT */
#include "report/layouts.h"

#include "report/columns.h"
#include "report/screen.h"
#include "report/tree_rows.h"

#include <math.h>

static bool fits(const struct td_report *r, int row)
{
    return !r->width || (int)r->width >= row;
}

/* ---- several runs ----------------------------------------------------------- */

/* How a table of runs fits the screen: it may lack the errors. */
struct runs {
    struct td_report *report;
    const struct td_repeat *repeat;
    struct td_tree_style style;
    bool errors;
};

static int longest_name(const struct td_repeat *s)
{
    int most = TD_TREE_NAMES;

    for (size_t i = 0; i < s->n; i++) {
        const int columns = td_tree_indent(s->metric[i].level) + (int)strlen(s->metric[i].name);

        most = columns > most ? columns : most;
    }
    return most;
}

static struct runs runs_of(struct td_report *r, const struct td_repeat *s)
{
    const int margin = TD_TREE_MARGIN, longest = longest_name(s), room = (int)r->width - margin - TD_TREE_ROW;
    const int names = !r->width || longest <= room ? longest : room > TD_TREE_NAMES ? room : TD_TREE_NAMES;

    return (struct runs){r, s, {names, false, false}, fits(r, margin + names + 8 + 9 + TD_TREE_BOUNDS)};
}

/* How a mean is written. */
struct written {
    double factor;
    int decimals;
    const char *space, *unit;
};

static const struct written share = {100, 1, "", " %"}, seconds = {1, 3, "", " s"};

static void put_mean(const struct runs *t, const struct td_mean *s, const struct written *w)
{
    struct td_output *o = &t->report->out;

    td_output_format(o, "%6.*f%s%s", w->decimals, w->factor * s->mean, w->space, w->unit);
    if (s->n > 1 && t->errors)
        td_output_format(o, " +- %.*f", w->decimals, w->factor * td_repeat_error(s));
}

static void put_metric(const struct runs *t, const struct td_repeat_metric *m)
{
    struct td_output *o = &t->report->out;
    double low, high;
    const enum td_bounds bounds = td_repeat_bounds(m, &low, &high);

    td_tree_name(t->report, m->name, m->level, &t->style);
    put_mean(t, &m->mean, m->unit ? &(struct written){1, 3, " ", m->unit} : &share);
    if (m->unit)
        td_tree_limits(o, low, high, bounds);
    else
        td_tree_bounds(o, low, high, bounds);
    if (m->mean.n < t->repeat->elapsed.n)
        td_output_format(o, "  (of %u runs that have it)", m->mean.n);
    td_output_char(o, '\n');
}

/* Puts the metrics of one scope and core from first on, children below their parent. */
static void put_means(const struct runs *t, size_t first, const char *parent)
{
    const struct td_repeat *s = t->repeat;

    for (size_t i = first; i < s->n && (i == first || !td_repeat_first(s, i)); i++) {
        if (strcmp(s->metric[i].parent, parent))
            continue;
        put_metric(t, &s->metric[i]);
        put_means(t, first, s->metric[i].name);
    }
}

static void put_runs_head(const struct runs *t, const struct td_repeat_metric *m)
{
    const struct td_repeat *s = t->repeat;
    struct td_output *o = &t->report->out;

    td_output_format(o, "%11u runs", s->runs);
    td_put_name(o, m->scope);
    td_output_format(o, "%s%s%s  [mean%s of the ", m->core ? "  " : "", m->core ? m->core : "", m->core ? "-cores" : "",
                     t->errors ? " +- standard error" : "");
    if (s->elapsed.n < s->runs)
        td_output_format(o, "%u that the command ended]\n", s->elapsed.n);
    else
        td_output_text(o, "runs]\n");
}

static void put_elapsed(const struct runs *t)
{
    td_tree_name(t->report, "elapsed", 1, &t->style);
    if (t->repeat->elapsed.n)
        put_mean(t, &t->repeat->elapsed, &seconds);
    else
        td_output_format(&t->report->out, "  no mean: the command ended none of the %u runs", t->repeat->runs);
}

void td_table_runs(struct td_report *r, const struct td_repeat *s)
{
    const struct runs t = runs_of(r, s);

    for (size_t i = 0; i < s->n; i++) {
        if (!td_repeat_first(s, i))
            continue;
        put_runs_head(&t, &s->metric[i]);
        put_means(&t, i, "");
    }
    put_elapsed(&t);
    td_output_char(&r->out, '\n');
}

void td_table_elapsed(struct td_report *r, const struct td_repeat *s)
{
    const struct runs t = {r, s, {TD_TREE_NAMES, false, false}, true};

    put_elapsed(&t);
    if (s->elapsed.n && s->elapsed.n < s->runs)
        td_output_format(&r->out, "  (mean +- standard error of the %u that the command ended)", s->elapsed.n);
    else if (s->elapsed.n)
        td_output_text(&r->out, "  (mean +- standard error of the runs)");
    td_output_char(&r->out, '\n');
}

/* ---- a bench ------------------------------------------------------------------ */

enum { BENCH_NAME = 26, BENCH_SHORT = 18 };

static void put_number(struct td_output *o, double value)
{
    if (isnan(value))
        td_output_format(o, "%15s", "-");
    else
        td_put_fixed(o, value, value == floor(value) ? 0 : 1, 15);
}

static void put_bench_event(struct td_report *r, const struct td_bench_event *e, int width, bool all)
{
    struct td_output *o = &r->out;
    const size_t n = strlen(e->event), has = td_screen_columns(e->event, n);

    td_output_text(o, "  ");
    td_screen_put(o, e->event, n, r->width ? (size_t)width : 0);
    td_put_blanks(o, width - (int)has);
    if (all)
        put_number(o, e->counted.min);
    put_number(o, e->counted.median);
    if (all) {
        put_number(o, e->counted.mean);
        put_number(o, e->counted.deviation);
    }
    put_number(o, e->cost.median);
    td_output_char(o, '\n');
}

/* Puts a bench; on a screen without room for all columns, the median and what measuring adds to it. */
void td_table_bench(struct td_report *r, const struct td_bench *b)
{
    struct td_output *o = &r->out;
    const bool all = fits(r, 2 + BENCH_NAME + 5 * 15);
    const int width = fits(r, 2 + BENCH_NAME + 2 * 15) ? BENCH_NAME : BENCH_SHORT;

    if (all)
        td_output_format(o, "%16u runs on CPU %d  %s  [cost: of %u empty runs, the median; it is in each number]\n",
                         b->runs, b->cpu, b->machine, b->empties);
    else
        td_output_format(o, "  %u runs on CPU %d  %s  [cost: %u empty runs]\n", b->runs, b->cpu, b->machine,
                         b->empties);
    td_put_blanks(o, 2 + width);
    if (all)
        td_output_format(o, "%15s%15s%15s%15s%15s\n", "min", "median", "mean", "deviation", "cost");
    else
        td_output_format(o, "%15s%15s\n", "median", "cost");
    for (size_t i = 0; i < b->n; i++)
        put_bench_event(r, &b->event[i], width, all);
}
