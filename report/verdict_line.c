/* SPDX-License-Identifier: MIT */
#include "report/verdict_line.h"

#include "report/flags.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct verdict_text {
    char *text;
    size_t n;
};

__attribute__((format(printf, 2, 3))) static void put(struct verdict_text *l, const char *format, ...)
{
    va_list args;
    int n;

    va_start(args, format);
    n = vsnprintf(l->text + l->n, TD_VERDICT_TEXT - l->n, format, args);
    va_end(args);
    if (n > 0)
        l->n += (size_t)n < TD_VERDICT_TEXT - l->n ? (size_t)n : TD_VERDICT_TEXT - 1 - l->n;
}

/* Adds a text as it is: most lines are names in a row, which need no format. */
static void put_text(struct verdict_text *l, const char *text)
{
    const size_t room = TD_VERDICT_TEXT - 1 - l->n;
    size_t len = strlen(text);

    len = len < room ? len : room;
    memcpy(l->text + l->n, text, len);
    l->n += len;
    l->text[l->n] = '\0';
}

static void put_among(struct verdict_text *l, const struct td_verdict *v)
{
    for (size_t i = 0; i < v->namong; i++) {
        put_text(l, i == 0 ? "" : i + 1 == v->namong ? " and " : ", ");
        put_text(l, v->among[i]->name);
    }
}

static void put_remedy(struct verdict_text *l, enum td_remedy remedy)
{
    static const char *const texts[] = {
        [TD_REMEDY_WHOLE_CPUS] = "counts of whole CPUs (-a) decide more",
        [TD_REMEDY_LONGER] = "a longer run decides more",
        [TD_REMEDY_LEVEL_1] = "--level 1 decides more",
        [TD_REMEDY_FEWER_EVENTS] = "fewer events decide more",
        [TD_REMEDY_INTERVALS] = "a recording with -I decides more",
        [TD_REMEDY_CORES] = "--per-core decides more",
        [TD_REMEDY_ONE_CPU] = "-C N, of one CPU alone, decides more",
        [TD_REMEDY_RUNS] = "more runs of each group decide more (-r 8, or more)",
        [TD_REMEDY_SMT] = "--smt on or --smt off decides more",
        [TD_REMEDY_DOCTOR] = "'tdprobe doctor' looks into it",
    };

    if (remedy != TD_REMEDY_NONE)
        put(l, "; %s", texts[remedy]);
}

/* Says that a count cannot be. */
static void put_wrong(struct verdict_text *l, const struct td_verdict *v)
{
    put(l, "no verdict: %s is counted wrongly, or not at all (%s)", v->absent->event, v->absent->why);
    put_remedy(l, v->remedy);
}

/* Of percentages that were printed without any of level 1. */
static bool only_deeper(const struct td_result *r)
{
    for (size_t i = 0; r && i < td_result_metrics(r); i++)
        if (td_result_metric(r, i)->level == TD_LEVEL_TOP)
            return false;
    return r && td_result_metrics(r) > 0;
}

static void put_undecided(struct verdict_text *l, const struct td_verdict *v, const struct td_result *r)
{
    char status[TD_STATUS_TEXT];

    if (v->absent)
        put(l, "undecided: %s is absent (%s)", v->absent->name, td_status_text(v->absent, status));
    else if (v->unbounded && v->remedy == TD_REMEDY_DOCTOR)
        put_text(l, v->among && v->namong && v->among[0]->flags & TD_FLAG_COUNTS_DOUBTFUL
                        ? "no verdict: the counts contradict each other"
                        : "no verdict: the counts of level 1 do not add up to the slots");
    else if (v->unbounded && v->namong)
        put(l, "undecided: there are no bounds; the largest above its threshold is %s", v->among[0]->name);
    else if (v->unbounded)
        put(l, "undecided: there are no bounds; no node is above its threshold");
    else if (v->namong == 1)
        put(l, "undecided: only %s may be above its threshold", v->among[0]->name);
    else if (!v->namong && only_deeper(r))
        put(l, "no verdict: no node of level 1 was printed");
    else if (!v->namong)
        put(l, "no verdict: of this CPU only ratios are published, no shares of slots");
    else
        put_text(l, "undecided between "), put_among(l, v);
    put_remedy(l, v->remedy);
}

