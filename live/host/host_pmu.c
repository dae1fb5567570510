/* SPDX-License-Identifier: MIT */
/* The core PMUs, from sysfs: which kind of core each is on, and what it can count. */
#include "backends/find_identity.h"
#include "core/core_kind.h"
#include "live/host/host.h"
#include "live/host/host_files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEVICES "/sys/bus/event_source/devices/"

enum {
    SLOTS_CONFIG = 0x400, /* Linux INTEL_TD_SLOTS, INTEL_TD_METRIC_RETIRING, ..._HEAVY_OPS */
    RETIRING_CONFIG = 0x8000,
    HEAVY_CONFIG = 0x8400,
    PMU_LEAF = 0xa,
    AMD_FEATURES_LEAF = 0x80000001, /* AMD APM volume 3, appendix E: ECX[23] is PerfCtrExtCore */
    AMD_PERF_CORE_BIT = 23,
    AMD_PMU_LEAF = 0x80000022, /* EAX[0] is PerfMonV2, EBX[3:0] the counters of a core */
    KIND_LEAF = 0x1a,
    KIND_CORE = 0x40,
    KIND_ATOM = 0x20,
    RAW_TYPE = 4, /* PERF_TYPE_RAW */
};

/* Puts a term into the raw config of x86; Arm has event=0..0xffff only. */
static bool take_term(const char *term, uint64_t *config)
{
    static const struct {
        const char *name;
        unsigned shift;
    } terms[] = {{"event", 0}, {"umask", 8}, {"edge", 18}, {"any", 21}, {"inv", 23}, {"cmask", 24}};
    size_t n = strcspn(term, "=,");

    for (size_t i = 0; i < sizeof(terms) / sizeof(*terms); i++)
        if (strlen(terms[i].name) == n && !strncmp(term, terms[i].name, n)) {
            *config |= (term[n] == '=' ? strtoull(term + n + 1, NULL, 0) : 1) << terms[i].shift;
            return true;
        }
    return false;
}

bool td_host_event(const struct td_os *os, const char *pmu, const char *event, uint64_t *config)
{
    char text[128];
    const char *at = text;

    *config = 0;
    if (!td_host_text(os, text, sizeof(text), DEVICES "%s/events/%s", pmu, event))
        return false;
    while (*at) {
        if (!take_term(at, config))
            return false;
        at += strcspn(at, ",");
        at += *at == ',';
    }
    return true;
}

bool td_host_pmu_type(const struct td_os *os, const char *pmu, uint32_t *type)
{
    const long number = td_host_number(os, -1, DEVICES "%s/type", pmu);

    *type = number < 0 ? 0 : (uint32_t)number;
    return number >= 0;
}

static unsigned find_fields(struct td_host *h, struct td_host_pmu *p)
{
    uint64_t config;

    p->slots_event = td_host_event(h->os, p->name, "slots", &config) && config == SLOTS_CONFIG;
    if (!p->slots_event || !td_host_event(h->os, p->name, "topdown-retiring", &config) || config != RETIRING_CONFIG)
        return 0;
    return td_host_event(h->os, p->name, "topdown-heavy-ops", &config) && config == HEAVY_CONFIG ? 8 : 4;
}

/* AMD's counters are alike, six since family 15h. The NMI watchdog, which counts cycles, holds one of them. */
static void find_amd_counters(struct td_host *h, struct td_host_pmu *p, int cpu)
{
    const struct td_os *os = h->os;
    uint32_t r[4];

    if (!os->cpuid(os->ctx, cpu, AMD_PMU_LEAF, 0, r) && r[0] & 1)
        p->counters.general = r[1] & 0xf;
    else if (!os->cpuid(os->ctx, cpu, AMD_FEATURES_LEAF, 0, r))
        p->counters.general = r[2] >> AMD_PERF_CORE_BIT & 1 ? 6 : 4;
    if (p->counters.general && p->counters.watchdog)
        p->counters.general--;
}

