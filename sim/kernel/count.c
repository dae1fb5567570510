/* SPDX-License-Identifier: MIT */
#include "sim/kernel/count.h"

#include "sim/kernel/kernel.h"
#include "sim/machine/execute.h"

int td_sim_event_cpu(const struct td_sim_event *e)
{
    return e->task ? e->task->cpu : e->cpu;
}

/* Whether a task, NULL the idle one, is in the cgroup that an event is of. */
static bool is_inside(const struct td_sim_cgroups *c, const struct td_sim_event *e, const struct td_sim_task *t)
{
    return !e->cgroup || (e->made == c->made[e->cgroup - 1] && td_sim_cgroup_has(c, e->cgroup - 1, t ? t->cgroup : 0));
}

bool td_sim_event_live(const struct td_sim *s, const struct td_sim_event *e)
{
    if (!e->leader->context)
        return false;
    if (e->task)
        return e->task->cpu >= 0;
    return s->hw.cpu[e->cpu].online && is_inside(&s->cgroups, e, s->tasks.on[e->cpu]);
}

void td_sim_event_time(struct td_sim *s, struct td_sim_event *e)
{
    const int cpu = td_sim_event_cpu(e);
    const uint64_t to = cpu < 0 ? s->hw.now : s->hw.cpu[s->hw.cpu[cpu].first].synced,
                   ns = to > e->since ? to - e->since : 0;

    if (to > e->since)
        e->since = to;
    if (!td_sim_event_live(s, e) || e->state < TD_SIM_INACTIVE || e->leader->state < TD_SIM_INACTIVE)
        return;
    e->enabled += ns;
    if (e->state == TD_SIM_ACTIVE)
        e->running += ns;
}

void td_sim_context_times(struct td_sim *s, struct td_sim_context *c)
{
    for (struct td_sim_event *e = c->first; e; e = e->next)
        for (struct td_sim_event *m = e; m; m = m->sibling)
            td_sim_event_time(s, m);
}

uint64_t td_sim_event_counter(const struct td_sim *s, const struct td_sim_event *e, unsigned cpu)
{
    const struct td_sim_pmu *p = td_sim_pmu_of(&s->hw, cpu);

    if (!e->user)
        return 0;
    if (p->lie == TD_SIM_EQUAL || e->kind == TD_SIM_SLOT)
        return s->hw.cpu[cpu].bank[0].total.slots * TD_PMU_WHOLE;
    if (e->kind != TD_SIM_COUNT || e->index == TD_SIM_NONE)
        return 0;
    return td_sim_core_count(&s->hw, cpu, e->index);
}

static uint64_t tsc_ticks(const struct td_sim *s, uint64_t ns)
{
    return ns / TD_SIM_NSEC * s->tsc + ns % TD_SIM_NSEC * (s->tsc / 1000) / 1000000;
}

uint64_t td_sim_event_value(const struct td_sim *s, const struct td_sim_event *e)
{
    if (e->kind == TD_SIM_SOFT && e->software == TD_SIM_TSC)
        return tsc_ticks(s, e->running - e->start);
    if (e->kind == TD_SIM_SOFT) /* PERF_COUNT_SW_CPU_CLOCK, PERF_COUNT_SW_TASK_CLOCK */
        return e->software <= 1 ? e->running - e->start : 0;
    switch (s->hw.pmu[e->pmu].lie) {
    case TD_SIM_CONSTANT: return e->running ? 1000000 : 0;
    case TD_SIM_SLOTS: return e->kind == TD_SIM_COUNT ? e->count + e->raw / TD_PMU_WHOLE : 16 * e->count;
    default: return e->count + e->raw / TD_PMU_WHOLE;
    }
}

uint64_t td_sim_event_now(const struct td_sim *s, const struct td_sim_event *e)
{
    struct td_sim_event now = *e;
    const int cpu = td_sim_event_cpu(e);

    if (e->state == TD_SIM_ACTIVE && cpu >= 0 && e->kind != TD_SIM_SOFT && !td_sim_event_is_topdown(e) &&
        !e->sampler.throttled)
        now.raw += td_sim_event_counter(s, e, (unsigned)cpu) - e->start;
    return td_sim_event_value(s, &now);
}

uint64_t td_sim_metrics(const struct td_sim *s, unsigned cpu)
{
    return td_sim_pmu_of(&s->hw, cpu)->lie == TD_SIM_EQUAL ? UINT64_MAX : td_pmu_metrics(&s->hw.cpu[cpu].bank[0]);
}
