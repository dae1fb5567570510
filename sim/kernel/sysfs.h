/* SPDX-License-Identifier: MIT */
/* What procfs, sysfs and the cgroup tree of the simulated machine contain. */
#ifndef TD_SYSFS_H
#define TD_SYSFS_H

#include "os/os.h"
#include "sim/kernel/files.h"

struct td_sim;

/* Searched in this order. The last two follow from the state of the machine; they are made anew
 * when a file is looked up while they are stale. */
struct td_sim_sysfs {
    struct td_sim_tree given; /* files of the description, what it hides, and the defaults */
    struct td_sim_tree cpus, tasks;
    bool cpus_stale, tasks_stale;
};

/* The PMUs' files and the defaults, unless the description has others. 0 or -ENOMEM. */
int td_sim_sysfs_begin(struct td_sim *);
void td_sim_sysfs_free(struct td_sim_sysfs *);

/* The seam. */
ssize_t td_sim_os_file(void *ctx, const char *path, char *buf, size_t size);
ssize_t td_sim_os_file_of(void *ctx, pid_t pid, const char *path, uid_t user, void *buf, size_t size);
int td_sim_os_names(void *ctx, const char *path, td_os_name_fn *each, void *arg);

#endif
