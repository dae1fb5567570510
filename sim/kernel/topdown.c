/* SPDX-License-Identifier: MIT */
#include "sim/kernel/schedule.h"

#include "sim/kernel/count.h"
#include "sim/kernel/kernel.h"
#include "sim/kernel/page.h"

/* Writes both registers as the kernel does. */
static void write_registers(struct td_sim *s, unsigned cpu, uint64_t slots, uint64_t metrics)
{
    struct td_pmu *p = &s->hw.cpu[cpu].bank[0];

    td_pmu_write_slots(p, slots);
    td_pmu_write_metrics(p, slots, metrics);
}

void td_sim_topdown_start(struct td_sim *s, unsigned cpu, struct td_sim_event *leader)
{
    const bool saved = !leader->fresh && leader->slots;

    s->counting[cpu].topdown = leader;
    write_registers(s, cpu, saved ? leader->slots : 0, saved ? leader->metrics : 0);
    leader->fresh = false;
}

static uint64_t field_value(uint64_t slots, uint64_t metrics, size_t field)
{
    return slots / 0xff * (metrics >> (8 * field) & 0xff) + slots % 0xff * (metrics >> (8 * field) & 0xff) / 0xff;
}

static void add_delta(const struct td_sim_event *leader, struct td_sim_event *e, uint64_t slots, uint64_t metrics)
{
    uint64_t now = slots, last = leader->slots;

    if (e->kind == TD_SIM_FIELD) {
        now = field_value(slots, metrics, e->index);
        last = leader->slots ? field_value(leader->slots, leader->metrics, e->index) : 0;
    } else if (e->kind != TD_SIM_SLOT) {
        return;
    }
    if (now > last) /* a count never runs backwards */
        e->count += now - last;
}

void td_sim_topdown_update(struct td_sim *s, unsigned cpu, bool reset)
{
    struct td_pmu *p = &s->hw.cpu[cpu].bank[0];
    struct td_sim_event *leader = s->counting[cpu].topdown;
    const uint64_t slots = td_pmu_slots(p), metrics = td_sim_metrics(s, cpu);

    if (!slots)
        return;
    for (struct td_sim_event *e = leader; e; e = e->sibling)
        if (e->state == TD_SIM_ACTIVE && e->user)
            add_delta(leader, e, slots, metrics);
    leader->slots = reset ? 0 : slots;
    leader->metrics = reset ? 0 : metrics;
    if (reset)
        td_pmu_reset(p);
}

void td_sim_topdown_join(struct td_sim *s, struct td_sim_event *leader)
{
    const int cpu = td_sim_event_cpu(leader);
    uint64_t slots;

    leader->topdown = true;
    leader->fresh = true;
    if (leader->state != TD_SIM_ACTIVE || cpu < 0)
        return;
    /* It was started as an ordinary counter, at -(2^47 - 1), which now counts as slots. */
    slots = (UINT64_C(1) << 47) + 1 + (td_sim_event_counter(s, leader, (unsigned)cpu) - leader->start) / TD_PMU_WHOLE;
    s->counting[cpu].topdown = leader;
    leader->fresh = false;
    write_registers(s, (unsigned)cpu, slots, 0);
    td_sim_page_update(s, leader);
}
