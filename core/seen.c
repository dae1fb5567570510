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

static void keep_values(struct td_seen *s, const struct td_seen_solution *x)
{
    for (size_t u = 0; u < x->nuses; u++)
        s->range[u] = x->cells[td_event_cell(x->use[u].event)].r;
    for (size_t i = 0; i < x->nrun; i++)
        s->kept[i] = x->cells[td_def_cell(x->program, x->run[i])];
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

static void add_groups(const struct td_bits *events, const uint32_t *group_of, struct td_bits *out)
{
    TD_BITS_EACH(e, events) {
        if (group_of[e] != UINT32_MAX)
            td_bits_add(out, group_of[e]);
    }
}

static struct td_bits groups_of(const struct td_seen *s, size_t def)
{
    const size_t words = td_bits_words(s->n);

    return (struct td_bits){s->words + def * words, words};
}

/* Which groups each definition of the solution depends on. */
static void find_groups(struct td_seen *s, const struct td_seen_solution *x)
{
    for (size_t e = 0; e < x->nevents; e++)
        s->group_of[e] = UINT32_MAX;
    for (size_t u = 0; u < x->nuses; u++)
        s->group_of[x->use[u].event] = s->of[u];
    for (size_t i = 0; i < x->nrun; i++) {
        struct td_bits groups = groups_of(s, i);

        td_bits_clear(&groups);
        add_groups(td_program_needs(x->program, x->run[i]), s->group_of, &groups);
        add_groups(td_program_corrections(x->program, x->run[i]), s->group_of, &groups);
    }
}

/* The definitions that depend on a group, in order; returns how many. */
static size_t find_dependent(struct td_seen *s, const struct td_seen_solution *x, size_t group)
{
    size_t n = 0;

    for (size_t i = 0; i < x->nrun; i++) {
        const struct td_bits groups = groups_of(s, i);

        if (!td_bits_has(&groups, group))
            continue;
        s->part[n] = x->run[i];
        s->at[n++] = (uint32_t)i;
    }
    return n;
}

/* Evaluates what depends on a group, with its counts changed by a factor. */
static void run_with(struct td_seen *s, const struct td_seen_solution *x, size_t group, double factor, size_t n)
{
    for (size_t u = 0; u < x->nuses; u++)
        if (s->of[u] == group)
            put_range(x, u, &s->range[u], factor);
    td_program_run(x->program, s->part, n, x->cells);
}

static void put_back(struct td_seen *s, const struct td_seen_solution *x, size_t group, size_t n)
{
    for (size_t u = 0; u < x->nuses; u++)
        if (s->of[u] == group)
            put_range(x, u, &s->range[u], 1);
    for (size_t i = 0; i < n; i++)
        x->cells[td_def_cell(x->program, s->part[i])] = s->kept[s->at[i]];
}

static double result(const struct td_seen_solution *x, size_t metric)
{
    const struct td_val *v = &x->cells[x->metric[metric]];

    return v->state <= TD_VAL_OMITTED ? v->r.value : (double)NAN;
}

/* The pulls' array first holds the metrics with more of the group. */
static void try_group(struct td_seen *s, const struct td_seen_solution *x, size_t group)
{
    const size_t n = find_dependent(s, x, group);

    run_with(s, x, group, 1 + TD_LIKELY_STEP, n);
    for (size_t m = 0; m < x->nmetrics; m++)
        s->pull[m * s->n + group] = result(x, m);
    run_with(s, x, group, 1 - TD_LIKELY_STEP, n);
    for (size_t m = 0; m < x->nmetrics; m++) {
        const double value = s->pull[x->nmetrics * s->n + m], down = result(x, m);
        double *pull = &s->pull[m * s->n + group];

        *pull = *pull == value && down == value ? 0 : td_likely_pull(value, *pull, down);
    }
    put_back(s, x, group, n);
}

static int make_room(struct td_seen *s, const struct td_seen_solution *x)
{
    int err = td_room(&s->pull, &s->pulls_room, x->nmetrics * (s->n + 1) + 1, sizeof(*s->pull));

    err = err ? err : td_room(&s->range, &s->ranges_room, x->nuses, sizeof(*s->range));
    err = err ? err : td_room(&s->kept, &s->kept_room, x->nrun, sizeof(*s->kept));
    err = err ? err : td_room(&s->part, &s->part_room, x->nrun, sizeof(*s->part));
    err = err ? err : td_room(&s->at, &s->at_room, x->nrun, sizeof(*s->at));
    err = err ? err : td_room(&s->group_of, &s->group_of_room, x->nevents, sizeof(*s->group_of));
    return err ? err : td_room(&s->words, &s->words_room, x->nrun * td_bits_words(s->n), sizeof(*s->words));
}

int td_seen_try(struct td_seen *s, const struct td_seen_solution *x)
{
    int err = make_room(s, x);

    if (err || s->n < 2)
        return err;
    keep_values(s, x);
    find_groups(s, x);
    for (size_t m = 0; m < x->nmetrics; m++) /* after the pulls: the real values */
        s->pull[x->nmetrics * s->n + m] = result(x, m);
    for (size_t g = 0; g < s->n; g++)
        try_group(s, x, g);
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
                                  double most, const double *parts, size_t nparts, struct td_range *bounds)
{
    struct td_likely_ask ask = {
        .value = bounds->value, .low = bounds->low, .high = bounds->high, .least = isfinite(most) ? 0 : -HUGE_VAL, .most = most,
        .slack = isfinite(most) ? SHARE_SLACK * most : 0, .groups = s->asked,
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
    free(s->kept);
    free(s->part);
    free(s->at);
    free(s->words);
    free(s->group_of);
    free(s->asked);
    *s = (struct td_seen){0};
}
