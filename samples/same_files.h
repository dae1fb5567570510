/* SPDX-License-Identifier: MIT */
/* Finds paths of a recording that lead to one file on this machine, so that its symbols and lines are loaded once. */
#ifndef TD_SAME_FILES_H
#define TD_SAME_FILES_H

#include "util/hash_index.h"
#include "samples/spaces.h"
#include "symbols/stores.h"

/* Zeroed: none yet. */
struct td_same_files {
    struct td_file_found *found;
    size_t n, room;
    struct td_hash_index hashes;
    uint32_t *first; /* by a dso's number: that of the first dso that is the same file, plus 1; 0: not looked up yet */
    size_t dsos;
};

/* The number of the first dso that is the same file in the stores and is recorded with the same build-id; a dso's own
 * number if it is the first, or no file. Each dso is looked up once. -ENOMEM. */
int td_same_files_first(struct td_same_files *, struct td_stores *, const struct td_dso *, uint32_t *number);
void td_same_files_free(struct td_same_files *);

/* What the stores need to know to find the dso's file. */
struct td_recorded_file td_dso_file(const struct td_dso *);
/* Whether a file that is found for the dso is certain to be the recorded one: its build-id says so, or the user does by
 * naming a root. Otherwise the file of that name may have been replaced since. */
bool td_dso_is_certain(const struct td_stores *, const struct td_dso *);

#endif
