/* SPDX-License-Identifier: MIT */
/* Which thread each CPU ran between two samples of it, by the switches that were recorded, and for how long. */
#ifndef TD_CPU_THREADS_H
#define TD_CPU_THREADS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct td_cpu_thread;

/* Zeroed to begin with. */
struct td_cpu_threads {
    struct td_cpu_thread *cpu;
    size_t n;
};

/* A CPU went over to a thread, or to idling (0), in ns. -ENOMEM. */
int td_cpu_threads_switch(struct td_cpu_threads *, uint32_t cpu, uint64_t time, uint32_t thread);
/* A sample of a course hit a thread on a CPU. With begins the next interval begins with it. *own: what share of the
 * time since the last one that began the thread had, without the time in which the CPU was idle; 0: that one was of
 * another course or thread, or no switch of the CPU was recorded yet. -ENOMEM. */
int td_cpu_threads_sample(struct td_cpu_threads *, uint32_t cpu, uint64_t time, uint32_t thread, uint32_t course,
                          bool begins, double *own);
void td_cpu_threads_free(struct td_cpu_threads *);

#endif
