/* SPDX-License-Identifier: MIT */
/* What the process may do, and what the kernel makes of kernel.perf_event_paranoid. */
#ifndef TD_RIGHTS_H
#define TD_RIGHTS_H

#include "live/host/host.h"

struct td_rights {
    bool admin; /* CAP_SYS_ADMIN, where it counts */
    bool perfmon; /* CAP_PERFMON, where it counts */
    bool capable; /* either, which is enough for perf_event_open() but where the kernel is shut */
    /* a file's CAP_PERFMON would come into force: the bounding set has it, and no_new_privs is not set */
    bool grantable;
    /* a user namespace of its own, as in a rootless container: what capabilities it has, perf_event_open() asks for
       those of the first one (include/linux/capability.h, perfmon_capable()) */
    bool user_namespace;
    bool seccomp, lockdown, container;
};
void td_rights_find(const struct td_os *, struct td_rights *out);

/* What perf_event_open() answers to a software event of the process itself in user mode: 0, or the negative errno. No
 * kernel of kernel.org refuses that at any kernel.perf_event_paranoid (kernel/events/core.c: perf_allow_kernel() asks
 * only for kernel mode). A seccomp filter that refuses perf_event_open() refuses it too, as it does not see the event.
 */
int td_rights_trial(const struct td_os *);

/* Whether even that is refused with EACCES at a value that kernel.org's kernels take for 2: those of Debian and Ubuntu
 * have a patch ("Allow further restriction of perf_event_open", CONFIG_SECURITY_PERF_EVENTS_RESTRICT) by which a value
 * above 2 needs CAP_SYS_ADMIN, and CAP_PERFMON is not enough. It is tried, as neither the value nor the release tells
 * which kernel this is. */
bool td_rights_shut(const struct td_host *);

/* Whether events may count what a sibling thread does (x86_pmu_hw_config() in Linux arch/x86/events/core.c:
 * perf_allow_cpu()). */
bool td_rights_any_thread(const struct td_host *);

#endif
