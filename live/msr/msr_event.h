/* SPDX-License-Identifier: MIT */
/* Events as the caller of td_add_event() writes them: "0xc5,0x11,1" or a name. */
#ifndef TD_MSR_EVENT_H
#define TD_MSR_EVENT_H

#include "live/msr/msr_regs.h"

/* The event that a text means on a CPU. -EINVAL, with the reason: it means none. */
int td_msr_event_find(const struct td_uarch *, const struct td_msr_caps *, const char *text, struct td_msr_added *out,
                      char why[TD_MSR_WHY]);

#endif
