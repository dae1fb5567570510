/* SPDX-License-Identifier: MIT */
/* The registers of a simulated CPU's counters. Addresses and layouts: Linux
 * arch/x86/include/asm/perf_event.h and msr-index.h. They count what the CPU
 * executes, beside the counters of the simulated kernel's own events. */
#include "machine_msr.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    PMC = 0xc1, EVTSEL = 0x186, FIXED = 0x309, METRICS = 0x329, CAPABILITIES = 0x345, FIXED_CTRL = 0x38d, STATUS = 0x38e, GLOBAL = 0x38f,
    RESET = 0x390, SET = 0x391, INUSE = 0x392, FULL_PMC = 0x4c1,
    SLOTS_COUNTER = 3,
    FIXED_FIELDS = 8, /* of FIXED_CTRL; flags of PEBS follow */
    USR = 1 << 16, INT = 1 << 20, ANY = 1 << 21, EN = 1 << 22,
    ENCODING = 0xff840000 | 0xffff, /* event, umask, edge, inv, cmask */
    KERNELS = EN | INT | USR | 0x3c, /* what counters of somebody else are programmed to */
};

static const uint64_t metrics_bit = UINT64_C(1) << 48, pmi_bit = UINT64_C(1) << 63;

static uint64_t below(unsigned bits)
{
    return bits > 63 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

/* ---- what the CPU has ------------------------------------------------------ */

static const struct td_sim_pmu *pmu_of(const struct td_sim *s, unsigned cpu)
{
    return s->cpu[cpu].pmu < TD_SIM_PMUS ? &s->pmu[s->cpu[cpu].pmu] : NULL;
}

static void find_counters(struct td_sim *s, unsigned cpu, struct td_sim_msr *m)
{
    const struct td_sim_pmu *p = pmu_of(s, cpu);
    uint32_t r[4] = {0}, features[4] = {0};

    s->os.cpuid(s, (int)cpu, 0xa, 0, r);
    s->os.cpuid(s, (int)cpu, 1, 0, features);
    if (!p || !(r[0] & 0xff))
        return;
    m->version = r[0] & 0xff;
    m->general = (uint32_t)p->counters;
    m->fixed = (uint32_t)(p->counters >> TD_SIM_FIXED) & ((1u << TD_SIM_MSR_FIXED) - 1);
    m->bits = r[0] >> 16 & 0x3f; /* none is wider */
    m->fixed_bits = r[3] >> 5 & 0x3f;
    m->any = m->version >= 3 && !(r[3] >> 15 & 1);
    m->fields = p->metrics;
    m->pdcm = features[2] >> 15 & 1;
    /* hybrids do not announce their metrics register (intel_pmu_broken_perf_cap()) */
    m->capabilities = UINT64_C(1) << 13 | (p->metrics && s->npmus == 1 ? UINT64_C(1) << 15 : 0);
    m->registers = (struct td_pmu){.rounding = p->rounding, .skew = p->skew};
}

static uint64_t counters_of(const struct td_sim_msr *m)
{
    return m->general | (uint64_t)m->fixed << 32 | (m->fields ? metrics_bit : 0);
}

static uint64_t fixed_ctrl_of(const struct td_sim_msr *m)
{
    uint64_t mask = 0;

    for (unsigned i = 0; i < TD_SIM_MSR_FIXED; i++)
        if (m->fixed >> i & 1)
            mask |= (m->any ? UINT64_C(0xf) : UINT64_C(0xb)) << (4 * i);
    for (unsigned i = 0; i < FIXED_FIELDS && m->fields; i++) /* adaptive PEBS came with the metrics register */
        mask |= (uint64_t)(m->fixed >> i & 1) << (32 + 4 * i);
    return mask;
}

/* Somebody else's counters, by "taken": they are programmed, and count cycles. */
static void take(const struct td_sim_pmu *p, struct td_sim_msr *m)
{
    for (unsigned i = 0; i < TD_SIM_MSR_GENERAL; i++)
        if (p->taken >> i & 1)
            m->evtsel[i] = KERNELS;
    for (unsigned i = 0; i < TD_SIM_MSR_FIXED; i++)
        if (p->taken >> (TD_SIM_FIXED + i) & 1)
            m->fixed_ctrl |= UINT64_C(0xb) << (4 * i);
}

struct td_sim_msr *td_sim_msr_of(struct td_sim *s, unsigned cpu)
{
    struct td_sim_msr *m = s->cpu[cpu].msr;
    const struct td_sim_pmu *p = pmu_of(s, cpu);

    if (m)
        return m;
    m = s->cpu[cpu].msr = calloc(1, sizeof(*m));
    if (!m)
        return NULL;
    find_counters(s, cpu, m);
    m->global = m->general | (uint64_t)m->fixed << 32; /* as Linux leaves it while nothing counts */
    if (p)
        take(p, m);
    for (size_t i = 0; i < s->npresets; i++)
        if (td_sim_set_has(&s->preset[i].cpus, cpu))
            td_sim_msr_put(m, s->preset[i].reg, s->preset[i].value);
    return m;
}

/* ---- counting ---------------------------------------------------------------- */

/* All that the CPU has counted of an event since the machine began, in TD_PMU_WHOLE-ths. */
static uint64_t total(const struct td_sim *s, unsigned cpu, uint64_t config, unsigned counter)
{
    const struct td_sim_pmu *p = pmu_of(s, cpu);
    size_t i = 0;

    if (config == 0x400)
        return s->cpu[cpu].bank[0].total.slots * TD_PMU_WHOLE;
    while (i < p->nconfigs && p->config[i].config != config)
        i++;
    if (i == p->nconfigs || (counter < TD_SIM_FIXED && p->config[i].on && !(p->config[i].on >> counter & 1)))
        return 0;
    return td_sim_config_count(s, &s->cpu[cpu], i);
}

/* What a counter is programmed to count now; 0: nothing. */
static uint64_t general_config(const struct td_sim_msr *m, unsigned i)
{
    if (!(m->evtsel[i] & EN) || !(m->evtsel[i] & USR) || !(m->global >> i & 1))
        return 0;
    return m->evtsel[i] & (ENCODING | ANY);
}

static uint64_t fixed_config(const struct td_sim_msr *m, unsigned i)
{
    static const uint16_t configs[] = {0xc0, 0x3c, 0x300, 0x400, 0x500, 0x600, 0x700};
    uint64_t ctrl = m->fixed_ctrl >> (4 * i) & 0xf;

    if (!(ctrl & 2) || !(m->global >> (32 + i) & 1) || i >= sizeof(configs) / sizeof(*configs))
        return 0;
    return configs[i] | (ctrl & 4 && i != SLOTS_COUNTER ? ANY : 0);
}

/* Adds what was counted since the last time, with its overflow. */
static void count(struct td_sim_msr *m, struct td_sim_msr_counter *c, uint64_t now, unsigned bits, unsigned status)
{
    uint64_t parts = now - c->last + c->rest, sum = c->value + parts / TD_PMU_WHOLE;

    c->rest = parts % TD_PMU_WHOLE;
    c->value = sum & below(bits);
    if (sum != c->value)
        m->status |= UINT64_C(1) << status;
}

/* The metrics register goes with fixed counter 3, which alone makes it no zeros. */
static void count_metrics(struct td_sim_msr *m, const struct td_pmu *bank, bool on)
{
    struct td_pmu_truth *t = &m->registers.total;
    const uint64_t slots = bank->total.slots - m->seen.slots;

    for (size_t i = 0; on && i < TD_PMU_FIELDS; i++)
        t->part[i] += bank->total.part[i] - m->seen.part[i];
    if (on && slots) {
        t->slots += slots;
        m->written = false;
        if ((t->slots - m->registers.at_reset.slots) >> m->fixed_bits)
            m->status |= metrics_bit;
    }
    m->seen = bank->total;
}

void td_sim_msr_update(struct td_sim *s, unsigned cpu, struct td_sim_msr *m, bool counting)
{
    uint64_t config;

    if (!m->version)
        return;
    td_sim_core_sync(s, cpu, s->now);
    for (unsigned i = 0; i < TD_SIM_MSR_GENERAL; i++) {
        config = m->general >> i & 1 ? general_config(m, i) : 0;
        if (config && counting)
            count(m, &m->pmc[i], total(s, cpu, config, i), m->bits, i);
        m->pmc[i].last = config ? total(s, cpu, config, i) : 0;
    }
    for (unsigned i = 0; i < TD_SIM_MSR_FIXED; i++) {
        config = m->fixed >> i & 1 ? fixed_config(m, i) : 0;
        if (config && counting)
            count(m, &m->fix[i], total(s, cpu, config, TD_SIM_FIXED + i), m->fixed_bits, 32 + i);
        m->fix[i].last = config ? total(s, cpu, config, TD_SIM_FIXED + i) : 0;
    }
    count_metrics(m, s->cpu[cpu].bank, counting && m->fields && m->global & metrics_bit && fixed_config(m, SLOTS_COUNTER));
}

/* ---- the registers -------------------------------------------------------------- */

/* Which counter of a row of registers it is; false: none that the CPU has. */
static bool counter_at(uint32_t reg, uint32_t first, uint32_t there, unsigned *n)
{
    *n = reg - first;
    return reg >= first && *n < 32 && there >> *n & 1;
}

/* Fields of a register that was written to and did not count since: as written.
 * A write of fixed counter 3 alone leaves them undefined. */
static uint64_t read_metrics(const struct td_sim_msr *m)
{
    if (m->stale)
        return below(8 * m->fields);
    return m->written ? m->metrics : td_pmu_metrics(&m->registers) & below(8 * m->fields);
}

/* What the simulated kernel's own events have at the moment, as it programs them:
 * programmable counters from the last on. */
static void kernels(const struct td_sim *s, unsigned cpu, const struct td_sim_msr *m, uint32_t *general, uint32_t *fixed)
{
    unsigned top = TD_SIM_MSR_GENERAL;

    *general = *fixed = 0;
    for (const struct td_sim_event *e = s->cpu[cpu].events.first; e; e = e->next)
        for (const struct td_sim_event *one = e; one; one = one->sibling) {
            if (one->state != TD_SIM_ACTIVE || (one->kind != TD_SIM_COUNT && one->kind != TD_SIM_SLOT))
                continue;
            while (one->kind == TD_SIM_COUNT && top && !(m->general >> --top & 1))
                ;
            *general |= one->kind == TD_SIM_COUNT ? UINT32_C(1) << top : 0;
            *fixed |= one->kind == TD_SIM_SLOT ? UINT32_C(1) << SLOTS_COUNTER : 0;
        }
}

static uint64_t read_evtsel(const struct td_sim *s, unsigned cpu, const struct td_sim_msr *m, unsigned i)
{
    uint32_t general, fixed;

    kernels(s, cpu, m, &general, &fixed);
    return general >> i & 1 ? KERNELS : m->evtsel[i];
}

static uint64_t read_fixed_ctrl(const struct td_sim *s, unsigned cpu, const struct td_sim_msr *m)
{
    uint64_t value = m->fixed_ctrl;
    uint32_t general, fixed;

    kernels(s, cpu, m, &general, &fixed);
    for (unsigned i = 0; i < TD_SIM_MSR_FIXED; i++)
        value |= fixed >> i & 1 ? UINT64_C(0xb) << (4 * i) : 0;
    return value;
}

/* As SDM 3B, "IA32_PERF_GLOBAL_INUSE MSR", has it: an event selected, whether or
 * not it is enabled; a fixed counter enabled; an interrupt asked for. */
static uint64_t in_use(const struct td_sim *s, unsigned cpu, const struct td_sim_msr *m)
{
    const uint64_t fixed = read_fixed_ctrl(s, cpu, m);
    uint64_t mask = 0;

    for (unsigned i = 0; i < TD_SIM_MSR_GENERAL; i++) {
        const uint64_t evtsel = read_evtsel(s, cpu, m, i);

        mask |= evtsel & 0xff ? UINT64_C(1) << i : 0;
        mask |= evtsel & INT ? pmi_bit : 0;
    }
    for (unsigned i = 0; i < FIXED_FIELDS; i++) {
        mask |= fixed >> (4 * i) & 3 ? UINT64_C(1) << (32 + i) : 0;
        mask |= fixed >> (4 * i) & 8 ? pmi_bit : 0;
    }
    return mask;
}

static int read_global(const struct td_sim *s, unsigned cpu, const struct td_sim_msr *m, uint32_t reg, uint64_t *value)
{
    if (m->version >= 4 && (reg == SET || reg == INUSE)) {
        *value = reg == SET ? 0 : in_use(s, cpu, m);
        return 0;
    }
    switch (reg) {
    case FIXED_CTRL: *value = read_fixed_ctrl(s, cpu, m); return 0;
    case STATUS: *value = m->status; return 0;
    case GLOBAL: *value = m->global; return 0;
    case RESET: *value = 0; return 0;
    case CAPABILITIES: *value = m->capabilities; return m->pdcm ? 0 : -EIO;
    case METRICS: *value = read_metrics(m); return m->fields ? 0 : -EIO;
    default: return -EIO;
    }
}

int td_sim_msr_get(const struct td_sim *s, unsigned cpu, const struct td_sim_msr *m, uint32_t reg, uint64_t *value)
{
    unsigned i;

    if (!m->version)
        return -EIO;
    if (counter_at(reg, PMC, m->general, &i) || (counter_at(reg, FULL_PMC, m->general, &i) && m->capabilities >> 13 & 1))
        *value = m->pmc[i].value;
    else if (counter_at(reg, EVTSEL, m->general, &i))
        *value = read_evtsel(s, cpu, m, i);
    else if (counter_at(reg, FIXED, m->fixed, &i))
        *value = m->fix[i].value;
    else
        return read_global(s, cpu, m, reg, value);
    return 0;
}

static int put_counter(struct td_sim_msr_counter *c, uint64_t value, unsigned bits)
{
    if (value & ~below(bits))
        return -EIO;
    c->value = value;
    c->rest = 0;
    return 0;
}

static int put_masked(uint64_t *to, uint64_t value, uint64_t mask)
{
    if (value & ~mask)
        return -EIO;
    *to = value;
    return 0;
}

static int put_slots(struct td_sim_msr *m, uint64_t value)
{
    struct td_pmu *r = &m->registers;

    if (put_counter(&m->fix[SLOTS_COUNTER], value, m->fixed_bits))
        return -EIO;
    r->at_reset.slots = r->total.slots - value;
    m->stale = m->fields != 0;
    return 0;
}

static int put_metrics(struct td_sim_msr *m, uint64_t value)
{
    if (!m->fields || value & ~below(8 * m->fields))
        return -EIO;
    td_sim_fields_write(&m->registers, m->fix[SLOTS_COUNTER].value, value);
    m->metrics = value;
    m->written = true;
    m->stale = false;
    return 0;
}

static int put_global(struct td_sim_msr *m, uint32_t reg, uint64_t value)
{
    const uint64_t bits = counters_of(m), status = bits | UINT64_C(0xff) << 54;

    switch (reg) {
    case FIXED_CTRL: return put_masked(&m->fixed_ctrl, value, fixed_ctrl_of(m));
    case GLOBAL: return put_masked(&m->global, value, bits);
    case METRICS: return put_metrics(m, value);
    case RESET:
        m->status &= ~(value & status);
        return value & ~status ? -EIO : 0;
    case SET:
        m->status |= m->version >= 4 ? value & status : 0;
        return m->version < 4 || value & ~status ? -EIO : 0;
    default: return -EIO;
    }
}

int td_sim_msr_put(struct td_sim_msr *m, uint32_t reg, uint64_t value)
{
    unsigned i;

    if (!m->version)
        return -EIO;
    if (counter_at(reg, PMC, m->general, &i)) /* 32 bits, sign-extended */
        return put_counter(&m->pmc[i], (uint64_t)(int64_t)(int32_t)value & below(m->bits), m->bits);
    if (counter_at(reg, FULL_PMC, m->general, &i) && m->capabilities >> 13 & 1)
        return put_counter(&m->pmc[i], value, m->bits);
    if (counter_at(reg, EVTSEL, m->general, &i))
        return put_masked(&m->evtsel[i], value, UINT32_MAX & ~(m->any ? UINT64_C(0) : (uint64_t)ANY));
    if (counter_at(reg, FIXED, m->fixed, &i))
        return i == SLOTS_COUNTER ? put_slots(m, value) : put_counter(&m->fix[i], value, m->fixed_bits);
    return put_global(m, reg, value);
}
