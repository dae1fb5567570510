/* SPDX-License-Identifier: MIT */
/* Cores: their threads execute workloads and count. A core is simulated only up to
 * when its state is needed (td_sim_core_sync()): CPUs that nobody measures cost nothing. */
#ifndef TD_EXECUTE_H
#define TD_EXECUTE_H

#include "sim/machine/hardware.h"

/* Runners of a core changed, or a CPU went on- or offline: the threads share it anew. The core must be in sync. */
void td_sim_core_load(struct td_sim_hw *, unsigned cpu);
/* Simulates a core up to the time; the timers of its CPUs interrupt on the way. */
void td_sim_core_sync(struct td_sim_hw *, unsigned cpu, uint64_t to);
/* When a CPU interrupts next, at the latest to. */
uint64_t td_sim_cores_next(const struct td_sim_hw *, uint64_t to);
/* What a CPU has counted of an ordinary event of its PMU since the machine began: counts times TD_PMU_WHOLE, modulo
 * 2^64. */
uint64_t td_sim_core_count(const struct td_sim_hw *, unsigned cpu, size_t event);
/* The CPU executes nothing for some ns more: it is in an interrupt, in which its counters are stopped. */
void td_sim_core_stall(struct td_sim_hw *, unsigned cpu, uint64_t ns);
/* After how many ns of executing the CPU has counted so much more of an event (counts times TD_PMU_WHOLE), or begins
 * its workload's next phase, if that is earlier. TD_SIM_NEVER: it executes nothing. */
uint64_t td_sim_core_until(const struct td_sim_hw *, unsigned cpu, size_t event, uint64_t counts);
/* The address of the function that the CPU executes; 0: none is described. */
uint64_t td_sim_core_function(const struct td_sim_hw *, unsigned cpu);
/* The mean retire latency of an ordinary event where the CPU executes, in core clocks; 0: none is described. */
unsigned td_sim_core_latency(const struct td_sim_hw *, unsigned cpu, size_t event);
/* The CPU executes slots of an interrupt's handler, all of them frontend bound by latency: cold code. Ordinary
 * events count at the rates of what was interrupted. */
void td_sim_core_interrupt(struct td_sim_hw *, unsigned cpu, uint64_t slots);

#endif
