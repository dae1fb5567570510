/* SPDX-License-Identifier: MIT */
#include "core/seen.h"

#include "core/room.h"

#include <math.h>

/* A formula that does not clamp may give this much less than 0 or more than 1. */
#define SHARE_SLACK 0.01
/* A task's windows are cut short where it sleeps: those that it fills count for twice the mean. */
#define UNEVEN_TASK 2.0
/* The times of whole CPUs add up to a whole number of CPUs, to within this part. */
#define WHOLE_CPUS 0.01

/* Whether the times are of tasks, which perf's recordings do not show. */
static bool of_tasks(const struct td_taken *t, const struct td_count *c)
{
    const double cpus = t->elapsed > 0 ? c->enabled / t->elapsed : t->cpus;

    return t->tasks || fabs(cpus - floor(cpus + 0.5)) > WHOLE_CPUS * cpus;
}

/* The most that a window can count for, relative to the mean window. */
static double uneven_of(const struct td_taken *t, const struct td_count *c, double busiest)
{
    if (of_tasks(t, c)) /* they run at about the same clock, or not at all */
        return UNEVEN_TASK;
    return fmax(1, busiest);
}

static struct td_seen_group *group_of(struct td_seen *s, const struct td_count *c)
{
    size_t g = 0;

    while (g < s->n && !td_copies_together(s->group[g].copy, c))
        g++;
    if (g == s->n)
        s->group[s->n++] = (struct td_seen_group){.copy = c};
    return &s->group[g];
}

static enum td_likely_why find_windows(struct td_seen_group *g, const struct td_taken *t)
{
    const struct td_likely_times times = {
        .running = g->copy->running, .enabled = g->copy->enabled, .elapsed = t->elapsed, .cpus = t->cpus, .interval = t->interval,
    };

    if (g->copy->running >= g->copy->enabled && g->copy->enabled > 0) { /* all was seen, in however many windows */
        g->windows = (struct td_likely_windows){1, 1};
        return TD_LIKELY_GIVEN;
    }
    return td_likely_windows(&times, &g->windows);
}

int td_seen_find(struct td_seen *s, const struct td_seen_solution *x, const struct td_taken *t, double busiest)
{
    int err = td_room(&s->group, &s->room, x->nuses, sizeof(*s->group));

    err = err ? err : td_room(&s->of, &s->uses_room, x->nuses, sizeof(*s->of));
    err = err ? err : td_room(&s->asked, &s->asked_room, x->nuses, sizeof(*s->asked));
    if (err)
        return err;
    s->n = 0;
    s->why = t->in_step ? TD_LIKELY_IN_STEP : TD_LIKELY_GIVEN;
    s->uneven = 1;
    for (size_t u = 0; u < x->nuses; u++) {
        const struct td_count *c = x->use[u].copy < 0 ? NULL : &x->counts->c[x->use[u].copy];
        const size_t before = s->n;
        struct td_seen_group *g = c && c->status == TD_OK ? group_of(s, c) : NULL;

        s->of[u] = g ? (uint32_t)(g - s->group) : UINT32_MAX;
        if (s->n == before || s->why != TD_LIKELY_GIVEN)
            continue;
        s->why = find_windows(g, t);
        s->uneven = fmax(s->uneven, uneven_of(t, c, busiest));
        if (isnan(busiest) && !of_tasks(t, c))
            s->why = TD_LIKELY_NO_LIMITS;
    }
    return 0;
}

/* ---- how far metrics depend on a group --------------------------------------------- */

static void keep_ranges(struct td_seen *s, const struct td_seen_solution *x)
{
    for (size_t u = 0; u < x->nuses; u++)
        s->range[u] = x->cells[td_event_cell(x->use[u].event)].r;
}

static void put_range(const struct td_seen_solution *x, size_t u, const struct td_range *r, double factor)
{
    struct td_val *cell = &x->cells[td_event_cell(x->use[u].event)], *correction = NULL;

    cell->r = (struct td_range){factor * r->low, factor * r->value, factor * r->high};
    if (x->use[u].correction)
        correction = &x->cells[td_correction_cell(x->program, x->use[u].event)];
    if (correction && correction->state == TD_VAL_OK)
        correction->r = cell->r;
}

