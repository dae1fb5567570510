/* SPDX-License-Identifier: MIT */
/* perf_event_open(2) of the simulated kernel: what it takes and what it refuses. */
#ifndef TD_PERF_OPEN_H
#define TD_PERF_OPEN_H

#include "sim/kernel/event.h"

#include <sys/types.h>

struct td_sim;

struct td_sim_opening {
    uint64_t ids; /* the last event's id */
    int refuse; /* the errno that every call fails with; 0: none */
    bool no_inherited_read; /* a kernel before Linux 6.13: inherited events have no values in their samples */
};

int td_sim_os_perf_open(void *ctx, const struct perf_event_attr *attr, pid_t pid, int cpu, int group,
                        unsigned long flags);

#endif
