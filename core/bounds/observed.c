/* SPDX-License-Identifier: MIT */
#include "core/bounds/observed.h"

#include "util/room.h"

#include <math.h>

/* A formula that does not clamp may give this much less than 0 or more than 1. */
#define SHARE_SLACK 0.01
/* A task's windows are cut short where it sleeps: those that it fills count for more than the mean one. It would be up
 * to twice as much, but of tasks that sleep after 0.1 to 3 windows, as programs as hard as can be, the truth was inside
 * in 97.9 of 100 cases of the worst (tests/support/likely_once.c). */
#define UNEVEN_TASK 1.5
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
    struct td_likely_times times = {
        .running = c->running, .enabled = c->enabled, .elapsed = t->elapsed, .cpus = t->cpus, .interval = t->interval};

    if (t->always && c->enabled > 0) {
        times.enabled = t->elapsed * t->cpus;
        times.running *= times.enabled / c->enabled;
    }
    return times;
}

static enum td_likely_why find_windows(struct td_seen_group *g, const struct td_count *c, const struct td_taken *t)
{
    const struct td_likely_times times = td_taken_times(t, c);

    if (t->always && !(times.enabled > 0))
        return TD_LIKELY_NO_CPUS;
    if (c->running >= c->enabled && c->enabled > 0) { /* all was seen, in however many windows */
        g->windows = (struct td_likely_windows){1, 1};
        return TD_LIKELY_GIVEN;
    }
    return td_likely_windows(&times, &g->windows);
}

/* ---- which groups there are ------------------------------------------------------------ */

static const struct td_count *copy_of(const struct td_seen_solution *x, const struct td_use *u)
{
    return u->copy < 0 ? NULL : &x->counts->c[u->copy];
}

static const struct td_count *copy_in(const struct td_seen *s, const struct td_seen_solution *x, size_t group)
{
    return &x->counts->c[s->group[group].copy];
}

static bool whole(const struct td_count *c)
{
    return c->running >= c->enabled;
}

/* Whether the uses belong to the same groups as when these were found. */
static bool stands(const struct td_seen *s, const struct td_seen_solution *x)
{
    size_t all = 0;

    if (s->made != x->made || !s->lasts ||
        memcmp(s->omitted, x->omitted->word, x->omitted->words * sizeof(*s->omitted)) != 0)
        return false;
    for (size_t g = 0; g < s->n; g++)
        all += whole(copy_in(s, x, g));
    for (size_t u = 0; u < x->nuses; u++) {
        const size_t first = s->group_of[u] == UINT32_MAX ? (size_t)x->use[u].copy : s->group[s->group_of[u]].copy;

        if ((size_t)x->use[u].copy != first && !td_copies_together(copy_of(x, &x->use[u]), &x->counts->c[first]))
            return false;
    }
    return all <= 1; /* else they are one */
}

static uint32_t group_for(struct td_seen *s, const struct td_seen_solution *x, size_t use)
{
    uint32_t g = 0;

    while (g < s->n && !td_copies_together(copy_in(s, x, g), copy_of(x, &x->use[use])))
        g++;
    if (g == s->n)
        s->group[s->n++] = (struct td_seen_group){.copy = (size_t)x->use[use].copy};
    return g;
}

static void find_groups(struct td_seen *s, const struct td_seen_solution *x)
{
    s->n = 0;
    for (size_t u = 0; u < x->nuses; u++) {
        const struct td_count *c = copy_of(x, &x->use[u]);

        s->group_of[u] = c && c->status == TD_OK ? group_for(s, x, u) : UINT32_MAX;
    }
}

/* Whether stands() can tell that they are the same in another interval: not where a group's copies differ in their
 * times. */
static bool told_apart(const struct td_seen *s, const struct td_seen_solution *x)
{
    for (size_t g = 1; g < s->n; g++)
        for (size_t other = 0; other < g; other++)
            if (copy_in(s, x, g)->group == copy_in(s, x, other)->group)
                return false;
    return true;
}

