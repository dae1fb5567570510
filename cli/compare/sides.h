/* SPDX-License-Identifier: MIT */
/* The recordings that are compared. */
#ifndef CLI_SIDES_H
#define CLI_SIDES_H

#include "cli/reading.h"
#include "stats/comparison.h"

struct cli_sides {
    struct td_side *side;
    size_t n;
};

/* Returns 0, or an exit code after a message. */
typedef int cli_take_fn(struct td *, void *ctx);
/* Opens a recording, and lets a function take what it wants of it; quiet: without the notes about it. */
int cli_sides_take(const char *path, const struct cli_reading *, bool quiet, cli_take_fn *, void *ctx);
/* The same of a regular file that may be unusable, without waiting for it: what would be said on stderr goes to *said,
 * which is the caller's to free. */
int cli_sides_try(const char *path, const struct cli_reading *, cli_take_fn *, void *ctx, char **said);
/* A cli_take_fn for a struct td_series: all of the recording, which may hold no interval. */
int cli_sides_all(struct td *, void *series);
/* Reads a recording into a side of its own, or as another run of the last side. path must stay. 0, or an exit
 * code after a message. */
int cli_sides_read(struct cli_sides *, const char *path, bool run, const struct cli_reading *);
/* Begins a side by its name, which must stay; adds an empty run to side i; drops all runs from the n-th on, of the
 * sides from the first on. 0, or an exit code after a message. */
int cli_sides_begin(struct cli_sides *, const char *name);
int cli_sides_run(struct cli_sides *, size_t i);
/* Adds a run to side i, which then owns what the series held. */
int cli_sides_give(struct cli_sides *, size_t i, struct td_series *);
void cli_sides_cut(struct cli_sides *, size_t first, size_t n);
void cli_sides_free(struct cli_sides *);

#endif
