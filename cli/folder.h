/* SPDX-License-Identifier: MIT */
/* The recordings below a folder, by their names. */
#ifndef CLI_FOLDER_H
#define CLI_FOLDER_H

#include "cli/paths.h"

#define CLI_FOLDER_HAS "*.trace and *.data, as they are or compressed (.gz, .zst)"

/* Adds the paths of the traces and the perf.data in a folder and the folders in it, in the order of their names;
 * hidden ones and links to folders are left out. -errno: a folder cannot be read, whose path *where has then; -ENOMEM.
 * *where is the caller's, whatever is returned. */
int cli_folder_add(struct cli_paths *, const char *folder, char **where);

#endif
