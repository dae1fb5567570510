/* SPDX-License-Identifier: MIT */
#include "report/layouts.h"

#include "report/cgroup_name.h"
#include "report/columns.h"
#include "report/flags.h"
#include "report/marks.h"
#include "report/screen.h"
#include "report/verdict_line.h"

#include <math.h>
#include <stdio.h>

enum { TEXT = 512, LEVEL1 = 4, SPAN = 10 /* a column of "from" or "to" */ };
/* Columns of the screen: what is left to the verdict at least, and how wide a bar may be. */
enum { VERDICT = 30, BAR_LEAST = 8, BAR_MOST = 20 };

/* The columns that fit the screen; the verdict gets the rest of the line. */
struct line_columns {
    unsigned least; /* columns of the screen */
    int time, decimals; /* decimals: for seconds */
    int scope;
    int number, digits; /* digits: for per cent */
    int below; /* 0: not shown */
};

static const struct line_columns sizes[] = {
    {110, 16, 9, 19, 9, 1, 24},
    {72, 10, 3, 14, 7, 1, 0},
    {0, 8, 2, 6, 5, 0, 0},
};

static const char *const names[LEVEL1] = {"retiring", "bad_speculation", "frontend_bound", "backend_bound"};

static const struct line_columns *columns_of(const struct td_report *r)
{
    const struct line_columns *c = sizes;

    while (r->width && r->width < c->least)
        c++;
    return c;
}

/* ---- cells ------------------------------------------------------------------------ */

static void put_left(struct td_output *o, const char *text, int width)
{
    const size_t n = strlen(text), has = td_screen_columns(text, n), room = (size_t)width;

    td_screen_put(o, text, n, room);
    td_put_blanks(o, width - (int)has);
}

static const struct td_metric *find(const struct td_result *r, const char *name)
{
    for (size_t i = 0; i < td_result_metrics(r); i++)
        if (!strcmp(td_result_metric(r, i)->name, name))
            return td_result_metric(r, i);
    return NULL;
}

/* The mark of a share, or none where the CPU does not have it. */
static unsigned mark_of(const struct td_metric *m)
{
    return m ? td_mark_of(m) : 0;
}

/* Puts a share: "53.2"; with likely bounds "53.2~"; without any "53.2?"; without a value "-". */
static void put_share(struct td_output *o, const struct line_columns *c, const struct td_metric *m)
{
    static const char none[] = "-";
    const double value = m && m->status == TD_OK ? 100 * m->value : 0;

    if (!m || m->status != TD_OK)
        td_put_right(o, none, none + 1, c->number - 1);
    else
        td_put_fixed(o, fabs(value) < 0.05 ? 0 : value, c->digits, c->number - 1);
    td_output_char(o, mark_of(m) & TD_MARK_LIKELY ? '~' : mark_of(m) ? '?' : ' ');
}

/* Columns that say when. */
static int time_columns(const struct td_report *r, const struct line_columns *c, bool timed)
{
    return r->span ? 2 * SPAN : timed ? c->time : 0;
}

static void put_span(struct td_output *o, const struct td_span *s)
{
    if (isnan(s->from))
        td_put_blanks(o, 2 * SPAN);
    else
        td_output_format(o, "%*.3f%*.3f", SPAN, s->from, SPAN, s->to);
}

static void put_time(struct td_output *o, const struct line_columns *c, const struct td_result *r)
{
    const char *const sum = c->time < 10 ? "sum" : "summary";
    uint64_t ns;

    if (td_result_is_summary(r))
        td_put_right(o, sum, sum + strlen(sum), c->time);
    else if (td_result_time(r, &ns))
        td_put_fixed(o, (double)ns / 1e9, c->decimals, c->time);
    else
        td_put_blanks(o, c->time);
}

/* A container's cgroup is shown by the container's name. */
static void short_name(char *out, size_t size, const char *scope, const char *kind)
{
    if (strcmp(kind, "cgroup") || !td_cgroup_container(scope, out, size))
        snprintf(out, size, "%s", scope);
}

/* Puts the scope, with its kind of core; or where several CPUs fit, with the CPU, which says that too. */
static void put_scope(struct td_output *o, const struct line_columns *c, const struct td_result *r, bool cpus,
                      bool screen)
{
    char text[TEXT], name[TEXT - 64];
    const char *core = cpus ? td_result_cpu(r) : td_result_core(r);

    short_name(name, sizeof(name), td_result_scope(r), td_result_scope_kind(r));
    snprintf(text, sizeof(text), "%s%s%s", name, core ? " " : "", core ? core : "");
    td_output_text(o, "  ");
    if (screen) {
        put_left(o, text, c->scope);
    } else { /* a cut name may be that of another */
        td_output_text(o, text);
        td_put_blanks(o, c->scope - (int)td_screen_columns(text, strlen(text)));
    }
}

