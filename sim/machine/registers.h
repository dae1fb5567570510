/* SPDX-License-Identifier: MIT */
/* The model-specific registers of a simulated CPU's counters. */
#ifndef TD_REGISTERS_H
#define TD_REGISTERS_H

#include "sim/machine/hardware.h"

/* The counters of a CPU that the kernel's own events use, which the registers show. */
struct td_sim_occupied {
    unsigned general; /* how many of the general counters, from the last one down */
    uint32_t fixed; /* which of the fixed counters, as bits */
};

/* The CPU's registers, made on first use; NULL: out of memory. Their widths and abilities
 * follow CPUID at each call. */
struct td_sim_registers *td_sim_registers_of(struct td_sim_hw *, unsigned cpu);
/* Brings all counters up to now. counting: they have counted as programmed until now; otherwise
 * they were just programmed, and start to count now. */
void td_sim_registers_update(struct td_sim_hw *, unsigned cpu, struct td_sim_registers *, bool counting);
/* Reads a register: 0, or -EIO: there is none. */
int td_sim_register_get(const struct td_sim_registers *, const struct td_sim_occupied *, uint32_t address,
                        uint64_t *value);
/* Writes a register: 0, or -EIO: there is none, or the CPU refuses the value. */
int td_sim_register_put(struct td_sim_registers *, uint32_t address, uint64_t value);

#endif
