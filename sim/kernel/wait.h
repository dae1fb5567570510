/* SPDX-License-Identifier: MIT */
/* Waiting, and what a wait takes from the machine that the simulation runs on: its signals,
 * input on a descriptor, and its clock where simulated time must not pass faster. */
#ifndef TD_WAIT_H
#define TD_WAIT_H

#include "os/os.h"

struct td_sim_outside {
    const struct td_os *os; /* NULL: nothing comes from outside */
    bool signals; /* its signals were taken */
    bool paced; /* simulated time passes no faster than its clock */
};

/* The seam. */
int td_sim_os_signals(void *ctx);
int td_sim_os_wait(void *ctx, uint64_t until, int fd, struct td_os_event *out);

#endif