/* Names nodes of the path, each below the one before. */
static void put_path(struct verdict_text *l, const struct td_verdict *v, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        put_text(l, i > from ? ": " : "");
        put_text(l, v->path[i]->name);
    }
}

bool td_verdict_unbounded(const struct td_verdict *v)
{
    for (size_t i = 0; i < v->npath; i++)
        if (isnan(v->path[i]->low))
            return true;
    return false;
}

/* Names the node that limits: "limited by" those with sound bounds, "probably" those with likely ones, which come after
 * them. */
static void put_node(struct verdict_text *l, const struct td_verdict *v)
{
    const bool likely = v->status == TD_VERDICT_LIKELY;

    if (!strcmp(v->node->name, "retiring")) {
        put(l, "%snot stalled: %.1f %% of the slots retire", likely ? "probably " : "", 100 * v->node->value);
    } else if (v->nsound && v->nsound < v->npath) {
        put_text(l, "limited by ");
        put_path(l, v, 0, v->nsound);
        put_text(l, ", probably ");
        put_path(l, v, v->nsound, v->npath);
    } else {
        put_text(l, likely ? "probably " : "limited by ");
        put_path(l, v, 0, v->npath);
    }
    if (likely)
        put_text(l, td_verdict_unbounded(v) ? " (likely: ahead by 15 points or more)" : " (likely)");
}

/* Events of one kind of a hybrid's cores that were enabled and never ran: perf counts on, and shows 0.00 %, while a
 * task is on the other kind, as it does while others hold the counters. */
static void put_valueless(struct verdict_text *l, const struct td_verdict *v, const struct td_result *r)
{
    if (v->absent && v->absent->status == TD_NO_SLOTS)
        put_text(l, "idle: no slot passed");
    else if (r && td_never_ran(r))
        put_text(l, "idle: nothing ran");
    else if (r && td_result_core(r) && td_none_counted(r))
        put(l, "no verdict: nothing ran on %s-cores, or others held their counters", td_result_core(r));
    else
        put_text(l, "no verdict: no metric has a value");
}

const struct td_metric *td_verdict_retiring(const struct td_result *r)
{
    for (size_t i = 0; i < td_result_metrics(r); i++)
        if (td_result_metric(r, i)->status == TD_OK && !strcmp(td_result_metric(r, i)->name, "retiring"))
            return td_result_metric(r, i);
    return NULL;
}

/* Below a node, and of a result without it, retiring is none of those that may be above. */
static void put_none(struct verdict_text *l, const struct td_result *r)
{
    const struct td_metric *retiring = r ? td_verdict_retiring(r) : NULL;

    if (retiring)
        put(l, "none: %.0f %% retiring, no node but retiring can be above its threshold", 100 * retiring->value);
    else
        put_text(l, "no node is above its threshold");
}

const char *td_verdict_line(const struct td_verdict *v, const struct td_result *r, char buf[TD_VERDICT_TEXT])
{
    struct verdict_text l = {buf, 0};

    if (v->absent && v->absent->event && v->absent->why && v->remedy == TD_REMEDY_DOCTOR && !v->node)
        put_wrong(&l, v);
    else if (v->no_values)
        put_valueless(&l, v, r);
    else if (v->status == TD_VERDICT_NONE)
        put_none(&l, r);
    else if (!v->node)
        put_undecided(&l, v, r);
    else
        put_node(&l, v);
    if (v->node && (v->namong || v->absent))
        put(&l, "; below it "), put_undecided(&l, v, r);
    return buf;
}
