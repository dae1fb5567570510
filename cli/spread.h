/* SPDX-License-Identifier: MIT */
/* Mean and standard deviation of each metric over the runs of a command. */
#ifndef CLI_SPREAD_H
#define CLI_SPREAD_H

#include "tdprobe.h"

struct cli_spread_number {
    unsigned n; /* runs that have a value */
    double mean, squares; /* squares: of the deviations, summed */
};

struct cli_spread_metric {
    struct cli_spread_number number;
    char *scope, *core, *name, *parent; /* core: NULL where there is one kind; parent: "" at level 1 */
    int level;
};

struct cli_spread {
    unsigned runs; /* all; those that the command ended count */
    struct cli_spread_number elapsed; /* s; n: how many runs count */
    struct cli_spread_metric *metrics; /* those of one scope and core stand together */
    size_t n;
};

/* Adds the metrics that have a value. -ENOMEM, or 0. */
int cli_spread_add(struct cli_spread *, const struct td_result *);
void cli_spread_number_add(struct cli_spread_number *, double value);
/* Sample standard deviation; NAN for fewer than two runs. */
double cli_spread_deviation(const struct cli_spread_number *);
/* Whether i is the first metric of its scope and core. */
bool cli_spread_first(const struct cli_spread *, size_t i);
void cli_spread_free(struct cli_spread *);

#endif