/* Evaluates with the counts of a group changed by a factor. */
static void run_with(struct td_seen *s, const struct td_seen_solution *x, size_t group, double factor)
{
    for (size_t u = 0; u < x->nuses; u++)
        if (s->of[u] != UINT32_MAX)
            put_range(x, u, &s->range[u], s->of[u] == group ? factor : 1);
    td_program_run(x->program, x->run, x->nrun, x->cells);
}

static double result(const struct td_seen_solution *x, size_t metric)
{
    const struct td_val *v = &x->cells[x->metric[metric]];

    return v->state <= TD_VAL_OMITTED ? v->r.value : (double)NAN;
}

/* The pulls' array first holds the metrics with more of the group. */
static void try_group(struct td_seen *s, const struct td_seen_solution *x, size_t group)
{
    run_with(s, x, group, 1 + TD_LIKELY_STEP);
    for (size_t m = 0; m < x->nmetrics; m++)
        s->pull[m * s->n + group] = result(x, m);
    run_with(s, x, group, 1 - TD_LIKELY_STEP);
    for (size_t m = 0; m < x->nmetrics; m++) {
        double *pull = &s->pull[m * s->n + group];

        *pull = td_likely_pull(s->pull[x->nmetrics * s->n + m], *pull, result(x, m));
    }
}

int td_seen_try(struct td_seen *s, const struct td_seen_solution *x)
{
    int err = td_room(&s->pull, &s->pulls_room, x->nmetrics * (s->n + 1) + 1, sizeof(*s->pull));

    err = err ? err : td_room(&s->range, &s->ranges_room, x->nuses, sizeof(*s->range));
    if (err || s->n < 2)
        return err;
    keep_ranges(s, x);
    for (size_t m = 0; m < x->nmetrics; m++) /* after the pulls: the real values */
        s->pull[x->nmetrics * s->n + m] = result(x, m);
    for (size_t g = 0; g < s->n; g++)
        try_group(s, x, g);
    run_with(s, x, s->n, 1);
    return 0;
}

/* ---- bounds ------------------------------------------------------------------------ */

/* The groups of the events that the metric used. */
static size_t ask_groups(const struct td_seen *s, const struct td_seen_solution *x, size_t metric, const struct td_bits *used)
{
    size_t n = 0;

    for (size_t g = 0; g < s->n; g++) {
        bool any = false;

        for (size_t u = 0; u < x->nuses && !any; u++)
            any = s->of[u] == g && td_bits_has(used, x->use[u].event);
        if (any)
            s->asked[n++] = (struct td_likely_group){.windows = s->group[g].windows, .uneven = s->uneven,
                                                     .pull = s->n < 2 ? 0 : s->pull[metric * s->n + g]};
    }
    return n;
}

/* Without a part of the counts the metric may have no value. */
static size_t usable(const double *parts, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!parts || !isfinite(parts[i]))
            return 0;
    return n;
}

enum td_likely_why td_seen_bounds(const struct td_seen *s, const struct td_seen_solution *x, size_t metric, const struct td_bits *used,
                                  bool share, const double *parts, size_t nparts, struct td_range *bounds)
{
    struct td_likely_ask ask = {
        .value = bounds->value, .low = bounds->low, .high = bounds->high, 
        .least = share ? 0 : -HUGE_VAL, .most = share ? 1 : HUGE_VAL, .slack = SHARE_SLACK, .groups = s->asked,
        .parts = parts, .nparts = usable(parts, nparts),
    };

    if (s->why != TD_LIKELY_GIVEN)
        return s->why;
    ask.ngroups = ask_groups(s, x, metric, used);
    return td_likely_bounds(&ask, &bounds->low, &bounds->high);
}

void td_seen_free(struct td_seen *s)
{
    free(s->group);
    free(s->of);
    free(s->pull);
    free(s->range);
    free(s->asked);
    *s = (struct td_seen){0};
}
