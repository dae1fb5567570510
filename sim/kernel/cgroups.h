/* SPDX-License-Identifier: MIT */
/* Cgroups: their paths below /sys/fs/cgroup, and which is inside which. */
#ifndef TD_SIM_CGROUPS_H
#define TD_SIM_CGROUPS_H

#include "util/hash_index.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct td_sim_cgroups {
    char **path; /* [0]: "", the root */
    bool *absent; /* it has no folder now */
    struct td_hash_index index; /* of the paths */
    unsigned *made; /* how often its folder was made since the machine began */
    size_t n;
};

struct td_sim;

/* Adds one: 0; -EEXIST, -ENOMEM. */
int td_sim_cgroup_add(struct td_sim_cgroups *, const char *path);
/* One comes, or goes: what has been opened of it stays open, and counts as before until it comes again, as another one.
 */
void td_sim_cgroup_be(struct td_sim *, size_t cgroup, bool there);
/* True if inner is outer or inside it. */
bool td_sim_cgroup_has(const struct td_sim_cgroups *, size_t outer, size_t inner);
void td_sim_cgroups_free(struct td_sim_cgroups *);

/* The seam: a descriptor of its folder. */
int td_sim_os_folder(void *ctx, const char *path);
/* The seam: which folder is there, as of its inode. */
int td_sim_os_identity(void *ctx, const char *path, uint64_t *out);

#endif
