/* SPDX-License-Identifier: MIT */
/* The hardware of a simulated machine: its clock, CPUs, PMUs, CPUID and registers. It
 * executes workloads (execute.h) and knows no kernel: a kernel puts runners on CPUs,
 * and is called when a CPU's timer is due. */
#ifndef TD_HARDWARE_H
#define TD_HARDWARE_H

#include "util/cpu_list.h"
#include "sim/machine/core_pmu.h"
#include "sim/machine/workload.h"

enum { TD_SIM_NSEC = 1000000000 };

#define TD_SIM_NEVER UINT64_MAX /* in place of a time */

struct td_sim_cpu {
    bool exists, online;
    unsigned sibling; /* the next thread of the core, in a ring */
    unsigned first; /* the core's first thread, which keeps the core's time */
    unsigned package, node, core;
    uint64_t midr;
    size_t pmu; /* or TD_SIM_NONE */
    struct td_sim_runner back; /* runs while the kernel has put nothing here */
    struct td_sim_runner *front; /* what the kernel has put here, or NULL */
    struct td_sim_runner *runner; /* the one of both that executes, or NULL */
    uint64_t per_ms; /* slots that it executes in 1 ms */
    uint64_t rest; /* remainder of the division of slots by 1e6, for the next ns */
    uint64_t synced; /* of the core's first thread: the time up to which its threads were simulated */
    uint64_t timer; /* when it next interrupts, or TD_SIM_NEVER */
    const struct td_sim_work *work; /* what its runner executes, or NULL */
    bool samples; /* its counters may overflow and interrupt */
    uint64_t stall; /* ns for which it will not execute anything */
    struct td_pmu *bank;
    size_t nbanks;
    struct td_sim_registers *registers; /* registers.h; made on first use */
};

/* What CPUID answers. */
struct td_sim_cpuid {
    uint32_t leaf, subleaf, word[4];
    bool any; /* the answer is for every subleaf */
    struct td_cpu_set cpus; /* empty: all */
};

/* What is written to a register when the machine begins. */
struct td_sim_preset {
    struct td_cpu_set cpus; /* empty: all */
    uint32_t reg;
    uint64_t value;
};

/* A CPU's timer interrupt; its core is simulated up to then. */
typedef void td_sim_timer_fn(void *ctx, unsigned cpu);

struct td_sim_hw {
    uint64_t now; /* ns since the machine began */
    struct td_sim_cpu *cpu; /* by id */
    unsigned ncpus; /* highest id + 1 */
    unsigned existing, cores, nodes;
    struct td_sim_pmu *pmu;
    size_t npmus;
    struct td_sim_works works;
    struct td_sim_cpuid *cpuid; /* of several that match, the first answers */
    size_t ncpuid;
    struct td_sim_preset *preset;
    size_t npresets;
    td_sim_timer_fn *timer;
    /* For CPUs whose counters may overflow. due() returns after how many ns, from its core's time on, a CPU that goes
     * on executing has to be looked at again, or TD_SIM_NEVER; overflow() looks, and acts on counters that have
     * overflowed. */
    uint64_t (*due)(void *ctx, unsigned cpu);
    td_sim_timer_fn *overflow;
    void *timer_ctx; /* the ctx of all three */
};

/* Adds CPUs, in the order of the list: as on Intel servers the first thread of each core
 * comes first, so i and i + n / smt are siblings. -EINVAL: they do not make whole cores,
 * sockets and nodes; -EEXIST: one exists already; -ENOMEM. */
int td_sim_cpus_add(struct td_sim_hw *, const struct td_cpu_list *, size_t smt, size_t sockets, size_t nodes);
/* Adds a PMU to CPUs that have none, and takes over its set of them. 0 or -ENOMEM. */
int td_sim_pmu_add(struct td_sim_hw *, const struct td_sim_pmu *);
/* The CPU's PMU, or NULL. */
const struct td_sim_pmu *td_sim_pmu_of(const struct td_sim_hw *, unsigned cpu);
bool td_sim_cpu_online(const struct td_sim_hw *, int cpu);
/* True if the CPU is in the set, or the set is empty: all. */
bool td_sim_applies(const struct td_cpu_set *, unsigned cpu);
/* CPUID of a CPU; zeros where the description has nothing. */
void td_sim_cpuid(const struct td_sim_hw *, unsigned cpu, uint32_t leaf, uint32_t subleaf, uint32_t out[4]);
/* The description is complete: builds the counters and workloads. 0 or -ENOMEM. */
int td_sim_hw_begin(struct td_sim_hw *);
void td_sim_hw_free(struct td_sim_hw *);

#endif
