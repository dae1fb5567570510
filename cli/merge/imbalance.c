/* SPDX-License-Identifier: MIT */
#include "cli/merge/imbalance.h"

#include "stats/scope_of.h"
#include "stats/series.h"
#include "util/room.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- figures of a sum ----------------------------------------------------------------------------- */

static void add(struct cli_figures *f, const char *name, bool share, double value, double low, double high)
{
    if (f->n < CLI_FIGURES)
        f->figure[f->n++] = (struct cli_figure){name, share, value, low, high};
}

static void add_total(struct cli_figures *f, enum td_total of, double value)
{
    add(f, td_total_name(of), false, value, value, value);
}

/* The i-th figure is of the same in all sums, so that what one lacks has a place as well. Cycles tell how much passed
 * where slots were not counted. */
static void add_all(struct cli_figures *f, const struct td_result *r)
{
    double total[TD_TOTALS];

    td_totals_counted(r, total);
    add_total(f, TD_TOTAL_TIME, total[TD_TOTAL_TIME]);
    add_total(f, TD_TOTAL_SLOTS, total[TD_TOTAL_SLOTS]);
    add_total(f, TD_TOTAL_CYCLES, isnan(total[TD_TOTAL_SLOTS]) ? total[TD_TOTAL_CYCLES] : NAN);
    for (size_t i = 0; i < td_result_metrics(r); i++) {
        const struct td_metric *m = td_result_metric(r, i);

        if (m->kind == TD_METRIC_NODE && m->level == TD_LEVEL_TOP)
            add(f, m->name, true, m->status == TD_OK ? m->value : NAN, m->status == TD_OK ? m->low : NAN,
                m->status == TD_OK ? m->high : NAN);
    }
}

/* ---- whose sum it is --------------------------------------------------------------------------------- */

static bool is_word(const char *text, size_t n, const char *word)
{
    return word && strlen(word) == n && !memcmp(text, word, n);
}

/* Whose name is before the slash: a member's or a node's. */
static bool find_label(const struct cli_merge *m, const char *name, size_t n, struct cli_figures *f)
{
    static const char node[] = "node:";
    const size_t skip = n > strlen(node) && !strncmp(name, node, strlen(node)) ? strlen(node) : 0;

    for (size_t i = 0; i < m->n; i++) {
        const struct cli_merge_part *p = &m->part[i];

        if (is_word(name, n, p->label)) {
            f->of = CLI_OF_MEMBER;
            f->label = p->label;
            f->host = cli_merge_part_host(p);
            return true;
        }
        if (m->nodes && skip && is_word(name + skip, n - skip, cli_merge_part_host(p))) {
            f->of = CLI_OF_NODE;
            f->label = cli_merge_part_host(p);
            return true;
        }
    }
    return false;
}

static bool whose(const struct cli_merge *m, const struct td_result *r, struct cli_figures *f)
{
    struct td_scope_id id = td_scope_of(r);
    const char *name = id.name, *slash = strchr(name, '/');
    long i = td_scope_table_find(&m->scopes, &id);

    f->of = CLI_OF_ALL;
    if ((i < 0 || !m->scope[i].summed) && slash && find_label(m, name, (size_t)(slash - name), f)) {
        id.name = slash + 1;
        id.length = strlen(id.name);
        i = td_scope_table_find(&m->scopes, &id);
    }
    f->scope = (size_t)i;
    return i >= 0 && m->scope[i].compared;
}

int cli_imbalance_take(void *imbalance, const struct td_result *r)
{
    struct cli_imbalance *b = imbalance;
    struct cli_figures f = {.n = 0};

    if (!whose(b->merge, r, &f))
        return 0;
    add_all(&f, r);
    if (td_room(&b->sum, &b->room, b->n + 1, sizeof(*b->sum)))
        return -ENOMEM;
    b->sum[b->n++] = f;
    return 0;
}

/* ---- the table ------------------------------------------------------------------------------------------ */

struct spread {
    size_t n;
    double sum;
    const struct cli_figures *least, *most;
};

static double value_of(const struct cli_figures *f, size_t i)
{
    return i < f->n ? f->figure[i].value : NAN;
}

static struct spread spread_of(const struct cli_imbalance *b, size_t scope, enum cli_figures_of of, size_t i)
{
    struct spread s = {.n = 0};

    for (size_t k = 0; k < b->n; k++) {
        const struct cli_figures *f = &b->sum[k];
        const double value = value_of(f, i);

        if (f->scope != scope || f->of != of || isnan(value))
            continue;
        s.n++;
        s.sum += value;
        s.least = !s.least || value < value_of(s.least, i) ? f : s.least;
        s.most = !s.most || value > value_of(s.most, i) ? f : s.most;
    }
    return s;
}

static const struct cli_figures *sum_of(const struct cli_imbalance *b, size_t scope)
{
    for (size_t k = 0; k < b->n; k++)
        if (b->sum[k].scope == scope && b->sum[k].of == CLI_OF_ALL)
            return &b->sum[k];
    return NULL;
}

static void put_value(struct td_output *o, const struct cli_figure *like, double value)
{
    if (isnan(value))
        td_output_format(o, " %12s", "-");
    else if (like->share)
        td_output_format(o, " %10.1f %%", value * 100);
    else if (!strcmp(like->name, td_total_name(TD_TOTAL_TIME)))
        td_output_format(o, " %10.3f s", value);
    else
        td_output_format(o, " %12.6g", value);
}

/* Names the worst: what retires least, and of all else what has most. A share is only worse than the best one's if
 * their bounds say so, time and slots if they are more than a hundredth apart. */
