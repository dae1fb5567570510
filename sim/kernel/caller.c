/* SPDX-License-Identifier: MIT */
#include "sim/kernel/caller.h"

#include "sim/kernel/clock.h"
#include "sim/kernel/kernel.h"
#include "sim/machine/execute.h"

#include <errno.h>
#include <stdlib.h>

int td_sim_caller_begin(struct td_sim *s)
{
    static const struct td_sim_task nothing = {.cpu = -1};

    s->caller.truth = calloc(s->hw.npmus + 1, sizeof(*s->caller.truth));
    if (!s->caller.task)
        s->caller.task = td_sim_task_add(&s->tasks, &nothing);
    if (!s->caller.truth || !s->caller.task)
        return -ENOMEM;
    s->caller.task->runner.truth = s->caller.truth;
    s->caller.task->runner.paused = true;
    return 0;
}

int td_sim_os_here(void *ctx)
{
    const struct td_sim *s = ctx;

    if (s->caller.task->cpu >= 0)
        return s->caller.task->cpu;
    if (s->caller.pinned >= 0)
        return s->caller.pinned;
    for (unsigned cpu = 0; cpu < s->hw.ncpus; cpu++)
        if (s->hw.cpu[cpu].online)
            return (int)cpu;
    return -ENODEV;
}

void td_sim_self_stay(struct td_sim *s, bool on)
{
    if (!s->caller.resident || s->caller.task->started == on)
        return;
    s->caller.task->started = on;
    td_sim_place(s);
}

void td_sim_self_settle(struct td_sim *s)
{
    s->caller.resident = true;
    td_sim_self_stay(s, true);
}

/* The thread enters user mode, or leaves it. */
static void set_computing(struct td_sim *s, bool on)
{
    if (s->caller.task->cpu >= 0)
        td_sim_core_sync(&s->hw, (unsigned)s->caller.task->cpu, s->hw.now);
    s->caller.task->runner.paused = !on;
}

/* Executes for ns, on a CPU if there is one for it. */
static void compute(struct td_sim *s, uint64_t ns)
{
    struct td_sim_task *t = s->caller.task;

    t->started = true;
    td_sim_place(s);
    set_computing(s, true);
    td_sim_run(s, s->hw.now + ns);
    set_computing(s, false);
    t->started = s->caller.resident;
    td_sim_place(s);
}

int td_sim_self_run(struct td_sim *s, uint64_t ns)
{
    td_sim_self_settle(s);
    if (!s->caller.task->places || s->caller.task->cpu < 0)
        return -ENODEV;
    compute(s, ns);
    return 0;
}

bool td_sim_self_computes(const struct td_sim *s)
{
    return s->caller.each > 0;
}

int td_sim_self_away(struct td_sim *s, uint64_t ns)
{
    td_sim_self_settle(s);
    if (s->caller.task->cpu < 0)
        return -ENODEV;
    s->caller.preempted++;
    td_sim_self_stay(s, false);
    td_sim_run(s, s->hw.now + ns);
    td_sim_self_stay(s, true);
    return 0;
}

int td_sim_self_move(struct td_sim *s, int cpu)
{
    if (cpu < 0)
        return -EINVAL;
    td_sim_self_settle(s);
    s->caller.preempted++;
    return td_sim_os_pin(s, cpu);
}

int td_sim_self_truth(struct td_sim *s, uint32_t type, struct td_pmu_truth *out)
{
    for (size_t i = 0; i < s->hw.npmus; i++)
        if (s->hw.pmu[i].type == type) {
            *out = s->caller.truth[i];
            return 0;
        }
    return -ENOENT;
}

uint64_t td_sim_os_spin(void *ctx, uint64_t ns)
{
    struct td_sim *s = ctx;

    compute(s, ns);
    return s->caller.adds / 1000 * ns / TD_SIM_MSEC;
}

int td_sim_os_pin(void *ctx, int cpu)
{
    struct td_sim *s = ctx;

    if (cpu >= 0 && !td_sim_cpu_online(&s->hw, cpu))
        return -EINVAL;
    s->caller.pinned = cpu < 0 ? -1 : cpu;
    if (s->caller.resident)
        td_sim_place(s);
    return 0;
}
