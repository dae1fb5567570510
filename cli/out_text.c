/* SPDX-License-Identifier: MIT */
/* A table per interval for people. */
#include "bench.h"
#include "cli.h"
#include "spread.h"

#include <math.h>
#include <string.h>

enum { BAR = 25 };

struct list {
    struct cli_out *out;
    size_t n;
};

static void print_flag(void *ctx, const char *flag, const char *about)
{
    struct list *l = ctx;

    fprintf(l->out->file, "%s%s%s%s", l->n++ ? ", " : "  ! ", flag, about ? ":" : "", about ? about : "");
}

/* Names of scopes and events are somebody else's text. */
static void print_name(struct cli_out *o, const char *name)
{
    char text[1024];

    snprintf(text, sizeof(text), "%s", name);
    fprintf(o->file, "  %s", cli_printable(text));
}

static void print_head(struct cli_out *o, const struct td_result *r)
{
    const char *core = td_result_core(r);
    uint64_t ns;

    if (td_result_is_summary(r))
        fprintf(o->file, "%16s", "summary");
    else if (td_result_time(r, &ns))
        fprintf(o->file, "%6llu.%09llu", (unsigned long long)(ns / 1000000000), (unsigned long long)(ns % 1000000000));
    else
        fprintf(o->file, "%16s", "");
    print_name(o, td_result_scope(r));
    if (core)
        fprintf(o->file, "  %s-cores", core);
    fprintf(o->file, "  %s  [%s]", td_result_cpu(r), td_result_formula(r));
    if (td_result_coverage(r) < 1)
        fprintf(o->file, "  counted %.0f %% of the time", 100 * td_result_coverage(r));
    fputc('\n', o->file);
}

static void print_bar(struct cli_out *o, double value)
{
    int filled = (int)(fmin(fmax(value, 0), 1) * BAR + 0.5);

    fprintf(o->file, "  |%.*s%*s|", filled, "#########################", BAR - filled, "");
}

static void print_value(struct cli_out *o, const struct td_metric *m)
{
    char bounds[32] = "";
    double percent = fabs(m->value) < 0.0005 ? 0 : 100 * m->value; /* not "-0.0" */

    if (isnan(m->low))
        snprintf(bounds, sizeof(bounds), "  no bounds");
    else if (m->high - m->low >= 0.0005)
        snprintf(bounds, sizeof(bounds), "  %.1f .. %.1f", 100 * m->low, 100 * m->high);
    fprintf(o->file, "%6.1f %%%s", percent, bounds);
    if (o->bars && m->level == 1) {
        fprintf(o->file, "%*s", 16 - (int)strlen(bounds), "");
        print_bar(o, m->value);
    }
}

static void print_metric(struct cli_out *o, const struct td_result *r, const struct td_metric *m)
{
    struct list flags = {o, 0};
    char status[CLI_STATUS];

    if (m->status == TD_NOT_ON_THIS_CPU)
        return;
    fprintf(o->file, "%18s%*s%-*s", "", 2 * (m->level - 1), "", 22 - 2 * (m->level - 1), m->name);
    if (m->status == TD_OK) {
        print_value(o, m);
        if (strcmp(m->unit, "slots"))
            fprintf(o->file, "  of %s", m->unit);
    } else {
        fprintf(o->file, "%8s  %s", "-", cli_status(m, status));
        if (m->event && m->status != TD_MISSING_EVENT)
            fprintf(o->file, " (%s)", m->event);
        if (m->status == TD_IMPOSSIBLE)
            fprintf(o->file, " (%.1f %%)", 100 * m->raw);
        if (m->why)
            fprintf(o->file, " (%s)", m->why);
    }
    cli_each_flag_of(r, m->flags, 0, print_flag, &flags);
    fputc('\n', o->file);
}

