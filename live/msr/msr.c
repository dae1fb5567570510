/* SPDX-License-Identifier: MIT */
#include "live/msr/msr.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum {
    FULL_WIDTH = 13, /* bit of PERF_CAPABILITIES */
    PDCM = 15, /* bit of CPUID 1 ECX */
    /* IA32_FIXED_CTR_CTRL has so many fields of 4 bits; from bit 32 on it has flags of PEBS */
    FIXED_FIELDS = 8,
};

/* ---- opening -------------------------------------------------------------- */

static int explain_open(struct td_msr *m, int err)
{
    const int cpu = m->cpu;

    switch (err) {
    case -ENOENT:
        snprintf(m->why, sizeof(m->why),
                 "there is no /dev/cpu/%d/msr: the kernel module msr is not loaded. What to do: modprobe msr", cpu);
        return -EOPNOTSUPP;
    case -EACCES:
        snprintf(m->why, sizeof(m->why),
                 "/dev/cpu/%d/msr may not be opened: its file permissions. What to do: "
                 "run as root (it needs CAP_SYS_RAWIO as well), or measure by perf (--source=perf)",
                 cpu);
        return err;
    case -EPERM:
        snprintf(m->why, sizeof(m->why),
                 "/dev/cpu/%d/msr may not be opened: the capability CAP_SYS_RAWIO is missing. What to do: "
                 "run as root outside of containers, or measure by perf (--source=perf)",
                 cpu);
        return err;
    case -ENXIO:
        snprintf(m->why, sizeof(m->why), "CPU %d is not online (see /sys/devices/system/cpu/online)", cpu);
        return -ENODEV;
    default: snprintf(m->why, sizeof(m->why), "/dev/cpu/%d/msr cannot be opened: %s", cpu, strerror(-err)); return err;
    }
}

static int ask_intel(struct td_msr *m, unsigned fields)
{
    const struct td_os *os = m->os;
    uint32_t features[4] = {0}, counters[4] = {0}, leaves[4] = {0}, more[4] = {0}, kind[4] = {0};
    int err = os->cpuid(os->ctx, m->cpu, 1, 0, features);

    if (!err)
        err = os->cpuid(os->ctx, m->cpu, 0xa, 0, counters);
    if (!err)
        err = os->cpuid(os->ctx, m->cpu, 0x23, 0, leaves);
    if (!err && leaves[0] & 2)
        err = os->cpuid(os->ctx, m->cpu, 0x23, 1, more);
    if (!err)
        err = os->cpuid(os->ctx, m->cpu, 0x1a, 0, kind);
    if (err)
        return err;
    td_msr_caps_decode(counters, more, kind, fields, &m->caps);
    m->caps.pdcm = features[2] >> PDCM & 1;
    return 0;
}

/* Leaves above the greatest that there is say nothing: a processor answers with those of another. */
static int ask_amd(struct td_msr *m)
{
    const struct td_os *os = m->os;
    uint32_t most[4] = {0}, features[4] = {0}, counters[4] = {0};
    int err = os->cpuid(os->ctx, m->cpu, 0x80000000, 0, most);

    if (!err && most[0] >= 0x80000001)
        err = os->cpuid(os->ctx, m->cpu, 0x80000001, 0, features);
    if (!err && most[0] >= 0x80000022)
        err = os->cpuid(os->ctx, m->cpu, 0x80000022, 0, counters);
    if (!err)
        td_msr_caps_decode_amd(features, counters, &m->caps);
    return err;
}

int td_msr_look(struct td_msr *m, const struct td_os *os, int cpu, unsigned fields)
{
    uint32_t vendor[4] = {0};
    int err;

    *m = (struct td_msr){.os = os, .cpu = cpu, .fd = -1};
    err = os->cpuid(os->ctx, m->cpu, 0, 0, vendor);
    if (!err)
        err = vendor[1] == TD_CPUID_AMD ? ask_amd(m) : ask_intel(m, fields);
    if (err) {
        snprintf(m->why, sizeof(m->why), "CPUID of CPU %d cannot be asked: %s", m->cpu, strerror(-err));
        return err == -EINVAL ? -ENODEV : err;
    }
    if (m->caps.version >= 2)
        return 0;
    if (m->caps.amd)
        snprintf(m->why, sizeof(m->why),
                 "CPU %d has no counters that a register switches together (CPUID 0x80000022: no PerfMonV2): "
                 "older than Zen 4, or a guest without a virtual PMU? What to do: measure by perf (--source=perf)",
                 m->cpu);
    else
        snprintf(m->why, sizeof(m->why),
                 "CPU %d has no counters that registers switch together (CPUID 0xA: version %u, not 2 or above)%s",
                 m->cpu, m->caps.version,
                 m->caps.version
                     ? ". What to do: measure by perf (--source=perf)"
                     : ": a guest without a virtual PMU? What to do: let the hypervisor give it one (KVM: -cpu "
                       "host,pmu=on), or measure on the host");
    return -EOPNOTSUPP;
}

