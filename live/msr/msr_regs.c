/* SPDX-License-Identifier: MIT */
/* Allows only registers in a table, and only values that are harmless. */
#include "live/msr/msr_regs.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { PC = 1 << 19, INT = 1 << 20, ANY = 1 << 21 }; /* in IA32_PERFEVTSEL */

enum many { ONE, GENERAL, FIXED };

/* amd: where AMD has it, in steps of so many; 0: it has none. APM 2, 13.2; Linux arch/x86/include/asm/msr-index.h,
 * MSR_F15H_PERF_CTL and MSR_AMD64_PERF_CNTR_GLOBAL_STATUS. */
struct row {
    uint32_t first;
    enum many many;
    bool write;
    const char *name;
    uint32_t amd, step;
    const char *amd_name;
};

static const struct row rows[] = {
    {TD_MSR_PMC, GENERAL, true, "IA32_PMC", 0, 0, NULL},
    {TD_MSR_EVTSEL, GENERAL, true, "IA32_PERFEVTSEL", 0xc0010200, 2, "PERF_CTL"},
    {TD_MSR_FIXED, FIXED, true, "IA32_FIXED_CTR", 0, 0, NULL},
    {TD_MSR_METRICS, ONE, true, "IA32_PERF_METRICS", 0, 0, NULL},
    {TD_MSR_CAPABILITIES, ONE, false, "IA32_PERF_CAPABILITIES", 0, 0, NULL},
    {TD_MSR_FIXED_CTRL, ONE, true, "IA32_FIXED_CTR_CTRL", 0, 0, NULL},
    {TD_MSR_STATUS, ONE, false, "IA32_PERF_GLOBAL_STATUS", 0xc0000300, 1, "PerfCntrGlobalStatus"},
    {TD_MSR_GLOBAL, ONE, true, "IA32_PERF_GLOBAL_CTRL", 0xc0000301, 1, "PerfCntrGlobalCtl"},
    {TD_MSR_RESET, ONE, true, "IA32_PERF_GLOBAL_OVF_CTRL", 0xc0000302, 1, "PerfCntrGlobalStatusClr"},
    {TD_MSR_SET, ONE, true, "IA32_PERF_GLOBAL_STATUS_SET", 0xc0000303, 1, "PerfCntrGlobalStatusSet"},
    {TD_MSR_INUSE, ONE, false, "IA32_PERF_GLOBAL_INUSE", 0, 0, NULL},
    {TD_MSR_FULL, GENERAL, true, "IA32_A_PMC", 0xc0010201, 2, "PERF_CTR"},
};

static const struct row *row_of(uint32_t reg)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        if (reg - rows[i].first < (rows[i].many == ONE ? 1 : TD_MSR_COUNTERS)) /* without a sign: none before it */
            return &rows[i];
    return NULL;
}

uint32_t td_msr_address(const struct td_msr_caps *c, uint32_t reg)
{
    const struct row *r = row_of(reg);

    return r && c->amd && r->amd ? r->amd + (reg - r->first) * r->step : reg;
}

const char *td_msr_name(const struct td_msr_caps *c, uint32_t reg, char buf[TD_MSR_NAME])
{
    const struct row *r = row_of(reg);
    const char *name = r && c->amd && r->amd ? r->amd_name : r ? r->name : NULL;
    const uint32_t address = td_msr_address(c, reg);

    if (!r)
        snprintf(buf, TD_MSR_NAME, "register 0x%x", reg);
    else if (r->many == ONE)
        snprintf(buf, TD_MSR_NAME, "%s (0x%x)", name, address);
    else
        snprintf(buf, TD_MSR_NAME, "%s%u (0x%x)", name, reg - r->first, address);
    return buf;
}

static bool there(const struct td_msr_caps *c, const struct row *r, uint32_t reg)
{
    const uint32_t n = reg - r->first;

    if (r->many != ONE && !((r->many == GENERAL ? c->general : c->fixed) >> n & 1))
        return false;
    if (c->amd && !r->amd)
        return false;
    switch (r->first) {
    case TD_MSR_METRICS: return c->fields != 0;
    case TD_MSR_CAPABILITIES: return c->pdcm;
    case TD_MSR_FULL: return c->full;
    case TD_MSR_SET:
    case TD_MSR_INUSE: return c->version >= 4;
    default: return true;
    }
}

bool td_msr_allowed(const struct td_msr_caps *c, uint32_t reg, bool write)
{
    const struct row *r = row_of(reg);

    return r && there(c, r, reg) && (r->write || !write);
}

