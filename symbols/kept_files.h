/* SPDX-License-Identifier: MIT */
/* Copies of files in which processes told of the code that they made, as a recording keeps them (util/made_files.h). */
#ifndef TD_KEPT_FILES_H
#define TD_KEPT_FILES_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct td_kept_files;

/* Takes a copy of the bytes of the feature apart. What does not fit into them is left out; *out is NULL where that is
 * all. -ENOMEM. */
int td_kept_files_new(const void *bytes, size_t n, struct td_kept_files **out);
void td_kept_files_free(struct td_kept_files *);
/* Opens a process's jitdump at a path, or its map where path is NULL. NULL: the recording has none. */
FILE *td_kept_files_open(const struct td_kept_files *, uint32_t pid, const char *path);

#endif
