/* SPDX-License-Identifier: MIT */
/* The calling thread as a task of the machine: it computes, waits its turn, migrates. */
#ifndef TD_CALLER_H
#define TD_CALLER_H

#include "sim/kernel/tasks.h"

struct td_sim_caller {
    struct td_sim_task *task;
    struct td_pmu_truth *truth; /* what it executed, by PMU */
    bool resident; /* it keeps its CPU between spins as well */
    int pinned; /* the CPU that it is bound to, or -1 */
    uint64_t adds; /* how many additions spin() makes in a second */
    uint64_t each; /* ns that it computes before each reading of a counter */
    unsigned long preempted; /* how often it lost its CPU, or got another */
    /* Called when it may be on another CPU (trap.c shows it where it is), or NULL. */
    void (*moved)(const struct td_sim *);
};

/* Called as the machine begins. Without a line "spin" the caller executes nothing. 0 or -ENOMEM. */
int td_sim_caller_begin(struct td_sim *);
/* From now on it keeps a CPU. */
void td_sim_self_settle(struct td_sim *);
/* Leaves its CPU or takes one again (on), if it keeps one. */
void td_sim_self_stay(struct td_sim *, bool on);

/* The seam. */
int td_sim_os_here(void *ctx);
uint64_t td_sim_os_spin(void *ctx, uint64_t ns);
int td_sim_os_pin(void *ctx, int cpu);

#endif