static void print_children(struct cli_out *o, const struct td_result *r, const char *parent)
{
    for (size_t i = 0; i < td_result_metrics(r); i++) {
        const struct td_metric *m = td_result_metric(r, i);

        if (strcmp(m->parent, parent))
            continue;
        print_metric(o, r, m);
        print_children(o, r, m->name);
    }
}

static void print_among(struct cli_out *o, const struct td_verdict *v)
{
    for (size_t i = 0; i < v->namong; i++)
        fprintf(o->file, "%s%s", i == 0 ? "" : i + 1 == v->namong ? " and " : ", ", v->among[i]->name);
}

static void print_undecided(struct cli_out *o, const struct td_verdict *v)
{
    char status[CLI_STATUS];

    if (v->absent)
        fprintf(o->file, "undecided: %s is absent (%s)", v->absent->name, cli_status(v->absent, status));
    else if (v->unbounded)
        fprintf(o->file, "undecided: there are no bounds; the largest is %s", v->among[0]->name);
    else if (v->namong == 1)
        fprintf(o->file, "undecided: %s is the largest, perhaps below its threshold", v->among[0]->name);
    else
        fputs("undecided between ", o->file), print_among(o, v);
}

static void print_verdict(struct cli_out *o, const struct td_result *r)
{
    struct td_verdict v;
    bool any = false;

    for (size_t i = 0; i < td_result_metrics(r); i++)
        any = any || td_result_metric(r, i)->status == TD_OK;
    td_result_verdict(r, &v);
    fprintf(o->file, "%16s=> ", "");
    if (!any)
        fputs("nothing can be said: no metric has a value", o->file);
    else if (!v.node && !v.namong && !v.absent)
        fputs("no node is above its threshold", o->file);
    else if (!v.node)
        print_undecided(o, &v);
    else if (!strcmp(v.node->name, "retiring"))
        fprintf(o->file, "not stalled: %.1f %% of the slots retire", 100 * v.node->value);
    else
        fprintf(o->file, "limited by %s%s%s", *v.node->parent ? v.node->parent : "", *v.node->parent ? ": " : "", v.node->name);
    if (v.node && (v.namong || v.absent))
        fputs("; below it ", o->file), print_undecided(o, &v);
    fputc('\n', o->file);
}

/* m misses an event that no metric in front of it does. */
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

/* Each event that was not recorded, with the metrics that wait for it. */
static void print_missing(struct cli_out *o, const struct td_result *r)
{
    for (size_t i = 0; i < td_result_metrics(r); i++) {
        const char *event = td_result_metric(r, i)->event, *between = " disables ";

        if (!is_first_missing(r, i))
            continue;
        fprintf(o->file, "%18snot recorded: %s", "", event);
        for (size_t k = i; k < td_result_metrics(r); k++) {
            const struct td_metric *m = td_result_metric(r, k);

            if (m->status != TD_MISSING_EVENT || !m->event || strcmp(m->event, event))
                continue;
            fprintf(o->file, "%s%s", between, m->name);
            between = ", ";
        }
        fputc('\n', o->file);
    }
}

static void print_notes(struct cli_out *o, const struct td_result *r)
{
    struct list flags = {o, 0};

    if (!(td_result_flags(r) & cli_result_flags))
        return;
    fprintf(o->file, "%16s", "");
    cli_each_flag_of(r, td_result_flags(r) & cli_result_flags, 0, print_flag, &flags);
    fputc('\n', o->file);
}

static void text_result(struct cli_out *o, const struct td_result *r)
{
    print_head(o, r);
    print_children(o, r, "");
    for (size_t i = 0; o->counts && i < td_result_counts(r); i++) {
        struct td_event_count c = td_result_count(r, i);

        if (c.status == TD_OK)
            fprintf(o->file, "%18s%20.0f", "", c.value);
        else
            fprintf(o->file, "%18s%20s", "", td_status_name(c.status));
        print_name(o, c.event);
        fputc('\n', o->file);
    }
    print_missing(o, r);
    print_notes(o, r);
    print_verdict(o, r);
}