int td_msr_open(struct td_msr *m, const struct td_os *os, int cpu, unsigned fields)
{
    uint64_t capabilities = 0;
    int err = td_msr_look(m, os, cpu, fields);

    if (err)
        return err;
    m->fd = os->msr_open(os->ctx, cpu);
    if (m->fd < 0) {
        err = explain_open(m, m->fd);
        m->fd = -1;
        return err;
    }
    err = m->caps.pdcm ? td_msr_get(m, TD_MSR_CAPABILITIES, &capabilities) : 0;
    m->caps.full = m->caps.amd || capabilities >> FULL_WIDTH & 1;
    if (err)
        td_msr_end(m);
    return err;
}

/* ---- whether the counters are free ----------------------------------------- */

static int busy(struct td_msr *m, const char *what, unsigned n, const char *how)
{
    snprintf(m->why, sizeof(m->why),
             "the counters of CPU %d are in use: %s %u %s. What to do: end what else measures (perf, another tdprobe, "
             "a profiler, a guest); if nothing does, something left it so, and a reboot or suspend clears it",
             m->cpu, what, n, how);
    return -EBUSY;
}

/* Linux leaves the event of a counter that it used selected, with INT, and clears
 * only EN (x86_pmu_disable_event()). So the bits of IA32_PERF_GLOBAL_INUSE for
 * programmable counters, "an event is selected", and for interrupts, "INT is set
 * somewhere" (SDM 3B, "IA32_PERF_GLOBAL_INUSE MSR"), stay set for ever once perf has run.
 * Those of fixed counters are their enable bits, and are trusted. */
static int check_used(struct td_msr *m)
{
    uint64_t used = 0;
    int err = m->caps.version >= 4 && !m->caps.amd ? td_msr_get(m, TD_MSR_INUSE, &used) : 0;

    for (unsigned i = 0; !err && i < FIXED_FIELDS; i++)
        if (used >> (32 + i) & 1)
            err = busy(m, "fixed counter", i, "is taken, says IA32_PERF_GLOBAL_INUSE");
    return err;
}

int td_msr_check_free(struct td_msr *m)
{
    uint64_t value = 0;
    int err = check_used(m);

    for (unsigned i = 0; !err && i < TD_MSR_COUNTERS; i++) {
        err = m->caps.general >> i & 1 ? td_msr_get(m, TD_MSR_EVTSEL + i, &value) : 0;
        if (!err && m->caps.general >> i & 1 && value & TD_MSR_ENABLED)
            err = busy(m, "programmable counter", i, "is enabled");
    }
    if (m->caps.amd)
        return err;
    err = err ? err : td_msr_get(m, TD_MSR_FIXED_CTRL, &value);
    for (unsigned i = 0; !err && i < FIXED_FIELDS; i++)
        if (value >> (4 * i) & 3)
            err = busy(m, "fixed counter", i, "is enabled");
    return err;
}

/* ---- saving and programming -------------------------------------------------- */

static int save(struct td_msr *m, uint32_t reg)
{
    struct td_msr_saved s = {.reg = reg};
    int err = td_msr_get(m, reg, &s.value);

    if (!err)
        m->saved[m->nsaved++] = s;
    return err;
}

/* Without full-width writes a write sets 32 bits of a counter, sign-extended. */
static int check_width(struct td_msr *m, unsigned i)
{
    const uint64_t value = m->saved[m->nsaved - 1].value, mask = td_msr_mask(&m->caps, TD_MSR_PMC);

    if (m->caps.full || ((uint64_t)(int64_t)(int32_t)value & mask) == value)
        return 0;
    snprintf(m->why, sizeof(m->why),
             "CPU %d: programmable counter %u holds 0x%llx, which could not be written back: "
             "this CPU has no full-width writes "
             "(bit 13 of IA32_PERF_CAPABILITIES). What to do: measure by perf (--source=perf)",
             m->cpu, i, (unsigned long long)value);
    return -EOPNOTSUPP;
}

static int save_counters(struct td_msr *m)
{
    const struct td_msr_program *p = &m->program;
    int err = 0;

    for (unsigned i = 0; !err && i < TD_MSR_COUNTERS; i++)
        if (p->general >> i & 1) {
            err = save(m, TD_MSR_EVTSEL + i);
            err = err ? err : save(m, td_msr_counter(m, i));
            err = err ? err : check_width(m, i);
        }
    for (unsigned i = 0; !err && i < TD_MSR_COUNTERS; i++)
        if (p->fixed >> i & 1)
            err = save(m, TD_MSR_FIXED + i);
    if (!err && p->metrics) /* after its counter, so that it is written back too */
        err = save(m, TD_MSR_METRICS);
    return err;
}