static void put_worst(struct td_output *o, const struct spread *s, size_t i)
{
    const bool lowest = !strcmp(s->most->figure[i].name, "retiring");
    const struct cli_figures *worst = lowest ? s->least : s->most;
    const struct cli_figure *low = &s->least->figure[i], *high = &s->most->figure[i];
    const bool bounds = !isnan(low->high) && !isnan(high->low);

    if (low->value == high->value ||
        (high->share ? bounds && low->high >= high->low : high->value <= 1.01 * low->value)) {
        td_output_text(o, "  none\n");
        return;
    }
    td_output_format(o, "  %s%s", bounds ? "" : "~ ", worst->label);
    if (worst->host && strcmp(worst->host, worst->label) != 0)
        td_output_format(o, " (%s)", worst->host);
    td_output_char(o, '\n');
}

static void put_row(const struct cli_imbalance *b, struct td_output *o, size_t scope, enum cli_figures_of of,
                    const struct cli_figures *first, size_t i)
{
    const struct cli_figures *sum = sum_of(b, scope);
    const struct spread s = spread_of(b, scope, of, i);

    if (!s.n && !first->figure[i].share)
        return;
    td_output_format(o, "  %-16s", first->figure[i].name);
    put_value(o, &first->figure[i], sum ? value_of(sum, i) : NAN);
    if (!s.n) {
        td_output_format(o, " %12s %12s %12s  none\n", "-", "-", "-");
        return;
    }
    put_value(o, &first->figure[i], value_of(s.least, i));
    put_value(o, &first->figure[i], s.sum / (double)s.n);
    put_value(o, &first->figure[i], value_of(s.most, i));
    put_worst(o, &s, i);
}

static void put_table(const struct cli_imbalance *b, struct td_output *o, size_t scope, enum cli_figures_of of)
{
    const struct td_scope_id *id = &b->merge->scopes.id[scope];
    const struct cli_figures *first = NULL;
    size_t n = 0;

    for (size_t k = 0; k < b->n; k++)
        if (b->sum[k].scope == scope && b->sum[k].of == of) {
            first = first ? first : &b->sum[k];
            n++;
        }
    if (!first)
        return;
    td_output_format(o, "\n%s (%s%s%s): %zu %ss\n", id->name, id->kind, *id->core ? ", cores " : "", id->core, n,
                     of == CLI_OF_NODE ? "node" : b->merge->called);
    td_output_format(o, "  %-16s %12s %12s %12s %12s  %s\n", "", "all", "min", "mean", "max", "worst");
    for (size_t i = 0; i < first->n; i++)
        put_row(b, o, scope, of, first, i);
}

/* ---- who was last ------------------------------------------------------------------------------------------ */

/* The passes of a part through a region, if their times are those of one clock for all parts; NULL: they are not, or
 * the part does not have as many as the others. */
static const struct cli_merge_part_scope *passes_of(const struct cli_merge *m, size_t part,
                                                    const struct td_scope_id *id, size_t passes)
{
    const struct cli_merge_part *p = &m->part[part];
    const long k = td_scope_table_find(&p->scopes, id);
    const char *host = cli_merge_part_host(p), *first = cli_merge_part_host(&m->part[0]);

    if (k < 0 || !p->scope[k].ends || (passes && p->scope[k].ends != passes) || !cli_merge_part_says(p, "x-began-ns"))
        return NULL;
    return host && first && !strcmp(host, first) ? &p->scope[k] : NULL;
}

/* When a pass ended on the host's clock, in ns. */
static uint64_t end_of(const struct cli_merge *m, size_t part, const struct td_scope_id *id, size_t pass)
{
    const struct cli_merge_part *p = &m->part[part];

    return strtoull(cli_merge_part_says(p, "x-began-ns"), NULL, 10) +
           p->scope[td_scope_table_find(&p->scopes, id)].end[pass];
}

/* The one that ended a pass after all others; the number of parts: two ended it at once. */
static size_t last_of(const struct cli_merge *m, const struct td_scope_id *id, size_t pass)
{
    uint64_t latest = 0;
    size_t last = m->n;

    for (size_t i = 0; i < m->n; i++) {
        const uint64_t end = end_of(m, i, id, pass);

        last = end > latest ? i : end == latest ? m->n : last;
        latest = end > latest ? end : latest;
    }
    return last;
}

/* Where all passed a region as often as the others, as at barriers: who ended it last, and in how many passes. */
static void put_last(const struct cli_merge *m, struct td_output *o, const struct td_scope_id *id)
{
    const struct cli_merge_part_scope *first = passes_of(m, 0, id, 0);
    size_t *last = calloc(m->n + 1, sizeof(*last)), most = 0;
    bool all = first && last && m->n == m->members;

    for (size_t i = 1; i < m->n && all; i++)
        all = passes_of(m, i, id, first->ends) != NULL;
    for (size_t pass = 0; all && pass < first->ends; pass++)
        last[last_of(m, id, pass)]++;
    for (size_t i = 1; i < m->n && all; i++)
        most = last[i] > last[most] ? i : most;
    if (all && last[most])
        td_output_format(o, "  last of all at the end of %zu of %zu passes: %s\n", last[most], first->ends,
                         m->part[most].label);
    free(last);
}

void cli_imbalance_put(const struct cli_imbalance *b, struct td_output *o)
{
    for (size_t i = 0; i < b->merge->scopes.n; i++) {
        put_table(b, o, i, CLI_OF_MEMBER);
        if (b->merge->scope[i].compared)
            put_last(b->merge, o, &b->merge->scopes.id[i]);
        put_table(b, o, i, CLI_OF_NODE);
    }
}

void cli_imbalance_free(struct cli_imbalance *b)
{
    free(b->sum);
}
