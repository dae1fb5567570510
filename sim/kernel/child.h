/* SPDX-License-Identifier: MIT */
/* The command that the calling process starts. */
#ifndef TD_CHILD_H
#define TD_CHILD_H

#include "os/os.h"
#include "sim/kernel/tasks.h"

struct td_sim_child {
    struct td_sim_task *task; /* NULL: the description has none. Dead until it is started */
    int exit, signal; /* how it ends unless it is killed */
    bool started, released, missing; /* missing: there is no such program */
    bool reported; /* its end, by wait() */
    int status; /* of waitpid(2), once it is dead */
};

/* The seam. */
pid_t td_sim_os_spawn(void *ctx, char *const argv[]);
int td_sim_os_release(void *ctx);
int td_sim_os_kill(void *ctx, int signal);
int td_sim_os_used(void *ctx, pid_t pid, struct td_os_used *out);

#endif
