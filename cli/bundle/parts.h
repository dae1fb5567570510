/* SPDX-License-Identifier: MIT */
/* The recordings in a bundle that is read, where it lies: nothing is unpacked. */
#ifndef CLI_BUNDLE_PARTS_H
#define CLI_BUNDLE_PARTS_H

#include "cli/input.h"

struct cli_part {
    char *name; /* in the bundle, safe to print: "traces/chain-task.trace" */
    char *label; /* "chain-task" */
    uint64_t at, size; /* its bytes, in the bundle's file */
};

struct cli_parts {
    struct cli_part *part;
    size_t n, room;
    char cpu[64]; /* whose counts they are, as td_set_uarch() takes it; "": it does not say */
};

/* Finds them in an input that is a bundle. What cannot be a recording by its kind or name is left out after a message.
 * 0, or an exit code after a message, with nothing to be freed. */
int cli_parts_find(const struct cli_input *, struct cli_parts *);
void cli_parts_free(struct cli_parts *);
/* Makes one of them the input to read; the bundle's own is left alone. name: where the name for messages is kept. */
struct cli_input cli_parts_input(const struct cli_input *, const struct cli_part *, char name[static 512]);

#endif
