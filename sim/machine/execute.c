/* SPDX-License-Identifier: MIT */
#include "sim/machine/execute.h"

#include <string.h>

enum { MILLION = 1000000 };

static bool busy(const struct td_sim_cpu *c)
{
    return c->online && (c->front || *c->back.work);
}

static void load_cpu(const struct td_sim_hw *hw, struct td_sim_cpu *c, size_t threads)
{
    const struct td_sim_work *w = NULL;

    c->runner = !busy(c) ? NULL : c->front ? c->front : &c->back;
    if (c->runner && c->pmu != TD_SIM_NONE)
        w = td_sim_work_find(&hw->works, c->runner->work, c->pmu);
    c->work = w;
    c->per_ms = w ? w->per_ms / threads : 0;
    for (size_t b = 0; w && b < c->nbanks; b++)
        td_sim_work_load(w, threads, b, c->runner->from + c->runner->ran, &c->bank[b]);
}

void td_sim_core_load(struct td_sim_hw *hw, unsigned cpu)
{
    size_t threads = 0;
    unsigned i = cpu;

    do {
        threads += busy(&hw->cpu[i]);
        i = hw->cpu[i].sibling;
    } while (i != cpu);
    do {
        load_cpu(hw, &hw->cpu[i], threads);
        i = hw->cpu[i].sibling;
    } while (i != cpu);
}

static void add_truth(struct td_pmu_truth *t, const struct td_pmu_truth *before, const struct td_pmu_truth *now)
{
    t->slots += now->slots - before->slots;
    for (size_t i = 0; i < TD_PMU_FIELDS; i++)
        t->part[i] += now->part[i] - before->part[i];
    for (size_t i = 0; i < TD_PMU_RATES; i++)
        t->event[i] += now->event[i] - before->event[i];
}

static void advance(struct td_sim_cpu *c, uint64_t ns)
{
    while (c->per_ms && ns) {
        uint64_t step = ns < UINT64_C(100) * TD_SIM_NSEC ? ns : UINT64_C(100) * TD_SIM_NSEC;
        uint64_t parts = c->rest + c->per_ms * step; /* below 2^64: a rate is at most 1e8 per ms */

        for (size_t b = 0; b < c->nbanks; b++)
            td_pmu_advance(&c->bank[b], parts / MILLION);
        c->rest = parts % MILLION;
        ns -= step;
    }
}

/* One CPU executes for some ns. */
static void execute(struct td_sim_cpu *c, uint64_t ns)
{
    struct td_sim_runner *r = c->runner;
    struct td_pmu_truth before;
    const uint64_t stalled = ns < c->stall ? ns : c->stall;

    c->stall -= stalled;
    ns -= stalled;
    if (!r || r->paused)
        return;
    r->ran += ns;
    if (!r->truth || !c->nbanks) {
        advance(c, ns);
        return;
    }
    td_pmu_truth(&c->bank[0], &before);
    advance(c, ns);
    add_truth(&r->truth[c->pmu], &before, &c->bank[0].total);
}

/* When a CPU of the core interrupts next; at the latest to. */
static uint64_t next_interrupt(const struct td_sim_hw *hw, unsigned first, uint64_t to)
{
    const uint64_t synced = hw->cpu[first].synced;
    unsigned i = first;

    do {
        const struct td_sim_cpu *c = &hw->cpu[i];
        const uint64_t due = c->samples ? hw->due(hw->timer_ctx, i) : TD_SIM_NEVER;

        if (c->timer < to)
            to = c->timer;
        if (to > synced && due < to - synced)
            to = synced + due;
        i = c->sibling;
    } while (i != first);
    return to;
}

uint64_t td_sim_cores_next(const struct td_sim_hw *hw, uint64_t to)
{
    for (unsigned i = 0; i < hw->ncpus; i++)
        if (hw->cpu[i].exists && hw->cpu[i].first == i)
            to = next_interrupt(hw, i, to);
    return to;
}

