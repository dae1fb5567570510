/* SPDX-License-Identifier: MIT */
/* What instructions that read counters give the calling thread: rdpmc, or mrs on Arm. */
#ifndef TD_RDPMC_H
#define TD_RDPMC_H

#include "sim/sim.h"

struct td_sim_instructions {
    unsigned char *allowed; /* by PMU: its file rdpmc; x86 */
    bool user_access; /* the file perf_user_access; Arm */
    td_sim_rdpmc_fn *before; /* of td_sim_on_rdpmc() */
    void *before_ctx;
    unsigned long n; /* since before was set */
};

/* Reads the files that allow them: 0 or -ENOMEM. */
int td_sim_rdpmc_begin(struct td_sim *);
/* An instruction is about to be executed. */
void td_sim_rdpmc_before(struct td_sim *, uint32_t ecx);

#endif
