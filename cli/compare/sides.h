/* SPDX-License-Identifier: MIT */
/* The recordings that are compared. */
#ifndef CLI_SIDES_H
#define CLI_SIDES_H

#include "stats/comparison.h"

/* Options that say how recordings are read, each with its value: those of cli_options_take(). */
struct cli_reading {
    struct cli_chosen {
        int option;
        const char *value;
    } *chosen;
    size_t n;
};

struct cli_sides {
    struct td_side *side;
    size_t n;
};

/* Keeps an option. 0, or an exit code. */
int cli_reading_add(struct cli_reading *, int option, const char *value);
void cli_reading_free(struct cli_reading *);

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
