/* SPDX-License-Identifier: MIT */
#include "sim/machine/execute.h"

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

void td_sim_core_sync(struct td_sim_hw *hw, unsigned cpu, uint64_t to)
{
    const unsigned first = hw->cpu[cpu].first;
    bool more = true;

    while (more) {
        uint64_t step = to;
        unsigned i = first;

        do {
            if (hw->cpu[i].timer < step)
                step = hw->cpu[i].timer;
            i = hw->cpu[i].sibling;
        } while (i != first);
        do {
            execute(&hw->cpu[i], step - hw->cpu[first].synced);
            i = hw->cpu[i].sibling;
        } while (i != first);
        hw->cpu[first].synced = step;
        more = false;
        do {
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
