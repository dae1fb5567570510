/* SPDX-License-Identifier: MIT */
/* One CPU's counters, accessed through their registers: opened, checked, saved, programmed, read, given back. */
#ifndef TD_MSR_H
#define TD_MSR_H

#include "live/msr/msr_regs.h"

/* Finds out which counters the CPU has, as far as CPUID tells; fields: how many PERF_METRICS has, as the kernel tells.
 * -EOPNOTSUPP: there are no such counters; -ENODEV: there is no such CPU. */
int td_msr_look(struct td_msr *, const struct td_os *, int cpu, unsigned fields);
/* Does the same, and opens the registers. -EOPNOTSUPP: the kernel's module is missing; -EACCES, -EPERM. */
int td_msr_open(struct td_msr *, const struct td_os *, int cpu, unsigned fields);
/* Whether the counters are free: 0, or -EBUSY: another program uses them. Changes nothing. */
int td_msr_check_free(struct td_msr *);
/* Saves what will change, and programs it; nothing counts yet. */
int td_msr_begin(struct td_msr *, const struct td_msr_program *);
int td_msr_enable(struct td_msr *, bool on);
/* Reads the counters, and zeroes them. -EBUSY: another program has reprogrammed them. */
int td_msr_take(struct td_msr *, struct td_msr_reading *);

/* Whether the registers are still ours: 0, or -EBUSY: another program has reprogrammed them. */
int td_msr_check_ours(struct td_msr *);
/* Writes back the registers that are still ours, and closes. An error names those that could not be written back;
 * -ENXIO: the CPU is offline. */
int td_msr_end(struct td_msr *);

#endif
