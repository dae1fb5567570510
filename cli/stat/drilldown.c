/* SPDX-License-Identifier: MIT */
#include "cli/stat/drilldown.h"

#include "cli/cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int cli_drill_ask(const struct cli_drill *d, struct td *td)
{
    const int err = td_set_level(td, d->stage ? TD_LEVEL_TOP : TD_LEVEL_USUAL);

    return err || !d->names ? err : td_set_metrics(td, d->names);
}

static void append(char *text, size_t size, const char *before, const char *more)
{
    const size_t n = strlen(text);

    snprintf(text + n, size - n, "%s%s", n ? before : "", more);
}

static struct cli_drill_way *way_of(struct cli_drill *d, const char *core)
{
    for (size_t i = 0; i < d->n; i++)
        if (!strcmp(d->way[i].core, core))
            return &d->way[i];
    if (d->n == CLI_DRILL_CORES)
        return NULL;
    snprintf(d->way[d->n].core, sizeof(d->way->core), "%s", core);
    return &d->way[d->n++];
}

static bool has_children(const struct td_uarch *u, const char *node)
{
    struct td_metric_info m;

    for (size_t i = 0; td_uarch_metric(u, i, &m); i++)
        if (m.kind == TD_METRIC_NODE && m.level > TD_LEVEL_USUAL && m.parent && !strcmp(m.parent, node))
            return true;
    return false;
}

/* What a result names below the node that was named before the measuring. */
static void follow(struct cli_drill_way *w, const struct td_result *r)
{
    struct td_verdict v;

    td_result_verdict_below(r, w->node, &v);
    w->open[0] = '\0';
    for (size_t i = 0; i < v.npath; i++)
        append(w->path, sizeof(w->path), ": ", v.path[i]->name);
    for (size_t i = 0; i < v.namong; i++)
        append(w->open, sizeof(w->open), ", ", v.among[i]->name);
    if (v.absent)
        append(w->open, sizeof(w->open), ", ", v.absent->name);
    w->likely = w->likely || (v.node && v.status == TD_VERDICT_LIKELY);
    if (v.node)
        snprintf(w->node, sizeof(w->node), "%s", v.node->name);
    w->ended = !v.node || w->open[0] || !w->uarch || !has_children(w->uarch, w->node);
}

/* Results come interval by interval, and their summary last: what an earlier one of the same measuring named is undone. */
void cli_drill_take(struct cli_drill *d, const struct td_result *r)
{
    static struct cli_drill_way before[CLI_DRILL_CORES];
    struct cli_drill_way *w = d->on ? way_of(d, td_result_core(r) ? td_result_core(r) : "") : NULL;

    if (!w || (w->ended && !w->seen))
        return;
    if (w->seen)
        *w = before[w - d->way];
    else
        before[w - d->way] = *w;
    w->seen = true;
    w->uarch = td_uarch_by_name(td_result_cpu(r));
    follow(w, r);
}

/* names, one more; NULL: out of memory. */
static char *with_name(char *names, const char *name)
{
    char *more = NULL;

    if (names && asprintf(&more, "%s%s%s", names, *names ? "," : "", name) < 0)
        more = NULL;
    free(names);
    return more;
}

static char *with_above(char *names, const struct td_uarch *u, const char *node)
{
    struct td_metric_info m;

    for (size_t i = 0; *node && names && td_uarch_metric(u, i, &m); i++)
        if (m.kind == TD_METRIC_NODE && m.parent && !strcmp(m.name, node)) {
            names = with_name(names, node);
            node = m.parent;
            i = (size_t)-1;
        }
    return names;
}

/* The node with those above it, which a tree shows it below, and its children. */
static char *with_branch(char *names, const struct td_uarch *u, const char *node)
{
    struct td_metric_info m;

    for (size_t i = 0; names && td_uarch_metric(u, i, &m); i++)
        if (m.kind == TD_METRIC_NODE && m.parent && (!strcmp(m.name, node) || (m.level > TD_LEVEL_USUAL && !strcmp(m.parent, node)))) {
            names = with_name(names, m.name);
            if (!strcmp(m.name, node) && *m.parent)
                names = with_above(names, u, m.parent);
        }
    return names;
}

bool cli_drill_further(struct cli_drill *d)
{
    /* each measuring goes a level deeper: a node that it names again must not make it measure for ever */
    char *names = d->on && d->stage < TD_LEVELS - TD_LEVEL_USUAL ? strdup("") : NULL;
    bool further;

    for (size_t i = 0; i < d->n; i++) {
        if (d->way[i].seen && !d->way[i].ended)
            names = with_branch(names, d->way[i].uarch, d->way[i].node);
        d->way[i].seen = false;
    }
    further = names && *names;
    free(d->names);
    d->names = further ? names : NULL;
    if (!further)
        free(names);
    d->stage++;
    return further;
}

void cli_drill_say(const struct cli_drill *d)
{
    for (size_t i = 0; i < d->n; i++) {
        const struct cli_drill_way *w = &d->way[i];
        const char *core = *w->core ? "-cores " : "";

        if (!*w->node)
            cli_say("drilldown: %s%s%s%s", w->core, core, *w->open ? "undecided between " : "no node is above its threshold", w->open);
        else if (*w->open)
            cli_say("drilldown: %s%slimited by %s%s; undecided below it: %s (a longer run decides more)", w->core, core, w->path,
                    w->likely ? " (likely)" : "", w->open);
        else
            cli_say("drilldown: %s%slimited by %s%s ('tdprobe explain %s')", w->core, core, w->path, w->likely ? " (likely)" : "", w->node);
    }
}

void cli_drill_free(struct cli_drill *d)
{
    free(d->names);
    *d = (struct cli_drill){0};
}
