/* SPDX-License-Identifier: MIT */
/* Why counting failed: the layer that prevents it, and the remedy that needs
 * the fewest privileges. */
#ifndef TD_OBSTACLE_H
#define TD_OBSTACLE_H

#include "live/perf/perf.h"

struct td_obstacle {
    /* "paranoid", "capability", "security", "seccomp", "guest", "watchdog", "counters", "event", "task", "cgroup",
     * "limit" */
    const char *layer;
    char text[400]; /* what the obstacle is */
    char remedy[400]; /* what to do, or "" */
};

/* What a failed call means on this machine. system: all tasks on CPUs were
 * asked for, not one's own; kernel: kernel mode was included. */
void td_obstacle_explain(const struct td_host *, const struct td_perf_error *, bool system, bool kernel,
                         struct td_obstacle *out);
/* Writes both as one text, and returns the error for the caller, for which -ENXIO and the like become -EOPNOTSUPP. */
int td_obstacle_text(const struct td_host *, const struct td_perf_error *, bool system, bool kernel, char *buf,
                     size_t size);

#endif
