/* SPDX-License-Identifier: MIT */
/* All of a recording that is open: its results, or the places of its samples. */
#ifndef CLI_READ_ALL_H
#define CLI_READ_ALL_H

#include "include/tdprobe.h"
#include "stats/functions.h"

/* Takes a result. 0 or -ENOMEM. */
typedef int cli_result_fn(void *ctx, const struct td_result *);
/* All intervals; after these, all sums. 0, or an exit code after a message. */
int cli_each_interval(struct td *, cli_result_fn *, void *ctx);
int cli_each_sum(struct td *, cli_result_fn *, void *ctx);

/* Takes all places of a recording of samples, as report and compare read them. 0, or an exit code after a message. */
int cli_places_read(struct td *, struct td_functions *out);

#endif
