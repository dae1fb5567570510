/* SPDX-License-Identifier: MIT */
/* Where in the code the slots went: what a recording of samples tells about each function or other place. */
#ifndef STATS_FUNCTIONS_H
#define STATS_FUNCTIONS_H

#include "private/code.h"
#include "stats/distances.h"
#include "stats/estimates.h"
#include "stats/smear.h"

/* One place. Texts belong to the td_functions. What few of them have, or what follows from the rest, is elsewhere. */
struct td_function {
    const char *name, *dso; /* dso: NULL where it is not known */
    const char *kind; /* the scope's kind */
    const struct td_code_at *code; /* for a line or an instruction of td_set_samples_code(); else NULL */
    const struct td_estimates *of;
    double slots; /* those of the intervals that end there */
    uint64_t intervals; /* how many these are; where samples come in pairs, only those between the two of a pair */
    /* the level-1 node that limits it, or else takes most slots besides retiring; NULL: none */
    const struct td_metric *limit;
    double weight; /* what it is sorted by: td_function_lost(), or without an estimate the same by all intervals */
    enum td_symbols symbols; /* whether dso has symbols, or why not */
    enum td_place_status status; /* td_function_smear() has more */
};

/* Intervals that are left out. */
struct td_left_out {
    uint64_t n;
    double slots;
};

/* Zeroed to begin with, but for seed and confidence. */
struct td_functions {
    unsigned long seed; /* for random resampling, which is not done where there are very many places */
    double confidence; /* 0.95 */
    bool handler; /* td_samples_info.handler, of pairs */
    struct td_function **function; /* in the order of td_functions_sort() */
    size_t n;
    /* by td_result_start(), of which TD_START_SAMPLE leaves nothing out */
    struct td_left_out left[TD_START_THROTTLED + 1];
    bool turns; /* groups of events took turns */
    uint64_t intervals; /* how many are put to places; in pairs as above */
    double slots;
    double seconds; /* how long all took; NAN: not recorded */
    struct td_distances distances; /* those of pairs */
    const char *cpu, *formula, *kind; /* those of the first interval */
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
/* To be called after all intervals: takes a sum of td_summary(), that of a place's pure intervals. 0 or -ENOMEM. */
int td_functions_whole(struct td_functions *, const struct td_result *);
/* To be called after all sums: fills function and n, with places without any pure interval too, by slots lost. 0 or
 * -ENOMEM. */
int td_functions_finish(struct td_functions *);

/* Of all slots, the share that the place has. */
double td_function_share(const struct td_function *);
/* Of all slots, the share that limit takes here; NAN: there is no estimate. */
double td_function_lost(const struct td_function *);
/* How many of the intervals also began there. */
uint64_t td_function_pure(const struct td_function *);
/* Whether samples tell it from other places. */
struct td_smear td_function_smear(const struct td_function *);
/* All intervals that end there, pure or not. */
struct td_weighed td_function_all(const struct td_function *, size_t metric);
/* Their mean; NAN: none. */
double td_function_naive(const struct td_function *, size_t metric);
/* Whether any metric of a place has a value. */
bool td_function_estimated(const struct td_function *);
/* Whether any place has such a metric. */
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
/* Asks the CPU to fetch what a reader in this order needs soon after the i-th function. Neighbours in the order are
 * anywhere in memory: with hundreds of thousands of functions, waiting for each takes a seventh of a report's time. */
void td_functions_fetch(const struct td_functions *, size_t i);
void td_functions_free(struct td_functions *);

#endif
