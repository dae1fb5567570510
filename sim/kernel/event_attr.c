/* SPDX-License-Identifier: MIT */
#include "sim/kernel/event_attr.h"

#include "sim/kernel/kernel.h"
#include "sim/kernel/page.h"

#include <errno.h>

enum {
    CONFIG_SLOTS = 0x400,
    CONFIG_METRIC = 0x8000,
    CONFIG_METRIC_LAST = 0x8700,
    EVENT_AND_UMASK = 0xffff,
    ANY_THREAD = 1 << 21,
};

/* PERF_TYPE_RAW and PERF_TYPE_HARDWARE go to the PMU of type 4; on Arm, whose
 * PMUs have other types, to the first. */
static size_t generic_pmu(const struct td_sim *s)
{
    for (size_t i = 0; i < s->hw.npmus; i++)
        if (s->hw.pmu[i].type == PERF_TYPE_RAW)
            return i;
    return s->hw.npmus && s->hw.pmu[0].arm ? 0 : TD_SIM_NONE;
}

static size_t pmu_of_type(const struct td_sim *s, uint32_t type)
{
    for (size_t i = 0; i < s->hw.npmus; i++)
        if (s->hw.pmu[i].type == type)
            return i;
    return type == PERF_TYPE_RAW ? generic_pmu(s) : TD_SIM_NONE;
}

static bool is_amd(const struct td_sim *s)
{
    uint32_t r[4];

    td_sim_cpuid(&s->hw, 0, 0, 0, r);
    return r[1] == TD_CPUID_AMD;
}

/* The encodings of the generic events that are simulated. */
static int generic_config(const struct td_sim *s, const struct td_sim_pmu *p, uint64_t id, uint64_t *config)
{
    switch (id) {
    case PERF_COUNT_HW_CPU_CYCLES: *config = p->arm ? 0x11 : is_amd(s) ? 0x76 : 0x3c; return 0;
    case PERF_COUNT_HW_INSTRUCTIONS: *config = p->arm ? 0x08 : 0xc0; return 0;
    case PERF_COUNT_HW_REF_CPU_CYCLES: *config = is_amd(s) ? 0x100000120 : 0x300; return p->arm ? -ENOENT : 0;
    default: return -ENOENT;
    }
}

static int tsc_event(const struct perf_event_attr *attr, struct td_sim_event *e)
{
    e->kind = TD_SIM_SOFT;
    e->pmu = TD_SIM_NONE;
    e->software = TD_SIM_TSC;
    return attr->config || attr->exclude_user || attr->exclude_kernel || attr->exclude_hv || attr->sample_period
               ? -EINVAL
               : 0;
}

int td_sim_attr_pmu(const struct td_sim *s, const struct perf_event_attr *attr, struct td_sim_event *e,
                    uint64_t *config)
{
    uint32_t type = attr->type;
    int err = 0;

    *config = attr->config;
    if (type == PERF_TYPE_SOFTWARE) {
        e->kind = TD_SIM_SOFT;
        e->pmu = TD_SIM_NONE;
        e->software = attr->config;
        return attr->config < PERF_COUNT_SW_MAX ? 0 : -ENOENT;
    }
    if (type == TD_SIM_MSR_TYPE && s->tsc) /* msr_event_init() in arch/x86/events/msr.c; its PMU has no modes */
        return tsc_event(attr, e);
    if (type == PERF_TYPE_HARDWARE) {
        type = (uint32_t)(attr->config >> 32);
        e->pmu = type ? pmu_of_type(s, type) : generic_pmu(s);
        if (e->pmu != TD_SIM_NONE)
            err = generic_config(s, &s->hw.pmu[e->pmu], attr->config & UINT32_MAX, config);
    } else {
        e->pmu = pmu_of_type(s, type);
    }
    if (err || e->pmu == TD_SIM_NONE)
        return -ENOENT;
    e->kind = TD_SIM_COUNT;
    if (s->hw.pmu[e->pmu].arm)
        *config &= 0xffff; /* armpmu_map_raw_event(): any config can be opened */
    return 0;
}

/* Fixed counters by their encodings (the constraint tables of core.c; those of
 * Skymont from 4 on). "also": a general counter can count it too. */
static const struct {
    uint16_t config;
    uint8_t fixed;
    bool also;
} fixed_events[] = {
    {0x00c0, 0, true},  {0x003c, 1, true},  {0x0300, 2, false}, {CONFIG_SLOTS, 3, false}, {0x0500, 4, false},
    {0x0600, 5, false}, {0x0700, 6, false}, {0x0073, 4, true},  {0x019c, 5, true},        {0x02c2, 6, true},
};