static int save_all(struct td_msr *m)
{
    int err = m->caps.amd ? 0 : save(m, TD_MSR_FIXED_CTRL);

    m->status = 0;
    err = err ? err : save_counters(m);
    err = err ? err : save(m, TD_MSR_GLOBAL); /* last: nothing counts until everything else is written back */
    err = err ? err : td_msr_get(m, TD_MSR_STATUS, &m->status);
    m->status &= td_msr_status_bits(m);
    if (err || !m->status || m->caps.version >= 4)
        return err;
    snprintf(m->why, sizeof(m->why),
             "CPU %d: IA32_PERF_GLOBAL_STATUS shows overflows (0x%llx) that nobody has handled, "
             "and that this CPU could not be given back. What to do: end what else measures",
             m->cpu, (unsigned long long)m->status);
    return -EBUSY;
}

static int zero_counters(struct td_msr *m)
{
    const struct td_msr_program *p = &m->program;
    int err = 0;

    for (unsigned i = 0; !err && i < TD_MSR_COUNTERS; i++)
        if (p->general >> i & 1)
            err = td_msr_put(m, td_msr_counter(m, i), 0);
    for (unsigned i = 0; !err && i < TD_MSR_COUNTERS; i++)
        if (p->fixed >> i & 1)
            err = td_msr_put(m, TD_MSR_FIXED + i, 0);
    if (!err && p->metrics)
        err = td_msr_put(m, TD_MSR_METRICS, 0);
    if (err)
        return err;
    m->reset = true;
    return td_msr_clear(m, TD_MSR_RESET, td_msr_status_bits(m));
}

int td_msr_begin(struct td_msr *m, const struct td_msr_program *p)
{
    int err;

    m->program = *p;
    err = save_all(m);
    if (!err)
        err = td_msr_put(m, TD_MSR_GLOBAL, 0);
    for (unsigned i = 0; !err && i < TD_MSR_COUNTERS; i++)
        if (p->general >> i & 1)
            err = td_msr_put(m, TD_MSR_EVTSEL + i, p->evtsel[i]);
    if (!err && !m->caps.amd)
        err = td_msr_put(m, TD_MSR_FIXED_CTRL, p->fixed_ctrl);
    return err ? err : zero_counters(m);
}

/* Switches all counters on or off at once. */
static int switch_all(struct td_msr *m, bool on)
{
    int err = td_msr_put(m, TD_MSR_GLOBAL, on ? m->program.global : 0);
    uint64_t now;

    if (err)
        return err;
    now = m->os->now(m->os->ctx);
    m->ns += on ? 0 : now - m->since;
    m->since = now;
    m->counting = on;
    return 0;
}

/* Whose the counters are is asked while they do not count, so that what is counted has no part of that. */
int td_msr_enable(struct td_msr *m, bool on)
{
    int err;

    if (on == m->counting)
        return 0;
    err = on ? td_msr_check_ours(m) : 0;
    err = err ? err : switch_all(m, on);
    return err || on ? err : td_msr_check_ours(m);
}

/* ---- reading ------------------------------------------------------------------- */

static int read_counter(struct td_msr *m, uint32_t reg, uint64_t *out)
{
    char name[TD_MSR_NAME];
    int err = td_msr_get(m, reg, out);

    if (err || !(*out & ~td_msr_mask(&m->caps, reg)))
        return err;
    snprintf(m->why, sizeof(m->why), "CPU %d: %s holds 0x%llx, which is wider than CPUID says it is", m->cpu,
             td_msr_name(&m->caps, reg, name), (unsigned long long)*out);
    return -EIO;
}

static int read_counters(struct td_msr *m, struct td_msr_reading *r)
{
    const struct td_msr_program *p = &m->program;
    int err = 0;

    if (p->fixed >> TD_MSR_SLOTS & 1) /* SLOTS, then the register that belongs to it */
        err = read_counter(m, TD_MSR_FIXED + TD_MSR_SLOTS, &r->fixed[TD_MSR_SLOTS]);
    if (!err && p->metrics)
        err = td_msr_get(m, TD_MSR_METRICS, &r->metrics);
    for (unsigned i = 0; !err && i < TD_MSR_COUNTERS; i++)
        if (p->fixed >> i & 1 && i != TD_MSR_SLOTS)
            err = read_counter(m, TD_MSR_FIXED + i, &r->fixed[i]);
    for (unsigned i = 0; !err && i < TD_MSR_COUNTERS; i++)
        if (p->general >> i & 1)
            err = read_counter(m, td_msr_counter(m, i), &r->general[i]);
    return err;
}

int td_msr_take(struct td_msr *m, struct td_msr_reading *r)
{
    const bool counting = m->counting;
    int err = td_msr_check_ours(m);

    *r = (struct td_msr_reading){0};
    if (!err && counting)
        err = switch_all(m, false);
    r->ns = m->ns;
    m->ns = 0;
    err = err ? err : td_msr_get(m, TD_MSR_STATUS, &r->overflow);
    r->overflow &= td_msr_status_bits(m);
    err = err ? err : read_counters(m, r);
    err = err ? err : zero_counters(m);
    return err || !counting ? err : switch_all(m, true);
}