static size_t def_of(const struct td_seen_solution *x, size_t metric)
{
    return x->metric[metric] - td_def_cell(x->program, 0);
}

/* The groups of the events that a metric uses, in order, into the list of all metrics. Tried are metrics with limits
 * that depend on several: the bounds of others do not depend on how far each group moves them. */
static void list_groups(struct td_seen *s, const struct td_seen_solution *x, size_t metric)
{
    const struct td_bits *needs = td_program_needs(x->program, def_of(x, metric)),
                         *corrections = td_program_corrections(x->program, def_of(x, metric));
    struct td_seen_metric *m = &s->metric[metric];

    *m = (struct td_seen_metric){.at = s->nof};
    for (size_t g = 0; g < s->n; g++)
        s->moved[g] = false;
    for (size_t u = 0; u < x->nuses; u++) {
        const size_t e = x->use[u].event;

        if (td_bits_has(x->omitted, e) || !(td_bits_has(needs, e) || td_bits_has(corrections, e)))
            continue;
        if (s->group_of[u] != UINT32_MAX)
            s->moved[s->group_of[u]] = true;
        m->uncounted = m->uncounted || (s->group_of[u] == UINT32_MAX && x->use[u].copy >= 0);
    }
    for (size_t g = 0; g < s->n; g++)
        if (s->moved[g])
            s->of[s->nof++] = (uint32_t)g;
    m->n = s->nof - m->at;
    m->tried = x->limited[metric] && m->n > 1;
}

static int make_room(struct td_seen *s, const struct td_seen_solution *x)
{
    int err = td_room(&s->group, &s->room, x->nuses, sizeof(*s->group));

    err = err ? err : td_room(&s->group_of, &s->uses_room, x->nuses, sizeof(*s->group_of));
    err = err ? err : td_room(&s->metric, &s->metrics_room, x->nmetrics, sizeof(*s->metric));
    err = err ? err : td_room(&s->asked, &s->asked_room, x->nuses, sizeof(*s->asked));
    err = err ? err : td_room(&s->moved, &s->moved_room, x->nuses, sizeof(*s->moved));
    return err ? err : td_room(&s->omitted, &s->omitted_room, x->omitted->words, sizeof(*s->omitted));
}

/* ---- what was seen through them -------------------------------------------------------- */

void td_seen_times(struct td_seen *s, const struct td_seen_solution *x, const struct td_taken *t, double busiest)
{
    s->why = t->in_step ? TD_LIKELY_IN_STEP : TD_LIKELY_GIVEN;
    s->uneven = 1;
    for (size_t g = 0; g < s->n && s->why == TD_LIKELY_GIVEN; g++) {
        const struct td_count *c = copy_in(s, x, g);
        const bool tasks = of_tasks(t, c);

        s->why = find_windows(&s->group[g], c, t);
        /* tasks run at about the same clock, or not at all; NAN, which is not known, is never the greater */
        s->uneven = td_most(tasks ? UNEVEN_TASK : busiest, s->uneven);
        if (isnan(busiest) && !tasks)
            s->why = TD_LIKELY_NO_LIMITS;
    }
}

double td_seen_coverage(const struct td_seen *s, const struct td_seen_solution *x, size_t metric)
{
    const struct td_seen_metric *m = &s->metric[metric];
    double least = m->n ? 1 : (double)NAN;

    for (size_t i = 0; i < m->n; i++) {
        const struct td_count *c = copy_in(s, x, s->of[m->at + i]);

        if (c->running < c->enabled && c->running / c->enabled < least)
            least = c->running / c->enabled;
    }
    return least;
}

/* ---- how far metrics depend on a group --------------------------------------------- */

