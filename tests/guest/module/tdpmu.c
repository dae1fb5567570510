// SPDX-License-Identifier: GPL-2.0
/* The software PMU's callbacks. It counts a fixed workload that advances
 * with the CPU's clock, so counts follow from the time for which an event was enabled. */
#include <linux/cpu.h>
#include <linux/module.h>
#include <linux/sched/clock.h>
#include <linux/slab.h>

#include "tdpmu.h"

static char *flavour = "icl";
module_param(flavour, charp, 0444);
MODULE_PARM_DESC(flavour, "icl, spr, skl, atom, n2, n2r0p0");
static unsigned counters;
module_param(counters, uint, 0444);
MODULE_PARM_DESC(counters, "generic counters; 0: the flavour's own");
/* In 255ths, so that the 8-bit fields hold them exactly. */
static char *phases = "102,17,51,85,34,11,30,60";
module_param(phases, charp, 0444);
MODULE_PARM_DESC(phases, "shares of the four categories, then a part of each; @milliseconds; more behind ';'");
static unsigned rounding = TD_PMU_NEAREST;
module_param(rounding, uint, 0444);
static int skew;
module_param(skew, int, 0444);
static bool sampling;
module_param(sampling, bool, 0444);
MODULE_PARM_DESC(sampling, "events can take samples, and tasks say in which phase they are");
static unsigned cycles_per_us = TDPMU_CYCLES_PER_NS * 1000;
module_param(cycles_per_us, uint, 0444);
enum tdpmu_lie tdpmu_lie;
module_param_named(lie, tdpmu_lie, uint, 0444);
MODULE_PARM_DESC(lie, "1: every counter shows the slots; 2: every counter shows 0");

const struct tdpmu_flavour *tdpmu_flavour;
static struct td_pmu_phase phase_table[TDPMU_PHASES];
static struct tdpmu_cpu __percpu *cpus;
static struct pmu tdpmu;

u32 tdpmu_slots_per_us(void)
{
    return cycles_per_us * tdpmu_flavour->width;
}

/* This CPU's model, advanced to the present unless its time is stopped. */
static struct tdpmu_cpu *here(void)
{
    struct tdpmu_cpu *cpu = this_cpu_ptr(cpus);
    u64 now = local_clock();

    if (!cpu->held && now > cpu->at) {
        u64 slots;

        if (sampling && now - cpu->at > TDPMU_STALL_NS)
            cpu->at = now - TDPMU_STALL_NS; /* the host stopped the guest: nothing ran meanwhile */
        slots = mul_u64_u32_div(now - cpu->at, tdpmu_slots_per_us(), 1000);

        if (!cpu->idle)
            td_pmu_advance(&cpu->model, slots);
        cpu->at = cpu->idle ? now : cpu->at + mul_u64_u32_div(slots, 1000, tdpmu_slots_per_us());
    }
    return cpu;
}

static void hold(void)
{
    here()->held++;
}

static void let_go(void)
{
    this_cpu_ptr(cpus)->held--;
}

/* So often that a longer time without it was none in which the guest ran. */
static enum hrtimer_restart beat(struct hrtimer *timer)
{
    here();
    hrtimer_forward_now(timer, ns_to_ktime(TDPMU_STALL_NS / 2));
    return HRTIMER_RESTART;
}

