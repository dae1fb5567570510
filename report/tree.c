/* SPDX-License-Identifier: MIT */
#include "report/tree.h"

#include "advice/advice.h"
#include "report/digits.h"
#include "report/flags.h"
#include "report/screen.h"
#include "report/tree_view.h"
#include "report/verdict_line.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { BAR = 25, NAME = 1024, INDENT = 18, NARROW = 2, BOUNDS = 18, ROW = 8 + BOUNDS /* without indent, name and bar */, TABLE = TD_TREE_NAMES + ROW, SIDES = 4 /* of a bar */, NAMED_MISSING = 4 /* events in one line */ };

struct flag_list {
    struct td_output *out;
    size_t n;
};

/* ---- columns ---------------------------------------------------------------- */

static void put_blanks(struct td_output *o, int n)
{
    if (n <= 0)
        return;
    memset(td_output_room(o, (size_t)n), ' ', (size_t)n);
    o->n += (size_t)n;
}

/* Puts the bytes from at to end into a column of that width. */
static void put_right(struct td_output *o, const char *at, const char *end, int width)
{
    const size_t n = (size_t)(end - at), blanks = n < (size_t)width ? (size_t)width - n : 0;
    char *out = td_output_room(o, blanks + n);

    memset(out, ' ', blanks);
    memcpy(out + blanks, at, n);
    o->n += blanks + n;
}

static void put_fixed(struct td_output *o, double value, int decimals, int width)
{
    char text[TD_DIGITS_FIXED];

    put_right(o, text, td_digits_fixed(value, decimals, text), width);
}

/* Names of scopes and events come from recordings and tasks. */
static void put_name(struct td_output *o, const char *name)
{
    const size_t n = strnlen(name, NAME - 1);
    char *at = td_output_room(o, NAME + 2);

    at = stpcpy(at, "  ");
    memcpy(at, name, n);
    at[n] = '\0';
    td_output_take(o, td_printable(at) + n);
}

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

/* ---- a result --------------------------------------------------------------- */

static void put_time(struct td_output *o, uint64_t ns)
{
    char seconds[TD_DIGITS_INTEGER], *at;

    put_right(o, seconds, td_digits_integer(ns / 1000000000, seconds), 6);
    at = td_output_room(o, 10);
    *at++ = '.';
    td_output_take(o, td_digits_padded((uint32_t)(ns % 1000000000), 9, at));
}

