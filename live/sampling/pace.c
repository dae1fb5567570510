/* SPDX-License-Identifier: MIT */
#include "live/sampling/pace.h"

#include <stdlib.h>

enum { PERIODS = 8 }; /* how many are measured for one answer */

/* Seconds. No interrupt that reads a group takes so little: a lower figure is not its cost, as where counters go on
 * counting in it. */
static const double least_cost = 2e-7;

double td_pace_period(const struct td_pace *p, double clock)
{
    const double least = clock * p->cost * p->samples / p->overhead, wanted = clock / p->rate;

    return wanted > least ? wanted : least;
}

bool td_pace_limited(const struct td_pace *p)
{
    return p->rate * p->cost * p->samples > p->overhead;
}

bool td_pace_count(struct td_pace_clock *c, uint64_t cycles, uint64_t running)
{
    const bool rises = c->begun && cycles > c->cycles && running > c->running;
    const double more = (double)(cycles - c->cycles), ns = (double)(running - c->running);

    c->cycles = cycles;
    c->running = running;
    c->begun = true;
    if (!rises)
        return false;
    c->sum_cycles += more;
    c->sum_running += ns;
    if (more / ns > c->fastest)
        c->fastest = more / ns;
    if (++c->n < PERIODS)
        return false;
    c->mean = 1e9 * c->sum_cycles / c->sum_running;
    c->busy = 1e9 * c->fastest;
    c->n = 0;
    c->sum_cycles = c->sum_running = c->fastest = 0;
    return true;
}

uint64_t td_pace_vary(uint32_t *at, uint64_t freq)
{
    static const uint32_t golden = 0x9e3779b9; /* 2^32 by the golden ratio: few multiples are spread evenly, too */
    double varied;

    *at += golden;
    varied = (double)freq / (0.55 + 1.1 * *at / UINT32_MAX);
    return varied < 1 ? 1 : (uint64_t)varied;
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

void td_pace_cost(struct td_pace *p, double cost)
{
    double median;

    p->costs[p->n++] = cost;
    if (p->n < TD_PACE_COSTS)
        return;
    p->n = 0;
    qsort(p->costs, TD_PACE_COSTS, sizeof(*p->costs), by_size);
    median = p->costs[TD_PACE_COSTS / 2];
    if (median < least_cost)
        return;
    p->cost = p->measured ? (3 * p->cost + median) / 4 : median;
    p->measured = true;
}
