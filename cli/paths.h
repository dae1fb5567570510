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
/* In the order of their bytes, each once. */
void cli_paths_sort(struct cli_paths *);
/* Whether a path is among them, which are sorted. */
bool cli_paths_have(const struct cli_paths *, const char *path);
void cli_paths_free(struct cli_paths *);

#endif
