/* SPDX-License-Identifier: MIT */
/* What machine this is: CPU, core PMUs, topology, read through the seam. */
#ifndef TD_HOST_H
#define TD_HOST_H

#include "core/identity.h"
#include "live/plan/fit.h"
#include "os/os.h"
#include "util/cpu_list.h"

enum { TD_HOST_PMUS = 8, TD_HOST_WHY = 400, TD_PARANOID_UNKNOWN = 100 };

/* A core PMU. */
struct td_host_pmu {
    char name[40]; /* "cpu", "cpu_core", "armv8_pmuv3_0" */
    uint32_t type; /* perf_event_attr.type */
    struct td_cpu_list cpus; /* online CPUs that it counts on */
    char id[24]; /* Arm: MIDR of its cores, else "" */
    const struct td_uarch *uarch; /* NULL: the kind of core is not known, or was not asked for */
    bool slots_event; /* "slots" is 0x400 */
    unsigned slots_cap; /* Arm: caps/slots, 0: the file is missing or holds 0 */
    bool has_slots_cap;
    char kind; /* kind of its cores by CPUID 0x1A: 'P', 'E', 0: not reported */
    struct td_counters counters; /* fields come from sysfs, never from the model */
    double mux_interval; /* perf_event_mux_interval_ms in ns; 0: not known */
    bool any; /* format/any: events can count for all siblings */
};

struct td_host_cpu {
    int cpu, core, die, socket, node;
    int sibling; /* the lowest CPU of its core */
    bool shared; /* its core has another online CPU */
};

struct td_host {
    const struct td_os *os;
    char id[40]; /* "GenuineIntel-6-8F-8", "0x00000000410fd490", or "" */
    char origin[48]; /* where the identity comes from: "CPUID", "midr_el1", ... */
    char hypervisor[16]; /* its signature, "unknown kind", or "" on bare metal */
    bool guest;
    struct td_identity identity; /* nparts 0: unknown */
    char cpu_why[TD_HOST_WHY]; /* why there is no identity, or "" */
    bool foreign; /* no row has this CPU's events, so no other name fits it */
    bool renamed; /* the identity was asked for, and differs from what the CPU itself reports */
    int err; /* why there is no machine, or no PMU of its own: -EOPNOTSUPP, with why */
    char why[TD_HOST_WHY];
    size_t npmus;
    struct td_host_pmu pmu[TD_HOST_PMUS];
    struct td_host_cpu *cpus; /* online, by number */
    size_t ncpus;
    bool smt; /* any core has two online CPUs */
    bool smt_unknown; /* sysfs does not show it */
    bool cpus_unknown; /* nor does it show which CPUs are online: cpus is CPU 0 */
    bool topology_unknown; /* nor their cores and sockets */
    bool watchdog;
    char name[65]; /* of the machine, as uname(2) has it; "": not known */
    int paranoid; /* perf_event_paranoid; TD_PARANOID_UNKNOWN: it cannot be read */
};

/* asked: the CPU given by the user, NULL: the machine's own. Only running out of
 * memory is an error (-ENOMEM); all else is in err and why. Free with
 * td_host_free() in any case. */
int td_host_detect(struct td_host *, const struct td_os *, const struct td_identity *asked);
/* A typical machine with the CPU asked for, which need not exist: one core of each kind, with two threads
 * where that matters to the row, all counters free but for the NMI watchdog's, a kernel that offers what the row has.
 * Only -ENOMEM is an error; td_host_free() as above. */
int td_host_assume(struct td_host *, const struct td_identity *asked, bool watchdog);
void td_host_free(struct td_host *);
/* NULL: not online */
const struct td_host_cpu *td_host_cpu_find(const struct td_host *, int cpu);
/* sysfs events/NAME of a PMU as a raw config, from "event=0x3c,umask=0x1"; false: there is none. */
/* The type of a PMU by its name; false: there is none. */
bool td_host_pmu_type(const struct td_os *, const char *pmu, uint32_t *type);
bool td_host_event(const struct td_os *, const char *pmu, const char *event, uint64_t *config);

/* Parts of detection: the CPU's name (host_id.c), its PMUs (host_pmu.c), its topology (host_cpus.c). */
void td_host_identify(struct td_host *, const struct td_identity *asked);
int td_host_find_pmus(struct td_host *, const struct td_identity *asked);
int td_host_find_cpus(struct td_host *);

/* As td_facts() has them: each is called with a line. */
void td_host_facts(const struct td_host *, void (*each)(void *ctx, const char *line), void *ctx);

#endif
