/* SPDX-License-Identifier: MIT */
#include "sim/kernel/rivals.h"

#include "sim/kernel/event_attr.h"
#include "sim/kernel/group.h"
#include "sim/kernel/kernel.h"

#include <errno.h>
#include <stdlib.h>

int td_sim_cycles_new(struct td_sim *s, unsigned cpu, bool disabled, struct td_sim_event **out)
{
    const struct perf_event_attr attr = {
        .type = PERF_TYPE_HARDWARE,
        .config = PERF_COUNT_HW_CPU_CYCLES | (uint64_t)td_sim_pmu_of(&s->hw, cpu)->type << 32,
        .sample_period = 1,
        .pinned = 1,
        .disabled = disabled,
    };
    struct td_sim_event *e = calloc(1, sizeof(*e));
    uint64_t config;
    int err;

    *out = NULL;
    if (!e)
        return -ENOMEM;
    e->fd = -1;
    e->cpu = (int)cpu;
    err = td_sim_attr_pmu(s, &attr, e, &config);
    err = err ? err : td_sim_attr_counters(s, &attr, config, NULL, e);
    if (err) {
        free(e);
        return err;
    }
    td_sim_attr_set(s, &attr, e);
    td_sim_event_install(s, NULL, e);
    *out = e;
    return 0;
}

void td_sim_watchdog_on(struct td_sim *s, unsigned cpu)
{
    struct td_sim_event **e = &s->watchdog.event[cpu];

    if (s->watchdog.on && !*e && td_sim_cpu_online(&s->hw, (int)cpu) && td_sim_pmu_of(&s->hw, cpu))
        td_sim_cycles_new(s, cpu, false, e);
}

void td_sim_watchdog_off(struct td_sim *s, unsigned cpu)
{
    struct td_sim_event **e = &s->watchdog.event[cpu];

    if (*e)
        td_sim_event_end(s, *e);
    *e = NULL;
}

int td_sim_watchdog_begin(struct td_sim *s)
{
    s->watchdog.event = calloc(s->hw.ncpus, sizeof(struct td_sim_event *));
    if (!s->watchdog.event)
        return -ENOMEM;
    for (unsigned cpu = 0; cpu < s->hw.ncpus; cpu++)
        td_sim_watchdog_on(s, cpu);
    return 0;
}

void td_sim_watchdog_free(struct td_sim *s)
{
    for (unsigned cpu = 0; s->watchdog.event && cpu < s->hw.ncpus; cpu++)
        free(s->watchdog.event[cpu]);
    free(s->watchdog.event);
    s->watchdog.event = NULL;
}