/* ---- the verdict ------------------------------------------------------------------- */

/* The largest child of the node, or of the largest level-1 node. */
static const struct td_metric *below(const struct td_result *r, const struct td_metric *top)
{
    const struct td_metric *most = NULL;

    for (size_t i = 0; top && i < td_result_metrics(r); i++) {
        const struct td_metric *m = td_result_metric(r, i);

        if (m->status == TD_OK && m->level == top->level + 1 && !strcmp(m->parent, top->name) &&
            (!most || m->value > most->value))
            most = m;
    }
    return most;
}

/* The level-1 node that the verdict's node is part of, or the largest. */
static const struct td_metric *winner(const struct td_result *r, const struct td_verdict *v)
{
    const struct td_metric *most = v->node;

    while (most && *most->parent)
        most = find(r, most->parent);
    for (size_t i = 0; !v->node && i < LEVEL1; i++) {
        const struct td_metric *m = find(r, names[i]);

        if (m && m->status == TD_OK && (!most || m->value > most->value))
            most = m;
    }
    return most;
}

static void put_below(struct td_output *o, const struct line_columns *c, const struct td_result *r,
                      const struct td_verdict *v)
{
    const struct td_metric *m = below(r, winner(r, v));
    char text[64] = "";

    if (!c->below)
        return;
    if (m)
        snprintf(text, sizeof(text), "%s %.1f", m->name, 100 * m->value);
    td_output_text(o, "  ");
    put_left(o, text, c->below);
}

static size_t add_among(const struct td_verdict *v, char *text, size_t size)
{
    size_t n = 0;

    for (size_t i = 0; i < v->namong && n < size; i++)
        n += (size_t)snprintf(text + n, size - n, "%s%s", i ? " or " : "", v->among[i]->name);
    return n;
}

/* Names why there is no value at all. */
static void name_status(const struct td_result *r, char text[TEXT])
{
    char status[TD_STATUS_TEXT];

    snprintf(text, TEXT, "%s", td_result_metrics(r) ? td_status_said(r, td_result_metric(r, 0), status) : "-");
}

/* Names that no node is above its threshold. */
static void name_none(const struct td_result *r, char text[TEXT])
{
    const struct td_metric *retiring = td_verdict_retiring(r);

    if (retiring)
        snprintf(text, TEXT, "none: %.0f %% retiring", 100 * retiring->value);
    else
        snprintf(text, TEXT, "none");
}

/* Names the verdict in a few words: the tree has the full sentences. */
static void name_verdict(const struct td_result *r, const struct td_verdict *v, char text[TEXT])
{
    char status[TD_STATUS_TEXT];
    size_t n = 0;

    for (size_t i = 0; i + 1 < v->npath && n < TEXT; i++)
        n += (size_t)snprintf(text + n, TEXT - n, "%s: ", v->path[i]->name);
    if (v->node) {
        snprintf(text + n, TEXT - n, "%s%s", v->node->name, v->status == TD_VERDICT_LIKELY ? "~" : "");
    } else if (v->no_values) {
        name_status(r, text);
    } else if (v->absent) {
        snprintf(text, TEXT, "%s is absent (%s)", v->absent->name, td_status_text(v->absent, status));
    } else if (v->namong) {
        n = add_among(v, text, TEXT - 1);
        if (n < TEXT - 1)
            snprintf(text + n, TEXT - n, "?");
    } else {
        name_none(r, text);
    }
}

/* Makes "memory_bound" of "backend_bound: memory_bound", "l3_bound" of that with ": l3_bound". */
static void drop_parent(char *text)
{
    const char *name = strrchr(text, ' ');

    if (name)
        memmove(text, name + 1, strlen(name));
}

/* ---- bars ---------------------------------------------------------------------------- */

/* The columns before the verdict. */
static size_t columns_before(const struct td_report *r, const struct line_columns *c, bool timed)
{
    return (size_t)(time_columns(r, c, timed) + 2 + c->scope + LEVEL1 * c->number + (c->below ? 2 + c->below : 0) + 2);
}

/* How wide bars are at the right edge, when lines have so many columns before the verdict; 0: there are none. */
static size_t bar_columns(const struct td_report *r, size_t before)
{
    const size_t least = before + VERDICT + 2 + BAR_LEAST;

    if (!r->bars || r->width < least)
        return 0;
    return r->width - least < BAR_MOST - BAR_LEAST ? r->width - least + BAR_LEAST : BAR_MOST;
}

