/* SPDX-License-Identifier: MIT */
#include "tests/support/any_counts.h"
#include "tests/support/likely_deep.h"

#include "core/solve/solve.h"
#include "tests/support/likely_chance.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WINDOW 4e6 /* ns, as assumed where it was not recorded */
#define CYCLES (5 * WINDOW) /* at 5 GHz: windows are nearly as full as a CPU can make them */
#define SLACK 0.01

enum { EVENTS = 512, METRICS = 512 };

const char *const likely_class_names[LIKELY_CLASSES] = {
    [LIKELY_TOP] = "levels 1 and 2",    [LIKELY_SLOTS] = "deeper: slots",     [LIKELY_UOPS] = "deeper: uops",
    [LIKELY_CYCLES] = "deeper: cycles", [LIKELY_BOTTLENECKS] = "bottlenecks", [LIKELY_QUANTITIES] = "others",
};

struct deep {
    const struct likely_deep *ask;
    const struct td_uarch *u;
    struct td_uarch lenient; /* the same for counts that are made up */
    struct td_forms *forms;
    uint64_t *random;
    double rate[LIKELY_STATES][EVENTS]; /* counts in a window */
    unsigned char group[EVENTS];
    bool counted[EVENTS];
    double count[LIKELY_INTERVALS][EVENTS]; /* scaled */
    double truth[EVENTS], enabled, running[LIKELY_TURNS]; /* windows */
    struct td_counts counts;
    struct td_result state[LIKELY_STATES], all, seen, rest;
    double parts[METRICS * LIKELY_INTERVALS];
    struct likely_cell metric[METRICS];
};

/* ---- a state: what happens in a window ---------------------------------------------- */

static bool begins(const char *name, const char *word)
{
    return !strncmp(name, word, strlen(word));
}

static bool has(const char *name, const char *word)
{
    return strstr(name, word) != NULL;
}

enum { RETIRING, BAD, FRONTEND, BACKEND }; /* of likely_shares() */

/* The events of level 1, and parts of these; -1: another event. Of all slots. */
static double slots_of(const char *name, const double *f, uint64_t *random)
{
    static const struct {
        const char *word;
        size_t share;
        bool whole;
    } all[] = {
        {"topdown-retiring", RETIRING, true},
        {"topdown-bad-spec", BAD, true},
        {"topdown-fe-bound", FRONTEND, true},
        {"topdown-be-bound", BACKEND, true},
        {"topdown-heavy-ops", RETIRING, false},
        {"topdown-br-mispredict", BAD, false},
        {"topdown-fetch-lat", FRONTEND, false},
        {"topdown-mem-bound", BACKEND, false},
        {"UOPS_RETIRED.SLOTS:", RETIRING, false},
        {"UOPS_RETIRED.SLOTS", RETIRING, true},
        {"UOPS_RETIRED.RETIRE_SLOTS:", RETIRING, false},
        {"UOPS_RETIRED.RETIRE_SLOTS", RETIRING, true},
        {"IDQ_BUBBLES.CORE", FRONTEND, true},
        {"IDQ_UOPS_NOT_DELIVERED.CORE", FRONTEND, true},
        {"TOPDOWN.BACKEND_BOUND_SLOTS", BACKEND, true},
        {"TOPDOWN.BR_MISPREDICT_SLOTS", BAD, false},
        {"TOPDOWN.MEMORY_BOUND_SLOTS", BACKEND, false},
        {"UOPS_RETIRED.", RETIRING, false},
        {"TOPDOWN_RETIRING.ALL", RETIRING, true},
        {"TOPDOWN_BAD_SPECULATION.ALL", BAD, true},
        {"TOPDOWN_FE_BOUND.ALL", FRONTEND, true},
        {"TOPDOWN_BE_BOUND.ALL", BACKEND, true},
        {"TOPDOWN_BAD_SPECULATION.", BAD, false},
        {"TOPDOWN_FE_BOUND.", FRONTEND, false},
        {"TOPDOWN_BE_BOUND.", BACKEND, false},
        {"INST_RETIRED.ANY", RETIRING, true},
    };

    if (has(name, "UOPS_ISSUED.ANY") && !has(name, ":"))
        return f[RETIRING] + f[BAD];
    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
        if (begins(name, all[i].word))
            return f[all[i].share] * (all[i].whole ? 1 : extreme(random));
    return -1;
}

