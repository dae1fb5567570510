/* SPDX-License-Identifier: MIT */
/* Where in the code the slots went: what a recording of samples says of each function, or other place. */
#ifndef STATS_FUNCTIONS_H
#define STATS_FUNCTIONS_H

#include "private/code.h"
#include "stats/distances.h"
#include "stats/smear.h"

/* One place. Texts belong to the td_functions. */
struct td_function {
    const char *name, *dso; /* dso: NULL where it is not known */
    enum td_symbols symbols; /* of dso */
    const char *kind; /* of scope */
    const struct td_code_at *code; /* of a line or an instruction of td_set_samples_code(), else NULL */
    const char *core; /* of hybrids, else NULL */
    double slots, slots_share; /* of the intervals that end there */
    uint64_t intervals, pure; /* of pairs: only those between the two samples of one */
    struct td_smear smear; /* its status, and more */
    /* with likely bounds; without an estimate, TD_NOT_COUNTED, and value and bounds are NAN */
    struct td_metric *metric;
    const struct td_weighed *all; /* by metric: all intervals that end there, pure or not */
    size_t metrics;
    struct td_verdict verdict; /* by these bounds; only of places with an estimate */
    /* the level-1 node that limits it, or else takes most slots besides retiring; NULL: none */
    const struct td_metric *limit;
    double lost; /* share of all slots that this node takes here; NAN: no estimate */
    double weight; /* for its place in the order: lost, or what it may be, by all intervals */
    unsigned flags; /* of the sum of its pure intervals */
};

/* Intervals that are left out. */
struct td_left_out {
    uint64_t n;
    double slots;
};

struct td_functions_core;

/* Zeroed to begin with, but for seed and confidence. */
struct td_functions {
    unsigned long seed; /* of the random resampling; very many places are not resampled by chance */
    double confidence; /* 0.95 */
    bool handler; /* td_samples_info.handler, of pairs */
    struct td_function **function; /* by td_functions_sort() */
    size_t n;
    /* by td_result_start(); those of TD_START_SAMPLE are not left out */
    struct td_left_out left[TD_START_THROTTLED + 1];
    uint64_t intervals; /* that are put to places; of pairs as above */
    double slots;
    double seconds; /* that all took; NAN: not recorded */
    struct td_distances distances; /* of pairs */
    const char *cpu, *formula, *kind; /* of the first */
    /* inside */
    struct td_functions_core *core;
    size_t cores;
    char **text;
    size_t texts;
    struct td_chance *chance; /* NULL: none is needed */
    bool summed; /* the first sum was taken */
};

/* Takes an interval. 0 or -ENOMEM. */
int td_functions_add(struct td_functions *, const struct td_result *);
/* After all intervals: takes the sum of a place's pure intervals, of td_summary(). 0 or -ENOMEM. */
int td_functions_whole(struct td_functions *, const struct td_result *);
/* After these: fills function and n, with those without any pure interval too, by slots lost. 0 or -ENOMEM. */
int td_functions_finish(struct td_functions *);

/* The mean of all intervals that end there, pure or not; NAN: none. */
double td_function_naive(const struct td_function *, size_t metric);
/* Whether any metric of a place has a value. */
bool td_function_estimated(const struct td_function *);
/* Whether any has. */
bool td_functions_estimated(const struct td_functions *);

/* What comes first. */
enum td_functions_order {
    TD_FUNCTIONS_BY_LOST,
    TD_FUNCTIONS_BY_SLOTS,
    TD_FUNCTIONS_BY_INTERVALS,
    TD_FUNCTIONS_BY_NAME
};
/* "lost", "slots", ...; NULL after the last. */
const char *td_functions_order_name(enum td_functions_order);
/* 0 or -ENOMEM: then they stay as they are. */
int td_functions_sort(struct td_functions *, enum td_functions_order);
/* Asks the CPU to fetch what a reader in that order reads soon after the i-th. Neighbours in it are anywhere in memory:
 * of hundreds of thousands, waiting for each takes a seventh of a report's time. */
void td_functions_fetch(const struct td_functions *, size_t i);
void td_functions_free(struct td_functions *);

#endif
