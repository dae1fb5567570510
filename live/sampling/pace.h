/* SPDX-License-Identifier: MIT */
/* How often samples are taken: by the clock that the CPUs count with and by what a sample costs, both as measured while
 * sampling. */
#ifndef TD_PACE_H
#define TD_PACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TD_PACE_COSTS = 31 };

struct td_pace {
    double rate; /* periods a second of a busy CPU; 0: the period is fixed */
    double overhead; /* the most of the time that samples may take */
    unsigned samples; /* how many are taken in a period */
    double cost; /* seconds that one sample takes */
    bool measured; /* cost was measured, not assumed */
    double costs[TD_PACE_COSTS]; /* those measured since the last median */
    size_t n;
};

/* How fast the clock of one CPU or thread is: the cycles that it counts, and in how much time. */
struct td_pace_clock {
    uint64_t cycles, running; /* totals at the first sample of the last period */
    bool begun;
    unsigned n; /* periods since the last answer */
    double sum_cycles, sum_running, fastest;
    double mean; /* cycles a second, by the last answer; 0: not known yet */
    double busy; /* cycles a second of the fastest period of that answer; 0: not known yet */
};

/* The period, in cycles, that has the rate and keeps within the overhead where so many cycles pass in a second. */
double td_pace_period(const struct td_pace *, double clock);
/* Whether a rate is lowered by the overhead. */
bool td_pace_limited(const struct td_pace *);
/* Takes the cycles that were counted up to a sample, and in how many ns; true: there is a new answer. */
bool td_pace_count(struct td_pace_clock *, uint64_t cycles, uint64_t running);
/* The next of the frequencies that a frequency is varied to, so that no program keeps step with the samples for long.
 * at: where they are, 0 to begin with. Their periods are spread evenly from 0.55 to 1.65 times the usual one: over more
 * than the whole of it, and with the same number of samples in all. */
uint64_t td_pace_vary(uint32_t *at, uint64_t freq);
/* Takes what one sample cost, in s. */
void td_pace_cost(struct td_pace *, double cost);

#endif
