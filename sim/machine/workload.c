/* SPDX-License-Identifier: MIT */
#include "sim/machine/workload.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const struct td_sim_work *td_sim_work_find(const struct td_sim_works *w, const char *name, size_t pmu)
{
    for (size_t i = 0; i < w->n; i++)
        if (w->work[i].pmu == pmu && !strcmp(w->work[i].name, name))
            return &w->work[i];
    return NULL;
}

const struct td_sim_image *td_sim_work_image(const struct td_sim_works *w, const char *name)
{
    for (size_t i = 0; i < w->n; i++)
        if (*w->work[i].image.path && !strcmp(w->work[i].name, name))
            return &w->work[i].image;
    return NULL;
}

/* One phase as a bank's events see it while that many threads of a core are busy. */
static void build_phase(const struct td_sim_work *w, const struct td_sim_pmu *p, size_t threads, size_t bank,
                        size_t phase, struct td_pmu_phase *out)
{
    const struct td_sim_phase *f = &w->phase[phase];

    out->slots = w->per_ms / threads * f->ns / TD_SIM_MSEC;
    memcpy(out->weight, f->weight, sizeof(out->weight));
    for (size_t i = 0; i < TD_PMU_RATES; i++) {
        const size_t event = bank * TD_PMU_RATES + i;
        uint64_t rate = event < f->nrates ? f->rate[event] : 0;

        if (rate && threads > 1 && p->config[event].how & TD_SIM_ALONE)
            rate = 0;
        else if (rate && p->config[event].how & TD_SIM_CLOCK)
            rate *= threads;
        out->rate[i] = (uint32_t)rate;
    }
}

int td_sim_work_build(struct td_sim_work *w, const struct td_sim_pmu *p)
{
    struct td_pmu_phase *out;

    w->nbanks = td_sim_pmu_banks(p);
    free(w->built);
    out = w->built = calloc(TD_SIM_SHARE * w->nbanks * w->nphases, sizeof(*out));
    if (!out)
        return -ENOMEM;
    for (size_t threads = 1; threads <= TD_SIM_SHARE; threads++)
        for (size_t bank = 0; bank < w->nbanks; bank++)
            for (size_t phase = 0; phase < w->nphases; phase++)
                build_phase(w, p, threads, bank, phase, out++);
    return 0;
}

void td_sim_work_load(const struct td_sim_work *w, size_t threads, size_t bank, uint64_t ran, struct td_pmu *p)
{
    const struct td_pmu_phase *phases = &w->built[((threads - 1) * w->nbanks + bank) * w->nphases];
    uint64_t at = ran % w->ns;
    size_t i = 0;

    td_pmu_switch(p, phases, w->nphases);
    while (at >= w->phase[i].ns)
        at -= w->phase[i++].ns;
    p->phase = i;
    p->left = w->per_ms / threads * (w->phase[i].ns - at) / TD_SIM_MSEC;
    if (!p->left)
        p->left = 1;
}

void td_sim_works_free(struct td_sim_works *w)
{
    for (size_t i = 0; i < w->n; i++) {
        for (size_t k = 0; k < w->work[i].nphases; k++) {
            free(w->work[i].phase[k].rate);
            free(w->work[i].phase[k].latency);
        }
        free(w->work[i].phase);
        free(w->work[i].built);
    }
    free(w->work);
    *w = (struct td_sim_works){0};
}
