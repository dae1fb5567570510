/* SPDX-License-Identifier: MIT */
/* A simulated machine: a description, tdprobe-machine(5), that answers the
 * whole seam. Everything in it is deterministic, and time passes only in
 * wait(), in spin() and by 1 us with each perf call and access to a register. */
#ifndef TD_SIM_MACHINE_H
#define TD_SIM_MACHINE_H

#include "os.h"
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
    unsigned long open_fds, perf_open, ioctl, read, close;
};
void td_sim_calls(const struct td_sim *, struct td_sim_calls *out);

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
