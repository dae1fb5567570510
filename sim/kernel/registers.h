/* SPDX-License-Identifier: MIT */
/* The registers of counters as programs reach them: by the seam's calls for model-specific registers, which behave like
 * Linux arch/x86/kernel/msr.c; and by instructions of the calling thread, rdpmc, or mrs on Arm. */
#ifndef TD_SIM_REGISTERS_H
#define TD_SIM_REGISTERS_H

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

struct td_sim_instructions {
    unsigned char *allowed; /* on x86, by PMU: what its file rdpmc says */
    bool user_access; /* on Arm: what the file perf_user_access says */
    td_sim_rdpmc_fn *before; /* what td_sim_on_rdpmc() has set */
    void *before_ctx;
    unsigned long n; /* how many instructions there were since before was set */
};

/* Reads the files that allow such instructions: 0 or -ENOMEM. */
int td_sim_rdpmc_begin(struct td_sim *);
/* To be called before each such instruction is executed. */
void td_sim_rdpmc_before(struct td_sim *, uint32_t ecx);

#endif