/* The definitions that metrics that are tried use, in order; returns how many. */
static size_t find_wanted(struct td_seen *s, const struct td_seen_solution *x, struct td_bits *defs)
{
    size_t n = 0;

    for (size_t m = 0; m < x->nmetrics; m++)
        if (s->metric[m].tried)
            td_bits_join(defs, td_program_uses(x->program, def_of(x, m)));
    for (size_t i = 0; i < x->nrun; i++)
        if (td_bits_has(defs, x->run[i]))
            s->path[n++] = x->run[i];
    return n;
}

/* The group whose counts a cell of the program holds; UINT32_MAX: none. */
static uint32_t group_in(const struct td_seen *s, const struct td_seen_solution *x, size_t cell)
{
    for (size_t u = 0; u < x->nuses; u++)
        if (cell == td_event_cell(x->use[u].event) || cell == td_correction_cell(x->program, x->use[u].event))
            return s->group_of[u];
    return UINT32_MAX;
}

/* What moves with a group: the leaves that hold its counts, the operations that follow, and the metrics. */
static void find_trial(struct td_seen *s, const struct td_seen_solution *x, size_t group, uint32_t *at)
{
    const struct td_tape *t = &s->tape;
    struct td_seen_trial *to = &s->trial[group];

    *to = (struct td_seen_trial){.at = *at};
    for (size_t i = 0; i < t->nleaves; i++) {
        s->moved[t->nops + i] = group_in(s, x, t->leaf[i]) == group;
        if (s->moved[t->nops + i])
            s->path[to->at + to->nleaves++] = (uint32_t)(t->nops + i);
    }
    to->nops = td_tape_follow(t, s->moved, &s->path[to->at + to->nleaves]);
    for (size_t m = 0; m < x->nmetrics; m++)
        if (s->metric[m].tried && s->moved[t->result[m]])
            s->path[to->at + to->nleaves + to->nops + to->nmetrics++] = (uint32_t)m;
    *at += (uint32_t)(to->nleaves + to->nops + to->nmetrics);
}

static int make_trials_room(struct td_seen *s, const struct td_seen_solution *x)
{
    const size_t cells = td_tape_cells(&s->tape);
    int err = td_room(&s->cells, &s->cells_room, 2 * cells, sizeof(*s->cells));

    err = err ? err : td_room(&s->moved, &s->moved_room, cells, sizeof(*s->moved));
    err = err ? err : td_room(&s->trial, &s->trials_room, s->n, sizeof(*s->trial));
    err = err ? err : td_room(&s->path, &s->path_room, s->n * (cells + x->nmetrics), sizeof(*s->path));
    return err ? err : td_room(&s->pull, &s->pulls_room, x->nmetrics * s->n, sizeof(*s->pull));
}

static int plan_trials(struct td_seen *s, const struct td_seen_solution *x)
{
    struct td_bits defs;
    uint32_t at = 0;
    int err = td_bits_new(&defs, td_program_count(x->program));

    err = err ? err : td_room(&s->path, &s->path_room, x->nrun, sizeof(*s->path));
    err = err ? err : td_tape_make(&s->tape, x->program, s->path, find_wanted(s, x, &defs), x->metric, x->nmetrics);
    td_bits_free(&defs);
    err = err ? err : make_trials_room(s, x);
    if (err)
        return err;
    memset(s->pull, 0, x->nmetrics * s->n * sizeof(*s->pull));
    for (size_t g = 0; g < s->n; g++)
        find_trial(s, x, g, &at);
    return 0;
}

int td_seen_find(struct td_seen *s, const struct td_seen_solution *x)
{
    int err = make_room(s, x);

    if (err)
        return err;
    s->made = x->made;
    memcpy(s->omitted, x->omitted->word, x->omitted->words * sizeof(*s->omitted));
    find_groups(s, x);
    s->lasts = told_apart(s, x);
    s->nof = 0;
    s->tries = false;
    err = td_room(&s->of, &s->of_room, x->nmetrics * s->n, sizeof(*s->of));
    for (size_t m = 0; m < x->nmetrics && !err; m++) {
        list_groups(s, x, m);
        s->tries = s->tries || s->metric[m].tried;
    }
    s->planned = x->likely;
    return err || !s->tries || !x->likely ? err : plan_trials(s, x);
}

