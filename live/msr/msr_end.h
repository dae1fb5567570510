/* SPDX-License-Identifier: MIT */
/* Whether a CPU's registers are still ours, and giving them back. */
#ifndef TD_MSR_END_H
#define TD_MSR_END_H

#include "live/msr/msr_regs.h"

/* Whether the registers are still ours: 0, or -EBUSY: another program has reprogrammed them. */
int td_msr_check_ours(struct td_msr *);
/* Writes back the registers that are still ours, and closes. An error names those that could not be written back;
 * -ENXIO: the CPU is offline. */
int td_msr_end(struct td_msr *);

#endif