/* Stalls, each within the one before it: of total, and then of loads, beyond L1, L2 and L3. */
static double stalls_of(const char *name, const double *part)
{
    static const char *const words[] = {"STALLS_TOTAL",    "STALLS_MEM_ANY", "BOUND_ON_LOADS",
                                        "STALLS_L1D_MISS", "STALLS_L2_MISS", "STALLS_L3_MISS"};
    double stalls = 1;

    for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
        stalls *= part[i];
        if (has(name, words[i]))
            return stalls;
    }
    return -1;
}

/* Of a cycle: nothing, all the time, or by orders of magnitude. */
static double any_rate(uint64_t *random)
{
    const double x = chance(random);

    return x < 0.2 ? 0 : x < 0.4 ? chance(random) : pow(10, -4 * chance(random));
}

static void any_state(struct deep *d, double *rate)
{
    double f[LIKELY_SHARES], stalls[6];

    likely_shares(d->random, f);
    stalls[0] = f[BACKEND] * (0.5 + 0.5 * chance(d->random));
    for (size_t i = 1; i < 6; i++)
        stalls[i] = extreme(d->random);
    for (size_t e = 0; e < d->u->nevents; e++) {
        const char *name = d->u->events[e].name;
        const double slots = slots_of(name, f, d->random), stalled = stalls_of(name, stalls);

        if (begins(name, "CPU_CLK_UNHALTED") || !strcmp(name, "cycles"))
            rate[e] = CYCLES;
        else if (td_event_is_slots(&d->u->events[e]))
            rate[e] = CYCLES * d->u->width;
        else
            rate[e] =
                slots >= 0 ? slots * CYCLES * d->u->width : (stalled >= 0 ? stalled : any_rate(d->random)) * CYCLES;
    }
}

/* ---- what groups see of it ------------------------------------------------------------ */

/* Events that both siblings share: there are none. */
static bool of_siblings(const char *name)
{
    return has(name, "THREAD_ANY") || has(name, "ONE_THREAD_ACTIVE") || has(name, "RECOVERY_CYCLES_ANY");
}

static void put_in_groups(struct deep *d)
{
    const unsigned char of_fields = (unsigned char)(d->ask->c->turns * chance(d->random));

    for (size_t e = 0; e < d->u->nevents; e++) {
        const struct td_event *event = &d->u->events[e];
        const bool field = event->field >= 0;

        d->counted[e] =
            event->kind == TD_EVENT_COUNT && !event->modes && !of_siblings(event->name) && (!field || d->ask->fixed);
        d->group[e] =
            field || td_event_is_slots(event) ? of_fields : (unsigned char)(d->ask->c->turns * chance(d->random));
    }
}

/* Windows of an interval in each state that a group counts; all: and whether it does or not. */
static void watch(const struct deep *d, const struct likely_stays *t, size_t interval, size_t group,
                  double seen[LIKELY_STATES], double all[LIKELY_STATES])
{
    for (size_t s = 0; s < LIKELY_STATES; s++) {
        seen[s] = all[s] = 0;
        for (size_t turn = 0; turn < d->ask->c->turns; turn++) {
            all[s] += t->in[interval][turn][s];
            seen[s] += likely_sees(d->ask->c, group, turn) ? t->in[interval][turn][s] : 0;
        }
    }
}