static void start_beat(void *unused)
{
    struct hrtimer *timer = &this_cpu_ptr(cpus)->beat;

    hrtimer_init(timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
    timer->function = beat;
    hrtimer_start(timer, ns_to_ktime(TDPMU_STALL_NS / 2), HRTIMER_MODE_REL_PINNED_HARD);
}

static void unload_sampling(void)
{
    int cpu;

    for_each_online_cpu(cpu) hrtimer_cancel(&per_cpu_ptr(cpus, cpu)->beat);
    tdpmu_tasks_unload();
}

struct tdpmu_cpu *tdpmu_stop_time(void)
{
    hold();
    return this_cpu_ptr(cpus);
}

void tdpmu_skip_time(struct tdpmu_cpu *cpu)
{
    cpu->at = local_clock();
    let_go();
}

void tdpmu_run(int phase)
{
    struct tdpmu_cpu *cpu = here();

    cpu->idle = phase < 0;
    if (phase >= 0)
        td_pmu_switch(&cpu->model, &phase_table[phase], 1);
}

static void pmu_disable(struct pmu *pmu)
{
    hold();
}

static void pmu_enable(struct pmu *pmu)
{
    let_go();
}

/* Events of a group count over the same time, which is stopped while they are added or read. */
static void start_txn(struct pmu *pmu, unsigned flags)
{
    this_cpu_ptr(cpus)->txn = flags;
    hold();
}

static void end_txn(struct pmu *pmu)
{
    this_cpu_ptr(cpus)->txn = 0;
    let_go();
}

static int commit_txn(struct pmu *pmu)
{
    end_txn(pmu);
    return 0;
}

/* A free counter that the event can use, or -EAGAIN. */
static int free_counter(u64 used, const struct perf_event *event)
{
    int fixed = -1;
    unsigned i;

    if (tdpmu_is_slots(event))
        return used & BIT_ULL(TDPMU_FIXED_SLOTS) ? -EAGAIN : TDPMU_FIXED_SLOTS;
    if (tdpmu_is_metric(event)) {
        i = TDPMU_METRIC + (event->hw.config >> 8 & 7);
        return used & BIT_ULL(i) ? -EAGAIN : (int)i;
    }
    if (event->hw.config == tdpmu_flavour->cycles)
        fixed = TDPMU_FIXED_CYCLES;
    else if (event->hw.config == tdpmu_flavour->instructions)
        fixed = TDPMU_FIXED_INSTRUCTIONS;
    if (fixed >= 0 && !(used & BIT_ULL(fixed)))
        return fixed;
    for (i = 0; i < counters; i++)
        if (!(used & BIT_ULL(TDPMU_GENERIC + i)))
            return TDPMU_GENERIC + i;
    return -EAGAIN;
}

static bool take_counter(u64 *used, const struct perf_event *event)
{
    int i;

    if (event->pmu != &tdpmu)
        return true; /* software events are allowed in any group */
    i = free_counter(*used, event);
    if (i < 0)
        return false;
    *used |= BIT_ULL(i);
    return true;
}

/* Would the event's group ever fit? */
static bool group_fits(struct perf_event *event)
{
    struct perf_event *leader = event->group_leader, *sibling;
    u64 used = 0;

    if (!take_counter(&used, leader))
        return false;
    if (leader == event)
        return true;
    for_each_sibling_event(sibling, leader) if (!take_counter(&used, sibling)) return false;
    return take_counter(&used, event);
}

static int set_config(struct perf_event *event)
{
    if (event->attr.type == tdpmu.type) {
        event->hw.config = event->attr.config & tdpmu_flavour->config_mask;
        return 0;
    }
    if (event->attr.type != PERF_TYPE_HARDWARE)
        return -ENOENT;
    if (event->attr.config == PERF_COUNT_HW_CPU_CYCLES) {
        event->hw.config = tdpmu_flavour->cycles;
        return 0;
    }
    if (event->attr.config != PERF_COUNT_HW_INSTRUCTIONS || tdpmu.type != PERF_TYPE_RAW)
        return -ENOENT;
    event->hw.config = tdpmu_flavour->instructions;
    return 0;
}

static int event_init(struct perf_event *event)
{
    int err = set_config(event);

    if (err)
        return err;
    event->hw.idx = -1;
    event->hw.flags = 0;
    if (tdpmu_is_slots(event) || tdpmu_is_metric(event))
        err = tdpmu_topdown_check(event);
    else
        event->hw.event_base = tdpmu_event_rate(event->hw.config);
    if (!err && !group_fits(event))
        err = -EINVAL;
    return err || !is_sampling_event(event) ? err : tdpmu_sampling_init(event);
}

static bool is_topdown(const struct perf_event *event)
{
    return event->hw.idx >= TDPMU_FIXED_SLOTS;
}

/* Rates are counts per TD_PMU_WHOLE slots: prev_count keeps the fraction of a count. */
static void update(struct tdpmu_cpu *cpu, struct perf_event *event)
{
    u64 whole, prev = local64_read(&event->hw.prev_count);

    if (is_topdown(event)) {
        tdpmu_topdown_update(cpu, event);
        return;
    }
    whole = (cpu->model.total.event[event->hw.event_base] - prev) / TD_PMU_WHOLE;
    local64_set(&event->hw.prev_count, prev + whole * TD_PMU_WHOLE);
    local64_add(whole, &event->count);
}

static void start(struct perf_event *event, int flags)
{
    struct tdpmu_cpu *cpu = here();

    if (WARN_ON_ONCE(!(event->hw.state & PERF_HES_STOPPED)))
        return;
    event->hw.state = 0;
    cpu->active |= BIT_ULL(event->hw.idx);
    if (is_topdown(event))
        tdpmu_topdown_start(cpu, event);
    else
        local64_set(&event->hw.prev_count, cpu->model.total.event[event->hw.event_base]);
    if (is_sampling_event(event))
        tdpmu_sampling_start(cpu, event, flags);
    perf_event_update_userpage(event);
}

static void stop(struct perf_event *event, int flags)
{
    struct tdpmu_cpu *cpu = here();

    if (event->hw.state & PERF_HES_STOPPED)
        return;
    cpu->active &= ~BIT_ULL(event->hw.idx);
    update(cpu, event);
    event->hw.state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
    if (is_sampling_event(event))
        tdpmu_sampling_stop(event);
}

static int add(struct perf_event *event, int flags)
{
    struct tdpmu_cpu *cpu = here();
    int i = free_counter(cpu->used, event);

    if (i < 0)
        return i; /* perf's core defers the whole group and rotates */
    cpu->used |= BIT_ULL(i);
    cpu->event[i] = event;
    event->hw.idx = i;
    event->hw.state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
    if (flags & PERF_EF_START)
        start(event, flags);
    return 0;
}

static void del(struct perf_event *event, int flags)
{
    struct tdpmu_cpu *cpu = this_cpu_ptr(cpus);

    stop(event, PERF_EF_UPDATE);
    cpu->used &= ~BIT_ULL(event->hw.idx);
    cpu->event[event->hw.idx] = NULL;
    event->hw.idx = -1;
    perf_event_update_userpage(event);
}

static void read(struct perf_event *event)
{
    struct tdpmu_cpu *cpu = here();

    /* in a group, reading slots has read all of them */
    if (event->hw.state & PERF_HES_STOPPED || (cpu->txn & PERF_PMU_TXN_READ && tdpmu_is_metric(event)))
        return;
    update(cpu, event);
}

static struct pmu tdpmu = {
    .module = THIS_MODULE,
    .task_ctx_nr = perf_hw_context,
    /* the second only allows reloading the module: a kernel before 6.2 accepts only one hardware PMU ever */
    .capabilities = PERF_PMU_CAP_NO_INTERRUPT | PERF_PMU_CAP_HETEROGENEOUS_CPUS,
    .pmu_enable = pmu_enable,
    .pmu_disable = pmu_disable,
    .event_init = event_init,
    .add = add,
    .del = del,
    .start = start,
    .stop = stop,
    .read = read,
    .start_txn = start_txn,
    .commit_txn = commit_txn,
    .cancel_txn = end_txn,
};

static int __init start_models(void)
{
    char *text = kstrdup(phases, GFP_KERNEL);
    int cpu, n = text ? tdpmu_phases_parse(text, phase_table) : -ENOMEM;
    u64 now = local_clock();

    kfree(text);
    if (n < 0 || rounding > TD_PMU_SCATTER || tdpmu_lie > TDPMU_ZERO)
        return -EINVAL;
    for_each_possible_cpu(cpu)
    {
        struct tdpmu_cpu *c = per_cpu_ptr(cpus, cpu);

        c->at = now;
        if (!td_pmu_init(&c->model, phase_table, sampling ? 1 : n, rounding, skew))
            return -EINVAL;
    }
    return 0;
}

/* Phases that are not set are the first. */
static int __init load_sampling(void)
{
    int err = tdpmu_sampling_load();

    for (unsigned i = 1; i < TDPMU_PHASES; i++)
        if (!phase_table[i].slots)
            phase_table[i] = phase_table[0];
    tdpmu.capabilities &= ~PERF_PMU_CAP_NO_INTERRUPT;
    err = err ? err : tdpmu_tasks_load();
    if (!err)
        on_each_cpu(start_beat, NULL, 1);
    return err;
}

static int __init tdpmu_load(void)
{
    int err;

    tdpmu_flavour = tdpmu_flavour_find(flavour);
    if (!tdpmu_flavour || counters > TDPMU_GENERIC_MAX)
        return -EINVAL;
    if (!counters)
        counters = tdpmu_flavour->counters;
    cpus = alloc_percpu(struct tdpmu_cpu);
    if (!cpus)
        return -ENOMEM;
    tdpmu.attr_groups = tdpmu_sysfs_groups();
    err = start_models();
    if (!err && sampling)
        err = load_sampling();
    if (!err) {
        err = perf_pmu_register(&tdpmu, tdpmu_flavour->pmu_name, tdpmu_flavour->type);
        if (err && sampling)
            unload_sampling();
    }
    if (err)
        free_percpu(cpus);
    else
        tdpmu_watchdog_allow();
    return err;
}
module_init(tdpmu_load);

static void __exit tdpmu_unload(void)
{
    perf_pmu_unregister(&tdpmu);
    if (sampling)
        unload_sampling();
    free_percpu(cpus);
}
module_exit(tdpmu_unload);

MODULE_DESCRIPTION("software PMU with top-down events, for tests");
MODULE_LICENSE("GPL v2");
