/* SPDX-License-Identifier: MIT */
#include "tests/support/sampled_program.h"

#include <math.h>
#include <string.h>

enum { SLOTS = 18000 /* per microsecond: 6 per cycle at 3 GHz */ };

static double between(struct unit_random *r, double low, double high)
{
    return low + (high - low) * unit_random_ratio(r);
}

static double exponential(struct unit_random *r)
{
    return -log(1 - unit_random_ratio(r));
}

static void make_function(struct unit_random *r, double scale, struct sampled_function *out)
{
    double sum = 0;

    for (size_t i = 0; i < SAMPLED_NODES; i++)
        sum += out->fraction[i] = exponential(r);
    for (size_t i = 0; i < SAMPLED_NODES; i++)
        out->fraction[i] /= sum;
    out->stay = fmax(1, scale * exp(between(r, log(0.2), log(5))));
    out->pace = 1;
    out->leaf = unit_random_below(r, 3) ? 0 : between(r, 0.005, 0.2);
}

void sampled_program_make(struct unit_random *r, double scale, struct sampled_program *out)
{
    *out = (struct sampled_program){.functions = 3 + unit_random_below(r, SAMPLED_FUNCTIONS - 2), .period = 100};
    out->law = (enum sampled_law)unit_random_below(r, 3);
    out->random_turns = unit_random_below(r, 2);
    out->variation = unit_random_below(r, 2) ? 0.1 : 0;
    out->unsteady = unit_random_below(r, 2) ? 0.2 : 0;
    out->leaf_stay = between(r, 1, 10);
    for (size_t i = 0; i < out->functions; i++)
        make_function(r, scale, &out->function[i]);
    if (unit_random_below(r, 4) == 0) /* sampled by an event whose pace differs, such as instructions */
        for (size_t i = 0; i < out->functions; i++)
            out->function[i].pace = between(r, 0.3, 2);
}

/* ---- turns ---------------------------------------------------------------------------- */

static double by_law(struct sampled_run *run, double mean)
{
    switch (run->program->law) {
    case SAMPLED_EXPONENTIAL: return mean * exponential(run->random);
    case SAMPLED_UNEVEN: return mean * between(run->random, 0.8, 1.2);
    default: return mean;
    }
}

static size_t leaf_of(const struct sampled_run *run)
{
    return run->program->functions - 1;
}

static size_t running(const struct sampled_run *run)
{
    return run->called ? leaf_of(run) : run->turn;
}

static size_t next_turn(struct sampled_run *run)
{
    const size_t n = run->program->functions - 1;

    if (!run->program->random_turns)
        return (run->turn + 1) % n;
    return (run->turn + 1 + unit_random_below(run->random, n - 1)) % n;
}

bool sampled_program_drives(const struct sampled_program *p, size_t function)
{
    return function < p->functions / 2;
}

static struct sampled_chain chain_of(const struct sampled_run *run)
{
    struct sampled_chain c = {.depth = 0};

    if (sampled_program_drives(run->program, run->turn))
        c.place[c.depth++] = SAMPLED_DRIVER;
    c.place[c.depth++] = run->turn;
    if (run->called)
        c.place[c.depth++] = leaf_of(run);
    return c;
}

/* The leaf is called, or returns. */
static void begin_part(struct sampled_run *run, bool called)
{
    const double share = run->program->function[run->turn].leaf, stay = run->program->leaf_stay;

    run->called = called;
    run->part = share > 0 ? exponential(run->random) * (called ? stay : stay * (1 - share) / share) : INFINITY;
}

static void set_shares(struct sampled_run *run, size_t function, double shares[SAMPLED_NODES])
{
    double sum = 0;

    for (size_t i = 0; i < SAMPLED_NODES; i++)
        sum += shares[i] = run->program->function[function].fraction[i] *
                           (1 + run->program->variation * between(run->random, -1.7, 1.7));
    for (size_t i = 0; i < SAMPLED_NODES; i++)
        shares[i] /= sum;
}

