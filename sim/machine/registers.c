/* SPDX-License-Identifier: MIT */
/* The registers of a simulated CPU's counters. Addresses and layouts: Linux
 * arch/x86/include/asm/perf_event.h and msr-index.h. They count what the CPU
 * executes, independently of the counters of the simulated kernel's events. */
#include "sim/machine/registers.h"

#include "os/os.h"
#include "sim/machine/execute.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    GENERAL = 31, /* the most counters that there can be */
    FIXED_COUNTERS = 15,
    PMC = 0xc1,
    EVTSEL = 0x186,
    FIXED = 0x309,
    METRICS = 0x329,
    CAPABILITIES = 0x345,
    FIXED_CTRL = 0x38d,
    STATUS = 0x38e,
    GLOBAL = 0x38f,
    RESET = 0x390,
    SET = 0x391,
    INUSE = 0x392,
    FULL_PMC = 0x4c1,
    SLOTS_COUNTER = 3,
    SLOTS_CONFIG = 0x400,
    FIXED_FIELDS = 8, /* of FIXED_CTRL; flags of PEBS follow */
    USR = 1 << 16,
    INT = 1 << 20,
    ANY = 1 << 21,
    EN = 1 << 22,
    ENCODING = 0xff840000 | 0xffff, /* event, umask, edge, inv, cmask */
    KERNELS = EN | INT | USR | 0x3c, /* what others' counters are programmed to */
    AMD_KERNELS = EN | INT | USR | 0x76,
    AMD_CTL = 0xc0010200, /* MSR_F15H_PERF_CTL; with those of PERF_CTR in turns */
    AMD_CTL_RESERVED = 1 << 21 | 1 << 19,
    AMD_STATUS = 0xc0000300, /* MSR_AMD64_PERF_CNTR_GLOBAL_STATUS; _CTL, _STATUS_CLR and _STATUS_SET follow */
    FULL_WIDTH = 1 << 13,
    METRICS_THERE = 1 << 15, /* of CAPABILITIES */
};

static const uint64_t metrics_bit = UINT64_C(1) << 48, pmi_bit = UINT64_C(1) << 63;
/* the upper bits of an AMD event's number; those that keep a guest or the host apart */
static const uint64_t amd_event = UINT64_C(0xf) << 32, amd_guest = UINT64_C(3) << 40;
/* of AMD's status: that an overflow froze the branch records, and the counters (APM 2, 13.2; Linux
 * arch/x86/include/asm/perf_event.h, GLOBAL_STATUS_LBRS_FROZEN and GLOBAL_STATUS_COUNTERS_FROZEN) */
static const uint64_t amd_frozen = UINT64_C(3) << 58;