void td_sim_core_sync(struct td_sim_hw *hw, unsigned cpu, uint64_t to)
{
    const unsigned first = hw->cpu[cpu].first;
    bool more = true;

    while (more) {
        const uint64_t step = next_interrupt(hw, first, to);
        unsigned i = first;

        do {
            execute(&hw->cpu[i], step - hw->cpu[first].synced);
            i = hw->cpu[i].sibling;
        } while (i != first);
        hw->cpu[first].synced = step;
        more = step < to;
        do {
            if (hw->cpu[i].samples)
                hw->overflow(hw->timer_ctx, i);
            if (hw->cpu[i].timer <= step) {
                hw->timer(hw->timer_ctx, i);
                more = true;
            }
            i = hw->cpu[i].sibling;
        } while (i != first);
    }
}

uint64_t td_sim_core_count(const struct td_sim_hw *hw, unsigned cpu, size_t event)
{
    const size_t bank = event / TD_PMU_RATES, at = event % TD_PMU_RATES;
    const struct td_sim_cpu *c = &hw->cpu[cpu];
    uint64_t n = c->bank[bank].total.event[at];

    if (!(hw->pmu[c->pmu].config[event].how & TD_SIM_CORE))
        return n;
    for (unsigned i = c->sibling; i != cpu; i = hw->cpu[i].sibling)
        if (hw->cpu[i].pmu == c->pmu)
            n += hw->cpu[i].bank[bank].total.event[at];
    return n;
}

uint64_t td_sim_core_until(const struct td_sim_hw *hw, unsigned cpu, size_t event, uint64_t counts)
{
    const struct td_sim_cpu *c = &hw->cpu[cpu];
    const struct td_pmu *p = &c->bank[event / TD_PMU_RATES];
    uint64_t slots, rate, parts;

    if (!c->per_ms || !c->runner || c->runner->paused)
        return TD_SIM_NEVER;
    rate = p->phases[p->phase].rate[event % TD_PMU_RATES];
    slots = p->left;
    if (rate && counts / rate < slots)
        slots = counts / rate + (counts % rate != 0);
    parts = slots * MILLION > c->rest ? slots * MILLION - c->rest : 0;
    return c->stall + parts / c->per_ms + (parts % c->per_ms != 0) + !parts;
}

void td_sim_core_stall(struct td_sim_hw *hw, unsigned cpu, uint64_t ns)
{
    hw->cpu[cpu].stall += ns;
}

uint64_t td_sim_core_function(const struct td_sim_hw *hw, unsigned cpu)
{
    const struct td_sim_cpu *c = &hw->cpu[cpu];

    return c->work && c->nbanks ? c->work->phase[c->bank[0].phase].function : 0;
}

unsigned td_sim_core_latency(const struct td_sim_hw *hw, unsigned cpu, size_t event)
{
    const struct td_sim_cpu *c = &hw->cpu[cpu];
    const struct td_sim_phase *f = c->work && c->nbanks ? &c->work->phase[c->bank[0].phase] : NULL;

    return f && event < f->nrates ? f->latency[event] : 0;
}

void td_sim_core_interrupt(struct td_sim_hw *hw, unsigned cpu, uint64_t slots)
{
    enum { FRONTEND = 2 };
    const struct td_sim_cpu *c = &hw->cpu[cpu];

    for (size_t b = 0; b < c->nbanks; b++) {
        struct td_pmu *p = &c->bank[b];
        const struct td_pmu before = *p;
        struct td_pmu_phase handler = p->phases[p->phase];

        handler.slots = 1;
        memset(handler.weight, 0, sizeof(handler.weight));
        handler.weight[FRONTEND] = handler.weight[TD_PMU_LEVEL1 + FRONTEND] = TD_PMU_WHOLE;
        td_pmu_switch(p, &handler, 1);
        td_pmu_advance(p, slots);
        p->cycle = before.cycle;
        p->phases = before.phases;
        p->nphases = before.nphases;
        p->phase = before.phase;
        p->left = before.left;
    }
}
