/* SPDX-License-Identifier: MIT */
/* Measuring a kernel of known bottleneck in one way, beside another one on the core's other thread if that is asked
 * for. */
#ifndef CLI_SELFTEST_MEASURE_H
#define CLI_SELFTEST_MEASURE_H

#include "cli/bundle/bundle.h"
#include "cli/reading.h"
#include "include/tdprobe.h"
#include "kernels/kernels.h"
#include "kernels/measured.h"

/* How all kernels are measured. */
struct cli_measuring {
    const struct cli_reading *how;
    const char *machine; /* a simulated one, whose commands are called like the kernels; NULL: this machine */
    struct td_caches caches;
    int cpu;
    int sibling; /* another thread of its core, which is busy with the same kernel; below 0: it is left alone */
    double seconds; /* on this machine */
    struct cli_bundle *bundle; /* gets a trace of each measurement that worked; NULL: there is none */
};

/* Runs the kernel bound to the CPU, and counts it while it does what it is for, not while it prepares that. 0, or an
 * exit code after a message: then nothing can be measured. */
int cli_measure_kernel(const struct cli_measuring *, const struct td_kernel *, enum td_kernel_way,
                       struct td_kernel_measured *out);

/* What one reading of the counters takes, in ns, by the clock of the machine; NAN: they cannot be read in this way. 0,
 * or an exit code after a message. */
int cli_measure_reading(const struct cli_measuring *, enum td_kernel_way, double *ns);

/* Finds one in the handle's machine: its CPU, or below 0 that there is none. 0, or an exit code after a message. */
int cli_sibling_find(struct td *, int cpu, int *sibling);
/* Makes it busy with a kernel on this machine. The pid of what td_kernel_end() ends, or -errno with the reason. */
pid_t cli_sibling_start(int sibling, const struct td_kernel *, const struct td_caches *, char why[TD_KERNEL_WHY]);
/* td_set_machine() with a simulated machine on which it is busy with a workload of the kernel's name. */
int cli_sibling_machine(struct td *, const char *path, int sibling, const struct td_kernel *);

#endif
