/* SPDX-License-Identifier: MIT */
#include "cli/explain_tree.h"

#include "advice/advice.h"
#include "cli/cli.h"
#include "util/room.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 80, STEP = 2 /* columns by level */, ABOVE = 64, COLUMN = 28 /* of texts */ };

struct node {
    const char *name, *about;
    const char *parent; /* by the first CPU that has the node */
    /* thresholds: the least and the largest of the CPUs', in the metric's unit; NAN: none is published */
    double low, high;
    enum td_metric_kind kind;
    bool put;
};

struct tree {
    struct node *node;
    size_t n, room, column; /* column: where texts begin */
};

/* ---- lines ---------------------------------------------------------------------- */

void cli_explain_put_words(struct td_output *o, const char *text, size_t at, size_t indent)
{
    size_t column = at;

    for (const char *end; *text; text = end + strspn(end, " ")) {
        size_t n = strcspn(text, " ");

        if (!strncmp(text + n, " %", 2)) /* a number and its unit stay together */
            n += 2 + strcspn(text + n + 2, " ");
        end = text + n;
        if (column > at && column + 1 + n > WIDTH) {
            td_output_format(o, "\n%*s", (int)indent, "");
            column = at = indent;
        } else if (column > at) {
            td_output_char(o, ' ');
            column++;
        }
        td_output_bytes(o, text, n);
        column += n;
    }
    td_output_char(o, '\n');
}

/* ---- what is known ---------------------------------------------------------------- */

bool cli_explain_find(const struct td_uarch *u, const char *name, struct td_metric_info *out)
{
    struct td_metric_info m = {.size = sizeof(m)};
    bool found = false;

    for (size_t i = 0; !(found && out->source) && !td_uarch_metric(u, i, &m); i++)
        if (*m.unit && (m.source || (m.level && m.expr)) && (!found || m.source) && !strcmp(m.name, name)) {
            *out = m;
            found = true;
        }
    return found;
}

/* CPUs without published thresholds are judged by those of Intel's big cores: tdprobe-metrics(7). */
static bool borrowed(const char *name, struct td_metric_info *out)
{
    const struct td_advice *a = td_advice_find(name, NULL);
    const struct td_uarch *u = td_uarch_by_name("spr");

    return a && u && cli_explain_find(u, a->node, out) && out->kind == TD_METRIC_NODE && out->level <= TD_LEVEL_USUAL;
}

/* "v > 0.2 & parent": what v has to exceed; NAN: it is no such condition. */
static double threshold_of(const struct td_metric_info *m)
{
    double above;

    return m->threshold && sscanf(m->threshold, "v > %lf", &above) == 1 ? above : NAN;
}

/* ---- what is listed ---------------------------------------------------------------- */

static bool is_listed(const struct td_advice *a, const struct td_uarch *only)
{
    struct td_metric_info m = {.size = sizeof(m)};
    const struct td_uarch *u;

    if (a->backend && !only)
        return false;
    if (only)
        return cli_explain_find(only, a->node, &m) && m.kind != TD_METRIC_INFO &&
               td_advice_find(a->node, td_uarch_backend(only)) == a;
    for (size_t i = 0; (u = td_uarch_at(i)); i++)
        if (cli_explain_find(u, a->node, &m))
            return m.kind != TD_METRIC_INFO;
    return false;
}

const char *cli_explain_node(size_t *at, const struct td_uarch *only, const char **about)
{
    const struct td_advice *a;

    while ((a = td_advice_at((*at)++)))
        if (is_listed(a, only)) {
            *about = a->brief;
            return a->node;
        }
    return NULL;
}

/* ---- collecting ------------------------------------------------------------------- */

static struct node *find_node(const struct tree *t, const char *name)
{
    for (size_t i = 0; i < t->n; i++)
        if (!strcmp(t->node[i].name, name))
            return &t->node[i];
    return NULL;
}

static void widen(struct node *n, double above)
{
    n->low = fmin(n->low, above); /* of NAN and a number: the number */
    n->high = fmax(n->high, above);
}

/* What a CPU says of a metric; at: the name that the tree has for it. */
static bool take(struct tree *t, const char *name, const char *about, const struct td_metric_info *m)
{
    struct node *n = find_node(t, name);

    if (!n) {
        if (td_room(&t->node, &t->room, t->n + 1, sizeof(*t->node)))
            return false;
        n = &t->node[t->n++];
        *n = (struct node){.name = name,
                           .about = about,
                           .parent = m->parent ? m->parent : "",
                           .low = NAN,
                           .high = NAN,
                           .kind = m->kind};
    }
    widen(n, threshold_of(m));
    return true;
}

