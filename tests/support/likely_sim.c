/* SPDX-License-Identifier: MIT */
/* Programs seen through the windows of a rotation. */
#include "core/bounds/likely.h"
#include "tests/support/likely_chance.h"
#include "tests/support/likely_sim.h"

#include <math.h>
#include <string.h>

enum { STATES = LIKELY_STATES, GROUPS = 5, WITNESSES = 2 };

const struct likely_program likely_programs[] = {
    {"steady, 2 points of noise", LIKELY_STEADY, 0, 0, 0, 0.02},
    {"steady, 20 points of noise", LIKELY_STEADY, 0, 0, 0, 0.2},
    {"all or nothing in each window", LIKELY_WINDOWS, 0, 0, 0, 0},
    {"drifts", LIKELY_DRIFT, 0, 0, 0, 0},
    {"changes once", LIKELY_ONCE, 0, 0, 0, 0},
    {"random phases, 1/50 to 1/4 rotation", LIKELY_RANDOM, 0.02, 0.25, 0, 0},
    {"random phases, 1/4 to 1", LIKELY_RANDOM, 0.25, 1, 0, 0},
    {"random phases, 1 to 8", LIKELY_RANDOM, 1, 8, 0, 0},
    {"random phases, 8 to 100", LIKELY_RANDOM, 8, 100, 0, 0},
    {"rhythm, 1/50 to 1/8 rotation", LIKELY_RHYTHM, 0.02, 0.125, 0, 0},
    {"rhythm, 1/8 to 1/4", LIKELY_RHYTHM, 0.125, 0.25, 0, 0},
    {"rhythm, 1/8 to 1/4, 20 % off", LIKELY_RHYTHM, 0.125, 0.25, 0.2, 0},
    {"rhythm, 8 to 16", LIKELY_RHYTHM, 8, 16, 0, 0},
    {"rhythm, 16 to 100", LIKELY_RHYTHM, 16, 100, 0, 0},
};
const size_t likely_nprograms = sizeof(likely_programs) / sizeof(*likely_programs);

/* ---- a program, window by window ---------------------------------------------- */

struct walk {
    const struct likely_program *program;
    uint64_t *random;
    double share, phase, all; /* of the time in state 0; mean length of a phase; windows */
    size_t state;
    double left; /* of the phase */
    double changes; /* LIKELY_ONCE: when */
    double burst, burst_left, tick; /* a task's burst, and when the timer of the rotation comes */
};

static double phase_length(const struct walk *w)
{
    double mean = 2 * w->phase * (w->state ? 1 - w->share : w->share);

    if (w->program->rhythm == LIKELY_RHYTHM)
        return mean * (1 + w->program->jitter * (2 * chance(w->random) - 1));
    return exponential(w->random, mean);
}

static void walk_begin(struct walk *w, const struct likely_case *c, double rotation)
{
    const struct likely_program *p = c->program;
    double period = 2 * chance(w->random);

    w->program = p;
    w->share = c->share > 0 ? c->share : 0.02 + 0.96 * chance(w->random);
    w->phase = rotation * (p->most > p->least ? p->least * pow(p->most / p->least, chance(w->random)) : p->least);
    w->state = chance(w->random) >= w->share;
    w->changes = w->all * chance(w->random);
    w->left = phase_length(w);
    if (p->rhythm == LIKELY_RHYTHM) { /* from any point of it */
        w->state = period >= 2 * w->share;
        w->left = w->phase * ((w->state ? 2 : 2 * w->share) - period);
    }
    w->burst = c->burst;
    w->burst_left = w->tick = 0;
}

static void walk_phases(struct walk *w, double length, double in[STATES])
{
    while (length > 0) {
        double step = fmin(length, w->left);

        in[w->state] += step;
        length -= step;
        w->left -= step;
        if (w->left <= 0) {
            w->state = !w->state;
            w->left = phase_length(w) + 1e-9;
        }
    }
}

/* What the program does in the window that begins at a time. */
static void walk_window(struct walk *w, double time, double length, double in[STATES])
{
    double first = w->share;

    in[0] = in[1] = 0;
    switch (w->program->rhythm) {
    case LIKELY_RANDOM:
    case LIKELY_RHYTHM: walk_phases(w, length, in); return;
    case LIKELY_STEADY: first += w->program->noise * normal(w->random); break;
    case LIKELY_WINDOWS: first = chance(w->random) < w->share; break;
    case LIKELY_DRIFT: first = 1.5 * w->share * time / w->all + 0.02 * normal(w->random); break;
    case LIKELY_ONCE: first = time < w->changes; break;
    }
    in[0] = length * fmin(fmax(first, 0), 1);
    in[1] = length - in[0];
}

