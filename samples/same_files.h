/* SPDX-License-Identifier: MIT */
/* Which files of a recording are one file here, by whatever paths: what is loaded of it is loaded once. */
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
    uint32_t *first; /* by number of the dso: number + 1 of the first that is the same file; 0: not looked at */
    size_t dsos;
};

/* The number of the first dso that is the same file in the stores, and had the same build-id when it was asked for; its
 * own, if it is the first, or no file. -ENOMEM. */
int td_same_files_first(struct td_same_files *, struct td_stores *, const struct td_dso *, uint32_t *number);
void td_same_files_free(struct td_same_files *);

/* What the stores are asked for. */
struct td_recorded_file td_dso_file(const struct td_dso *);
/* Whether a file by itself says that it is the right one: without a build-id, one of the same name may be another by
 * now, unless a root says where they are. */
bool td_dso_is_certain(const struct td_stores *, const struct td_dso *);

#endif
