/* SPDX-License-Identifier: MIT */
/* All results of a recording that is open, one after the other. */
#ifndef CLI_RESULTS_H
#define CLI_RESULTS_H

#include "include/tdprobe.h"

/* Takes a result. 0 or -ENOMEM. */
typedef int cli_result_fn(void *ctx, const struct td_result *);
/* All intervals; after these, all sums. 0, or an exit code after a message. */
int cli_each_interval(struct td *, cli_result_fn *, void *ctx);
int cli_each_sum(struct td *, cli_result_fn *, void *ctx);

#endif
