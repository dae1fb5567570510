// SPDX-License-Identifier: GPL-2.0
/* SLOTS and PERF_METRICS as the kernel treats them: intel_pmu_hw_config(),
 * icl_set_topdown_event_period() and icl_update_topdown_event() in
 * arch/x86/events/intel/core.c. */
#include <linux/math64.h>

#include "tdpmu.h"

#define ARCH_EVENT_MASK 0xffffULL
#define SLOTS_CONFIG 0x0400
#define METRIC_CONFIG 0x8000
#define NEVER_STARTED (~0ULL) /* in hw.saved_slots */

static bool is_metric_config(u64 config)
{
    config &= ARCH_EVENT_MASK;
    return !(config & 0xff) && config >= METRIC_CONFIG && config < METRIC_CONFIG + (TD_PMU_FIELDS << 8);
}

static unsigned metric_number(const struct perf_event *event)
{
    return event->attr.config >> 8 & 7;
}

static bool is_own_raw(const struct perf_event *event)
{
    return tdpmu_flavour->metrics && event->pmu && event->attr.type == event->pmu->type;
}

bool tdpmu_is_slots(const struct perf_event *event)
{
    return is_own_raw(event) && (event->attr.config & ARCH_EVENT_MASK) == SLOTS_CONFIG;
}

bool tdpmu_is_metric(const struct perf_event *event)
{
    return is_own_raw(event) && is_metric_config(event->attr.config);
}

/* The rules for a top-down event; sampling has been refused before. */
int tdpmu_topdown_check(struct perf_event *event)
{
    struct perf_event *leader = event->group_leader;

    if (event->attr.config1 || event->attr.config2 || event->attr.config & ~ARCH_EVENT_MASK)
        return -EINVAL;
    event->hw.saved_slots = NEVER_STARTED;
    event->hw.saved_metric = 0;
    if (tdpmu_is_slots(event))
        return 0;
    if (metric_number(event) >= tdpmu_flavour->metrics || !tdpmu_is_slots(leader))
        return -EINVAL;
    event->event_caps |= PERF_EV_CAP_SIBLING;
    event->hw.flags |= TDPMU_TOPDOWN;
    leader->hw.flags |= TDPMU_TOPDOWN;
    return 0;
}

/* Writes both registers. PERF_METRICS keeps only eight bits per field. */
static void write_registers(struct tdpmu_cpu *cpu, u64 slots, u64 metrics)
{
    td_pmu_reset(&cpu->model);
    cpu->model.at_reset.slots -= slots;
    for (unsigned i = 0; i < TD_PMU_FIELDS; i++)
        cpu->model.at_reset.part[i] -= mul_u64_u32_div(slots * TD_PMU_WHOLE, metrics >> (8 * i) & 0xff, 0xff);
}

/* A slots event that does not lead a metric is an ordinary fixed counter, which counts
 * up to its overflow: a metric that joins a running one finds this value in the register. */
static void start_ordinary(struct tdpmu_cpu *cpu, struct perf_event *event)
{
    td_pmu_reset(&cpu->model);
    cpu->model.at_reset.slots -= (1ULL << TD_PMU_BITS) - ((1ULL << (TD_PMU_BITS - 1)) - 1);
    local64_set(&event->hw.prev_count, tdpmu_lie == TDPMU_ZERO ? 0 : cpu->model.total.slots);
}

void tdpmu_topdown_start(struct tdpmu_cpu *cpu, struct perf_event *event)
{
    struct hw_perf_event *hw = &event->hw;

    if (!(hw->flags & TDPMU_TOPDOWN)) {
        start_ordinary(cpu, event);
        return;
    }
    if (hw->saved_slots == NEVER_STARTED) {
        td_pmu_reset(&cpu->model);
        hw->saved_slots = hw->saved_metric = 0;
    }
    if (hw->saved_slots && tdpmu_is_slots(event))
        write_registers(cpu, hw->saved_slots, hw->saved_metric);
}

static u64 count_of(const struct perf_event *event, u64 slots, u64 metrics)
{
    if (tdpmu_is_slots(event))
        return slots;
    return mul_u64_u32_div(slots, metrics >> (8 * metric_number(event)) & 0xff, 0xff);
}

/* Adds the increase of the registers since they were saved; a decrease is silently dropped. */
static void add_delta(struct perf_event *event, u64 slots, u64 metrics, u64 saved_slots, u64 saved_metric)
{
    u64 now = count_of(event, slots, metrics), last = saved_slots ? count_of(event, saved_slots, saved_metric) : 0;

    if (now > last)
        local64_add(now - last, &event->count);
}

static void save(struct tdpmu_cpu *cpu, struct perf_event *event, u64 slots, u64 metrics)
{
    event->hw.saved_slots = slots;
    event->hw.saved_metric = metrics;
    for (unsigned i = TDPMU_FIXED_SLOTS; i < TDPMU_METRIC + TD_PMU_FIELDS; i++)
        if (cpu->active & BIT_ULL(i)) {
            cpu->event[i]->hw.saved_slots = slots;
            cpu->event[i]->hw.saved_metric = metrics;
        }
}

/* While the event is running: counts the values of both registers and restarts them
 * at zero. While it is stopped (already out of cpu->active): keeps the registers
 * for its next start. */
void tdpmu_topdown_update(struct tdpmu_cpu *cpu, struct perf_event *event)
{
    u64 slots, metrics, saved_slots = event->hw.saved_slots, saved_metric = event->hw.saved_metric;

    if (!(event->hw.flags & TDPMU_TOPDOWN)) {
        u64 total = tdpmu_lie == TDPMU_ZERO ? 0 : cpu->model.total.slots;

        local64_add(total - local64_xchg(&event->hw.prev_count, total), &event->count);
        return;
    }
    slots = tdpmu_lie == TDPMU_ZERO ? 0 : td_pmu_slots(&cpu->model);
    if (!slots)
        return;
    metrics = tdpmu_lie == TDPMU_EQUAL ? ~0ULL : td_pmu_metrics(&cpu->model);
    for (unsigned i = TDPMU_FIXED_SLOTS; i < TDPMU_METRIC + TD_PMU_FIELDS; i++)
        if (cpu->active & BIT_ULL(i))
            add_delta(cpu->event[i], slots, metrics, saved_slots, saved_metric);
    if (!(cpu->active & BIT_ULL(event->hw.idx))) {
        add_delta(event, slots, metrics, saved_slots, saved_metric);
        save(cpu, event, slots, metrics);
        return;
    }
    td_pmu_reset(&cpu->model);
    save(cpu, event, 0, 0);
}