/* Of one CPU, in its own words. */
static bool take_cpu(struct tree *t, const struct td_uarch *u)
{
    struct td_metric_info m = {.size = sizeof(m)}, best = m, other = m;
    bool ok = true;

    for (size_t i = 0; ok && !td_uarch_metric(u, i, &m); i++) {
        const struct td_advice *a = m.kind == TD_METRIC_INFO ? NULL : td_advice_find(m.name, td_uarch_backend(u));

        if (!a || find_node(t, m.name) || !cli_explain_find(u, m.name, &best) || best.kind == TD_METRIC_INFO)
            continue;
        ok = take(t, m.name, a->brief, &best);
        if (ok && isnan(threshold_of(&best)) && borrowed(m.name, &other))
            widen(find_node(t, m.name), threshold_of(&other));
    }
    return ok;
}

/* Of all: each of the names that explain lists, by the CPUs that have it. */
static bool take_all(struct tree *t)
{
    struct td_metric_info m = {.size = sizeof(m)};
    const struct td_uarch *u;
    const char *name, *about;
    size_t at = 0;
    bool ok = true;

    while (ok && (name = cli_explain_node(&at, NULL, &about)))
        for (size_t i = 0; ok && (u = td_uarch_at(i)); i++)
            if (cli_explain_find(u, name, &m))
                ok = take(t, name, about, &m);
    return ok;
}

/* ---- printing ------------------------------------------------------------------------ */

/* "above 10 to 20 %" */
static void say_threshold(const struct node *n, char text[static ABOVE])
{
    const double per = n->kind == TD_METRIC_NODE ? 100 : 1;

    if (isnan(n->low))
        *text = '\0';
    else if (n->low < n->high)
        snprintf(text, ABOVE, "above %g to %g %%", per * n->low, per * n->high);
    else
        snprintf(text, ABOVE, "above %g %%", per * n->low);
}

static void put_node(struct td_output *o, const struct tree *t, struct node *n, size_t level)
{
    const size_t at = level * STEP, used = at + strlen(n->name);
    char above[ABOVE], text[256];

    say_threshold(n, above);
    snprintf(text, sizeof(text), "%s%s%s", n->about, *above ? "; " : "", above);
    td_output_format(o, "%*s%s%*s", (int)at, "", n->name, used < t->column ? (int)(t->column - used) : 1, "");
    cli_explain_put_words(o, text, used < t->column ? t->column : used + 1, t->column);
    n->put = true;
    for (size_t i = 0; i < t->n; i++)
        if (!t->node[i].put && !strcmp(t->node[i].parent, n->name))
            put_node(o, t, &t->node[i], level + 1);
}

/* Those of a kind without a node above, and all below them. */
static void put_kind(struct td_output *o, const struct tree *t, enum td_metric_kind kind)
{
    for (size_t i = 0; i < t->n; i++)
        if (!t->node[i].put && t->node[i].kind == kind && !find_node(t, t->node[i].parent))
            put_node(o, t, &t->node[i], 0);
}

static void put_lead(struct td_output *o, const struct td_uarch *only)
{
    char text[512];

    snprintf(
        text, sizeof(text),
        "A node is worth a look where its share is above the number that is given here, and so is that of the node "
        "above it. %s%s%s",
        only ? "These are of "
             : "Where CPUs differ, both ends are given; 'tdprobe explain --uarch NAME' has one CPU's.",
        only ? td_uarch_title(only) : "", only ? "." : "");
    cli_explain_put_words(o, text, 0, 0);
    td_output_char(o, '\n');
}

static bool has_kind(const struct tree *t, enum td_metric_kind kind)
{
    bool has = false;

    for (size_t i = 0; i < t->n; i++)
        has = has || t->node[i].kind == kind;
    return has;
}

int cli_explain_put_tree(struct td_output *o, const struct td_uarch *only)
{
    struct tree t = {.column = COLUMN};
    const bool ok = only ? take_cpu(&t, only) : take_all(&t);

    if (ok) {
        put_lead(o, only);
        put_kind(o, &t, TD_METRIC_NODE);
        if (has_kind(&t, TD_METRIC_BOTTLENECK))
            td_output_text(o, "\nBottlenecks, in per cent of all slots, each from several nodes:\n\n");
        put_kind(o, &t, TD_METRIC_BOTTLENECK);
    }
    free(t.node);
    return ok ? 0 : cli_no_memory();
}
