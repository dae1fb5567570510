/* SPDX-License-Identifier: MIT */
#include "report/json_verdict.h"

#include "report/tree_view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void put_names(struct td_json_writer *j, const char *key, const struct td_metric *const *m, size_t n)
{
    td_json_put_key(j, key);
    td_json_put_open(j, '[');
    for (size_t i = 0; i < n; i++)
        td_json_put_string(j, m[i]->name);
    td_json_put_close(j, ']');
}

void td_json_put_verdict(struct td_json_writer *j, const struct td_verdict *v, enum td_verdict_status status,
                         const char *text)
{
    td_json_put_key(j, "verdict");
    td_json_put_open(j, '{');
    td_json_put_text(j, "status", td_verdict_name(status));
    td_json_put_text(j, "node", v->node ? v->node->name : NULL);
    put_names(j, "path", v->path, v->npath);
    put_names(j, "among", v->among, v->namong);
    td_json_put_text(j, "text", text);
    td_json_put_close(j, '}');
}

/* ---- what to do next ---------------------------------------------------------------------------- */

/* A word for what would decide more; NULL: nothing, or it is decided. */
static const char *rerun(enum td_remedy remedy)
{
    static const char *const words[] = {
        [TD_REMEDY_NONE] = NULL,
        [TD_REMEDY_WHOLE_CPUS] = "whole_cpus",
        [TD_REMEDY_LONGER] = "longer",
        [TD_REMEDY_LEVEL_1] = "level_1",
        [TD_REMEDY_FEWER_EVENTS] = "fewer_events",
        [TD_REMEDY_INTERVALS] = "intervals",
        [TD_REMEDY_CORES] = "cores",
        [TD_REMEDY_ONE_CPU] = "one_cpu",
        [TD_REMEDY_RUNS] = "runs",
        [TD_REMEDY_DOCTOR] = "doctor",
        [TD_REMEDY_SMT] = "smt",
    };

    return words[remedy];
}

/* Whether the bounds of a sibling of a node that the verdict names are below those of the node. What retires limits
 * nothing, and is not ruled out either. */
static bool is_ruled_out(const struct td_metric *m, const struct td_metric *by)
{
    return m != by && m->kind == TD_METRIC_NODE && m->level == by->level && !strcmp(m->parent, by->parent) &&
           strcmp(m->name, "retiring") != 0 && m->status == TD_OK && m->bounds != TD_BOUNDS_NONE &&
           by->bounds != TD_BOUNDS_NONE && m->high < by->low;
}

static void put_ruled_out(struct td_json_writer *j, const struct td_metric *m, const struct td_metric *by)
{
    const bool likely = m->bounds == TD_BOUNDS_LIKELY || by->bounds == TD_BOUNDS_LIKELY;

    td_json_put_open(j, '{');
    td_json_put_text(j, "node", m->name);
    td_json_put_share(j, "high", m->high);
    td_json_put_text(j, "by", by->name);
    td_json_put_share(j, "low", by->low);
    td_json_put_text(j, "bounds", likely ? "likely" : "sound");
    td_json_put_close(j, '}');
}

void td_json_put_next(struct td_json_writer *j, struct td_report *report, const struct td_result *r)
{
    const struct td_verdict *v = &report->verdict;
    char *command = v->node ? td_tree_command_text(report, r, v->node->name, 0) : NULL;

    td_json_put_key(j, "next");
    td_json_put_open(j, '{');
    td_json_put_key(j, "ruled_out");
    td_json_put_open(j, '[');
    for (size_t k = 0; k < v->npath; k++)
        for (size_t i = 0; i < td_result_metrics(r); i++)
            if (is_ruled_out(td_result_metric(r, i), v->path[k]))
                put_ruled_out(j, td_result_metric(r, i), v->path[k]);
    td_json_put_close(j, ']');
    td_json_put_text(j, "rerun", rerun(v->remedy));
    if (command)
        td_json_put_clean(j, "command", command);
    else
        td_json_put_text(j, "command", NULL);
    td_json_put_close(j, '}');
    free(command);
}
