/* SPDX-License-Identifier: MIT */
/* Of commands and time, what the program needs besides td_run.h. */
#ifndef PRIVATE_RUN_H
#define PRIVATE_RUN_H

#include "include/td_run.h"
#include "private/exported.h"

/* true: in td_run_wait() a simulated machine's time passes no faster than real time;
 * false, the default: as fast as it can be simulated. No effect on this machine,
 * whose time is real. */
TD_PRIVATE void td_run_pace(struct td *, bool paced);

/* Binds the calling thread, and what it starts after this, to one CPU, by its number
 * from 0; -1: to all CPUs that it had before. -EINVAL: there is no such CPU, or the
 * thread may not run there. */
TD_PRIVATE int td_run_pin(struct td *, int cpu);

/* Whether a process or thread still runs; a zombie does not. task: its number in
 * the machine's proc(5). */
TD_PRIVATE bool td_run_alive(const struct td *, pid_t task);

#endif