static void put_head(struct td_output *o, const struct td_result *r)
{
    const char *core = td_result_core(r);
    uint64_t ns;

    if (td_result_is_summary(r))
        td_output_format(o, "%16s", "summary");
    else if (td_result_time(r, &ns))
        put_time(o, ns);
    else
        put_blanks(o, 16);
    put_name(o, td_result_scope(r));
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

/* length: up to BAR. */
static void put_bar(struct td_output *o, double value, int length)
{
    int filled = (int)(fmin(fmax(value, 0), 1) * length + 0.5);

    td_output_format(o, "  |%.*s%*s|", filled, "#########################", length - filled, "");
}

/* The indent below the head: smaller if a whole bar would not fit. */
static int indent_of(const struct td_report *r)
{
    return r->width && (int)r->width < INDENT + TABLE + SIDES + BAR ? NARROW : INDENT;
}

/* The width that the bounds leave on the screen; if too small, no bar. */
static int bar_length(const struct td_report *r, int names)
{
    const int left = r->width ? (int)r->width - indent_of(r) - names - ROW - SIDES : BAR;

    return left > BAR ? BAR : left < 5 ? 0 : left;
}

/* Returns the number of characters. */
static int put_bounds(struct td_output *o, double low, double high, enum td_bounds bounds)
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

/* What it is a share of. In deep trees a column of its own. */
static void put_domain(struct td_output *o, const struct td_tree_view *v, const struct td_metric *m, int columns)
{
    if (!strcmp(m->unit, "slots"))
        return;
    if (v->deep)
        put_blanks(o, BOUNDS - columns);
    td_output_format(o, "  of %s", strcmp(m->unit, "core_cycles") ? m->unit : "core cycles");
}

static void put_value(struct td_report *r, const struct td_tree_view *v, const struct td_metric *m)
{
    struct td_output *o = &r->out;
    int n;

    put_fixed(o, fabs(m->value) < 0.0005 ? 0 : 100 * m->value, 1, 6); /* not "-0.0" */
    td_output_text(o, " %");
    n = put_bounds(o, m->low, m->high, m->bounds);
    if (o->terminal && !*m->parent && bar_length(r, v->names)) {
        put_blanks(o, BOUNDS - n);
        put_bar(o, m->value, bar_length(r, v->names));
        n = BOUNDS;
    }
    put_domain(o, v, m, n);
}

static void put_absent(struct td_output *o, const struct td_metric *m)
{
    char status[TD_STATUS_TEXT];

    td_output_format(o, "%8s  %s", "-", td_status_text(m, status));
    if (m->event && m->status != TD_MISSING_EVENT)
        td_output_format(o, " (%s)", m->event);
    if (m->status == TD_IMPOSSIBLE)
        td_output_format(o, " (%.1f %%)", 100 * m->raw);
    if (m->why)
        td_output_format(o, " (%s)", m->why);
}

/* How a name is put: in a column of this width, indent included. */
struct name_style {
    int columns;
    bool coloured, marked;
};

/* Puts a node's name, indented below its parent's; one that is too long is cut. */
static void put_node(const struct td_report *r, struct td_output *o, const char *name, int level, const struct name_style *s)
{
    const int indent = td_tree_indent(level), room = s->columns - indent, length = (int)strlen(name);

    put_blanks(o, indent_of(r) + indent - 2);
    td_output_text(o, s->marked ? "> " : "  ");
    if (s->coloured)
        td_output_text(o, TD_COLOUR_LIMIT);
    if (length <= room)
        td_output_bytes(o, name, (size_t)length);
    else
        td_screen_put(o, name, (size_t)length, room > 0 ? (size_t)room : 1);
    if (s->coloured)
        td_output_text(o, TD_COLOUR_END);
    put_blanks(o, room - length);
}

/* Puts what is no share, in its unit. */
static void put_quantity(struct td_report *r, const struct td_metric *m)
{
    put_fixed(&r->out, m->value, 3, 12);
    td_output_format(&r->out, "  %s", m->unit);
    if (isnan(m->low))
        td_output_text(&r->out, "  no bounds");
    else if (m->high - m->low >= 0.0005)
        td_output_format(&r->out, "  %s%.3f .. %.3f", m->bounds == TD_BOUNDS_LIKELY ? "~ " : "", m->low, m->high);
}

static void put_metric(struct td_report *r, const struct td_tree_view *v, const struct td_result *result, const struct td_metric *m)
{
    const bool limits = td_tree_view_limits(v, m);
    const struct name_style style = {v->names, r->colour && limits, v->deep && limits};
    struct flag_list flags = {&r->out, 0};

    put_node(r, &r->out, m->name, m->level, &style);
    if (m->status != TD_OK)
        put_absent(&r->out, m);
    else if (m->kind != TD_METRIC_NODE)
        put_quantity(r, m);
    else
        put_value(r, v, m);
    td_flags_each_of(result, m->flags, 0, put_flag, &flags);
    td_output_char(&r->out, '\n');
}

/* The children of a node, by the numbers of metrics, from 1 on; 0: no more. The last element
 * is for those without a parent. */
struct children {
    size_t first, next;
};

static bool is_named(const struct td_metric *m, const char *name)
{
    return m->name == name || (*m->name == *name && !strcmp(m->name, name));
}

/* The number of a metric's parent; n + 1: it has none, 0: the parent is absent. near: a guess. */
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

static void put_children(struct td_report *r, const struct td_tree_view *v, const struct td_result *result, const struct children *children, size_t parent)
{
    for (size_t i = children[parent].first; i; i = children[i].next) {
        if (v->shown[i - 1])
            put_metric(r, v, result, td_result_metric(result, i - 1));
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
    free(children);
}

/* ---- below the tree --------------------------------------------------------- */

static void put_verdict(struct td_output *o, const struct td_result *r, int indent)
{
    char text[TD_VERDICT_TEXT];
    struct td_verdict v;

    td_result_verdict(r, &v);
    put_blanks(o, indent - 2);
    td_output_text(o, "=> ");
    td_output_text(o, td_verdict_line(&v, text));
    td_output_char(o, '\n');
}

/* Whether m lacks an event that no metric before it lacks. */
static bool is_first_missing(const struct td_result *r, size_t i)
{
    const struct td_metric *m = td_result_metric(r, i);

    if (m->status != TD_MISSING_EVENT || !m->event)
        return false;
    while (i-- > 0) {
        const struct td_metric *before = td_result_metric(r, i);

        if (before->status == TD_MISSING_EVENT && before->event && !strcmp(before->event, m->event))
            return false;
    }
    return true;
}

/* The first level below level 1 of which nothing was recorded; 0: there is none. */
static int missing_level(const struct td_result *r)
{
    for (int level = TD_LEVEL_TOP + 1; level <= TD_LEVELS; level++) {
        bool any = false, all = true;

        for (size_t i = 0; i < td_result_metrics(r); i++) {
            const struct td_metric *m = td_result_metric(r, i);

            if (m->level != level || m->status == TD_NOT_ON_THIS_CPU || m->status == TD_NOT_IN_THIS_FORMULA)
                continue;
            any = true;
            all = all && m->status == TD_MISSING_EVENT;
        }
        if (any && all)
            return level;
    }
    return 0;
}

/* What a deep tree leaves out, and what it must not be taken for. */
static void put_depth(struct td_output *o, const struct td_tree_view *v, int indent)
{
    if (v->mixed) {
        put_blanks(o, indent);
        td_output_text(o, "shares of cycles, core cycles, stalls and uops rank; they do not add up to the node above\n");
    }
    if (v->hidden) {
        put_blanks(o, indent);
        td_output_format(o, "%zu %s below %s not shown: --all\n", v->hidden, v->hidden == 1 ? "node" : "nodes", v->hidden == 1 ? "its threshold is" : "their thresholds are");
    }
}

/* Puts the metrics above a level (0: all) that need an event. */
static void put_disabled(struct td_output *o, const struct td_result *r, size_t first, int level)
{
    const char *event = td_result_metric(r, first)->event, *between = " disables ";

    td_output_text(o, event);
    for (size_t i = first; i < td_result_metrics(r); i++) {
        const struct td_metric *m = td_result_metric(r, i);

        if (m->status != TD_MISSING_EVENT || !m->event || strcmp(m->event, event) || (level && m->level >= level))
            continue;
        td_output_text(o, between);
        td_output_text(o, m->name);
        between = ", ";
    }
}

/* The metrics above a level (0: all) that lack an event, and how many different ones. */
struct lacking {
    size_t metrics, events;
    int deepest; /* level of the metrics */
};

static struct lacking count_lacking(const struct td_result *r, int level)
{
    struct lacking n = {.deepest = level};

    for (size_t i = 0; i < td_result_metrics(r); i++) {
        const struct td_metric *m = td_result_metric(r, i);

        if (m->status != TD_MISSING_EVENT || !m->event || (level && m->level >= level))
            continue;
        n.metrics++;
        n.events += is_first_missing(r, i);
        n.deepest = m->level > n.deepest ? m->level : n.deepest;
    }
    return n;
}

static void put_each_missing(struct td_output *o, const struct td_result *r, int level)
{
    const char *between = "not recorded: ";

    for (size_t i = 0; i < td_result_metrics(r); i++) {
        if (!is_first_missing(r, i) || (level && td_result_metric(r, i)->level >= level))
            continue;
        td_output_text(o, between);
        put_disabled(o, r, i, level);
        between = "; ";
    }
}

/* Puts in one line what was not recorded, and the command that prints how to record it. Deeper levels
 * lack too many events to be named. */
static void put_missing(struct td_output *o, const struct td_result *r, int indent)
{
    const int level = missing_level(r);
    const char *cpu = td_result_cpu(r);
    const struct lacking n = count_lacking(r, level);
    const int deepest = n.deepest;
    const bool any = n.events > 0;

    if (any)
        put_blanks(o, indent);
    if (n.events > NAMED_MISSING && deepest > TD_LEVEL_USUAL)
        td_output_format(o, "not recorded: %zu events of %zu metrics", n.events, n.metrics);
    else
        put_each_missing(o, r, level);
    if (level && !any)
        put_blanks(o, indent);
    if (level)
        td_output_format(o, "%slevel %d%s", any ? "; " : "", level, any ? "" : " not recorded");
    if (any || level)
        td_output_format(o, "; tdprobe perf-command --uarch %.*s --level %d prints what to record\n", (int)strcspn(cpu, "|"), cpu, deepest > 2 ? deepest : 2);
}

static void put_notes(struct td_output *o, const struct td_result *r, int indent)
{
    struct flag_list flags = {o, 0};

    if (!td_flags_of_whole(r))
        return;
    put_blanks(o, indent - 2);
    td_flags_each_of(r, td_flags_of_whole(r), 0, put_flag, &flags);
    td_output_char(o, '\n');
}

static void put_counts(struct td_output *o, const struct td_result *r, int indent)
{
    for (size_t i = 0; i < td_result_counts(r); i++) {
        const struct td_event_count c = td_result_count(r, i);

        put_blanks(o, indent);
        if (c.status == TD_OK)
            put_fixed(o, c.value, 0, 20);
        else
            td_output_format(o, "%20s", td_status_name(c.status));
        put_name(o, c.event);
        td_output_char(o, '\n');
    }
}

/* Puts the command that shows where in the program a node comes from; if the screen is too narrow, the one that names it. */
static void put_command(struct td_report *r, const struct td_result *result, const char *node)
{
    const char *cpu = td_result_cpu(result), *target = r->target;
    const struct td_uarch *u = td_result_core(result) ? td_uarch_by_name(cpu) : NULL;
    const int indent = indent_of(r) + 1;
    char command[TD_ADVICE_COMMAND];

    if (!td_advice_command(node, td_result_backend(result), cpu, u ? td_uarch_pmu(u) : NULL, command))
        return;
    if (!target)
        target = strcmp(td_result_scope_kind(result), "thread") ? "-a -- sleep 10" : "-- COMMAND";
    put_blanks(&r->out, indent);
    if (!r->width || strlen(command) + 1 + strlen(target) + (size_t)indent <= r->width)
        td_output_format(&r->out, "%s %s\n", command, target);
    else
        td_output_format(&r->out, "tdprobe explain %s --uarch %.*s\n", node, (int)strcspn(cpu, "|"), cpu);
}

/* Puts what the verdict's node means, and what to do next. */
static void put_next(struct td_report *r, const struct td_result *result)
{
    const struct td_advice *a;
    struct td_verdict v;

    td_result_verdict(result, &v);
    a = v.node ? td_advice_find(v.node->name, td_result_backend(result)) : NULL;
    if (!a)
        return;
    put_blanks(&r->out, indent_of(r) + 1);
    td_output_format(&r->out, "%s: %s\n", v.node->name, a->brief);
    put_command(r, result, v.node->name);
}

/* For a command: its time, and how fast it ran, as far as that was counted. */
static void put_speed(struct td_report *r, const struct td_result *result)
{
    const struct td_speed speed = td_result_speed(result);
    uint64_t ns;

    if (!r->command || !td_result_duration(result, &ns))
        return;
    put_blanks(&r->out, indent_of(r));
    td_output_format(&r->out, "%.3f s elapsed", (double)ns / 1e9);
    if (!isnan(speed.ipc))
        td_output_format(&r->out, ", IPC %.2f", speed.ipc);
    if (!isnan(speed.ghz))
        td_output_format(&r->out, ", %.2f GHz", speed.ghz);
    td_output_char(&r->out, '\n');
}

void td_tree_result(struct td_report *r, const struct td_result *result)
{
    const int room = r->width ? (int)r->width - indent_of(r) - ROW : 0;
    struct td_tree_view view;

    if (td_tree_view_make(&view, r, result, room)) {
        r->out.error = -ENOMEM;
        return;
    }
    put_head(&r->out, result);
    put_speed(r, result);
    put_tree(r, &view, result);
    put_depth(&r->out, &view, indent_of(r));
    td_tree_view_free(&view);
    if (r->counts)
        put_counts(&r->out, result, indent_of(r));
    put_missing(&r->out, result, indent_of(r));
    put_notes(&r->out, result, indent_of(r));
    put_verdict(&r->out, result, indent_of(r));
    put_next(r, result);
}

void td_tree_begin(struct td_report *r)
{
    if (r->out.appended)
        td_output_char(&r->out, '\n');
}

/* ---- several runs ----------------------------------------------------------- */

/* Rows of which nothing is left out: in words, and as columns only. */
enum { RUNS_IN_WORDS = INDENT + TD_TREE_NAMES + 14 + 28 + 18, RUNS_IN_COLUMNS = NARROW + TD_TREE_NAMES + 8 + 9 + 18 };

static bool fits(const struct td_report *r, unsigned row)
{
    return !r->width || r->width >= row;
}

static void put_mean(struct td_report *r, const struct td_mean *s, double factor, const char *unit)
{
    struct td_output *o = &r->out;
    const bool words = fits(r, RUNS_IN_WORDS), share = factor > 1;

    if (words)
        td_output_format(o, "  mean %5.*f%s", share ? 1 : 9, factor * s->mean, unit);
    else
        td_output_format(o, "%6.*f%s", share ? 1 : 3, factor * s->mean, unit);
    if (s->n > 1 && words)
        td_output_format(o, "  standard deviation %.*f%s", share ? 2 : 9, factor * td_mean_deviation(s), unit);
    else if (s->n > 1 && fits(r, RUNS_IN_COLUMNS))
        td_output_format(o, "%7.*f%s", share ? 2 : 3, factor * td_mean_deviation(s), unit);
}

static int names_of(const struct td_repeat *s)
{
    int most = TD_TREE_NAMES;

    for (size_t i = 0; i < s->n; i++) {
        const int columns = td_tree_indent(s->metric[i].level) + (int)strlen(s->metric[i].name);

        most = columns > most ? columns : most;
    }
    return most;
}

/* Puts the metrics of one scope and core from first on, children below their parent. */
static void put_means(struct td_report *r, const struct td_repeat *s, size_t first, const char *parent)
{
    const struct name_style style = {names_of(s), false, false};
    struct td_output *o = &r->out;

    for (size_t i = first; i < s->n && (i == first || !td_repeat_first(s, i)); i++) {
        const struct td_repeat_metric *m = &s->metric[i];
        enum td_bounds bounds;
        double low, high;

        if (strcmp(m->parent, parent))
            continue;
        put_node(r, o, m->name, m->level, &style);
        put_mean(r, &m->mean, 100, " %");
        bounds = td_repeat_bounds(m, &low, &high);
        put_bounds(o, low, high, bounds);
        if (m->mean.n < s->elapsed.n)
            td_output_format(o, "  (of %u runs that have it)", m->mean.n);
        td_output_char(o, '\n');
        put_means(r, s, first, m->name);
    }
}

static void put_runs_head(struct td_report *r, const struct td_repeat *s, const struct td_repeat_metric *m)
{
    struct td_output *o = &r->out;

    td_output_format(o, "%11u runs", s->runs);
    put_name(o, m->scope);
    td_output_format(o, "%s%s%s  [mean%s of the ", m->core ? "  " : "", m->core ? m->core : "", m->core ? "-cores" : "",
                     fits(r, RUNS_IN_COLUMNS) ? " and standard deviation" : "");
    if (s->elapsed.n < s->runs)
        td_output_format(o, "%u that the command ended]\n", s->elapsed.n);
    else
        td_output_text(o, "runs]\n");
}

void td_tree_repeat(struct td_report *r, const struct td_repeat *s)
{
    const struct name_style plain = {names_of(s), false, false};
    struct td_output *o = &r->out;

    for (size_t i = 0; i < s->n; i++) {
        if (!td_repeat_first(s, i))
            continue;
        put_runs_head(r, s, &s->metric[i]);
        put_means(r, s, i, "");
    }
    put_node(r, o, "elapsed", 1, &plain);
    if (s->elapsed.n)
        put_mean(r, &s->elapsed, 1, " s");
    else
        td_output_format(o, "  no mean: the command ended none of the %u runs", s->runs);
    td_output_char(o, '\n');
}

void td_tree_end(struct td_report *r, const struct td_outcome *e)
{
    if (!e || !e->measured)
        return;
    td_output_format(&r->out, "%16.9f  seconds time elapsed", e->elapsed);
    if (e->runs > 1)
        td_output_format(&r->out, " in %u runs", e->runs);
    td_output_char(&r->out, '\n');
}

/* ---- a bench ------------------------------------------------------------------ */

enum { BENCH_NAME = 26, BENCH_SHORT = 18 };

static void put_number(struct td_output *o, double value)
{
    if (isnan(value))
        td_output_format(o, "%15s", "-");
    else
        put_fixed(o, value, value == floor(value) ? 0 : 1, 15);
}

static void put_bench_event(struct td_report *r, const struct td_bench_event *e, int width, bool all)
{
    struct td_output *o = &r->out;
    const size_t n = strlen(e->event), has = td_screen_columns(e->event, n);

    td_output_text(o, "  ");
    td_screen_put(o, e->event, n, r->width ? (size_t)width : 0);
    put_blanks(o, width - (int)has);
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

/* On a screen without room for all columns: the median and what measuring adds to it. */
void td_tree_bench(struct td_report *r, const struct td_bench *b)
{
    struct td_output *o = &r->out;
    const bool all = fits(r, 2 + BENCH_NAME + 5 * 15);
    const int width = fits(r, 2 + BENCH_NAME + 2 * 15) ? BENCH_NAME : BENCH_SHORT;

    td_output_format(o, "%16u runs on CPU %d  %s  [cost: of %u empty runs, the median; it is in each number]\n", b->runs, b->cpu, b->machine, b->empties);
    put_blanks(o, 2 + width);
    if (all)
        td_output_format(o, "%15s%15s%15s%15s%15s\n", "min", "median", "mean", "deviation", "cost");
    else
        td_output_format(o, "%15s%15s\n", "median", "cost");
    for (size_t i = 0; i < b->n; i++)
        put_bench_event(r, &b->event[i], width, all);
}

/* ---- the doctor --------------------------------------------------------------- */

/* Parts of the texts come from the machine's own files. */
static void put_line(struct td_output *o, const char *mark, const char *layer, const char *arrow, const char *text)
{
    char line[2 * NAME];

    snprintf(line, sizeof(line), "%s%s", arrow, text);
    td_output_format(o, "%-8s  %-12s  %s\n", mark, layer, td_printable(line));
}

void td_tree_finding(struct td_report *r, const struct td_finding *f)
{
    static const char *const marks[] = {[TD_FINDING_OK] = "ok", [TD_FINDING_NOTE] = "note", [TD_FINDING_OBSTACLE] = "OBSTACLE"};

    put_line(&r->out, marks[f->kind], f->layer, "", f->text);
    if (f->remedy)
        put_line(&r->out, "", "", "  -> ", f->remedy);
}

void td_tree_diagnosis(struct td_report *r, int code, const char *text)
{
    char line[2 * NAME];

    (void)code;
    snprintf(line, sizeof(line), "%s", text);
    td_output_format(&r->out, "%s\n", td_printable(line));
}
