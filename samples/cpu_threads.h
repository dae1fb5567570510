/* SPDX-License-Identifier: MIT */
/* Which thread each CPU ran between two samples of it, by the switches that were recorded, for how long, and which of
 * them were pre-empted. */
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

/* A sample hit a thread at a place, in whatever sense. */
struct td_cpu_hit {
    uint64_t time; /* ns */
    uint32_t thread, course;
    const void *at;
    bool begins; /* the next interval begins with it */
};

/* What is known by the switches. */
struct td_cpu_turn {
    /* what share of the time since the last hit that began the thread had, without the time in which the CPU was idle;
     * 0: that one was of another course or thread, or no switch of the CPU was recorded yet */
    double own;
    /* where the thread's last hit on the CPU was, if it was pre-empted since then, and has not left of its own accord;
     * else NULL */
    const void *back;
};

/* A CPU went over to a thread, or to idling (0), in ns; preempted: the thread that it left could have gone on.
 * -ENOMEM. */
int td_cpu_threads_switch(struct td_cpu_threads *, uint32_t cpu, uint64_t time, uint32_t thread, bool preempted);
/* -ENOMEM. */
int td_cpu_threads_sample(struct td_cpu_threads *, uint32_t cpu, const struct td_cpu_hit *, struct td_cpu_turn *out);
void td_cpu_threads_free(struct td_cpu_threads *);

#endif
