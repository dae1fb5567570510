/* SPDX-License-Identifier: MIT */
#include "cli/drilldown.h"

#include "cli/cli.h"
#include "private/plan.h"
#include "private/result.h"
#include "stats/scope_of.h"
#include "util/room.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int cli_drill_ask(const struct cli_drill *d, struct td *td)
{
    const int deepest = d->level ? d->level : TD_LEVELS;
    /* as without --drilldown, with level 1 all the time; what does not count beside it follows */
    const bool as_usual = !d->recorded && !d->stage && deepest >= TD_LEVEL_USUAL;
    const int err = as_usual ? 0 : td_set_level(td, d->recorded ? deepest : TD_LEVEL_TOP);

    if (as_usual)
        td_unset_level(td);
    if (d->no_fixed)
        td_set_fixed(td, false);
    return err || !d->names ? err : td_set_metrics(td, d->names);
}

/* ---- what a result names ------------------------------------------------------------ */

/* A result's way, new at the end. NULL: out of memory. */
static struct cli_drill_way *way_of(struct cli_drill *d, const struct td_result *r)
{
    const struct td_scope_id id = td_scope_of(r), all_cores = {.kind = id.kind, .name = id.name, .length = id.length};
    const long at = td_scope_table_number(&d->ways, &id);

    if (at < 0 || td_scope_table_number(&d->scopes, &all_cores) < 0 ||
        td_room(&d->way, &d->way_room, (size_t)at + 1, sizeof(*d->way)) ||
        td_room(&d->before, &d->before_room, (size_t)at + 1, sizeof(*d->before)))
        return NULL;
    if ((size_t)at == d->n)
        d->way[d->n++] = (struct cli_drill_way){.uarch = NULL};
    return &d->way[at];
}

static bool is_child(const struct td_metric_info *m, const char *node)
{
    return m->kind == TD_METRIC_NODE && m->level > TD_LEVEL_TOP && m->parent && !strcmp(m->parent, node);
}

static bool has_children(const struct td_uarch *u, const char *node)
{
    struct td_metric_info m = {.size = sizeof(m)};

    for (size_t i = 0; u && !td_uarch_metric(u, i, &m); i++)
        if (is_child(&m, node))
            return true;
    return false;
}

/* Whether the result lacks events of a child. */
static bool lacks_below(const struct td_result *r, const char *node)
{
    bool lacks = false;

    for (size_t i = 0; i < td_result_metrics(r); i++) {
        const struct td_metric *m = td_result_metric(r, i);

        lacks = lacks || (m->level > TD_LEVEL_USUAL && m->status == TD_MISSING_EVENT && !strcmp(m->parent, node));
    }
    return lacks;
}

static bool any_below(const struct td_result *r, const char *node)
{
    bool any = false;

    for (size_t i = 0; i < td_result_metrics(r); i++)
        any = any || (!strcmp(td_result_metric(r, i)->parent, node) && td_result_metric(r, i)->status == TD_OK);
    return any;
}

static bool any_flag(const struct td_result *r, unsigned flag)
{
    bool any = false;

    for (size_t i = 0; i < td_result_metrics(r); i++)
        any = any || td_result_metric(r, i)->flags & flag;
    return any;
}

static void name(struct cli_drill_way *w, const struct td_verdict *v)
{
    for (size_t i = 0; i < v->npath; i++) {
        const size_t n = strlen(w->path);

        snprintf(w->path + n, sizeof(w->path) - n, "%s%s", n ? ": " : "", v->path[i]->name);
    }
    w->likely = w->likely || (v->node && v->status == TD_VERDICT_LIKELY);
    if (!v->node)
        return;
    snprintf(w->node, sizeof(w->node), "%s", v->node->name);
    w->level = v->node->level;
}

/* What a result names below the node that was named before the measuring. */
static void follow(struct cli_drill_way *w, const struct td_result *r)
{
    struct td_verdict v, rest;

    td_result_verdict_below(r, w->node, &v);
    name(w, &v);
    rest = v;
    rest.node = NULL;
    rest.npath = 0;
    if (!v.namong && !v.absent && !v.unbounded)
        rest.status = TD_VERDICT_NONE;
    w->below[0] = '\0';
    if (rest.status != TD_VERDICT_NONE || v.no_values || any_below(r, w->node))
        td_verdict_line(&rest, NULL, w->below);
    w->switches = v.unbounded && any_flag(r, TD_FLAG_MANY_SWITCHES);
    w->lacks = *w->node && lacks_below(r, w->node);
    w->ended = !v.node || *w->below || !has_children(w->uarch, w->node);
}

/* Results come interval by interval, and their summary last: what an earlier one of the same measuring named is undone.
 */
int cli_drill_take(struct cli_drill *d, const struct td_result *r)
{
    struct cli_drill_way *w = d->on ? way_of(d, r) : NULL;

    if (!w)
        return d->on ? -ENOMEM : 0;
    if (w->ended && !w->seen)
        return 0;
    if (w->seen)
        *w = d->before[w - d->way];
    else
        d->before[w - d->way] = *w;
    w->seen = true;
    snprintf(w->cpu, sizeof(w->cpu), "%.*s", (int)strcspn(td_result_cpu(r), "|"), td_result_cpu(r));
    w->several = strchr(td_result_cpu(r), '|');
    w->uarch = td_uarch_by_name(w->cpu);
    follow(w, r);
    return 0;
}