static void count_interval(struct deep *d, const struct likely_stays *t, size_t interval)
{
    for (size_t g = 0; g < d->ask->c->turns; g++) {
        double seen[LIKELY_STATES], all[LIKELY_STATES], running, enabled;

        watch(d, t, interval, g, seen, all);
        running = seen[0] + seen[1];
        enabled = all[0] + all[1];
        d->running[g] += running;
        d->enabled += g ? 0 : enabled;
        for (size_t e = 0; e < d->u->nevents; e++) {
            if (d->group[e] != g)
                continue;
            d->count[interval][e] =
                running > 0 ? (seen[0] * d->rate[0][e] + seen[1] * d->rate[1][e]) * enabled / running : 0;
            d->truth[e] += all[0] * d->rate[0][e] + all[1] * d->rate[1][e];
        }
    }
}

static void happen(struct deep *d)
{
    const struct likely_case *c = d->ask->c;
    struct likely_stays t;

    memset(&t, 0, sizeof(t));
    memset(d->count, 0, sizeof(d->count));
    memset(d->truth, 0, sizeof(d->truth));
    memset(d->running, 0, sizeof(d->running));
    d->enabled = 0;
    likely_walk(c, (unsigned)(c->turns * chance(d->random)), d->random, &t);
    for (size_t i = 0; i < c->intervals; i++)
        count_interval(d, &t, i);
}

/* ---- solved ------------------------------------------------------------------------------ */

/* value: of each event; NULL: what was seen, without the interval of that number, if there is one. */
static int put_counts(struct deep *d, const double *value, size_t without)
{
    int err = 0;

    d->counts.n = 0;
    for (size_t e = 0; e < d->u->nevents && !err; e++) {
        struct td_count c = {.event = (uint16_t)e, .enabled = d->enabled * WINDOW, .running = d->enabled * WINDOW};

        if (!d->counted[e])
            continue;
        c.value = value ? value[e] : 0;
        for (size_t i = 0; i < d->ask->c->intervals && !value; i++)
            c.value += i == without ? 0 : d->count[i][e];
        if (!value) {
            c.group = d->group[e];
            c.running = d->running[c.group] * WINDOW;
        }
        err = td_counts_append(&d->counts, &c);
    }
    return err;
}

static int solve(struct deep *d, const struct td_taken *taken, struct td_result *out)
{
    const struct td_solve_ask ask = {
        .level = TD_LEVELS,
        .names = "all",
        .fixed = d->ask->fixed,
        .smt_off = true,
        .whole_core = true,
        .one_cpu = true,
        .duration = td_range_exact(d->enabled * WINDOW / 1e9),
        .cpus = 1,
        .taken = taken,
    };

    return td_solve(d->forms, &d->counts, &ask, out);
}

static int solve_values(struct deep *d, const double *value, struct td_result *out)
{
    int err = put_counts(d, value, 0);

    return err ? err : solve(d, NULL, out);
}

static int find_parts(struct deep *d, struct td_taken *t)
{
    const size_t n = d->ask->c->intervals;
    int err = put_counts(d, NULL, n);

    err = err ? err : solve(d, NULL, &d->seen);
    for (size_t i = 0; i < n && n > 1 && !err; i++) {
        err = put_counts(d, NULL, i);
        err = err ? err : solve(d, NULL, &d->rest);
        for (size_t m = 0; m < d->seen.nmetrics && !err; m++)
            d->parts[m * n + i] = d->seen.metrics[m].value - d->rest.metrics[m].value;
    }
    t->parts = d->parts;
    t->nparts = n > 1 ? n : 0;
    return err;
}

static int solve_all(struct deep *d)
{
    struct td_taken taken = {.elapsed = d->enabled * WINDOW, .cpus = 1, .interval = WINDOW};
    int err = solve_values(d, d->rate[0], &d->state[0]);

    err = err ? err : solve_values(d, d->rate[1], &d->state[1]);
    err = err ? err : solve_values(d, d->truth, &d->all);
    err = err ? err : find_parts(d, &taken);
    err = err ? err : put_counts(d, NULL, d->ask->c->intervals);
    d->seen.summary = d->ask->c->intervals > 1;
    err = err ? err : solve(d, &taken, &d->seen);
    d->seen.summary = false;
    return err;
}

/* ---- compared ------------------------------------------------------------------------------ */

