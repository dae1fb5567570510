/* SPDX-License-Identifier: MIT */
/* A simulated machine: a description, tdprobe-machine(5), that answers the
 * whole seam. Everything in it is deterministic, and time passes only in
 * wait(), in spin(), by 1 us with each perf call and access to a register, and as
 * the tests below say. */
#ifndef TD_SIM_MACHINE_H
#define TD_SIM_MACHINE_H

#include "os.h"
#include "pmu.h"
#include "tdprobe.h"

struct td_sim;

/* Reads a description. -EBADMSG: it is not one, why says "NAME:LINE: what";
 * -ENOMEM; or read's error. */
int td_sim_new(const char *name, td_read_fn *read, void *ctx, struct td_sim **out, char *why, size_t whysize);
/* NULL is fine. Descriptors that are still open end with it. */
void td_sim_free(struct td_sim *);
/* Valid as long as the machine. */
const struct td_os *td_sim_os(const struct td_sim *);

/* For tests: descriptors that are open now, and how often was called so far. */
struct td_sim_calls {
    unsigned long open_fds, mapped, perf_open, ioctl, read, close;
};
void td_sim_calls(const struct td_sim *, struct td_sim_calls *out);

/* ---- the calling thread ----------------------------------------------------
 * It is a task of the machine: perf_open() with pid 0 attaches to it, and the
 * line "spin" of the description says what it executes. From the first map() of
 * an event, or the first of these calls, on it keeps its CPU except in wait() and
 * in td_sim_self_away(); it executes in spin() and in td_sim_self_run(), and in
 * no call in which the kernel works for it. */

/* It computes for ns. -ENODEV: the description has no line "spin", or no CPU for it is on. */
int td_sim_self_run(struct td_sim *, uint64_t ns);
/* Another task has its CPU for ns; then it goes on. -ENODEV: no CPU for it is on. */
int td_sim_self_away(struct td_sim *, uint64_t ns);
/* It migrates, as by pin(). -EINVAL: no such CPU is on. */
int td_sim_self_move(struct td_sim *, int cpu);
/* What it really executed since the machine began, on CPUs of the PMU of that type:
 * slots, categories, and the first TD_PMU_RATES events of the PMU in the order of
 * the description. -ENOENT: no such PMU. */
int td_sim_self_truth(struct td_sim *, uint32_t type, struct td_pmu_truth *out);

/* ---- reading counters by an instruction (trap.h) ----------------------------- */

/* What rdpmc with this ECX gives the calling thread where it runs: 0, or a fault
 * in reality: -ENXIO, no such counter there; -EPERM, reading is not allowed. */
int td_sim_rdpmc(struct td_sim *, uint32_t ecx, uint64_t *value);
/* The same of Arm: PMEVCNTR<n>_EL0, PMCCNTR_EL0 for 31. */
int td_sim_mrs(struct td_sim *, unsigned n, uint64_t *value);
/* Called before the nth (from 1) such instruction since this call is answered;
 * ecx: of x86, n of Arm. It may do everything but execute another one: the
 * thread stands at the instruction, in no call. NULL: none. */
typedef void td_sim_rdpmc_fn(void *ctx, unsigned long n, uint32_t ecx);
void td_sim_on_rdpmc(struct td_sim *, td_sim_rdpmc_fn *, void *ctx);
/* The counter of an ordinary event goes on from this value: the kernel writes it
 * and the event's page, and the count is as before. While its thread only reads
 * counters, another one may call this. -EBADF; -EINVAL: slots with metrics, or a metric. */
int td_sim_counter_set(struct td_sim *, int fd, uint64_t value);

/* For tests: the accesses to model-specific registers, in their order; at most 2^18. */
struct td_sim_msr_access {
    int cpu;
    uint32_t reg;
    uint64_t value;
    bool write;
    int err;
};
size_t td_sim_msr_log(const struct td_sim *, const struct td_sim_msr_access **out);

#endif
