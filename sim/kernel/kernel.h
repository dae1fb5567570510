/* SPDX-License-Identifier: MIT */
/* The simulated kernel, on the simulated hardware: its parts. Each part is owned
 * by the file whose header defines it.
 *
 * Nothing here calls what is further up in this order, so that no two files need each other:
 *
 *     kernel.c                                          the whole: begins, answers the seam, ends
 *     map.c  perf_calls.c  perf_open.c  msr_calls.c     the seam's calls
 *     wait.c                                            waiting, also for what comes from outside
 *     child.c  trap.c  rdpmc.c                          the command; instructions that read counters
 *     caller.c                                          the calling thread
 *     clock.c                                           time passes; CPUs come and go
 *     rivals.c                                          another program's events
 *     watchdog.c  tasks.c                               the kernel's own events; who has which CPU
 *     heirs.c                                           tasks that are born inherit events
 *     group.c                                           events join, leave and end
 *     sampler.c                                         events overflow
 *     records.c  values.c                               what samples and other records say
 *     schedule.c  topdown.c                             events get counters
 *     ring.c                                            where records go
 *     event_attr.c  page.c                              what an event is; how its owner sees it without a call
 *     count.c  counters.c                               what events have counted; which fit together
 *     sysfs.c  cgroups.c  descriptors.c  files.c        what is looked up
 *
 * Two things happen the other way around, each through a pointer: the hardware's timers and
 * counters interrupt (td_sim_hw.timer, for rotation, and td_sim_hw.overflow, for samples), and a
 * thread that moved is shown where it is (td_sim_caller.moved, for the trap). */
#ifndef TD_KERNEL_H
#define TD_KERNEL_H

#include "sim/kernel/caller.h"
#include "sim/kernel/cgroups.h"
#include "sim/kernel/child.h"
#include "sim/kernel/clock.h"
#include "sim/kernel/descriptors.h"
#include "sim/kernel/registers.h"
#include "sim/kernel/perf_calls.h"
#include "sim/kernel/rivals.h"
#include "sim/kernel/schedule.h"
#include "sim/kernel/sysfs.h"
#include "sim/kernel/tasks.h"
#include "sim/kernel/wait.h"
#include "sim/machine/hardware.h"
#include "sim/sim.h"

struct td_sim {
    struct td_os os;
    struct td_sim_hw hw;
    struct td_sim_sysfs sysfs;
    struct td_sim_cgroups cgroups;
    struct td_sim_fds fds;
    struct td_sim_tasks tasks;
    struct td_sim_clock clock;
    struct td_sim_counting *counting; /* by CPU */
    struct td_sim_opening opening;
    struct td_sim_watchdog watchdog;
    struct td_sim_rivals rivals;
    struct td_sim_page *pages; /* those that are mapped */
    struct td_sim_instructions rdpmc;
    struct td_sim_msrs msrs;
    struct td_sim_caller caller;
    struct td_sim_child child;
    struct td_sim_outside outside;
    struct td_sim_trap *trap; /* NULL: nothing is trapped */
    /* slots that an overflow's handler executes, and so counts, while it reads a group; 0: none, as in kernels since
     * that was fixed */
    uint64_t handler;
    uint64_t cost; /* ns that the interrupt of an overflow takes, while its CPU counts nothing */
    uint64_t tsc; /* ticks of the time stamp counter a second; 0: there is no PMU msr */
    bool privileged; /* the process has all capabilities */
    bool perfmon; /* the process has CAP_PERFMON */
    /* the kernel is without the patch of Debian and Ubuntu by which perf_event_paranoid above 2 refuses all but
     * CAP_SYS_ADMIN */
    bool mainline;
    struct td_sim_calls calls;
};

/* The clock of the seam began before the machine's time 0. */
enum { TD_SIM_CLOCK_START = TD_SIM_NSEC };

/* A machine without anything, to be described; NULL: out of memory. */
struct td_sim *td_sim_empty(void);
/* The description is complete: the machine begins. 0 or -ENOMEM. */
int td_sim_begin(struct td_sim *);

#endif
