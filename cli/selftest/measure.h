/* SPDX-License-Identifier: MIT */
/* Measuring a kernel of known bottleneck in one way. */
#ifndef CLI_SELFTEST_MEASURE_H
#define CLI_SELFTEST_MEASURE_H

#include "cli/bundle/bundle.h"
#include "cli/reading.h"
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

#endif
