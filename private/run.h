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

/* Before anything is measured: measures the machine of another handle, which has to be freed last. -EINVAL: the handle
 * has a machine already. */
TD_PRIVATE int td_run_share(struct td *, const struct td *of);

/* The names in a folder of the machine's /proc or /sys, in any order, until each returns something other than 0, which
 * is returned then; -errno. */
typedef int td_run_name_fn(void *ctx, const char *name);
TD_PRIVATE int td_run_names(const struct td *, const char *path, td_run_name_fn *each, void *ctx);

/* A number of a folder of the machine's cgroups that one made anew in its place does not have: 0, or -errno. */
TD_PRIVATE int td_run_identity(const struct td *, const char *path, uint64_t *out);

/* Whether a process or thread still runs; a zombie does not. task: its number in
 * the machine's proc(5). */
TD_PRIVATE bool td_run_alive(const struct td *, pid_t task);

#endif