static uint64_t counters_of(const struct td_sim_pmu *p, const struct td_sim_event *e, uint64_t config)
{
    const uint64_t general = p->counters & (((uint64_t)1 << TD_SIM_FIXED) - 1);
    uint64_t mask = e->index != TD_SIM_NONE && p->config[e->index].on ? p->config[e->index].on : general;

    if (p->arm)
        return config == 0x11 ? mask | UINT64_C(1) << TD_SIM_CYCLE : mask;
    for (size_t i = 0; i < sizeof(fixed_events) / sizeof(*fixed_events); i++) {
        uint64_t bit = UINT64_C(1) << (TD_SIM_FIXED + fixed_events[i].fixed);

        /* the any bit makes no difference: fixed counters have one too */
        if ((config & ~(uint64_t)ANY_THREAD) != fixed_events[i].config)
            continue;
        if (!fixed_events[i].also)
            return bit & p->counters;
        mask |= bit & p->counters;
    }
    return mask;
}

/* The rules of the slots event and the metrics, if the PMU has them. */
static int topdown_config(const struct td_sim *s, const struct perf_event_attr *attr, struct td_sim_event *e,
                          const struct td_sim_event *leader)
{
    const struct td_sim_pmu *p = &s->hw.pmu[e->pmu];
    const uint64_t code = attr->config & EVENT_AND_UMASK;
    const bool slots = code == CONFIG_SLOTS,
               metric = code >= CONFIG_METRIC && code <= CONFIG_METRIC_LAST && !(code & 0xff);

    if (p->arm || attr->type == PERF_TYPE_HARDWARE || !p->metrics || (!slots && !metric))
        return 0;
    if (attr->config != code || attr->config1 || attr->config2)
        return -EINVAL;
    e->kind = slots ? TD_SIM_SLOT : TD_SIM_FIELD;
    e->index = slots ? 0 : (code - CONFIG_METRIC) >> 8;
    if (slots)
        return 0;
    if (e->index >= p->metrics || attr->sample_period)
        return -EINVAL;
    if (!leader || leader->kind != TD_SIM_SLOT || leader->sampling)
        return -EINVAL;
    e->mask = UINT64_C(1) << (TD_SIM_METRIC + e->index);
    return 0;
}

bool td_sim_attr_any(const struct td_sim *s, const struct td_sim_event *e, uint64_t config)
{
    return !s->hw.pmu[e->pmu].arm && config & ANY_THREAD;
}

/* intel_skl_extra_regs and those after it in arch/x86/events/intel/core.c. */
static void set_extra(const struct td_sim *s, const struct perf_event_attr *attr, uint64_t config,
                      struct td_sim_event *e)
{
    static const struct {
        uint16_t config;
        uint8_t in;
    } all[] = {
        {0x1b7, TD_SIM_OFFCORE},  {0x1bb, TD_SIM_OFFCORE},   {0x12a, TD_SIM_OFFCORE},
        {0x12b, TD_SIM_OFFCORE},  {0x1c6, TD_SIM_FRONTEND},  {0x2c6, TD_SIM_FRONTEND},
        {0x3c6, TD_SIM_FRONTEND}, {0x40ad, TD_SIM_FRONTEND}, {0x4c2, TD_SIM_FRONTEND},
    };

    e->in = TD_SIM_NO_EXTRA;
    e->extra = attr->config1;
    for (size_t i = 0; i < sizeof(all) / sizeof(*all) && e->extra && !s->hw.pmu[e->pmu].arm && !is_amd(s); i++)
        if (all[i].config == (config & EVENT_AND_UMASK))
            e->in = all[i].in;
}

static int hardware_counters(const struct td_sim *s, const struct perf_event_attr *attr, uint64_t config,
                             const struct td_sim_event *leader, struct td_sim_event *e)
{
    const struct td_sim_pmu *p = &s->hw.pmu[e->pmu];
    int err;

    set_extra(s, attr, config, e);
    e->index = td_sim_pmu_event(p, config, e->in == TD_SIM_NO_EXTRA ? 0 : e->extra);
    if (p->arm && attr->exclude_idle)
        return -EOPNOTSUPP;
    e->mask = counters_of(p, e, config);
    err = topdown_config(s, attr, e, leader);
    if (!err && !(e->mask & (p->counters | ~((UINT64_C(1) << TD_SIM_METRIC) - 1))))
        err = -EINVAL; /* no counter of this PMU can ever count it */
    return err;
}

int td_sim_attr_counters(const struct td_sim *s, const struct perf_event_attr *attr, uint64_t config,
                         const struct td_sim_event *leader, struct td_sim_event *e)
{
    int err = e->kind == TD_SIM_SOFT ? 0 : hardware_counters(s, attr, config, leader, e);

    return err ? err : td_sim_event_user(s, attr, e);
}

void td_sim_attr_set(const struct td_sim *s, const struct perf_event_attr *attr, struct td_sim_event *e)
{
    e->state = attr->disabled ? TD_SIM_OFF : TD_SIM_INACTIVE;
    e->pinned = attr->pinned;
    e->on_exec = attr->enable_on_exec;
    e->sampling = attr->sample_period;
    e->user = !attr->exclude_user;
    e->kernel = !attr->exclude_kernel;
    e->format = attr->read_format;
    e->since = s->hw.now;
    e->fresh = true;
    e->inherit = attr->inherit;
}
