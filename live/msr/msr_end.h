/* SPDX-License-Identifier: MIT */
/* Whether a CPU's registers are still ours, and giving them back. */
#ifndef TD_MSR_END_H
#define TD_MSR_END_H

#include "live/msr/msr_regs.h"

/* -EBUSY: somebody else programmed them meanwhile. */
int td_msr_check_ours(struct td_msr *);
/* Writes back what is not somebody else's by now, and closes. An error names what could not be written back; -ENXIO: the CPU is offline. */
int td_msr_end(struct td_msr *);

#endif