/* CPUID.0xA: EAX version and programmable counters, ECX (version 5) and
 * EDX[4:0] fixed ones. On one of the PMU's CPUs: hybrids differ. */
static void find_counters(struct td_host *h, struct td_host_pmu *p)
{
    const struct td_os *os = h->os;
    uint32_t r[4];
    int cpu = p->cpus.n ? p->cpus.cpu[0] : -1;

    if (!strncmp(h->id, "AuthenticAMD", strlen("AuthenticAMD"))) {
        find_amd_counters(h, p, cpu);
        return;
    }
    if (os->cpuid(os->ctx, cpu, PMU_LEAF, 0, r) || !(r[0] & 0xff))
        return;
    p->counters.general = r[0] >> 8 & 0xff;
    p->counters.fixed = (UINT64_C(1) << (r[3] & 0x1f)) - 1;
    if ((r[0] & 0xff) >= 5)
        p->counters.fixed = r[2] ? r[2] : p->counters.fixed;
}

/* CPUID.0x1A:EAX[31:24] of one of the PMU's CPUs: 0x40 is Core, 0x20 Atom. */
static char find_kind(const struct td_host *h, const struct td_host_pmu *p)
{
    uint32_t r[4];

    if (!p->cpus.n || h->os->cpuid(h->os->ctx, p->cpus.cpu[0], KIND_LEAF, 0, r))
        return 0;
    return r[0] >> 24 == KIND_CORE ? 'P' : r[0] >> 24 == KIND_ATOM ? 'E' : 0;
}

/* The online CPUs that a PMU counts on; all, without a cpus file. */
static int find_cpus(struct td_host *h, struct td_host_pmu *p)
{
    struct td_cpu_list said = {0};
    char *text = malloc(TD_OS_FILE_MAX);
    bool has = text && td_host_text(h->os, text, TD_OS_FILE_MAX, DEVICES "%s/cpus", p->name);
    int err = !text ? -ENOMEM : has ? td_cpu_list_parse(text, &said) : 0;

    free(text);
    if (err == -ENOMEM)
        return err;
    p->cpus.cpu = calloc(h->ncpus, sizeof(int));
    for (size_t i = 0; p->cpus.cpu && i < h->ncpus; i++)
        if (!has || td_cpu_list_has(&said, h->cpus[i].cpu))
            p->cpus.cpu[p->cpus.n++] = h->cpus[i].cpu;
    free(said.cpu);
    return p->cpus.cpu ? 0 : -ENOMEM;
}

/* Which of the machine's kinds of core the PMU is on. A hybrid's CPU with one PMU
 * named "cpu" has only one kind: the one CPUID reports, or P if it has the metrics register. */
static const struct td_uarch *part_of(const struct td_host *h, const struct td_host_pmu *p,
                                      const struct td_identity *asked)
{
    const struct td_identity *m = &h->identity;
    struct td_identity own;
    char core = td_core_of_pmu(p->name), only = p->kind ? p->kind : p->counters.fields ? 'P' : 'E', why[128];

    if (p->id[0] && !asked) /* Arm: each PMU is on one kind of core, and its MIDR shows which */
        return td_identity_find(p->id, &own, why, sizeof(why)) ? NULL : own.part[0];
    for (size_t i = 0; i < m->nparts; i++)
        if (m->part[i]->core == (core ? core : only))
            return m->part[i];
    /* asked for one kind of core by name, on a PMU whose kind is not known */
    return m->nparts == 1 && (!core || !m->part[0]->core) ? m->part[0] : NULL;
}