static uint64_t below(unsigned bits)
{
    return bits > 63 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

uint64_t td_msr_mask(const struct td_msr_caps *c, uint32_t reg)
{
    const struct row *r = row_of(reg);
    uint64_t mask = 0;

    switch (r ? r->first : 0) {
    case TD_MSR_PMC:
    case TD_MSR_FULL: return below(c->general_bits);
    case TD_MSR_FIXED: return below(c->fixed_bits);
    case TD_MSR_METRICS: return below(8 * c->fields);
    case TD_MSR_EVTSEL:
        return (c->amd ? TD_MSR_AMD_EVENT : 0) | (UINT32_MAX & ~(uint64_t)(PC | INT | (c->any ? 0 : ANY)));
    case TD_MSR_FIXED_CTRL:
        for (unsigned i = 0; i < 16; i++)
            mask |= c->fixed >> i & 1 ? UINT64_C(3) << (4 * i) : 0;
        return mask | (c->any ? (mask & UINT64_C(0x1111111111111111)) << 2 : 0);
    case TD_MSR_GLOBAL:
    case TD_MSR_RESET:
    case TD_MSR_SET: return c->general | (uint64_t)c->fixed << 32 | (c->fields ? TD_MSR_METRICS_BIT : 0);
    default: return 0;
    }
}

struct td_msr_saved *td_msr_find(struct td_msr *m, uint32_t reg)
{
    for (size_t i = 0; i < m->nsaved; i++)
        if (m->saved[i].reg == reg)
            return &m->saved[i];
    return NULL;
}

uint32_t td_msr_counter(const struct td_msr *m, unsigned i)
{
    return (m->caps.full ? TD_MSR_FULL : TD_MSR_PMC) + i;
}

uint64_t td_msr_status_bits(const struct td_msr *m)
{
    return m->program.global | (m->program.metrics ? TD_MSR_METRICS_BIT : 0);
}

/* Explains what forbids writing: the kernel's lockdown, or the module's own switch. */
static void explain_denied(struct td_msr *m, const char *name)
{
    static const char lockdown[] = "/sys/kernel/security/lockdown",
                      writes[] = "/sys/module/msr/parameters/allow_writes";
    char text[128] = "";

    m->os->file(m->os->ctx, writes, text, sizeof(text));
    if (!strncmp(text, "off", 3)) {
        snprintf(m->why, sizeof(m->why),
                 "CPU %d: %s cannot be written: the module msr forbids it (%s is off). What to do: echo on > %s, "
                 "or measure by perf (--source=perf)",
                 m->cpu, name, writes, writes);
        return;
    }
    *text = '\0';
    m->os->file(m->os->ctx, lockdown, text, sizeof(text));
    snprintf(m->why, sizeof(m->why), "CPU %d: %s cannot be written: %s. What to do: measure by perf (--source=perf)%s",
             m->cpu, name,
             strstr(text, "[integrity]") || strstr(text, "[confidentiality]")
                 ? "the kernel is locked down, which forbids it even to root"
                 : "the kernel does not permit it (lockdown, or a security module)",
             ", or boot without lockdown (it comes with Secure Boot)");
}

static int explain(struct td_msr *m, uint32_t reg, bool write, int err)
{
    char name[TD_MSR_NAME];

    td_msr_name(&m->caps, reg, name);
    if (err == -EPERM && write)
        explain_denied(m, name);
    else if (err == -ENXIO)
        snprintf(m->why, sizeof(m->why),
                 "CPU %d went offline: %s cannot be %s. What to do: measure CPUs that stay online", m->cpu, name,
                 write ? "written" : "read");
    else if (err == -EIO)
        snprintf(m->why, sizeof(m->why),
                 "CPU %d: %s cannot be %s: the CPU, or the hypervisor it runs under, refuses it. What to do: "
                 "measure by perf (--source=perf)",
                 m->cpu, name, write ? "written" : "read");
    else
        snprintf(m->why, sizeof(m->why), "CPU %d: %s cannot be %s: %s", m->cpu, name, write ? "written" : "read",
                 strerror(-err));
    return err;
}

static int refuse(struct td_msr *m, uint32_t reg, bool write)
{
    char name[TD_MSR_NAME];

    snprintf(m->why, sizeof(m->why), "CPU %d: %s is not to be %s, or not so: a bug of tdprobe", m->cpu,
             td_msr_name(&m->caps, reg, name), write ? "written" : "read");
    return -ENOTRECOVERABLE;
}

int td_msr_get(struct td_msr *m, uint32_t reg, uint64_t *value)
{
    int err;

    if (!td_msr_allowed(&m->caps, reg, false))
        return refuse(m, reg, false);
    err = m->os->msr_read(m->os->ctx, m->fd, td_msr_address(&m->caps, reg), value);
    return err ? explain(m, reg, false, err) : 0;
}

int td_msr_clear(struct td_msr *m, uint32_t reg, uint64_t bits)
{
    int err;

    if (!td_msr_allowed(&m->caps, reg, true) || bits & ~td_msr_mask(&m->caps, reg))
        return refuse(m, reg, true);
    err = m->os->msr_write(m->os->ctx, m->fd, td_msr_address(&m->caps, reg), bits);
    return err ? explain(m, reg, true, err) : 0;
}

int td_msr_put(struct td_msr *m, uint32_t reg, uint64_t value)
{
    struct td_msr_saved *s = td_msr_find(m, reg),
                        *beside = reg == TD_MSR_FIXED + TD_MSR_SLOTS ? td_msr_find(m, TD_MSR_METRICS) : NULL;
    int err;

    if (!s || !td_msr_allowed(&m->caps, reg, true) || (value & ~td_msr_mask(&m->caps, reg) && value != s->value))
        return refuse(m, reg, true);
    err = m->os->msr_write(m->os->ctx, m->fd, td_msr_address(&m->caps, reg), value);
    if (err == -EPERM) /* the kernel forbids it before anything is written */
        return explain(m, reg, true, err);
    s->changed = true; /* even if it fails: part of it may have been done */
    if (beside)
        beside->changed = true;
    s->ours = value;
    s->unsure = err != 0;
    return err ? explain(m, reg, true, err) : 0;
}