static void begin_turn(struct sampled_run *run, size_t function)
{
    run->turn = function;
    run->left = by_law(run, run->program->function[function].stay);
    set_shares(run, function, run->shares[0]);
    set_shares(run, leaf_of(run), run->shares[1]);
    begin_part(run, false);
}

static void start(struct sampled_run *run)
{
    run->started = true;
    begin_turn(run, unit_random_below(run->random, leaf_of(run)));
    run->left *= unit_random_ratio(run->random);
}

static void pass(struct sampled_run *run, double time, double true_count[SAMPLED_NODES])
{
    const struct sampled_chain chain = chain_of(run);

    run->left -= time;
    run->part -= time;
    run->time[running(run)] += time;
    for (size_t i = 0; i < SAMPLED_NODES; i++) {
        const double slots = SLOTS * time * run->shares[run->called][i];

        true_count[i] += slots;
        run->true_count[running(run)][i] += slots;
        for (size_t k = 0; k < chain.depth; k++)
            run->inclusive[chain.place[k]][i] += slots;
    }
}

/* The register holds so many 255ths of the slots since it was zeroed, by the sample before. */
void sampled_fields(const double true_count[SAMPLED_NODES], struct sampled_delta *out)
{
    out->slots = 0;
    for (size_t i = 0; i < SAMPLED_NODES; i++)
        out->slots += true_count[i];
    for (size_t i = 0; i < SAMPLED_NODES; i++)
        out->count[i] = out->slots * floor(255 * true_count[i] / out->slots) / 255;
}

/* What comes after a turn, or a part of one, that is over. */
static void go_on(struct sampled_run *run)
{
    if (run->left <= 0)
        begin_turn(run, next_turn(run));
    else
        begin_part(run, !run->called);
}

void sampled_run_pass(struct sampled_run *run, double time, double true_count[SAMPLED_NODES])
{
    if (!run->started)
        start(run);
    for (double change = fmin(run->left, run->part); change < time; change = fmin(run->left, run->part)) {
        time -= change;
        pass(run, change, true_count);
        go_on(run);
    }
    pass(run, time, true_count);
}

size_t sampled_run_at(struct sampled_run *run)
{
    if (!run->started)
        start(run);
    return running(run);
}

/* With another frequency, at any time between two samples, a period begins anew. */
double sampled_vary(struct sampled_varying *v, struct unit_random *r)
{
    enum { EACH = 20 };
    double passed = 0;

    if (!v->varies)
        return 1;
    if (!v->n) {
        passed = unit_random_ratio(r) * v->now;
        v->wanted = between(r, 0.55, 1.65);
        v->n = EACH;
    }
    v->n--;
    v->now = v->now > 0 ? v->now + (v->wanted - v->now) / 8 : 1;
    return passed + v->now;
}

/* How far it is to the next sample. */
static double next_distance(struct sampled_run *run)
{
    const struct sampled_program *p = run->program;
    const double mean = run->between ? p->distance : p->period - p->distance,
                 part = sampled_vary(&run->varying, run->random);

    return mean * part * (1 + between(run->random, -p->unsteady, p->unsteady));
}

void sampled_run_next(struct sampled_run *run, struct sampled_delta *out)
{
    const struct sampled_program *p = run->program;
    double left = next_distance(run), true_count[SAMPLED_NODES] = {0};

    run->between = p->distance > 0 && !run->between;
    out->paired = p->distance > 0;
    out->rest = out->paired && run->between;
    if (!run->started)
        start(run);
    out->began = running(run);
    out->from = chain_of(run);
    for (;;) {
        const double pace = p->function[running(run)].pace, change = fmin(run->left, run->part);

        if (change * pace >= left) {
            pass(run, left / pace, true_count);
            break;
        }
        left -= change * pace;
        pass(run, change, true_count);
        go_on(run);
    }
    out->ended = running(run);
    out->to = chain_of(run);
    sampled_fields(true_count, out);
}