static int take_pmu(struct td_host *h, const char *name, const struct td_identity *asked)
{
    struct td_host_pmu *p = &h->pmu[h->npmus];
    char text[32];
    long type;
    int err;

    *p = (struct td_host_pmu){0};
    snprintf(p->name, sizeof(p->name), "%s", name);
    type = td_host_number(h->os, strcmp(name, "cpu") ? -1 : RAW_TYPE, DEVICES "%s/type", name);
    if (type < 0) /* another PMU's type would count on that PMU */
        return 0;
    p->type = (uint32_t)type;
    err = find_cpus(h, p);
    if (err)
        return err;
    h->npmus++;
    p->counters.fields = find_fields(h, p);
    p->counters.watchdog = h->watchdog;
    p->counters.sibling = h->smt_unknown; /* the formulas for siblings are right without a sibling too */
    for (size_t i = 0; i < h->ncpus; i++)
        if (h->cpus[i].shared && td_cpu_list_has(&p->cpus, h->cpus[i].cpu))
            p->counters.sibling = true;
    p->mux_interval = 1e6 * (double)td_host_number(h->os, 0, DEVICES "%s/perf_event_mux_interval_ms", name);
    p->any = td_host_text(h->os, text, sizeof(text), DEVICES "%s/format/any", name);
    p->has_slots_cap = td_host_text(h->os, text, sizeof(text), DEVICES "%s/caps/slots", name);
    p->slots_cap = p->has_slots_cap ? (unsigned)strtoul(text, NULL, 0) : 0;
    find_counters(h, p);
    p->kind = find_kind(h, p);
    if (p->cpus.n)
        td_host_text(h->os, p->id, sizeof(p->id), "/sys/devices/system/cpu/cpu%d/regs/identification/midr_el1",
                     p->cpus.cpu[0]);
    p->uarch = part_of(h, p, asked);
    return 0;
}

struct scan {
    struct td_host *host;
    const struct td_identity *asked;
};

/* Core PMUs are named "cpu", or have a file "cpus" (uncore ones have
 * "cpumask"): Linux drivers/perf/arm_pmu.c, arch/x86/events/core.c. */
static int see_device(void *arg, const char *name)
{
    struct scan *s = arg;
    char text[8];

    if (s->host->npmus == TD_HOST_PMUS || strlen(name) >= sizeof(s->host->pmu[0].name))
        return 0;
    if (strcmp(name, "cpu") && !td_core_of_pmu(name) &&
        !td_host_text(s->host->os, text, sizeof(text), DEVICES "%s/cpus", name))
        return 0;
    return take_pmu(s->host, name, s->asked);
}

static int by_core(const void *a, const void *b)
{
    const struct td_host_pmu *x = a, *y = b;
    size_t i = strlen(x->name), j = strlen(y->name);

    /* cpu_core, cpu_atom, cpu_lowpower; otherwise by name */
    if (td_core_of_pmu(x->name) && td_core_of_pmu(y->name))
        return (int)td_core_index(td_core_of_pmu(x->name)) - (int)td_core_index(td_core_of_pmu(y->name));
    return i != j ? (i > j) - (i < j) : strcmp(x->name, y->name);
}

static void explain_none(struct td_host *h)
{
    h->err = -EOPNOTSUPP;
    if (h->npmus)
        snprintf(h->why, sizeof(h->why), "PMU %s of this machine is not of a kind of core that %s has", h->pmu[0].name,
                 h->identity.name);
    else if (h->guest)
        snprintf(h->why, sizeof(h->why),
                 "this is a guest (%s) without a PMU: let the hypervisor give it one (KVM: -cpu host,pmu=on), "
                 "or measure on the host",
                 h->hypervisor);
    else
        snprintf(h->why, sizeof(h->why),
                 "the kernel shows no PMU of the cores in %s: it lacks a driver for this CPU, "
                 "or it is a guest or container that hides it",
                 DEVICES);
}

int td_host_find_pmus(struct td_host *h, const struct td_identity *asked)
{
    struct scan s = {h, asked};
    int err = h->os->names(h->os->ctx, DEVICES, see_device, &s);
    bool any = false;

    if (err == -ENOMEM)
        return err;
    if (h->npmus > 1)
        qsort(h->pmu, h->npmus, sizeof(*h->pmu), by_core);
    for (size_t i = 0; i < h->npmus; i++)
        any = any || h->pmu[i].uarch;
    if (!any && (!h->err || !h->npmus)) /* without a PMU, giving the CPU another name does not help */
        explain_none(h);
    return 0;
}
