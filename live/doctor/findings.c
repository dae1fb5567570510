/* SPDX-License-Identifier: MIT */
#include "live/doctor/doctor.h"

#include "backends/registry.h"
#include "core/core_kind.h"
#include "live/host/host_files.h"
#include "live/msr/msr_source.h"
#include "live/rights.h"
#include "live/watchdog.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void td_doctor_say(struct td_doctor *d, enum td_finding_kind kind, const char *layer, const char *remedy,
                   const char *format, ...)
{
    char text[700];
    va_list args;
    const struct td_finding f = {kind, layer, text, remedy && *remedy ? remedy : NULL};

    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    if (kind == TD_FINDING_OBSTACLE)
        td_log_fail(d->meter->log, 0, "%s", text);
    d->each(d->ctx, &f);
}

static void see_cpu(struct td_doctor *d)
{
    const struct td_host *h = &d->meter->host;
    char release[128];

    if (td_host_text(d->meter->ask.os, release, sizeof(release), "/proc/sys/kernel/osrelease"))
        td_doctor_say(d, TD_FINDING_NOTE, "kernel", NULL, "Linux %s", release);
    if (h->identity.nparts)
        td_doctor_say(d, h->renamed ? TD_FINDING_NOTE : TD_FINDING_OK, "cpu", NULL,
                      h->renamed ? "%s is measured as %s (named by %s), %zu CPUs online%s"
                                 : "%s: %s (named by %s), %zu CPUs online%s",
                      h->id[0] ? h->id : "no id", h->identity.name, h->origin, h->ncpus, h->smt ? ", SMT on" : "");
    else
        td_doctor_say(d, h->npmus ? TD_FINDING_OBSTACLE : TD_FINDING_NOTE, "cpu",
                      h->npmus && !h->foreign ? "--uarch NAME measures it as a CPU whose events are the same" : NULL,
                      "%s", h->cpu_why);
    if (h->guest)
        td_doctor_say(d, TD_FINDING_NOTE, "guest", NULL, "this is a guest of %s", h->hypervisor);
}

static bool has_fields(const struct td_uarch *u)
{
    for (size_t i = 0; u && i < u->nevents; i++)
        if (u->events[i].field >= 0)
            return true;
    return false;
}

static void see_arm_slots(struct td_doctor *d, const struct td_host_pmu *p)
{
    if (strcmp(td_uarch_backend_of(p->uarch)->vendor, "MIDR"))
        return;
    if (!p->has_slots_cap)
        td_doctor_say(d, TD_FINDING_NOTE, "pmu", NULL,
                      "%s has no caps/slots (a kernel before 5.11): the slots per cycle are those of the table, %d",
                      p->name, p->uarch->width);
    else if (!p->slots_cap)
        td_doctor_say(d, TD_FINDING_OBSTACLE, "guest", "measure on the host, or on a bare-metal instance",
                      "%s says that its CPU has no STALL_SLOT events (caps/slots is 0): KVM hides them from guests",
                      p->name);
    else if ((int)p->slots_cap != p->uarch->width)
        td_doctor_say(d, TD_FINDING_NOTE, "pmu", NULL, "%s says %u slots per cycle, the table of %s says %d", p->name,
                      p->slots_cap, p->uarch->name, p->uarch->width);
}

static void see_pmu(struct td_doctor *d, const struct td_host_pmu *p)
{
    char cpus[128], counters[80] = "an unknown number of";

    td_cpu_list_text(&p->cpus, cpus, sizeof(cpus));
    if (p->counters.general)
        snprintf(counters, sizeof(counters), "%u", p->counters.general);
    td_doctor_say(d, p->uarch ? TD_FINDING_OK : TD_FINDING_NOTE, "pmu", NULL,
                  "%s (type %u) on CPUs %s: %s programmable counters, %s%s", p->name, p->type, cpus, counters,
                  p->counters.fields == 8 ? "PERF_METRICS with level 2"
                  : p->counters.fields    ? "PERF_METRICS with level 1"
                                          : "no PERF_METRICS",
                  p->uarch ? "" : "; not of a kind of core that is to be measured");
    if (!p->uarch)
        return;
    if (has_fields(p->uarch) && !p->counters.fields)
        td_doctor_say(d, TD_FINDING_NOTE, "event",
                      d->meter->host.guest ? "measure on the host: KVM does not give PERF_METRICS to guests"
                                           : "use Linux 5.10 or later (hybrids: 5.13)",
                      "%s lacks the events slots and topdown-*: %s is measured by ordinary events, if they count",
                      p->name, p->uarch->name);
    see_arm_slots(d, p);
}

/* Only a guest whose CPUs were configured by hand gets this wrong. */
static void see_kind(struct td_doctor *d, const struct td_host_pmu *p)
{
    char said = td_core_of_pmu(p->name);

    if (said && p->kind && p->kind != (said == 'L' ? 'E' : said))
        td_doctor_say(d, TD_FINDING_OBSTACLE, "pmu", "do not trust this PMU: measure on the host",
                      "%s counts on CPU %d, which says by CPUID 0x1A that it is %s core", p->name, p->cpus.cpu[0],
                      p->kind == 'P' ? "a P-" : "an E-");
}

static void see_pmus(struct td_doctor *d)
{
    const struct td_host *h = &d->meter->host;

    for (size_t i = 0; i < h->npmus; i++) {
        see_pmu(d, &h->pmu[i]);
        see_kind(d, &h->pmu[i]);
    }
    if (!h->npmus)
        td_doctor_say(d, TD_FINDING_OBSTACLE, h->guest ? "guest" : "pmu",
                      h->guest ? "let the hypervisor give it one (KVM: -cpu host,pmu=on), or measure on the host"
                               : NULL,
                      "the kernel shows no PMU of the cores");
    else if (h->err && h->identity.nparts)
        td_doctor_say(d, TD_FINDING_OBSTACLE, "pmu", NULL, "%s", h->why);
    if (h->watchdog)
        td_doctor_say(d, TD_FINDING_NOTE, "watchdog", TD_WATCHDOG_REMEDY,
                      TD_WATCHDOG_MAY_HOLD("a counter of each CPU"));
}

