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

/* Reads a recording into a side of its own, or as another run of the last side. path must stay. 0, or an exit
 * code after a message. */
int cli_sides_read(struct cli_sides *, const char *path, bool run, const struct cli_reading *);
/* Begins a side by its name, which must stay; adds an empty run to side i; drops all runs from the n-th on, of all
 * sides. 0, or an exit code after a message. */
int cli_sides_begin(struct cli_sides *, const char *name);
int cli_sides_run(struct cli_sides *, size_t i);
void cli_sides_cut(struct cli_sides *, size_t n);
void cli_sides_free(struct cli_sides *);

#endif
