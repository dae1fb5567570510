/* SPDX-License-Identifier: MIT */
/* A list of paths. */
#ifndef CLI_PATHS_H
#define CLI_PATHS_H

#include <stdbool.h>
#include <stddef.h>

/* Zeroed: empty. */
struct cli_paths {
    char **path;
    size_t n, room;
};

/* Adds a copy of a path at the end: 0, or -ENOMEM. */
int cli_paths_add(struct cli_paths *, const char *path);
/* Adds copies of the first n of others: 0, or -ENOMEM. */
int cli_paths_add_first(struct cli_paths *, const struct cli_paths *others, size_t n);
/* Moves those that a sorted list has, or else those that it lacks, to the end of another list, NULL: to nowhere; the
 * others stay in their order. 0, or -ENOMEM: those for which there was no room stay, too. */
int cli_paths_move(struct cli_paths *, const struct cli_paths *sorted, bool has, struct cli_paths *to);
/* In the order of their bytes, each once. */
void cli_paths_sort(struct cli_paths *);
/* Whether a path is among them, which are sorted. */
bool cli_paths_have(const struct cli_paths *, const char *path);
void cli_paths_free(struct cli_paths *);

#endif
