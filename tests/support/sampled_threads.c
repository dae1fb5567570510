/* SPDX-License-Identifier: MIT */
#include "tests/support/sampled_threads.h"

#include <math.h>

static double log_between(struct unit_random *r, double low, double high)
{
    return low * exp(log(high / low) * unit_random_ratio(r));
}

static double slice_of(struct unit_random *r, bool visited, size_t thread)
{
    if (!visited)
        return log_between(r, 20, 4000);
    return thread ? log_between(r, 50, 400) : log_between(r, 400, 10000);
}

void sampled_threads_make(struct unit_random *r, bool visited, struct sampled_threads *out)
{
    *out = (struct sampled_threads){.threads = 2 + unit_random_below(r, SAMPLED_THREADS - 1),
                                    .random_slices = unit_random_below(r, 2),
                                    .random = r};
    for (size_t i = 0; i < out->threads; i++) {
        sampled_program_make(r, log_between(r, 1, 10000), &out->program[i]);
        out->run[i] = (struct sampled_run){.program = &out->program[i], .random = r};
        out->slice[i] = slice_of(r, visited, i);
    }
}

void sampled_threads_keep_step(struct sampled_threads *t)
{
    for (size_t i = 0; i < t->threads; i++) {
        struct sampled_program *p = &t->program[i];
        const double wanted = t->period / (double)(1 + unit_random_below(t->random, 4));
        double whole = 0;

        p->law = SAMPLED_CONSTANT;
        p->random_turns = false;
        for (size_t f = 0; f + 1 < p->functions; f++)
            whole += p->function[f].stay;
        for (size_t f = 0; f + 1 < p->functions; f++)
            p->function[f].stay *= wanted / whole;
    }
}

static void next_turn(struct sampled_threads *t)
{
    const size_t before = t->now;
    const double slice =
        t->slice[t->now = t->random_slices ? unit_random_below(t->random, t->threads) : (t->now + 1) % t->threads];

    t->left = t->random_slices ? -slice * log(1 - unit_random_ratio(t->random)) : slice;
    t->last[before].stopped = t->last[before].stopped || t->now != before;
}

/* Where a thread is, against its last sample. */
static enum td_back back_at(struct sampled_threads *t, size_t place)
{
    const bool is_back = t->last[t->now].sampled && t->last[t->now].stopped, same = t->last[t->now].place == place;

    t->last[t->now].sampled = true;
    t->last[t->now].stopped = false;
    t->last[t->now].place = place;
    return !is_back ? TD_BACK_NONE : same ? TD_BACK_HERE : TD_BACK_ELSEWHERE;
}

static size_t place_of(struct sampled_threads *t)
{
    return t->functions ? t->now * SAMPLED_FUNCTIONS + sampled_run_at(&t->run[t->now]) : t->now;
}

void sampled_threads_next(struct sampled_threads *t, struct sampled_delta *out)
{
    const double whole = sampled_vary(&t->varying, t->random) * (t->between ? t->distance : t->period - t->distance);
    double left = whole, own = 0, true_count[SAMPLED_NODES] = {0};
    size_t first;

    t->between = t->distance > 0 && !t->between;
    out->paired = t->distance > 0;
    out->rest = out->paired && t->between;
    if (t->left <= 0)
        next_turn(t);
    first = t->now;
    out->began = place_of(t);
    while (t->left <= left) {
        left -= t->left;
        own += t->now == first ? t->left : 0;
        sampled_run_pass(&t->run[t->now], t->left, true_count);
        next_turn(t);
    }
    sampled_run_pass(&t->run[t->now], left, true_count);
    t->left -= left;
    out->ended = place_of(t);
    out->own = t->now == first ? (own + left) / whole : 0;
    out->back = back_at(t, out->ended);
    sampled_fields(true_count, out);
}

void sampled_threads_truth(const struct sampled_threads *t, size_t place, double true_count[SAMPLED_NODES])
{
    const size_t thread = t->functions ? place / SAMPLED_FUNCTIONS : place;

    for (size_t i = 0; i < SAMPLED_NODES; i++) {
        true_count[i] = 0;
        for (size_t f = 0; f < t->program[thread].functions; f++)
            if (!t->functions || f == place % SAMPLED_FUNCTIONS)
                true_count[i] += t->run[thread].true_count[f][i];
    }
}

size_t sampled_threads_places(const struct sampled_threads *t)
{
    return t->functions ? t->threads * SAMPLED_FUNCTIONS : t->threads;
}
