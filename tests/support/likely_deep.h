/* SPDX-License-Identifier: MIT */
/* Programs seen through a rotation (likely_sim.h), for the proof of likely bounds of all that is published
 * for a CPU: the engine solves what groups saw, and its bounds are compared with what it
 * solves of everything that happened. */
#ifndef LIKELY_DEEP_H
#define LIKELY_DEEP_H

#include "tests/support/likely_sim.h"

/* Metrics that are judged together. */
enum likely_class {
    LIKELY_TOP, /* nodes of levels 1 and 2 */
    LIKELY_SLOTS, /* deeper nodes: shares of slots */
    LIKELY_UOPS, /* of uops */
    LIKELY_CYCLES, /* of cycles and stalls */
    LIKELY_BOTTLENECKS,
    LIKELY_QUANTITIES, /* other metrics */
    LIKELY_CLASSES,
};
extern const char *const likely_class_names[LIKELY_CLASSES];

struct likely_deep {
    const char *cpu;
    bool fixed; /* with PERF_METRICS, else with ordinary events */
    /* of one CPU, without witness; formula: not used, all events are in groups by chance */
    const struct likely_case *c;
};

struct likely_tally {
    struct likely_cell of[LIKELY_CLASSES];
    struct likely_worst { /* the metric that was inside least often */
        char name[64];
        unsigned long given, inside;
    } worst[LIKELY_CLASSES];
};

/* Runs a case that many times and adds to the tally. A metric counts where both states of the program
 * give it a value, and for a share one of 0 to 1. 0, or an error of td_solve(). */
int likely_deep_run(const struct likely_deep *, unsigned long runs, uint64_t *random, struct likely_tally *);

#endif
