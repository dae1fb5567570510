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

    return t->tasks || t->always ? t->tasks : fabs(cpus - floor(cpus + 0.5)) > WHOLE_CPUS * cpus;
}

struct td_likely_times td_taken_times(const struct td_taken *t, const struct td_count *c)
{
    struct td_likely_times times = {.running = c->running, .enabled = c->enabled, .elapsed = t->elapsed, .cpus = t->cpus, .interval = t->interval};

    if (t->always && c->enabled > 0) {
        times.enabled = t->elapsed * t->cpus;
        times.running *= times.enabled / c->enabled;
    }
    return times;
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
        s->group[s->n++] = (struct td_seen_group){.copy = c, .first = UINT32_MAX};
    return &s->group[g];
}

static enum td_likely_why find_windows(struct td_seen_group *g, const struct td_taken *t)
{
    const struct td_likely_times times = td_taken_times(t, g->copy);

    if (t->always && !(times.enabled > 0))
        return TD_LIKELY_NO_CPUS;
    if (g->copy->running >= g->copy->enabled && g->copy->enabled > 0) { /* all was seen, in however many windows */
        g->windows = (struct td_likely_windows){1, 1};
        return TD_LIKELY_GIVEN;
    }
    return td_likely_windows(&times, &g->windows);
}

/* The words of a set of groups. */
static size_t words_of(const struct td_seen *s)
{
    return td_bits_words(s->n ? s->n : 1);
}

int td_seen_find(struct td_seen *s, const struct td_seen_solution *x, const struct td_taken *t, double busiest)
{
    int err = td_room(&s->group, &s->room, x->nuses, sizeof(*s->group));

    err = err ? err : td_room(&s->next, &s->uses_room, x->nuses, sizeof(*s->next));
    err = err ? err : td_room(&s->asked, &s->asked_room, x->nuses, sizeof(*s->asked));
    err = err ? err : td_room(&s->group_of, &s->group_of_room, x->nevents, sizeof(*s->group_of));
    if (err)
        return err;
    memset(s->group_of, 0xff, x->nevents * sizeof(*s->group_of));
    s->n = 0;
    s->why = t->in_step ? TD_LIKELY_IN_STEP : TD_LIKELY_GIVEN;
    s->uneven = 1;
    for (size_t u = 0; u < x->nuses; u++) {
        const struct td_count *c = x->use[u].copy < 0 ? NULL : &x->counts->c[x->use[u].copy];
        const size_t before = s->n;
        struct td_seen_group *g = c && c->status == TD_OK ? group_of(s, c) : NULL;

        s->group_of[x->use[u].event] = g ? (uint32_t)(g - s->group) : UINT32_MAX;
        if (g) {
            s->next[u] = g->first;
            g->first = (uint32_t)u;
        }
        if (s->n == before || s->why != TD_LIKELY_GIVEN)
            continue;
        s->why = find_windows(g, t);
        s->uneven = fmax(s->uneven, uneven_of(t, c, busiest));
        if (isnan(busiest) && !of_tasks(t, c))
            s->why = TD_LIKELY_NO_LIMITS;
    }
    return td_room(&s->words, &s->words_room, (x->nrun + 1) * words_of(s), sizeof(*s->words));
}

/* ---- how far metrics depend on a group --------------------------------------------- */

static void take_value(struct td_seen *s, const struct td_seen_solution *x, size_t cell)
{
    s->plain[cell] = (struct td_plain){x->cells[cell].r.value, x->cells[cell].state};
}

/* What formulas are made of: the values of counts, inputs and definitions. */
static void take_values(struct td_seen *s, const struct td_seen_solution *x)
{
    td_program_prepare_plain(x->program, s->plain);
    for (size_t i = 0; i < TD_INPUTS; i++)
        take_value(s, x, td_input_cell(x->program, (enum td_input)i));
    for (size_t u = 0; u < x->nuses; u++) {
        take_value(s, x, td_event_cell(x->use[u].event));
        take_value(s, x, td_correction_cell(x->program, x->use[u].event));
    }
    for (size_t i = 0; i < s->nwanted; i++)
        take_value(s, x, td_def_cell(x->program, s->wanted[i]));
}

