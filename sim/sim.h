/* SPDX-License-Identifier: MIT */
/* A simulated machine: it answers the whole seam from a description,
 * tdprobe-machine(5). Everything in it is deterministic. Time passes only in wait(),
 * in spin(), by 1 us with each perf call and each access to a register, and in
 * td_sim_self_run() and td_sim_self_away().
 *
 * sim/describe reads the description, sim/kernel is the kernel that answers, and
 * sim/machine the hardware below it; each calls only what follows it here. */
#ifndef TD_SIM_H
#define TD_SIM_H

#include "os/os.h"
#include "sim/machine/pmu.h"
#include "include/tdprobe.h"

struct td_sim;

/* Reads a description. -EBADMSG: something is wrong with it, and why holds
 * "NAME:LINE: what"; -ENOMEM; or read's error. */
int td_sim_new(const char *name, td_read_fn *read, void *ctx, struct td_sim **out, char *why, size_t whysize);
/* NULL is fine. Descriptors that are still open are closed. */
void td_sim_free(struct td_sim *);
/* Valid as long as the machine is. */
const struct td_os *td_sim_os(const struct td_sim *);
/* The machine that the simulation itself runs on, which must stay: from now on signals()
 * takes its signals too, and wait() returns them and input on its descriptor once they are
 * taken. paced: in wait() time passes no faster than on its clock. NULL: none. */
void td_sim_attach(struct td_sim *, const struct td_os *, bool paced);

/* For tests: descriptors that are open and pages that are mapped now, and the calls until now. */
struct td_sim_calls {
    unsigned long open_fds, mapped, perf_open, ioctl, read, close;
};
void td_sim_calls(const struct td_sim *, struct td_sim_calls *out);

/* ---- the calling thread ----------------------------------------------------
 * It is a task of the machine: perf_open() with pid 0 attaches to it, and it executes
 * the workload of the description's line "spin". Once it has mapped an event, or made
 * one of these calls, it keeps its CPU except in wait() and in td_sim_self_away(). It
 * executes in spin() and in td_sim_self_run(), but not while the kernel works for it. */

/* The thread computes for ns. -ENODEV: the description has no line "spin", or none of its CPUs is online. */
int td_sim_self_run(struct td_sim *, uint64_t ns);
/* Whether the thread also computes before each reading of a counter, as the word each= of that line says. Otherwise
 * nothing is counted in its regions. */
bool td_sim_self_computes(const struct td_sim *);
/* Another task has the thread's CPU for ns. -ENODEV: none of its CPUs is online. */
int td_sim_self_away(struct td_sim *, uint64_t ns);
/* The thread migrates, as with pin(). -EINVAL: no such CPU is online. */
int td_sim_self_move(struct td_sim *, int cpu);
/* What the thread really executed, since the machine began, on CPUs of the PMU of that type: slots, categories, and the
 * PMU's first TD_PMU_RATES events in the order of the description. -ENOENT: no such PMU. */
int td_sim_self_truth(struct td_sim *, uint32_t type, struct td_pmu_truth *out);

/* ---- reading counters by an instruction (trap.h) ----------------------------- */

/* What rdpmc with this ECX gives the calling thread on its CPU. What would really
 * be a fault is -ENXIO, no such counter there, or -EPERM, reading is not allowed. */
int td_sim_rdpmc(struct td_sim *, uint32_t ecx, uint64_t *value);
/* What Arm's mrs gives it: of PMEVCNTR<n>_EL0, or for n = 31 of PMCCNTR_EL0. Errors as above. */
int td_sim_mrs(struct td_sim *, unsigned n, uint64_t *value);
/* Called before the nth (from 1) such instruction since td_sim_on_rdpmc() is answered;
 * ecx: on Arm the counter's number. It may do anything but execute another one: the
 * thread is at the instruction, in no call. */
typedef void td_sim_rdpmc_fn(void *ctx, unsigned long n, uint32_t ecx);
/* Sets that function; NULL: none is called any more. */
void td_sim_on_rdpmc(struct td_sim *, td_sim_rdpmc_fn *, void *ctx);
/* The counter of an ordinary event continues from this value: the kernel writes it
 * and the event's page, and the count is as before. Another thread may call this
 * while the event's own only reads counters. -EBADF; -EINVAL: slots with metrics, or a metric. */
int td_sim_counter_set(struct td_sim *, int fd, uint64_t value);

/* For tests: the first 2^18 accesses to model-specific registers, in their order. */
struct td_sim_msr_access {
    int cpu;
    uint32_t reg;
    uint64_t value;
    bool write;
    int err;
};
size_t td_sim_msr_log(const struct td_sim *, const struct td_sim_msr_access **out);

#endif
