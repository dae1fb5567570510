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
    unsigned samples; /* in a period */
    double cost; /* s a sample */
    bool measured; /* cost: otherwise assumed */
    double costs[TD_PACE_COSTS]; /* measured since the last median */
    size_t n;
};

/* What one CPU or thread counts in which time. */
struct td_pace_clock {
    uint64_t cycles, running; /* at the last first sample of a period */
    bool begun;
    unsigned n; /* periods since the last answer */
    double sum_cycles, sum_running, fastest;
    double mean, busy; /* cycles a second: of the last answer, and of the fastest period in it; 0: not known yet */
};

/* The period that has the rate and keeps within the overhead at so many cycles a second. */
double td_pace_period(const struct td_pace *, double clock);
/* Whether a rate is lowered by the overhead. */
bool td_pace_limited(const struct td_pace *);
/* Takes what was counted at a sample, and for how many ns until then: true if there is a new answer. */
bool td_pace_count(struct td_pace_clock *, uint64_t cycles, uint64_t running);
/* Takes what one sample cost, in s. */
void td_pace_cost(struct td_pace *, double cost);

#endif