/* A task's time between two ticks of the timer that came while it ran. */
static double window_length(struct walk *w)
{
    double length = 0;

    if (w->burst == 0)
        return 1;
    while (w->tick > w->burst_left) {
        length += w->burst_left;
        w->burst_left = exponential(w->random, w->burst);
        w->tick = chance(w->random);
    }
    length += w->tick;
    w->burst_left -= w->tick;
    w->tick = 1;
    return length;
}

static void walk_all(struct walk *w, const struct likely_case *c, unsigned turn, struct likely_stays *t)
{
    double in[STATES];

    for (double time = 0; time < w->all; turn++) {
        double length = fmin(window_length(w), w->all - time);
        size_t interval = (size_t)(time * (double)c->intervals / w->all);

        walk_window(w, time, length, in);
        for (size_t s = 0; s < STATES; s++)
            t->in[interval][turn % c->turns][s] += in[s];
        time += length;
    }
}

void likely_walk(const struct likely_case *c, unsigned turn, uint64_t *random, struct likely_stays *t)
{
    struct walk w = {.random = random, .all = c->windows * c->turns / c->seen};

    walk_begin(&w, c, c->turns);
    walk_all(&w, c, turn, t);
}

/* ---- what is seen of it ------------------------------------------------------- */

struct view {
    const struct likely_case *c;
    size_t groups;
    double rate[STATES][LIKELY_EVENTS], weight[STATES];
    double truth[LIKELY_EVENTS], count[LIKELY_INTERVALS][LIKELY_EVENTS], sum[LIKELY_EVENTS];
    double running[GROUPS], enabled, slots; /* slots: counted windows at full rate */
    double apart[WITNESSES][LIKELY_INTERVALS];
};

/* Two different ones. */
static void choose_states(struct view *s, uint64_t *random)
{
    const struct likely_formula *f = s->c->formula;

    if (!f->state) {
        s->rate[0][0] = s->rate[1][0] = s->rate[0][1] = 1;
    } else {
        f->state(random, s->rate[0]);
        do {
            f->state(random, s->rate[1]);
        } while (!memcmp(s->rate[0], s->rate[1], sizeof(s->rate[0])));
    }
    s->weight[0] = 1;
    s->weight[1] = 1 - s->c->idle;
    if (chance(random) < 0.5)
        s->weight[0] = s->weight[1], s->weight[1] = 1;
}

bool likely_sees(const struct likely_case *c, size_t group, size_t turn)
{
    return (turn + c->turns - group) % c->turns < c->seen;
}

/* One event in one interval, scaled up; adds what is true. */
static double count_event(struct view *s, const struct likely_stays *t, size_t interval, size_t group,
                          const double rate[STATES], double *truth)
{
    double counted = 0, running = 0, enabled = 0;

    for (size_t turn = 0; turn < s->c->turns; turn++)
        for (size_t state = 0; state < STATES; state++) {
            double time = t->in[interval][turn][state], n = time * s->weight[state] * rate[state];

            *truth += n;
            enabled += time;
            counted += likely_sees(s->c, group, turn) ? n : 0;
            running += likely_sees(s->c, group, turn) ? time : 0;
        }
    return running > 0 ? counted * enabled / running : 0;
}

static void count_times(struct view *s, const struct likely_stays *t, size_t interval)
{
    for (size_t turn = 0; turn < s->c->turns; turn++)
        for (size_t state = 0; state < STATES; state++) {
            double time = t->in[interval][turn][state];

            s->enabled += time;
            s->slots += time * s->weight[state];
            for (size_t g = 0; g < s->groups; g++)
                s->running[g] += likely_sees(s->c, g, turn) ? time : 0;
        }
}

/* Instructions, which other groups also count: the next one, and one half a rotation later. */
static void count_witnesses(struct view *s, const struct likely_stays *t, size_t interval)
{
    static const double instructions[STATES] = {0.5, 2}; /* per cycle: this tells phases apart */
    const size_t other[WITNESSES] = {1, (s->c->turns + 1) / 2};
    double none = 0, a = count_event(s, t, interval, 0, instructions, &none);

    for (size_t w = 0; w < WITNESSES; w++) {
        double b = count_event(s, t, interval, other[w], instructions, &none);

        s->apart[w][interval] = 2 * (a - b) / (a + b);
    }
}

static void count_all(struct view *s, const struct likely_stays *t)
{
    const struct likely_formula *f = s->c->formula;

    for (size_t i = 0; i < s->c->intervals; i++) {
        count_witnesses(s, t, i);
        for (size_t e = 0; e < f->events; e++) {
            double rate[STATES] = {s->rate[0][e], s->rate[1][e]};

            s->count[i][e] = count_event(s, t, i, f->group[e], rate, &s->truth[e]);
            s->sum[e] += s->count[i][e];
        }
        count_times(s, t, i);
    }
}