/* Puts a share of so many columns. */
static void put_bar(struct td_output *o, enum td_report_bars bars, double share, size_t columns)
{
    const double parts = (bars == TD_BARS_BLOCKS ? 8 : 1) * (double)columns;
    size_t n = (size_t)round(parts * fmin(fmax(share, 0), 1));

    for (; bars == TD_BARS_SIGNS && n; n--)
        td_output_char(o, '#');
    for (; n >= 8; n -= 8)
        td_output_text(o, "\xe2\x96\x88"); /* a full block; those of 7 eighths to 1 follow it */
    if (n)
        td_output_format(o, "\xe2\x96%c", 0x88 + 8 - (int)n);
}

/* Puts the bar of what limits after so many columns of the line, unless these need its room. */
static void put_last(struct td_report *r, size_t has, size_t columns, const struct td_metric *node)
{
    if (!node || !columns || has + 2 + columns > r->width)
        return;
    td_put_blanks(&r->out, (int)(r->width - columns - has));
    put_bar(&r->out, r->bars, node->value, columns);
}

/* ---- lines ---------------------------------------------------------------------------- */

bool td_lines_timed(const struct td_report *r, const struct td_result *result)
{
    uint64_t ns;

    return r->span || td_result_is_summary(result) || (!r->once && td_result_time(result, &ns));
}

void td_lines_cpu(struct td_report *r, const struct td_result *first)
{
    const char *formula = td_result_formula(first);

    if (r->span || r->each_cpu || td_result_core(first))
        return;
    if (strchr(formula, '|')) /* each of the CPUs' formulas: a long list */
        td_output_format(&r->out, "# %s\n", td_result_cpu(first));
    else
        td_output_format(&r->out, "# %s  [%s]\n", td_result_cpu(first), formula);
}

void td_lines_head(struct td_report *r, bool timed)
{
    static const char *const heads[LEVEL1] = {"retiring", "bad", "fe", "be"}, *const short_heads[LEVEL1] = {
                                                                                  "ret", "bad", "fe", "be"};
    const struct line_columns *c = columns_of(r);
    const size_t before = columns_before(r, c, timed);
    struct td_output *o = &r->out;

    if (r->span)
        td_output_format(o, "#%*s%*s  %-*s", SPAN - 1, "from", SPAN, "to", c->scope, "scope");
    else if (timed)
        td_output_format(o, "#%*s  %-*s", c->time - 1, "time", c->scope, "scope");
    else
        td_output_format(o, "# %-*s", c->scope, "scope");
    for (int i = 0; i < LEVEL1; i++)
        td_output_format(o, "%*s ", c->number - 1, c->number < 9 ? short_heads[i] : heads[i]);
    if (c->below)
        td_output_format(o, "  %-*s", c->below, "below it");
    td_output_text(o, "  verdict");
    if (bar_columns(r, before)) {
        td_put_blanks(o, (int)(r->width - bar_columns(r, before) - before - strlen("verdict")));
        td_output_text(o, "share");
    }
    td_output_char(o, '\n');
}

static unsigned marks_of(const struct td_result *r, const struct td_verdict *v)
{
    unsigned marks = !v->node || v->status != TD_VERDICT_LIKELY ? 0
                     : td_verdict_unbounded(v)                  ? TD_MARK_LEADS
                                                                : TD_MARK_LIKELY;

    for (int i = 0; i < LEVEL1; i++)
        marks |= mark_of(find(r, names[i]));
    return marks | (!v->node && !v->absent && v->namong ? TD_MARK_OPEN : 0);
}

void td_lines_result(struct td_report *r, const struct td_result *result, bool timed)
{
    const struct line_columns *c = columns_of(r);
    struct td_output *o = &r->out;
    const struct td_verdict *v = &r->verdict;
    char text[TEXT];
    const size_t used = columns_before(r, c, timed);

    td_marks_of_line(r, marks_of(result, v));
    if (r->span)
        put_span(o, r->span);
    else if (timed)
        put_time(o, c, result);
    put_scope(o, c, result, r->each_cpu, r->width != 0);
    for (int i = 0; i < LEVEL1; i++)
        put_share(o, c, find(result, names[i]));
    put_below(o, c, result, v);
    name_verdict(result, v, text);
    if (v->node && r->width && used + strlen(text) > r->width)
        drop_parent(text);
    td_output_text(o, "  ");
    if (r->colour && v->node)
        td_output_text(o, TD_COLOUR_LIMIT);
    td_screen_put(o, text, strlen(text), r->width > used ? r->width - used : r->width ? 1 : 0);
    if (r->colour && v->node)
        td_output_text(o, TD_COLOUR_END);
    put_last(r, used + td_screen_columns(text, strlen(text)), bar_columns(r, used), v->node);
    td_output_char(o, '\n');
}
