/* SPDX-License-Identifier: MIT */
/* Instructions that read counters, answered by the simulated machine.
 *
 * A thread that may not read counters faults at rdpmc (SIGSEGV; SIGILL under emulators
 * that do not know it), at CPUID once arch_prctl(2) forbids it, and on Arm at mrs of a
 * counter (SIGILL). While a thread has an event of a simulated machine mapped, a handler
 * answers these instructions; any other fault goes to the previous handler. A process
 * that may really read counters, because it has mapped an event of the kernel or the
 * file rdpmc is 2, gets no fault, and so reads the real counters.
 *
 * The kernel aborts a restartable sequence, rseq(2), when it delivers a signal:
 * the handler would find the sequence's abort address, not the instruction. So the
 * thread has no rseq while it is trapped. Its area remains and holds the thread's simulated
 * CPU. A sequence in which td_sim_on_rdpmc() lets the thread be preempted or
 * moved is restarted, as the kernel does.
 *
 * A thread can have one machine; any number of threads can. The handler allocates
 * nothing and takes no lock. */
#ifndef TD_SIM_TRAP_H
#define TD_SIM_TRAP_H

#include "sim/sim.h"

/* The calling thread has mapped an event, or unmapped one: one off for each on.
 * -EBUSY: it has mapped an event of another machine; -ENOSYS: neither x86-64 nor aarch64;
 * or an error of rseq(2). While the thread that was on first lives, the last off must come
 * from it: another thread cannot give it its rseq back. */
int td_sim_trap_on(struct td_sim *);
void td_sim_trap_off(struct td_sim *);
int td_sim_os_rseq(void *ctx, ptrdiff_t *offset);

#endif
