/* SPDX-License-Identifier: MIT */
/* The source "msr": a CPU's counters, accessed through its model-specific registers,
 * and its events as the caller of td_add_event() writes them: "0xc5,0x11,1" or a name.
 *
 * IA32_PERF_GLOBAL_CTRL stops and starts all counters at once, so they all
 * cover the same time. Each reading stops them, reads SLOTS and then
 * PERF_METRICS, and zeroes them: as with read(2), the 8 bits of a field are
 * of one interval's slots, and the totals continue. The previous values are
 * saved first and written back at the end, whatever happened in between.
 *
 * Order and addresses: Linux arch/x86/include/asm/perf_event.h, msr-index.h and
 * arch/x86/events/intel/core.c (icl_set_topdown_event_period()). */
#ifndef TD_MSR_SOURCE_H
#define TD_MSR_SOURCE_H

#include "live/msr/msr_regs.h"
#include "live/source.h"

extern const struct td_source td_source_msr;

/* Whether it could count the CPUs of the meter's first PMU; nothing is written. false: why. */
bool td_msr_source_usable(struct td_meter *, char why[TD_SOURCE_WHY]);

/* The event that a text means on a CPU. -EINVAL, with the reason: it means none. */
int td_msr_event_find(const struct td_uarch *, const struct td_msr_caps *, const char *text, struct td_msr_added *out,
                      char why[TD_MSR_WHY]);

#endif
