/* SPDX-License-Identifier: MIT */
/* Mean and standard deviation of each metric over the runs of a command. */
#ifndef STATS_REPEAT_H
#define STATS_REPEAT_H

#include "include/tdprobe.h"
#include "stats/mean.h"

#include <stdbool.h>

struct td_repeat_metric {
    struct td_mean mean; /* of the runs in which it has a value */
    struct td_mean low, high; /* of those in which it has bounds, too */
    bool sound; /* all of these bounds are sound */
    char *unit; /* of a value that is no share from 0 to 1; NULL: it is one */
    char *scope, *core, *name, *parent; /* core: NULL where there is one kind; parent: "" at level 1 */
    int level;
};

struct td_repeat {
    unsigned runs; /* all; those that the command ended count */
    struct td_mean elapsed; /* s, of the runs that count */
    struct td_repeat_metric *metric; /* those of one scope and core in a row */
    size_t n;
};

/* Adds the metrics that have a value. 0 or -ENOMEM. */
int td_repeat_add(struct td_repeat *, const struct td_result *);
/* Bounds of the mean. For one or two runs: the means of their bounds. For more, likely bounds: these, widened to hold in
 * 95 of 100 cases the mean of many more runs, by the spread of the lower and of the upper bounds
 * (Student's t). NONE: a run has no bounds, and low and high are NAN. */
enum td_bounds td_repeat_bounds(const struct td_repeat_metric *, double *low, double *high);
/* Whether i is the first metric of its scope and core. */
bool td_repeat_first(const struct td_repeat *, size_t i);
void td_repeat_free(struct td_repeat *);

#endif
