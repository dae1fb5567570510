/* SPDX-License-Identifier: MIT */
/* What instructions that read counters give the calling thread: rdpmc, or mrs on Arm. */
#ifndef TD_RDPMC_H
#define TD_RDPMC_H

#include "sim/sim.h"

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
