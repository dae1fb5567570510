/* SPDX-License-Identifier: MIT */
/* The command that the calling process starts. */
#ifndef TD_CHILD_H
#define TD_CHILD_H

#include "os/os.h"
#include "sim/kernel/tasks.h"

/* What can be started. */
struct td_sim_program {
    char name[32]; /* "": it stands for any name that no other program has */
    struct td_sim_task *task; /* dead until it is started */
    int exit, signal; /* how it ends unless it is killed */
    bool by_clock; /* its phases have run since the machine began */
};

struct td_sim_child {
    struct td_sim_program *program;
    size_t nprograms;
    struct td_sim_task *task; /* of the program that was started last; NULL: none was */
    bool started, released;
    bool missing; /* there is no such program */
    bool reported; /* wait() has reported its end */
    int status; /* that of waitpid(2), once it is dead */
};

/* Adds a copy of a program. 0 or -ENOMEM. */
int td_sim_program_add(struct td_sim_child *, const struct td_sim_program *like);
/* The program of this name or path; "": that of any other name. NULL: there is none. */
const struct td_sim_program *td_sim_program_find(const struct td_sim_child *, const char *path);
/* Whether a task is one of the programs. */
bool td_sim_program_is(const struct td_sim_child *, const struct td_sim_task *);
void td_sim_child_free(struct td_sim_child *);

/* The seam. */
pid_t td_sim_os_spawn(void *ctx, char *const argv[]);
int td_sim_os_release(void *ctx);
int td_sim_os_kill(void *ctx, int signal);
int td_sim_os_used(void *ctx, pid_t pid, struct td_os_used *out);

#endif