/* Puts the counts of a group, changed by a factor, where formulas find them. */
static void put_counts(struct td_seen *s, const struct td_seen_solution *x, size_t group, double factor)
{
    for (uint32_t u = s->group[group].first; u != UINT32_MAX; u = s->next[u]) {
        const size_t cell = td_event_cell(x->use[u].event), correction = td_correction_cell(x->program, x->use[u].event);

        s->plain[cell].value = factor * x->cells[cell].r.value;
        if (x->use[u].correction && s->plain[correction].state == TD_VAL_OK)
            s->plain[correction].value = s->plain[cell].value;
    }
}

static void add_groups(const struct td_bits *events, const uint32_t *group_of, struct td_bits *out)
{
    TD_BITS_EACH(e, events) {
        if (group_of[e] != UINT32_MAX)
            td_bits_add(out, group_of[e]);
    }
}

/* The set of groups of one of the wanted definitions; after these, that of one metric. */
static struct td_bits groups_of(const struct td_seen *s, size_t wanted)
{
    const size_t words = words_of(s);

    return (struct td_bits){s->words + wanted * words, words};
}

/* The groups that a definition depends on. */
static void find_groups(const struct td_seen *s, const struct td_seen_solution *x, size_t def, struct td_bits *out)
{
    td_bits_clear(out);
    add_groups(td_program_needs(x->program, def), s->group_of, out);
    add_groups(td_program_corrections(x->program, def), s->group_of, out);
}

static size_t def_of(const struct td_seen_solution *x, size_t metric)
{
    return x->metric[metric] - td_def_cell(x->program, 0);
}

/* Which metrics are tried: those with limits that depend on several groups, as the bounds of others do not depend on how
 * far each group moves them. */
static bool find_tried(struct td_seen *s, const struct td_seen_solution *x, struct td_bits *defs)
{
    struct td_bits groups = groups_of(s, x->nrun);
    bool any = false;

    td_bits_clear(defs);
    for (size_t m = 0; m < x->nmetrics; m++) {
        s->tried[m] = false;
        if (!x->limited[m])
            continue;
        find_groups(s, x, def_of(x, m), &groups);
        s->tried[m] = td_bits_count(&groups) > 1;
        if (s->tried[m])
            td_bits_join(defs, td_program_uses(x->program, def_of(x, m)));
        any = any || s->tried[m];
    }
    return any;
}

/* The definitions that metrics that are tried use, in order, and their groups. */
static void find_wanted(struct td_seen *s, const struct td_seen_solution *x, const struct td_bits *defs)
{
    s->nwanted = 0;
    for (size_t i = 0; i < x->nrun; i++) {
        struct td_bits groups = groups_of(s, s->nwanted);

        if (!td_bits_has(defs, x->run[i]))
            continue;
        find_groups(s, x, x->run[i], &groups);
        s->wanted[s->nwanted++] = x->run[i];
    }
}

/* Those of them that depend on a group; returns how many. */
static size_t find_dependent(struct td_seen *s, size_t group)
{
    size_t n = 0;

    for (size_t i = 0; i < s->nwanted; i++) {
        const struct td_bits groups = groups_of(s, i);

        if (td_bits_has(&groups, group))
            s->part[n++] = s->wanted[i];
    }
    return n;
}

static double result(const struct td_plain *v)
{
    return v->state <= TD_VAL_OMITTED ? v->value : (double)NAN;
}

