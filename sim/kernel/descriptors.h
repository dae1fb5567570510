/* SPDX-License-Identifier: MIT */
/* Descriptors of the simulated process: events, folders of cgroups, a CPU's registers, sets of rings. */
#ifndef TD_DESCRIPTORS_H
#define TD_DESCRIPTORS_H

#include "sim/kernel/event.h"

struct td_sim_fd {
    enum { TD_SIM_FD_FREE, TD_SIM_FD_EVENT, TD_SIM_FD_CGROUP, TD_SIM_FD_REGISTERS, TD_SIM_FD_RINGS } what;
    struct td_sim_event *event;
    size_t number; /* of the cgroup, or the CPU */
};

struct td_sim_fds {
    struct td_sim_fd *fd;
    size_t room, open;
    size_t lowest; /* all descriptors below it are in use */
};

/* The lowest free descriptor; -EMFILE, -ENOMEM. */
int td_sim_fd_open(struct td_sim_fds *, const struct td_sim_fd *);
/* NULL: the descriptor is not open. */
struct td_sim_fd *td_sim_fd_find(const struct td_sim_fds *, int fd);
/* NULL: the descriptor is not open, or is not an event's. */
struct td_sim_event *td_sim_fd_event(const struct td_sim_fds *, int fd);
/* Frees a descriptor that is open. */
void td_sim_fd_close(struct td_sim_fds *, int fd);
/* Frees an event with its heirs, whatever refers to them: only as the machine ends. */
void td_sim_event_free(struct td_sim_event *);
void td_sim_fds_free(struct td_sim_fds *);

#endif
