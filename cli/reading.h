/* SPDX-License-Identifier: MIT */
/* How recordings are read, kept for handles that are made later; and all of one that is open: its results, or the
 * places of its samples. */
#ifndef CLI_READING_H
#define CLI_READING_H

#include "cli/options.h"
#include "include/tdprobe.h"
#include "stats/functions.h"

/* Options that say how recordings are read, each with its value: they are stored in a struct cli_options. */
struct cli_reading {
    struct cli_chosen {
        const struct cli_option *option;
        const char *value;
    } * chosen;
    size_t n;
};

/* Keeps an option. 0, or an exit code. */
int cli_reading_add(struct cli_reading *, const struct cli_option *, const char *value);
/* Lets a new handle take them all. 0, or an exit code after a message. */
int cli_reading_apply(const struct cli_reading *, struct cli_options *);
void cli_reading_free(struct cli_reading *);

/* Takes a result. 0 or -ENOMEM. */
typedef int cli_result_fn(void *ctx, const struct td_result *);
/* All intervals; after these, all sums. 0, or an exit code after a message. */
int cli_each_interval(struct td *, cli_result_fn *, void *ctx);
int cli_each_sum(struct td *, cli_result_fn *, void *ctx);

/* Takes all places of a recording of samples, as report and compare read them. 0, or an exit code after a message. */
int cli_places_read(struct td *, struct td_functions *out);

#endif