/* What kernel.perf_event_paranoid lets a process without CAP_SYS_ADMIN do. Whoever has that is refused by no kernel,
 * and cannot try it, nor can who has a filter before the kernel. */
static void see_paranoid(struct td_doctor *d, const struct td_rights *r)
{
    const struct td_host *h = &d->meter->host;
    const int trial = h->paranoid > 2 && h->paranoid != TD_PARANOID_UNKNOWN && !r->admin ? td_rights_trial(h->os) : 0;
    static const char user[] = "own tasks in user mode without CAP_PERFMON";

    if (h->paranoid == TD_PARANOID_UNKNOWN)
        td_doctor_say(d, TD_FINDING_NOTE, "paranoid", NULL, "kernel.perf_event_paranoid cannot be read");
    else if (h->paranoid <= 2)
        td_doctor_say(d, TD_FINDING_NOTE, "paranoid", NULL, "kernel.perf_event_paranoid is %d: %s", h->paranoid,
                      h->paranoid == 2   ? user
                      : h->paranoid == 1 ? "own tasks without CAP_PERFMON"
                                         : "whole CPUs without CAP_PERFMON");
    else if (r->admin || (trial && trial != -EACCES))
        td_doctor_say(
            d, TD_FINDING_NOTE, "paranoid", NULL,
            "kernel.perf_event_paranoid is %d: without CAP_SYS_ADMIN nothing on kernels of Debian and Ubuntu, "
            "also with CAP_PERFMON; on others, as with 2, %s",
            h->paranoid, user);
    else if (trial)
        td_doctor_say(d, TD_FINDING_NOTE, "paranoid", NULL,
                      "kernel.perf_event_paranoid is %d: nothing without CAP_SYS_ADMIN, also with CAP_PERFMON: above 2 "
                      "this kernel, like Debian's and Ubuntu's, refuses it",
                      h->paranoid);
    else
        td_doctor_say(d, TD_FINDING_NOTE, "paranoid", NULL,
                      "kernel.perf_event_paranoid is %d: on this kernel the same as 2, %s", h->paranoid, user);
}

static void see_rights(struct td_doctor *d)
{
    struct td_rights r;

    td_rights_find(d->meter->ask.os, &r);
    see_paranoid(d, &r);
    td_doctor_say(
        d, TD_FINDING_NOTE, "capability", NULL, "%s",
        r.admin     ? "CAP_SYS_ADMIN is there"
        : r.perfmon ? "CAP_PERFMON is there"
        : r.user_namespace
            ? "none that counts: perf_event_open asks for those outside of this user namespace (a rootless container)"
            : "no CAP_PERFMON");
    if (r.seccomp)
        td_doctor_say(d, TD_FINDING_NOTE, "seccomp", NULL, "a seccomp filter is active");
    if (r.container)
        td_doctor_say(d, TD_FINDING_NOTE, "container", NULL, "this is a container");
    if (r.lockdown)
        td_doctor_say(d, TD_FINDING_NOTE, "lockdown", NULL,
                      "the kernel is locked down (confidentiality): that forbids writing MSRs, not counting by perf");
}

static bool machine_uses(const struct td_host *h, const struct td_backend *b)
{
    for (size_t i = 0; i < h->identity.nparts; i++)
        if (td_uarch_backend_of(h->identity.part[i]) == b)
            return true;
    return false;
}

static void see_backends(struct td_doctor *d)
{
    for (size_t b = 0; td_backends[b]; b++) {
        const struct td_backend *backend = td_backends[b];
        const struct td_host_pmu *of = NULL;

        for (size_t i = 0; i < d->meter->host.npmus; i++)
            if (d->meter->host.pmu[i].uarch && td_uarch_backend_of(d->meter->host.pmu[i].uarch) == backend)
                of = &d->meter->host.pmu[i];
        if (of)
            td_doctor_say(d, TD_FINDING_OK, "backend", NULL, "%s: for %s on %s", backend->name, of->uarch->name,
                          of->name);
        else
            td_doctor_say(d, TD_FINDING_NOTE, "backend", NULL, "%s: %s", backend->name,
                          machine_uses(&d->meter->host, backend) ? "its PMU is missing" : "not for this CPU");
    }
}

void td_doctor_look(struct td_doctor *d)
{
    see_cpu(d);
    see_pmus(d);
    see_backends(d);
    see_rights(d);
}

/* The doctor writes no register, so it detects a lockdown from its file. */
void td_doctor_see_msr(struct td_doctor *d)
{
    char lockdown[128] = "", why[TD_SOURCE_WHY];
    const bool usable = td_msr_source_usable(d->meter, why);

    td_host_text(d->meter->ask.os, lockdown, sizeof(lockdown), "/sys/kernel/security/lockdown");
    if (usable && (strstr(lockdown, "[integrity]") || strstr(lockdown, "[confidentiality]")))
        td_doctor_say(d, TD_FINDING_NOTE, "lockdown", "boot without lockdown, or measure by perf",
                      "msr: the kernel is locked down, and lets nobody write registers");
    else
        td_doctor_say(d, usable ? TD_FINDING_OK : TD_FINDING_NOTE, "source", NULL, "msr: %s",
                      usable ? "usable for whole CPUs (--source=msr -C LIST)" : why);
}