/* ---- names of nodes ----------------------------------------------------------------- */

/* names, one more; NULL: out of memory. */
static char *with_name(char *names, const char *more)
{
    char *all = NULL;

    if (names && asprintf(&all, "%s%s%s", names, *names ? "," : "", more) < 0)
        all = NULL;
    free(names);
    return all;
}

static bool find(const struct td_uarch *u, const char *node, struct td_metric_info *out)
{
    for (size_t i = 0; !td_uarch_metric(u, i, out); i++)
        if (out->kind == TD_METRIC_NODE && out->parent && !strcmp(out->name, node))
            return true;
    return false;
}

static char *with_children(char *names, const struct td_uarch *u, const char *node)
{
    struct td_metric_info m = {.size = sizeof(m)};

    for (size_t i = 0; names && !td_uarch_metric(u, i, &m); i++)
        if (is_child(&m, node))
            names = with_name(names, m.name);
    return names;
}

/* The node with those above it, which a tree shows it below, and its children. */
static char *with_branch(char *names, const struct td_uarch *u, const char *node)
{
    struct td_metric_info m = {.size = sizeof(m)};

    for (bool found = find(u, node, &m); found && *m.name && names; found = find(u, m.parent, &m))
        names = with_name(names, m.name);
    return with_children(names, u, node);
}

/* All that a recording needs for a verdict on the children of the node, as groups: the children of those above it, too.
 */
static char *with_groups(char *names, const struct td_uarch *u, const char *node)
{
    struct td_metric_info m = {.size = sizeof(m)};

    for (bool found = find(u, node, &m); found && m.level >= TD_LEVEL_USUAL && names; found = find(u, m.parent, &m)) {
        char group[96];

        snprintf(group, sizeof(group), "%s_group", m.name);
        names = with_name(names, group);
    }
    return names;
}

/* ---- measurings --------------------------------------------------------------------- */

/* Each measuring goes a level deeper: a node that it names again must not make it measure for ever. */
static bool may_go_on(const struct cli_drill *d, const struct cli_drill_way *w)
{
    const int deepest = d->level ? d->level : TD_LEVELS;

    return w->seen && !w->ended && w->level < deepest && d->stage + TD_LEVEL_TOP < (unsigned)deepest;
}

/* Groups that take turns switch the register each time, which leaves no bounds: what ordinary events count has some. */
static bool repeats(struct cli_drill *d)
{
    bool again = false;

    for (size_t i = 0; i < d->n; i++)
        again = again || (d->way[i].seen && d->way[i].switches);
    if (!again || d->no_fixed)
        return false;
    for (size_t i = 0; i < d->n; i++)
        if (d->way[i].seen)
            d->way[i] = d->before[i];
    cli_say("drilldown: PERF_METRICS was switched too often to give bounds; this is measured again by ordinary events "
            "(--no-fixed)");
    return d->no_fixed = true;
}

bool cli_drill_further(struct cli_drill *d)
{
    char *names;
    bool further;

    d->measured++;
    if (d->on && repeats(d))
        return true;
    names = d->on ? strdup("") : NULL;
    for (size_t i = 0; i < d->n; i++) {
        if (may_go_on(d, &d->way[i]))
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

/* ---- what was found ----------------------------------------------------------------- */

/* The command that prints what to record: the deepest node's children, and what it takes to find them the limit again.
 */
static void say_record(const struct cli_drill_way *w, bool no_fixed)
{
    char *names = with_groups(strdup(""), w->uarch, w->node);

    if (names)
        cli_say("drilldown: 'tdprobe perf-command --uarch %s --level %d -M %s%s' prints what to record for the "
                "nodes below %s",
                w->several ? "NAME" : w->cpu, TD_LEVEL_USUAL, names, no_fixed ? " --no-fixed" : "", w->node);
    free(names);
}

static void say_way(const struct cli_drill *d, const struct cli_drill_way *w, bool no_fixed)
{
    const struct td_scope_id *id = &d->ways.id[w - d->way];
    const char *scope = d->scopes.n > 1 ? id->name : "", *between = *scope ? ": " : "",
               *core = *id->core ? "-cores: " : "";
    const bool not_recorded = w->lacks && !*w->below;

    if (!*w->node)
        cli_say("drilldown: %s%s%s%s%s", scope, between, id->core, core, w->below);
    else if (*w->below || not_recorded)
        cli_say("drilldown: %s%s%s%slimited by %s%s; below it %s", scope, between, id->core, core, w->path,
                w->likely ? " (likely)" : "", not_recorded ? "too few events were recorded" : w->below);
    else
        cli_say("drilldown: %s%s%s%slimited by %s%s ('tdprobe explain %s')", scope, between, id->core, core, w->path,
                w->likely ? " (likely)" : "", w->node);
    if (d->recorded && w->lacks && w->uarch)
        say_record(w, no_fixed);
}

void cli_drill_say(const struct cli_drill *d, bool no_fixed)
{
    for (size_t i = 0; i < d->n; i++)
        say_way(d, &d->way[i], no_fixed);
}

void cli_drill_free(struct cli_drill *d)
{
    free(d->way);
    free(d->before);
    free(d->names);
    td_scope_table_free(&d->ways);
    td_scope_table_free(&d->scopes);
    *d = (struct cli_drill){0};
}