bool td_seen_stands(const struct td_seen *s, const struct td_seen_solution *x)
{
    return s->group && (s->planned || !x->likely) && stands(s, x);
}

static double result(const struct td_sides *p, size_t side)
{
    return p->state[side] <= TD_VAL_OMITTED ? p->value[side] : (double)NAN;
}

/* The first of each pair with more of the group, the second with less; what does not depend on it stays as it was. */
static void try_group(struct td_seen *s, size_t group)
{
    const struct td_sides *was = s->cells;
    struct td_sides *cells = s->cells + td_tape_cells(&s->tape);
    const struct td_seen_trial *t = &s->trial[group];
    const uint32_t *leaf = &s->path[t->at], *op = leaf + t->nleaves, *metric = op + t->nops;

    for (size_t i = 0; i < t->nleaves; i++) {
        cells[leaf[i]].value[0] = (1 + TD_LIKELY_STEP) * was[leaf[i]].value[0];
        cells[leaf[i]].value[1] = (1 - TD_LIKELY_STEP) * was[leaf[i]].value[1];
    }
    td_tape_run(&s->tape, op, t->nops, cells);
    for (size_t i = 0; i < t->nmetrics; i++) {
        const uint32_t cell = s->tape.result[metric[i]];
        const double value = result(&was[cell], 0), up = result(&cells[cell], 0), down = result(&cells[cell], 1);

        s->pull[metric[i] * s->n + group] = td_likely_pull(value, up, down);
    }
    for (size_t i = 0; i < t->nleaves + t->nops; i++)
        cells[leaf[i]] = was[leaf[i]];
}

void td_seen_try(struct td_seen *s, const struct td_seen_solution *x)
{
    const size_t cells = td_tape_cells(&s->tape);

    if (s->why != TD_LIKELY_GIVEN || !s->tries)
        return;
    td_tape_load(&s->tape, x->cells, s->cells);
    memcpy(s->cells + cells, s->cells, cells * sizeof(*s->cells));
    for (size_t g = 0; g < s->n; g++)
        try_group(s, g);
}

/* ---- bounds ------------------------------------------------------------------------ */

size_t td_seen_usable(const double *parts, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!parts || !isfinite(parts[i]))
            return 0;
    return n;
}

enum td_likely_why td_seen_bounds(const struct td_seen *s, size_t metric, double most, const double *parts,
                                  size_t nparts, struct td_range *bounds)
{
    const struct td_seen_metric *m = &s->metric[metric];
    struct td_likely_ask ask = {
        .value = bounds->value,
        .low = bounds->low,
        .high = bounds->high,
        .least = isfinite(most) ? 0 : -HUGE_VAL,
        .most = most,
        .slack = isfinite(most) ? SHARE_SLACK * most : 0,
        .groups = s->asked,
        .ngroups = m->n,
        .parts = parts,
        .nparts = td_seen_usable(parts, nparts),
    };

    if (s->why != TD_LIKELY_GIVEN)
        return s->why;
    for (size_t i = 0; i < m->n; i++) {
        const size_t g = s->of[m->at + i];

        s->asked[i] =
            (struct td_likely_group){s->group[g].windows, s->uneven, m->tried ? s->pull[metric * s->n + g] : 0};
    }
    return td_likely_bounds(&ask, &bounds->low, &bounds->high);
}

void td_seen_free(struct td_seen *s)
{
    free(s->group);
    free(s->group_of);
    free(s->metric);
    free(s->of);
    free(s->omitted);
    free(s->asked);
    free(s->moved);
    td_tape_free(&s->tape);
    free(s->cells);
    free(s->trial);
    free(s->path);
    free(s->pull);
    *s = (struct td_seen){0};
}
