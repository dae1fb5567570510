/* SPDX-License-Identifier: MIT */
/* One CPU's counters, accessed through their registers: opened, checked, saved, programmed, read. */
#ifndef TD_MSR_H
#define TD_MSR_H

#include "live/msr/msr_regs.h"

/* Finds out what there is, as far as CPUID shows; fields: of PERF_METRICS, as the
 * kernel shows them. -EOPNOTSUPP: no such counters; -ENODEV: no such CPU. */
int td_msr_look(struct td_msr *, const struct td_os *, int cpu, unsigned fields);
/* The same, and opens the registers. -EOPNOTSUPP: the module is missing; -EACCES, -EPERM. */
int td_msr_open(struct td_msr *, const struct td_os *, int cpu, unsigned fields);
/* -EBUSY: another program uses the counters. Changes nothing. */
int td_msr_check_free(struct td_msr *);
/* Saves what will change, and programs it; nothing counts yet. */
int td_msr_begin(struct td_msr *, const struct td_msr_program *);
int td_msr_enable(struct td_msr *, bool on);
/* -EBUSY: another program has reprogrammed them. */
int td_msr_take(struct td_msr *, struct td_msr_reading *);

#endif