static void text_begin(struct cli_out *o)
{
    if (o->appended)
        fputc('\n', o->file);
}

static void print_deviation(struct cli_out *o, const struct cli_spread_number *s, double factor, const char *unit)
{
    fprintf(o->file, "  mean %5.*f%s", factor > 1 ? 1 : 9, factor * s->mean, unit);
    if (s->n > 1)
        fprintf(o->file, "  standard deviation %.*f%s", factor > 1 ? 2 : 9, factor * cli_spread_deviation(s), unit);
}

/* The metrics of one scope and core from first on, children below their parent. */
static void print_spread(struct cli_out *o, const struct cli_spread *s, size_t first, const char *parent)
{
    for (size_t i = first; i < s->n && (i == first || !cli_spread_first(s, i)); i++) {
        const struct cli_spread_metric *m = &s->metrics[i];
        int indent = 2 * (m->level - 1);

        if (strcmp(m->parent, parent))
            continue;
        fprintf(o->file, "%18s%*s%-*s", "", indent, "", 22 - indent, m->name);
        print_deviation(o, &m->number, 100, " %");
        if (m->number.n < s->elapsed.n)
            fprintf(o->file, "  (of %u runs that have it)", m->number.n);
        fputc('\n', o->file);
        print_spread(o, s, first, m->name);
    }
}

static void text_spread(struct cli_out *o, const struct cli_spread *s)
{
    for (size_t i = 0; i < s->n; i++) {
        const struct cli_spread_metric *m = &s->metrics[i];

        if (!cli_spread_first(s, i))
            continue;
        fprintf(o->file, "%11u runs", s->runs);
        print_name(o, m->scope);
        fprintf(o->file, "%s%s%s  [mean and standard deviation of the ", m->core ? "  " : "", m->core ? m->core : "",
                m->core ? "-cores" : "");
        if (s->elapsed.n < s->runs)
            fprintf(o->file, "%u that the command ended]\n", s->elapsed.n);
        else
            fprintf(o->file, "runs]\n");
        print_spread(o, s, i, "");
    }
    fprintf(o->file, "%18s%-22s", "", "elapsed");
    if (s->elapsed.n)
        print_deviation(o, &s->elapsed, 1, " s");
    else
        fprintf(o->file, "  no mean: the command ended none of the %u runs", s->runs);
    fputc('\n', o->file);
}

static void text_end(struct cli_out *o, const struct cli_end *e)
{
    fprintf(o->file, "%16.9f  seconds time elapsed", e->elapsed);
    if (e->runs > 1)
        fprintf(o->file, " in %u runs", e->runs);
    fputc('\n', o->file);
}

static void print_number(struct cli_out *o, double value)
{
    if (isnan(value))
        fprintf(o->file, "%15s", "-");
    else
        fprintf(o->file, "%15.*f", value == floor(value) ? 0 : 1, value);
}

static void text_bench(struct cli_out *o, const struct cli_bench *b)
{
    fprintf(o->file, "%16u runs on CPU %d  %s  [cost: of %u empty runs, the median; it is in each number]\n", b->runs, b->cpu, b->machine, b->empties);
    fprintf(o->file, "%-28s%15s%15s%15s%15s%15s\n", "", "min", "median", "mean", "deviation", "cost");
    for (size_t i = 0; i < b->n; i++) {
        const struct cli_bench_event *e = &b->event[i];

        fprintf(o->file, "  %-26s", e->event);
        print_number(o, e->counted.min);
        print_number(o, e->counted.median);
        print_number(o, e->counted.mean);
        print_number(o, e->counted.deviation);
        print_number(o, e->cost.median);
        fputc('\n', o->file);
    }
}

const struct cli_format cli_format_text = {
    .name = "text", .begin = text_begin, .result = text_result, .spread = text_spread, .end = text_end, .bench = text_bench};
