/* SPDX-License-Identifier: MIT */
/* Another thread of the core that kernels are bound to. */
#ifndef CLI_SELFTEST_SIBLING_H
#define CLI_SELFTEST_SIBLING_H

#include "include/tdprobe.h"
#include "kernels/kernels.h"

/* Finds one in the handle's machine: its CPU, or below 0 that there is none. 0, or an exit code after a message. */
int cli_sibling_find(struct td *, int cpu, int *sibling);
/* Makes it busy with a kernel on this machine. The pid of what td_kernel_end() ends, or -errno with the reason. */
pid_t cli_sibling_start(int sibling, const struct td_kernel *, const struct td_caches *, char why[TD_KERNEL_WHY]);
/* td_set_machine() with a simulated machine on which it is busy with a workload of the kernel's name. */
int cli_sibling_machine(struct td *, const char *path, int sibling, const struct td_kernel *);

#endif
