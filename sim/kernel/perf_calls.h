/* SPDX-License-Identifier: MIT */
/* The system calls of perf events, as the simulated kernel answers them. */
#ifndef TD_PERF_CALLS_H
#define TD_PERF_CALLS_H

#include "sim/kernel/event.h"

#include <stddef.h>
#include <sys/types.h>

struct td_sim;

struct td_sim_opening {
    uint64_t ids; /* the last event's id */
    int refuse; /* the errno that every call fails with; 0: none */
    bool no_switches; /* a kernel before Linux 4.3: switches are not recorded */
    bool no_inherited_read; /* a kernel before Linux 6.13: inherited events have no values in their samples */
};

/* perf_open.c */
int td_sim_os_perf_open(void *ctx, const struct perf_event_attr *attr, pid_t pid, int cpu, int group,
                        unsigned long flags);

/* perf_calls.c: what can be done with the descriptors */
ssize_t td_sim_os_read(void *ctx, int fd, void *buf, size_t size);
int td_sim_os_perf_ioctl(void *ctx, int fd, unsigned long request, unsigned long arg);
int td_sim_os_close(void *ctx, int fd);

/* map.c */
int td_sim_os_map(void *ctx, int fd, size_t size, void **out);
void td_sim_os_unmap(void *ctx, void *at, size_t size);
int td_sim_os_rings(void *ctx);
int td_sim_os_rings_add(void *ctx, int rings, int fd);
unsigned long td_sim_pages_mapped(const struct td_sim *);
void td_sim_pages_free(struct td_sim *);

#endif