static enum likely_class class_of(const struct td_metric *m)
{
    if (m->kind != TD_METRIC_NODE)
        return m->kind == TD_METRIC_BOTTLENECK ? LIKELY_BOTTLENECKS : LIKELY_QUANTITIES;
    if (m->level <= TD_LEVEL_USUAL)
        return LIKELY_TOP;
    return !strcmp(m->unit, "slots") ? LIKELY_SLOTS : !strcmp(m->unit, "uops") ? LIKELY_UOPS : LIKELY_CYCLES;
}

static bool is_sane(const struct td_metric *m)
{
    const double most = m->kind == TD_METRIC_NODE ? 1 : m->kind == TD_METRIC_BOTTLENECK ? 100 : HUGE_VAL;

    return m->status == TD_OK && (most == HUGE_VAL || (m->value >= -SLACK * most && m->value <= (1 + SLACK) * most));
}

static void compare(struct deep *d, size_t i, struct likely_cell *cell)
{
    const struct td_metric *a = &d->state[0].metrics[i], *b = &d->state[1].metrics[i], *m = &d->seen.metrics[i];
    const double value = d->all.metrics[i].value, rounding = 1e-9 * fabs(value) + 1e-12;
    /* no true share is beyond */
    const double truth = m->kind == TD_METRIC_NODE         ? fmin(fmax(value, 0), 1)
                         : m->kind == TD_METRIC_BOTTLENECK ? fmin(fmax(value, 0), 100)
                                                           : value;

    if (!is_sane(a) || !is_sane(b) || !is_sane(&d->all.metrics[i]) || a->value == b->value || m->status != TD_OK)
        return;
    cell->runs++;
    if (m->bounds == TD_BOUNDS_NONE)
        return;
    cell->given++;
    cell->inside += m->low - rounding <= truth && truth <= m->high + rounding;
    cell->width += (m->high - m->low) / 2;
    cell->square += (m->value - truth) * (m->value - truth);
}

static void add(struct likely_cell *to, const struct likely_cell *from)
{
    to->runs += from->runs;
    to->given += from->given;
    to->inside += from->inside;
    to->width += from->width;
    to->square += from->square;
}

static void tally(const struct deep *d, struct likely_tally *out)
{
    for (size_t i = 0; i < d->seen.nmetrics; i++) {
        const struct likely_cell *c = &d->metric[i];
        const enum likely_class class = class_of(&d->seen.metrics[i]);
        struct likely_worst *w = &out->worst[class];

        add(&out->of[class], c);
        if (c->given < 20 || (w->given && (double)c->inside * (double)w->given >= (double)w->inside * (double)c->given))
            continue;
        snprintf(w->name, sizeof(w->name), "%s", d->seen.metrics[i].name);
        w->given = c->given;
        w->inside = c->inside;
    }
}

static int run(struct deep *d, unsigned long runs)
{
    int err = td_forms_new(&d->lenient, &d->forms);

    for (unsigned long n = 0; n < runs && !err; n++) {
        put_in_groups(d);
        any_state(d, d->rate[0]);
        any_state(d, d->rate[1]);
        happen(d);
        err = solve_all(d);
        for (size_t i = 0; i < d->seen.nmetrics && i < METRICS && !err; i++)
            compare(d, i, &d->metric[i]);
    }
    return err;
}

int likely_deep_run(const struct likely_deep *ask, unsigned long runs, uint64_t *random, struct likely_tally *out)
{
    struct deep *d = calloc(1, sizeof(*d));
    int err;

    if (!d)
        return -ENOMEM;
    d->ask = ask;
    d->random = random;
    d->u = td_uarch_by_name(ask->cpu);
    d->lenient = d->u ? any_counts(d->u) : d->lenient;
    err = !d->u || d->u->nevents > EVENTS ? -EINVAL : run(d, runs);
    if (!err)
        tally(d, out);
    td_forms_free(d->forms);
    td_counts_free(&d->counts);
    td_result_free(&d->state[0]);
    td_result_free(&d->state[1]);
    td_result_free(&d->all);
    td_result_free(&d->seen);
    td_result_free(&d->rest);
    free(d);
    return err;
}