static uint64_t below(unsigned bits)
{
    return bits > 63 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

struct counter {
    uint64_t value;
    uint64_t last; /* its event's total at the last update */
    uint64_t rest; /* part of a count, in TD_PMU_WHOLE-ths */
};

struct td_sim_registers {
    unsigned version, fields; /* version 0: no counters */
    bool amd; /* its registers have AMD's addresses; inside they are kept as Intel's */
    unsigned bits, fixed_bits; /* widths */
    uint32_t general, fixed; /* the counters that exist */
    bool any;
    uint64_t capabilities; /* 0: there is no such register */
    uint64_t evtsel[GENERAL], fixed_ctrl, global, status;
    struct counter pmc[GENERAL], fix[FIXED_COUNTERS];
    struct td_pmu shown; /* what the metrics register counted: its slots and fields only */
    struct td_pmu_truth seen; /* the CPU's total at the last update */
    uint64_t metrics; /* the metrics register as it was written last */
    bool written; /* nothing was counted since it was written */
    bool stale; /* fixed counter 3 was written after it */
};

/* ---- what the CPU has ------------------------------------------------------ */

/* Linux arch/x86/events/amd/core.c, amd_core_pmu_init(): PerfMonV2 counts its counters. */
static void find_amd(const struct td_sim_hw *hw, unsigned cpu, const struct td_sim_pmu *p, struct td_sim_registers *m)
{
    uint32_t r[4];

    td_sim_cpuid(hw, cpu, 0x80000022, 0, r);
    m->version = p && r[0] & 1 ? 4 : 0;
    if (!m->version)
        return;
    m->general = (uint32_t)p->counters & ((1u << (r[1] & 0xf)) - 1);
    m->bits = 48;
}

static void find_counters(const struct td_sim_hw *hw, unsigned cpu, struct td_sim_registers *m)
{
    const struct td_sim_pmu *p = td_sim_pmu_of(hw, cpu);
    uint32_t r[4], features[4], vendor[4];

    td_sim_cpuid(hw, cpu, 0, 0, vendor);
    m->amd = vendor[1] == TD_CPUID_AMD;
    if (m->amd) {
        find_amd(hw, cpu, p, m);
        return;
    }
    td_sim_cpuid(hw, cpu, 0xa, 0, r);
    td_sim_cpuid(hw, cpu, 1, 0, features);
    m->version = p ? r[0] & 0xff : 0;
    if (!m->version)
        return;
    m->general = (uint32_t)p->counters;
    m->fixed = (uint32_t)(p->counters >> TD_SIM_FIXED) & ((1u << FIXED_COUNTERS) - 1);
    m->bits = r[0] >> 16 & 0x3f; /* no counter is wider */
    m->fixed_bits = r[3] >> 5 & 0x3f;
    m->any = m->version >= 3 && !(r[3] >> 15 & 1);
    m->fields = p->metrics;
    /* the capabilities of hybrids do not show that they have a metrics register (intel_pmu_broken_perf_cap()) */
    m->capabilities = !(features[2] >> 15 & 1) ? 0 : FULL_WIDTH | (p->metrics && hw->npmus == 1 ? METRICS_THERE : 0);
}

static uint64_t counters_of(const struct td_sim_registers *m)
{
    return m->general | (uint64_t)m->fixed << 32 | (m->fields ? metrics_bit : 0);
}

static uint64_t fixed_ctrl_of(const struct td_sim_registers *m)
{
    uint64_t mask = 0;

    for (unsigned i = 0; i < FIXED_COUNTERS; i++)
        if (m->fixed >> i & 1)
            mask |= (m->any ? UINT64_C(0xf) : UINT64_C(0xb)) << (4 * i);
    for (unsigned i = 0; i < FIXED_FIELDS && m->fields; i++) /* adaptive PEBS came with the metrics register */
        mask |= (uint64_t)(m->fixed >> i & 1) << (32 + 4 * i);
    return mask;
}

/* What the kernel's own counters are programmed to: cycles. */
static uint64_t kernels(const struct td_sim_registers *m)
{
    return m->amd ? AMD_KERNELS : KERNELS;
}

/* Counters that others have, by the description's word "taken": they are programmed, and count cycles. */
static void take(const struct td_sim_pmu *p, struct td_sim_registers *m)
{
    for (unsigned i = 0; i < GENERAL; i++)
        if (p->taken >> i & 1)
            m->evtsel[i] = kernels(m);
    for (unsigned i = 0; i < FIXED_COUNTERS; i++)
        if (p->taken >> (TD_SIM_FIXED + i) & 1)
            m->fixed_ctrl |= UINT64_C(0xb) << (4 * i);
}

static struct td_sim_registers *make(struct td_sim_hw *hw, unsigned cpu)
{
    const struct td_sim_pmu *p = td_sim_pmu_of(hw, cpu);
    struct td_sim_registers *m = calloc(1, sizeof(*m));

    if (!m)
        return NULL;
    find_counters(hw, cpu, m);
    m->global = m->general | (uint64_t)m->fixed << 32; /* as Linux leaves it while nothing counts */
    if (p) {
        m->shown = (struct td_pmu){.rounding = p->rounding, .skew = p->skew};
        take(p, m);
    }
    for (size_t i = 0; i < hw->npresets; i++)
        if (td_sim_applies(&hw->preset[i].cpus, cpu))
            td_sim_register_put(m, hw->preset[i].reg, hw->preset[i].value);
    return m;
}

struct td_sim_registers *td_sim_registers_of(struct td_sim_hw *hw, unsigned cpu)
{
    struct td_sim_registers **m = &hw->cpu[cpu].registers;

    if (!*m)
        *m = make(hw, cpu);
    if (*m)
        find_counters(hw, cpu, *m);
    return *m;
}

/* ---- counting ---------------------------------------------------------------- */

/* All that the CPU has counted of an event since the machine began, in TD_PMU_WHOLE-ths. */
static uint64_t total(const struct td_sim_hw *hw, unsigned cpu, uint64_t config, unsigned counter)
{
    const struct td_sim_pmu *p = td_sim_pmu_of(hw, cpu);
    const size_t event = td_sim_pmu_event(p, config, 0);

    if (config == SLOTS_CONFIG)
        return hw->cpu[cpu].bank[0].total.slots * TD_PMU_WHOLE;
    if (event == TD_SIM_NONE ||
        (counter < TD_SIM_FIXED && p->config[event].on && !(p->config[event].on >> counter & 1)))
        return 0;
    return td_sim_core_count(hw, cpu, event);
}

/* What a counter is programmed to count now; 0: nothing. */
static uint64_t general_config(const struct td_sim_registers *m, unsigned i)
{
    if (!(m->evtsel[i] & EN) || !(m->evtsel[i] & USR) || !(m->global >> i & 1))
        return 0;
    return m->evtsel[i] & (m->amd ? ENCODING | amd_event : (uint64_t)(ENCODING | ANY));
}

static uint64_t fixed_config(const struct td_sim_registers *m, unsigned i)
{
    static const uint16_t configs[] = {0xc0, 0x3c, 0x300, SLOTS_CONFIG, 0x500, 0x600, 0x700};
    uint64_t ctrl = m->fixed_ctrl >> (4 * i) & 0xf;

    if (!(ctrl & 2) || !(m->global >> (32 + i) & 1) || i >= sizeof(configs) / sizeof(*configs))
        return 0;
    return configs[i] | (ctrl & 4 && i != SLOTS_COUNTER ? ANY : 0);
}

/* Adds what was counted since the last update, and sets the overflow's bit. */
static void count(struct td_sim_registers *m, struct counter *c, uint64_t now, unsigned bits, unsigned status)
{
    uint64_t parts = now - c->last + c->rest, sum = c->value + parts / TD_PMU_WHOLE;

    c->rest = parts % TD_PMU_WHOLE;
    c->value = sum & below(bits);
    if (sum != c->value)
        m->status |= UINT64_C(1) << status;
}

/* The metrics register counts while fixed counter 3 does. */
static void count_metrics(struct td_sim_registers *m, const struct td_pmu *bank, bool on)
{
    struct td_pmu_truth *t = &m->shown.total;
    const uint64_t slots = bank->total.slots - m->seen.slots;

    for (size_t i = 0; on && i < TD_PMU_FIELDS; i++)
        t->part[i] += bank->total.part[i] - m->seen.part[i];
    if (on && slots) {
        t->slots += slots;
        m->written = false;
        if ((t->slots - m->shown.at_reset.slots) >> m->fixed_bits)
            m->status |= metrics_bit;
    }
    m->seen = bank->total;
}

void td_sim_registers_update(struct td_sim_hw *hw, unsigned cpu, struct td_sim_registers *m, bool counting)
{
    uint64_t config;

    if (!m->version)
        return;
    td_sim_core_sync(hw, cpu, hw->now);
    for (unsigned i = 0; i < GENERAL; i++) {
        config = m->general >> i & 1 ? general_config(m, i) : 0;
        if (config && counting)
            count(m, &m->pmc[i], total(hw, cpu, config, i), m->bits, i);
        m->pmc[i].last = config ? total(hw, cpu, config, i) : 0;
    }
    for (unsigned i = 0; i < FIXED_COUNTERS; i++) {
        config = m->fixed >> i & 1 ? fixed_config(m, i) : 0;
        if (config && counting)
            count(m, &m->fix[i], total(hw, cpu, config, TD_SIM_FIXED + i), m->fixed_bits, 32 + i);
        m->fix[i].last = config ? total(hw, cpu, config, TD_SIM_FIXED + i) : 0;
    }
    count_metrics(m, hw->cpu[cpu].bank,
                  counting && m->fields && m->global & metrics_bit && fixed_config(m, SLOTS_COUNTER));
}

/* ---- the registers -------------------------------------------------------------- */

/* Which counter a register belongs to, if the counters' registers are numbered from first on; false: to none. */
static bool counter_at(uint32_t reg, uint32_t first, uint32_t there, unsigned *n)
{
    *n = reg - first;
    return reg >= first && *n < 32 && there >> *n & 1;
}

/* The metrics register reads as it was written if nothing was counted since. After fixed counter 3 was written its
 * value is undefined. */
static uint64_t read_metrics(const struct td_sim_registers *m)
{
    if (m->stale)
        return below(8 * m->fields);
    return m->written ? m->metrics : td_pmu_metrics(&m->shown) & below(8 * m->fields);
}

/* The kernel takes general counters from the last one down. */
static bool kernel_has(const struct td_sim_registers *m, const struct td_sim_occupied *k, unsigned i)
{
    return m->general >> i & 1 && (unsigned)__builtin_popcount(m->general >> i) <= k->general;
}

static uint64_t read_evtsel(const struct td_sim_registers *m, const struct td_sim_occupied *k, unsigned i)
{
    return kernel_has(m, k, i) ? kernels(m) : m->evtsel[i];
}

static uint64_t read_fixed_ctrl(const struct td_sim_registers *m, const struct td_sim_occupied *k)
{
    uint64_t value = m->fixed_ctrl;

    for (unsigned i = 0; i < FIXED_COUNTERS; i++)
        value |= k->fixed >> i & 1 ? UINT64_C(0xb) << (4 * i) : 0;
    return value;
}

/* SDM 3B, "IA32_PERF_GLOBAL_INUSE MSR": a counter with an event selected, enabled or not;
 * a fixed counter that is enabled; whether an interrupt is requested. */
static uint64_t in_use(const struct td_sim_registers *m, const struct td_sim_occupied *k)
{
    const uint64_t fixed = read_fixed_ctrl(m, k);
    uint64_t mask = 0;

    for (unsigned i = 0; i < GENERAL; i++) {
        const uint64_t evtsel = read_evtsel(m, k, i);

        mask |= evtsel & 0xff ? UINT64_C(1) << i : 0;
        mask |= evtsel & INT ? pmi_bit : 0;
    }
    for (unsigned i = 0; i < FIXED_FIELDS; i++) {
        mask |= fixed >> (4 * i) & 3 ? UINT64_C(1) << (32 + i) : 0;
        mask |= fixed >> (4 * i) & 8 ? pmi_bit : 0;
    }
    return mask;
}

static int read_global(const struct td_sim_registers *m, const struct td_sim_occupied *k, uint32_t reg, uint64_t *value)
{
    if (m->version >= 4 && (reg == SET || (reg == INUSE && !m->amd))) {
        *value = reg == SET ? 0 : in_use(m, k);
        return 0;
    }
    switch (reg) {
    case FIXED_CTRL: *value = read_fixed_ctrl(m, k); return 0;
    case STATUS: *value = m->status; return 0;
    case GLOBAL: *value = m->global; return 0;
    case RESET: *value = 0; return 0;
    case CAPABILITIES: *value = m->capabilities; return m->capabilities ? 0 : -EIO;
    case METRICS: *value = read_metrics(m); return m->fields ? 0 : -EIO;
    default: return -EIO;
    }
}

/* Intel's number of the register that is at an address; 0: there is none. */
static uint32_t number_of(const struct td_sim_registers *m, uint32_t address)
{
    static const uint16_t global[] = {STATUS, GLOBAL, RESET, SET};

    if (!m->amd)
        return address;
    if (address >= AMD_CTL && address < AMD_CTL + 2 * GENERAL)
        return ((address - AMD_CTL) % 2 ? FULL_PMC : EVTSEL) + (address - AMD_CTL) / 2;
    return address >= AMD_STATUS && address < AMD_STATUS + 4 ? global[address - AMD_STATUS] : 0;
}

static bool full_width(const struct td_sim_registers *m)
{
    return m->amd || m->capabilities & FULL_WIDTH;
}

int td_sim_register_get(const struct td_sim_registers *m, const struct td_sim_occupied *k, uint32_t address,
                        uint64_t *value)
{
    const uint32_t reg = number_of(m, address);
    unsigned i;

    if (!m->version)
        return -EIO;
    if (counter_at(reg, PMC, m->general, &i) || (counter_at(reg, FULL_PMC, m->general, &i) && full_width(m)))
        *value = m->pmc[i].value;
    else if (counter_at(reg, EVTSEL, m->general, &i))
        *value = read_evtsel(m, k, i);
    else if (counter_at(reg, FIXED, m->fixed, &i))
        *value = m->fix[i].value;
    else
        return read_global(m, k, reg, value);
    return 0;
}

static int put_counter(struct counter *c, uint64_t value, unsigned bits)
{
    if (value & ~below(bits))
        return -EIO;
    c->value = value;
    c->rest = 0;
    return 0;
}

/* Writes the bits that there are. Others fault on Intel's CPUs, and are ignored by AMD's: Linux arch/x86/kvm/pmu.c,
 * kvm_pmu_set_msr(), and svm/pmu.c, amd_pmu_set_msr(). */
static int put_masked(const struct td_sim_registers *m, uint64_t *to, uint64_t value, uint64_t mask)
{
    if (value & ~mask && !m->amd)
        return -EIO;
    *to = value & mask;
    return 0;
}

static int put_slots(struct td_sim_registers *m, uint64_t value)
{
    if (put_counter(&m->fix[SLOTS_COUNTER], value, m->fixed_bits))
        return -EIO;
    td_pmu_write_slots(&m->shown, value);
    m->stale = m->fields != 0;
    return 0;
}

static int put_metrics(struct td_sim_registers *m, uint64_t value)
{
    if (!m->fields || value & ~below(8 * m->fields))
        return -EIO;
    td_pmu_write_metrics(&m->shown, m->fix[SLOTS_COUNTER].value, value);
    m->metrics = value;
    m->written = true;
    m->stale = false;
    return 0;
}

static int put_global(struct td_sim_registers *m, uint32_t reg, uint64_t value)
{
    const uint64_t bits = counters_of(m), status = bits | (m->amd ? amd_frozen : UINT64_C(0xff) << 54);

    switch (reg) {
    case FIXED_CTRL: return put_masked(m, &m->fixed_ctrl, value, fixed_ctrl_of(m));
    case GLOBAL: return put_masked(m, &m->global, value, bits);
    case METRICS: return put_metrics(m, value);
    case STATUS: return m->amd ? 0 : -EIO;
    case RESET: m->status &= ~(value & status); break;
    case SET:
        if (m->version < 4)
            return -EIO;
        m->status |= value & status;
        break;
    default: return -EIO;
    }
    return value & ~status && !m->amd ? -EIO : 0;
}

static uint64_t evtsel_mask(const struct td_sim_registers *m)
{
    if (m->amd)
        return amd_guest | amd_event | (UINT32_MAX & ~(uint64_t)AMD_CTL_RESERVED);
    return UINT32_MAX & ~(m->any ? UINT64_C(0) : (uint64_t)ANY);
}

int td_sim_register_put(struct td_sim_registers *m, uint32_t address, uint64_t value)
{
    const uint32_t reg = number_of(m, address);
    unsigned i;

    if (!m->version)
        return -EIO;
    if (counter_at(reg, PMC, m->general, &i)) /* 32 bits, sign-extended */
        return put_counter(&m->pmc[i], (uint64_t)(int64_t)(int32_t)value & below(m->bits), m->bits);
    if (counter_at(reg, FULL_PMC, m->general, &i) && full_width(m))
        return put_counter(&m->pmc[i], value, m->bits);
    if (counter_at(reg, EVTSEL, m->general, &i))
        return put_masked(m, &m->evtsel[i], value, evtsel_mask(m));
    if (counter_at(reg, FIXED, m->fixed, &i))
        return i == SLOTS_COUNTER ? put_slots(m, value) : put_counter(&m->fix[i], value, m->fixed_bits);
    return put_global(m, reg, value);
}
