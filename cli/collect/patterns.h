/* SPDX-License-Identifier: MIT */
/* Paths of cgroups by patterns, looked up in a tree of folders. */
#ifndef CLI_COLLECT_PATTERNS_H
#define CLI_COLLECT_PATTERNS_H

#include "cli/paths.h"

#include <stdint.h>

struct td;

/* The names in a folder: as td_run_names(), of a path below the root of all cgroups, "" the root itself. */
typedef int cli_name_fn(void *ctx, const char *name);
typedef int cli_names_fn(void *tree, const char *path, cli_name_fn *each, void *ctx);

/* The folders that a pattern has: a path below the root in which *, ? and [...] stand for parts of one name, and ** for
 * any number of folders. They are added;
 * cli_paths_sort() comes after the last pattern. 0, or -ENOMEM. */
int cli_paths_find(struct cli_paths *, const char *pattern, cli_names_fn *names, void *tree);

/* Whether a pattern can have any folder: NULL, or what is wrong with it. */
const char *cli_pattern_fault(const char *pattern);
/* Whether a name that was made safe to print, with bytes as \xe9, is this path's. */
bool cli_path_shown_as(const char *path, const char *shown);
/* Whether it is that of any of these. */
bool cli_paths_shown(const struct cli_paths *, const char *shown);

/* A cli_names_fn for the machine of a handle. */
int cli_cgroup_names(void *td, const char *path, cli_name_fn *each, void *ctx);
/* Which folder is there now: a number that one made anew in its place does not have; 0: none is there any more. */
typedef uint64_t cli_identity_fn(void *tree, const char *path);
/* The same for the machine of a handle. */
uint64_t cli_cgroup_identity(void *td, const char *path);

#endif
