/* SPDX-License-Identifier: MIT */
#include "sim/machine/hardware.h"

#include "sim/machine/grow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- PMUs --------------------------------------------------------------------- */

int td_sim_pmu_add(struct td_sim_hw *hw, const struct td_sim_pmu *p)
{
    struct td_sim_pmu *more = td_sim_grow(hw->pmu, hw->npmus, sizeof(*more));

    if (!more)
        return -ENOMEM;
    hw->pmu = more;
    more[hw->npmus] = *p;
    for (unsigned i = td_cpu_set_next(&p->cpus, 0); i < hw->ncpus; i = td_cpu_set_next(&p->cpus, i + 1))
        hw->cpu[i].pmu = hw->npmus;
    hw->npmus++;
    return 0;
}

const struct td_sim_pmu *td_sim_pmu_of(const struct td_sim_hw *hw, unsigned cpu)
{
    return hw->cpu[cpu].pmu == TD_SIM_NONE ? NULL : &hw->pmu[hw->cpu[cpu].pmu];
}

/* ---- CPUs --------------------------------------------------------------------- */

static int make_room(struct td_sim_hw *hw, unsigned ncpus)
{
    struct td_sim_cpu *more;

    if (ncpus <= hw->ncpus)
        return 0;
    more = reallocarray(hw->cpu, ncpus, sizeof(*more));
    if (!more)
        return -ENOMEM;
    memset(more + hw->ncpus, 0, (ncpus - hw->ncpus) * sizeof(*more));
    for (unsigned i = hw->ncpus; i < ncpus; i++)
        more[i].pmu = TD_SIM_NONE;
    hw->cpu = more;
    hw->ncpus = ncpus;
    return 0;
}

static int check_cpus(const struct td_sim_hw *hw, const struct td_cpu_list *l, unsigned *ncpus)
{
    *ncpus = 0;
    for (size_t i = 0; i < l->n; i++) {
        const unsigned id = (unsigned)l->cpu[i];

        if (id < hw->ncpus && hw->cpu[id].exists)
            return -EEXIST;
        if (id >= *ncpus)
            *ncpus = id + 1;
    }
    return 0;
}

int td_sim_cpus_add(struct td_sim_hw *hw, const struct td_cpu_list *l, size_t smt, size_t sockets, size_t nodes)
{
    const size_t cores = l->n / smt;
    unsigned ncpus;
    int err = check_cpus(hw, l, &ncpus);

    if (!err && (l->n % smt || cores % sockets || cores % nodes))
        err = -EINVAL;
    if (!err)
        err = make_room(hw, ncpus);
    for (size_t i = 0; !err && i < l->n; i++) {
        const size_t core = i % cores;

        hw->cpu[l->cpu[i]] = (struct td_sim_cpu){
            .exists = true,
            .online = true,
            .pmu = TD_SIM_NONE,
            .timer = TD_SIM_NEVER,
            .first = (unsigned)l->cpu[core],
            .sibling = (unsigned)l->cpu[(i + cores) % l->n],
            .package = (unsigned)(core * sockets / cores),
            .node = (unsigned)(core * nodes / cores),
            .core = hw->cores + (unsigned)core,
        };
    }
    if (err)
        return err;
    hw->existing += (unsigned)l->n;
    hw->cores += (unsigned)cores;
    hw->nodes = nodes > hw->nodes ? (unsigned)nodes : hw->nodes;
    return 0;
}

bool td_sim_cpu_online(const struct td_sim_hw *hw, int cpu)
{
    return cpu >= 0 && (unsigned)cpu < hw->ncpus && hw->cpu[cpu].online;
}

bool td_sim_applies(const struct td_cpu_set *s, unsigned cpu)
{
    return td_cpu_set_empty(s) || td_cpu_set_has(s, cpu);
}

void td_sim_cpuid(const struct td_sim_hw *hw, unsigned cpu, uint32_t leaf, uint32_t subleaf, uint32_t out[4])
{
    memset(out, 0, 4 * sizeof(*out));
    for (size_t i = 0; i < hw->ncpuid; i++) {
        const struct td_sim_cpuid *c = &hw->cpuid[i];

        if (c->leaf != leaf || (!c->any && c->subleaf != subleaf) || !td_sim_applies(&c->cpus, cpu))
            continue;
        memcpy(out, c->word, sizeof(c->word));
        return;
    }
}

/* ---- the whole ------------------------------------------------------------------ */

/* What an idle CPU's counters are set to; never executed. */
static const struct td_pmu_phase idle = {.slots = 1, .weight = {TD_PMU_WHOLE}};

static int build_banks(struct td_sim_cpu *c, const struct td_sim_pmu *p)
{
    c->nbanks = td_sim_pmu_banks(p);
    c->bank = calloc(c->nbanks, sizeof(*c->bank));
    if (!c->bank)
        return -ENOMEM;
    for (size_t b = 0; b < c->nbanks; b++)
        td_pmu_init(&c->bank[b], &idle, 1, p->rounding, p->skew);
    return 0;
}

int td_sim_hw_begin(struct td_sim_hw *hw)
{
    int err = 0;

    for (size_t i = 0; !err && i < hw->works.n; i++)
        if (hw->works.work[i].pmu < hw->npmus) /* otherwise no CPU can execute it */
            err = td_sim_work_build(&hw->works.work[i], &hw->pmu[hw->works.work[i].pmu]);
    for (unsigned i = 0; !err && i < hw->ncpus; i++)
        if (td_sim_pmu_of(hw, i))
            err = build_banks(&hw->cpu[i], td_sim_pmu_of(hw, i));
    return err;
}

void td_sim_hw_free(struct td_sim_hw *hw)
{
    for (unsigned i = 0; i < hw->ncpus; i++) {
        free(hw->cpu[i].bank);
        free(hw->cpu[i].registers);
    }
    free(hw->cpu);
    for (size_t i = 0; i < hw->npmus; i++) {
        td_cpu_set_free(&hw->pmu[i].cpus);
        free(hw->pmu[i].config);
    }
    free(hw->pmu);
    for (size_t i = 0; i < hw->ncpuid; i++)
        td_cpu_set_free(&hw->cpuid[i].cpus);
    free(hw->cpuid);
    for (size_t i = 0; i < hw->npresets; i++)
        td_cpu_set_free(&hw->preset[i].cpus);
    free(hw->preset);
    td_sim_works_free(&hw->works);
    *hw = (struct td_sim_hw){0};
}
