/* SPDX-License-Identifier: MIT */
/* The seam's calls for model-specific registers; they behave like Linux arch/x86/kernel/msr.c. */
#ifndef TD_MSR_CALLS_H
#define TD_MSR_CALLS_H

#include "sim/sim.h"

struct td_sim_msrs {
    bool absent; /* the kernel's module msr is not loaded */
    uint64_t locked; /* writing is forbidden from this time on, ns; or TD_SIM_NEVER */
    struct td_sim_msr_access *access; /* the first of those that were made */
    size_t naccesses;
};

/* The value of a register as of the last access; no time passes. 0 or -errno. */
int td_sim_msr_look(struct td_sim *, unsigned cpu, uint32_t reg, uint64_t *value);

int td_sim_os_msr_open(void *ctx, int cpu);
int td_sim_os_msr_read(void *ctx, int fd, uint32_t reg, uint64_t *value);
int td_sim_os_msr_write(void *ctx, int fd, uint32_t reg, uint64_t value);

#endif
