/* SPDX-License-Identifier: MIT */
/* The total counts of each lane of a stream, for td_summary(); and how they grew. */
#ifndef TD_SUMS_H
#define TD_SUMS_H

#include "core/formula/range.h"
#include "core/stream.h"

enum {
    TD_STEPS_MAX = 32, /* most steps that a lane's intervals are joined to */
    TD_STEPS_LANES = 512, /* for how many lanes growth is kept: memory must not grow with what is read */
    TD_LATEST_MAX = 32, /* how many of the last intervals are kept, whose counts the metrics register may still hold */
};

/* What a copy had counted by the end of a step. */
struct td_grown {
    double value, enabled, running;
    uint64_t samples; /* td_count.sampled.n */
    uint32_t intervals;
};

/* For an interval: what its PERF_METRICS register went through. */
struct td_latest {
    double switches, slots, running; /* switches NAN: not known */
};

/* How a sum grew, in up to TD_STEPS_MAX steps of as many intervals each. */
struct td_growth {
    struct td_grown *grown; /* by step, then by copy; each step has room for room copies: zero what came after it */
    size_t n, room;
    uint64_t each; /* how many intervals a step has */
    uint64_t open; /* how many the last step has, which is not complete */
    struct td_latest latest[TD_LATEST_MAX]; /* interval i is at i modulo TD_LATEST_MAX */
    uint64_t nlatest; /* how many there were in all */
    /* intervals in the steps when it was last seen whether the program keeps step with the rotation; 0: too few so far
     */
    uint64_t looked_at;
    bool in_step; /* whether the program kept step then */
};

struct td_sum {
    struct td_interval all;
    uint64_t intervals; /* how many had counts */
    uint64_t active; /* in how many of these anything was counted */
    uint64_t shortest, longest; /* how long such an interval was, in ns */
    struct td_growth *growth; /* NULL: growth is not kept */
    bool over; /* the next interval begins the sum anew */
};

/* Zeroed: none. */
struct td_sums {
    struct td_sum *sum; /* in the order in which their lanes first came */
    size_t n, room;
    uint32_t *of_lane; /* by lane: the number of its sum plus 1; 0: it has none */
    size_t nlanes;
};

/* Adds an interval to its lane's sum. -E2BIG: more than TD_READING_ROWS different copies
 * of events in one; -ENOMEM. */
int td_sums_add(struct td_sums *, const struct td_interval *, struct td_hints *);
/* The sum that an interval was added to; NULL: none yet. */
struct td_sum *td_sums_of(struct td_sums *, const struct td_interval *);
/* How many parts a sum has, TD_STEPS_MAX at most: its steps, and what came after them unless it is less than half a
 * step. */
size_t td_sum_parts(const struct td_sum *);
/* The part of the sum's intervals that its balanced counts (td_counts_balance()) stand for: less than 1 where no event
 * was counted in every interval in which any was, as where each group had a run of its own. */
double td_sum_stands_for(const struct td_sum *, const struct td_counts *balanced);
/* How long the i-th part took, in s; below 1 s that is not known exactly. */
struct td_range td_sum_duration(const struct td_sum *, const struct td_counts *balanced);
/* What the i-th part of a copy of the sum counted. */
struct td_grown td_sum_part(const struct td_sum *, size_t part, size_t copy);
/* The values of all parts of a copy, which td_sum_part() gives one by one. */
void td_sum_values(const struct td_sum *, size_t copy, double *out);
void td_sums_free(struct td_sums *);

#endif
