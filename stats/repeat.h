/* SPDX-License-Identifier: MIT */
/* Mean and standard deviation of each metric over the runs of a command. */
#ifndef STATS_REPEAT_H
#define STATS_REPEAT_H

#include "include/tdprobe.h"
#include "stats/mean.h"
#include "private/exported.h"
#include "util/scope_table.h"

#include <math.h>
#include <stdbool.h>

struct td_repeat_metric {
    struct td_mean mean; /* of the runs in which it has a value */
    struct td_mean low, high; /* of those in which it has bounds, too */
    bool sound; /* all of these bounds are sound */
    char *unit; /* of a value that is no share from 0 to 1; NULL: it is one */
    bool until; /* td_repeat.until when it came */
    size_t number; /* of its scope among those of td_repeat */
    char *scope, *core, *name, *parent; /* core: NULL where there is one kind; parent: "" at level 1 */
    int level;
};

struct td_repeat {
    unsigned runs; /* all; those that the command ended count */
    /* runs end when bounds are narrow, which is when the spread happens to look small: bounds are a tenth wider */
    bool until;
    struct td_mean elapsed; /* s, of the runs that count */
    struct td_repeat_metric *metric; /* those of one scope in a row */
    size_t n, room;
    struct td_scope_table scopes;
    struct td_repeat_place *place; /* by number in this table: where the scope's metrics are */
    size_t place_room;
};

/* Adds the metrics that have a value. 0 or -ENOMEM. */
TD_PRIVATE int td_repeat_add(struct td_repeat *, const struct td_result *);
/* What the runs had of a metric in the scope of a result; NULL: nothing. */
TD_PRIVATE const struct td_repeat_metric *td_repeat_find(const struct td_repeat *, const struct td_result *,
                                                         const char *name);
/* The standard error of a mean, as perf stat -r has it, but in the unit of the value. */
static inline double td_repeat_error(const struct td_mean *m)
{
    return td_mean_deviation(m) / sqrt(m->n);
}
/* Bounds of the mean. For one or two runs: the means of their bounds. For more, likely bounds: these, widened to hold
 * in 95 of 100 cases the mean of many more runs, by the spread of the lower and of the upper bounds (Student's t).
 * NONE: a run has no bounds, and low and high are NAN. */
TD_PRIVATE enum td_bounds td_repeat_bounds(const struct td_repeat_metric *, double *low, double *high);
/* The share that is known worst. */
struct td_repeat_width {
    const char *name; /* NULL: no share has bounds */
    double off; /* how far its bounds reach from the mean */
    double runs; /* that would bring them as near as asked for, as far as the runs so far show; HUGE_VAL: none */
};

enum { TD_REPEAT_LEAST = 8 /* runs before the spread can be trusted to end them */ };

/* Whether the bounds of all shares that have some reach no further than within from the mean, after TD_REPEAT_LEAST
 * runs or more. */
TD_PRIVATE bool td_repeat_known(const struct td_repeat *, double within, struct td_repeat_width *worst);
/* Whether i is the first metric of its scope. */
TD_PRIVATE bool td_repeat_first(const struct td_repeat *, size_t i);
TD_PRIVATE void td_repeat_free(struct td_repeat *);

#endif
