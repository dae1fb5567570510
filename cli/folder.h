/* SPDX-License-Identifier: MIT */
/* The recordings below a folder, by their names. */
#ifndef CLI_FOLDER_H
#define CLI_FOLDER_H

#include <stddef.h>

#define CLI_FOLDER_HAS "*.trace and *.data, as they are or compressed (.gz, .zst)"

/* Adds the paths of the traces and the perf.data in a folder and the folders in it, in the order of their names;
 * hidden ones and links to folders are left out. -errno: a folder cannot be read, whose path *where has then; -ENOMEM.
 * The array, its paths and *where are the caller's, whatever is returned. */
int cli_folder_add(const char *folder, char ***path, size_t *n, char **where);
/* Adds a copy of one path to such an array. -ENOMEM. */
int cli_folder_name(const char *path, char ***all, size_t *n);

#endif