/* The pulls' array first holds the metrics with more of the group; what does not depend on it stays as it was. */
static void try_group(struct td_seen *s, const struct td_seen_solution *x, size_t group)
{
    const size_t n = find_dependent(s, group);

    put_counts(s, x, group, 1 + TD_LIKELY_STEP);
    td_program_run_plain(x->program, s->part, n, s->plain);
    for (size_t m = 0; m < x->nmetrics; m++)
        if (s->tried[m])
            s->pull[m * s->n + group] = result(&s->plain[x->metric[m]]);
    put_counts(s, x, group, 1 - TD_LIKELY_STEP);
    td_program_run_plain(x->program, s->part, n, s->plain);
    for (size_t m = 0; m < x->nmetrics; m++) {
        const struct td_val *was = &x->cells[x->metric[m]];
        const double value = was->state <= TD_VAL_OMITTED ? was->r.value : (double)NAN;
        double *pull = &s->pull[m * s->n + group];

        if (!s->tried[m])
            continue;
        if (*pull != value || result(&s->plain[x->metric[m]]) != value)
            *pull = td_likely_pull(value, *pull, result(&s->plain[x->metric[m]]));
        else
            *pull = 0;
    }
    put_counts(s, x, group, 1);
    for (size_t i = 0; i < n; i++)
        take_value(s, x, td_def_cell(x->program, s->part[i]));
}

static int make_room(struct td_seen *s, const struct td_seen_solution *x)
{
    const size_t defs = td_program_count(x->program);
    int err = td_room(&s->pull, &s->pulls_room, x->nmetrics * s->n + 1, sizeof(*s->pull));

    err = err ? err : td_room(&s->plain, &s->plain_room, td_program_cells(x->program), sizeof(*s->plain));
    err = err ? err : td_room(&s->part, &s->part_room, defs, sizeof(*s->part));
    err = err ? err : td_room(&s->wanted, &s->wanted_room, defs, sizeof(*s->wanted));
    err = err ? err : td_room(&s->defs, &s->defs_room, td_bits_words(defs), sizeof(*s->defs));
    return err ? err : td_room(&s->tried, &s->tried_room, x->nmetrics, sizeof(*s->tried));
}

int td_seen_try(struct td_seen *s, const struct td_seen_solution *x)
{
    struct td_bits defs;
    int err;

    if (s->n < 2 || s->why != TD_LIKELY_GIVEN)
        return 0;
    err = make_room(s, x);
    if (err)
        return err;
    defs = (struct td_bits){s->defs, td_bits_words(td_program_count(x->program))};
    if (!find_tried(s, x, &defs))
        return 0;
    find_wanted(s, x, &defs);
    take_values(s, x);
    for (size_t g = 0; g < s->n; g++)
        try_group(s, x, g);
    return 0;
}

/* ---- bounds ------------------------------------------------------------------------ */

/* The groups of the events that the metric used. */
static size_t ask_groups(const struct td_seen *s, const struct td_seen_solution *x, size_t metric, const struct td_bits *used)
{
    struct td_bits groups = groups_of(s, x->nrun);
    size_t n = 0;

    td_bits_clear(&groups);
    add_groups(used, s->group_of, &groups);
    TD_BITS_EACH(g, &groups) {
        s->asked[n++] = (struct td_likely_group){.windows = s->group[g].windows, .uneven = s->uneven,
                                                 .pull = s->n > 1 && s->tried[metric] ? s->pull[metric * s->n + g] : 0};
    }
    return n;
}

size_t td_seen_usable(const double *parts, size_t n)
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
        .parts = parts, .nparts = td_seen_usable(parts, nparts),
    };

    if (s->why != TD_LIKELY_GIVEN)
        return s->why;
    ask.ngroups = ask_groups(s, x, metric, used);
    return td_likely_bounds(&ask, &bounds->low, &bounds->high);
}

void td_seen_free(struct td_seen *s)
{
    free(s->group);
    free(s->next);
    free(s->pull);
    free(s->plain);
    free(s->part);
    free(s->wanted);
    free(s->defs);
    free(s->tried);
    free(s->words);
    free(s->group_of);
    free(s->asked);
    *s = (struct td_seen){0};
}
