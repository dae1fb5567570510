/* SPDX-License-Identifier: MIT */
/* The registers of a simulated CPU's counters; for the simulated machine only. */
#ifndef TD_SIM_MACHINE_MSR_H
#define TD_SIM_MACHINE_MSR_H

#include "machine_parts.h"

enum { TD_SIM_MSR_GENERAL = 31, TD_SIM_MSR_FIXED = 15 };

struct td_sim_msr_counter {
    uint64_t value;
    uint64_t last, rest; /* of its event, when it was last looked at; not yet a whole count */
};

struct td_sim_msr {
    unsigned version, fields; /* version 0: no counters */
    unsigned bits, fixed_bits; /* widths */
    uint32_t general, fixed; /* counters that there are */
    bool any, pdcm;
    uint64_t capabilities;
    uint64_t evtsel[TD_SIM_MSR_GENERAL], fixed_ctrl, global, status;
    struct td_sim_msr_counter pmc[TD_SIM_MSR_GENERAL], fix[TD_SIM_MSR_FIXED];
    struct td_pmu registers; /* only its slots and fields: what the metrics register counted */
    struct td_pmu_truth seen; /* of the CPU, when it was last looked at */
    uint64_t metrics; /* as written, */
    bool written; /* and nothing was counted since */
    bool stale; /* fixed counter 3 was written after it */
};

/* ---- machine_msr_regs.c */

/* The CPU's registers, made on first use; NULL: out of memory. */
struct td_sim_msr *td_sim_msr_of(struct td_sim *, unsigned cpu);
/* Brings all counters up to now. counting: by what was programmed until now;
 * else they begin to count by what is programmed. */
void td_sim_msr_update(struct td_sim *, unsigned cpu, struct td_sim_msr *, bool counting);
/* Reads a register: 0, or -EIO where there is none. */
int td_sim_msr_get(const struct td_sim *, unsigned cpu, const struct td_sim_msr *, uint32_t reg, uint64_t *value);
/* Writes a register, as far as the CPU allows: 0 or -EIO. */
int td_sim_msr_put(struct td_sim_msr *, uint32_t reg, uint64_t value);

#endif
