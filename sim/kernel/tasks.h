/* SPDX-License-Identifier: MIT */
/* The tasks, and which CPU each has. */
#ifndef TD_TASKS_H
#define TD_TASKS_H

#include "sim/kernel/event.h"
#include "sim/machine/workload.h"

#include <sys/types.h>

struct td_sim;

/* CPUs that tasks may have, in the order in which they are tried. */
struct td_sim_places {
    int *cpu;
    size_t n;
    struct td_sim_places *link;
};

struct td_sim_task {
    pid_t pid, tid;
    char name[32];
    struct td_sim_runner runner;
    struct td_sim_task *parent; /* the command that starts it, or NULL */
    uint64_t after, birth; /* ns: how long after the command's start; when, 0: not yet known, or it was */
    bool thread; /* of its parent's process; otherwise a process */
    uint64_t exec; /* ns: when it calls execve(2), 0: it does not */
    const struct td_sim_places *places;
    uint64_t slice, next; /* ns; slice 0: it stays; next: when it moves */
    uint64_t length, end; /* ns, 0: it does not end */
    size_t turn, cgroup; /* cgroup: 0 is the root */
    uint64_t voluntary, involuntary; /* how often it was switched from its CPU, as in /proc/PID/status */
    bool started, dead;
    int cpu; /* where it runs now, or -1 */
    int place, left; /* during td_sim_place(): the CPU that it gets, and the one it had, or -1 */
    unsigned bound; /* CPU + 1 that tdprobe was bound to when it started the command; 0: none */
    struct td_sim_context events;
    struct td_sim_task *link;
};

struct td_sim_tasks {
    struct td_sim_task *first, *last; /* in the order of the description */
    void *index; /* tsearch(3) by tid, of the tasks that have one */
    struct td_sim_places *places;
    struct td_sim_task **on; /* by CPU, or NULL */
    unsigned *claimed, claim; /* by CPU: the last td_sim_place() that gave it to a task */
    uint64_t due; /* when a task moves or ends next, */
    bool changed; /* unless this is set */
};

/* Adds a copy of a task after the others; its tid, unless it is 0, must be new. NULL: out of memory. */
struct td_sim_task *td_sim_task_add(struct td_sim_tasks *, const struct td_sim_task *like);
/* NULL: there is none. */
struct td_sim_task *td_sim_task_find(const struct td_sim_tasks *, pid_t tid);
/* Makes the task a process with the first free pid from this one on. 0 or -ENOMEM. */
int td_sim_task_number(struct td_sim_tasks *, struct td_sim_task *, pid_t pid);
/* A list of CPUs for tasks, which takes over cpu; NULL: out of memory. */
const struct td_sim_places *td_sim_places_add(struct td_sim_tasks *, int *cpu, size_t n);
/* The machine begins: 0 or -ENOMEM. */
int td_sim_tasks_begin(struct td_sim *);
void td_sim_tasks_free(struct td_sim_tasks *);

/* Gives the tasks their CPUs. */
void td_sim_place(struct td_sim *);
void td_sim_task_start(struct td_sim *, struct td_sim_task *);
void td_sim_task_exit(struct td_sim *, struct td_sim_task *);
/* The command was started: decides when what it starts is born. */
void td_sim_task_parent(struct td_sim *, const struct td_sim_task *parent);
/* Whether the task will be pre-empted when it leaves its CPU next; alternately, it waits. */
static inline bool td_sim_task_preempted(const struct td_sim_task *t)
{
    return (t->voluntary + t->involuntary) % 2 == 0;
}

/* Takes the task off its CPU. The core must then be loaded, and its events scheduled. */
void td_sim_task_out(struct td_sim *, struct td_sim_task *);
/* When a task moves or ends next, or TD_SIM_NEVER. */
uint64_t td_sim_tasks_due(struct td_sim *);
/* Lets the tasks move and end that are due. */
void td_sim_tasks_happen(struct td_sim *);

#endif