/* The metric with one group's counts changed by a factor. */
static double changed(const struct view *s, size_t group, double factor)
{
    double count[LIKELY_EVENTS];

    for (size_t e = 0; e < s->c->formula->events; e++)
        count[e] = s->sum[e] * (s->c->formula->group[e] == group ? factor : 1);
    return s->c->formula->value(count);
}

static double without(const struct view *s, size_t interval)
{
    double count[LIKELY_EVENTS];

    for (size_t e = 0; e < s->c->formula->events; e++)
        count[e] = s->sum[e] - s->count[interval][e];
    return s->c->formula->value(count);
}

/* ---- what is reported about it ------------------------------------------------ */

static bool in_step(const struct view *s, double windows)
{
    for (size_t w = 0; w < WITNESSES; w++)
        if (td_likely_in_step(s->apart[w], s->c->intervals, windows / (double)s->c->intervals))
            return true;
    return false;
}

static enum td_likely_why ask_bounds(const struct view *s, double value, double *low, double *high)
{
    struct td_likely_group groups[GROUPS];
    const double assumed = TD_LIKELY_MUX_INTERVAL, interval = assumed * (s->c->slower > 0 ? s->c->slower : 1);
    double parts[LIKELY_INTERVALS];
    unsigned cpus = s->c->cpus ? s->c->cpus : 1;
    struct td_likely_ask ask = {
        .value = value,
        .low = NAN,
        .high = NAN,
        .least = 0,
        .most = 1,
        .slack = s->c->formula->slack,
        .groups = groups,
        .ngroups = s->groups,
        .parts = parts,
        .nparts = s->c->intervals,
    };

    for (size_t g = 0; g < s->groups; g++) {
        struct td_likely_times times = {
            .running = s->running[g] * interval, .enabled = s->enabled * interval, .interval = assumed};
        enum td_likely_why why;

        times.elapsed = times.enabled / cpus;
        why = td_likely_windows(&times, &groups[g].windows);
        if (why != TD_LIKELY_GIVEN)
            return why;
        groups[g].uneven = (s->c->burst > 0 ? 2 : 1) * s->enabled / s->slots;
        groups[g].pull = td_likely_pull(value, changed(s, g, 1 + TD_LIKELY_STEP), changed(s, g, 1 - TD_LIKELY_STEP));
    }
    for (size_t i = 0; i < s->c->intervals; i++)
        parts[i] = s->c->intervals > 1 ? value - without(s, i) : 0;
    if (s->c->witness && in_step(s, groups[0].windows.seen))
        return TD_LIKELY_IN_STEP;
    return td_likely_bounds(&ask, low, high);
}

static void tell(const struct view *s, struct likely_cell *cell)
{
    double value = s->c->formula->value(s->sum), truth = s->c->formula->value(s->truth), low, high;

    cell->runs++;
    cell->off += fabs(value - truth);
    for (size_t e = 0; e < s->c->formula->events; e++)
        if (s->truth[e] > 0) {
            cell->counts++;
            cell->astray += fabs(s->sum[e] - s->truth[e]) / s->truth[e];
        }
    if (ask_bounds(s, value, &low, &high) != TD_LIKELY_GIVEN)
        return;
    cell->given++;
    cell->inside += low - 1e-12 <= truth && truth <= high + 1e-12;
    cell->width += (fmin(high, 1) - fmax(low, 0)) / 2;
    cell->square += (value - truth) * (value - truth);
}

static size_t count_groups(const struct likely_formula *f)
{
    size_t groups = 0;

    for (size_t e = 0; e < f->events; e++)
        groups = f->group[e] >= groups ? f->group[e] + 1u : groups;
    return groups;
}

static void run_once(const struct likely_case *c, uint64_t *random, struct likely_cell *cell)
{
    struct view s = {.c = c, .groups = count_groups(c->formula)};
    struct likely_stays t;
    unsigned turn = (unsigned)(c->turns * chance(random)), cpus = c->cpus ? c->cpus : 1;

    memset(&t, 0, sizeof(t));
    choose_states(&s, random);
    for (unsigned cpu = 0; cpu < (c->apart ? cpus : 1); cpu++)
        likely_walk(c, turn, random, &t);
    count_all(&s, &t);
    for (size_t g = 0; g < s.groups; g++)
        s.running[g] *= c->apart ? 1 : cpus;
    s.enabled *= c->apart ? 1 : cpus;
    s.slots *= c->apart ? 1 : cpus;
    tell(&s, cell);
}

void likely_run(const struct likely_case *c, unsigned long runs, uint64_t *random, struct likely_cell *cell)
{
    for (unsigned long i = 0; i < runs; i++)
        run_once(c, random, cell);
}
