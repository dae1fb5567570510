/* SPDX-License-Identifier: MIT */
/* Instructions that read counters, answered by the simulated machine.
 *
 * A thread that may not read counters faults at rdpmc (SIGSEGV; under emulators
 * that do not know it SIGILL), at CPUID once arch_prctl(2) forbids it, and on Arm
 * at mrs of a counter (SIGILL). While a thread has an event of a simulated
 * machine mapped, a handler answers what its instructions ask; each other fault
 * goes to the handler that was there before. A process that really may read
 * counters, because it has mapped an event of the kernel or the file rdpmc is 2,
 * gets no fault, and so the real counters.
 *
 * The kernel aborts a restartable sequence, rseq(2), when it delivers a signal:
 * the handler would find the sequence's abort address and not the instruction. So
 * the thread has no rseq while it is trapped. The area stays and says on which
 * simulated CPU the thread is. A sequence in which td_sim_on_rdpmc() lets the
 * thread be preempted or moved begins again, as the kernel would have it.
 *
 * One machine for a thread, any number of threads. Nothing here allocates, and
 * the handler takes no lock. */
#ifndef TD_SIM_TRAP_H
#define TD_SIM_TRAP_H

#include "machine.h"

/* The calling thread has mapped an event, or unmapped it: as often off as on.
 * -EBUSY: it has one of another machine; -ENOSYS: neither x86-64 nor aarch64; or
 * what rseq(2) says. The last off should come from the thread of the first on,
 * and must while that lives: another one cannot give it the rseq back. */
int td_sim_trap_on(struct td_sim *);
void td_sim_trap_off(struct td_sim *);
/* The thread may be on another CPU now. */
void td_sim_trap_cpu(const struct td_sim *);
int td_sim_os_rseq(void *ctx, ptrdiff_t *offset);

#endif
