/* SPDX-License-Identifier: MIT */
/* The calling thread as a task of the machine: it computes, waits its turn, migrates. */
#include "kernel_page.h"

#include <errno.h>

int td_sim_os_here(void *ctx)
{
    const struct td_sim *s = ctx;
    int cpu = 0;

    if (s->self && s->self->cpu >= 0)
        return s->self->cpu;
    if (s->pinned >= 0)
        return s->pinned;
    while ((unsigned)cpu < s->ncpus && !s->cpu[cpu].online)
        cpu++;
    return cpu;
}

void td_sim_self_stay(struct td_sim *s, bool on)
{
    if (!s->resident || s->self->started == on)
        return;
    s->self->started = on;
    td_sim_place(s);
}

void td_sim_self_settle(struct td_sim *s)
{
    s->resident = true;
    td_sim_self_stay(s, true);
}

/* Between user mode and the kernel; up to now the thread did the other. */
static void set_computing(struct td_sim *s, bool on)
{
    if (s->self->cpu >= 0)
        td_sim_core_sync(s, (unsigned)s->self->cpu, s->now);
    s->computing = on;
}

void td_sim_self_compute(struct td_sim *s, uint64_t ns)
{
    struct td_sim_task *t = s->self;

    t->started = true;
    td_sim_place(s);
    set_computing(s, true);
    td_sim_run(s, s->now + ns);
    set_computing(s, false);
    t->started = s->resident;
    td_sim_place(s);
}

void td_sim_self_count(struct td_sim *s, const struct td_sim_cpu *c, const struct td_pmu_truth *before)
{
    const struct td_pmu_truth *now = &c->bank[0].total;
    struct td_pmu_truth *t = &s->truth[c->pmu];

    t->slots += now->slots - before->slots;
    for (size_t i = 0; i < TD_PMU_FIELDS; i++)
        t->part[i] += now->part[i] - before->part[i];
    for (size_t i = 0; i < TD_PMU_RATES; i++)
        t->event[i] += now->event[i] - before->event[i];
}

int td_sim_self_run(struct td_sim *s, uint64_t ns)
{
    td_sim_self_settle(s);
    if (!s->self->ncpus || s->self->cpu < 0)
        return -ENODEV;
    td_sim_self_compute(s, ns);
    return 0;
}

int td_sim_self_away(struct td_sim *s, uint64_t ns)
{
    td_sim_self_settle(s);
    if (s->self->cpu < 0)
        return -ENODEV;
    s->preempted++;
    td_sim_self_stay(s, false);
    td_sim_run(s, s->now + ns);
    td_sim_self_stay(s, true);
    return 0;
}

int td_sim_self_move(struct td_sim *s, int cpu)
{
    if (cpu < 0)
        return -EINVAL;
    td_sim_self_settle(s);
    s->preempted++;
    return s->os.pin(s->os.ctx, cpu);
}

int td_sim_self_truth(struct td_sim *s, uint32_t type, struct td_pmu_truth *out)
{
    for (size_t i = 0; i < s->npmus; i++)
        if (s->pmu[i].type == type) {
            *out = s->truth[i];
            return 0;
        }
    return -ENOENT;
}
