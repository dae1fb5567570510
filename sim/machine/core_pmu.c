/* SPDX-License-Identifier: MIT */
#include "sim/machine/core_pmu.h"

size_t td_sim_pmu_banks(const struct td_sim_pmu *p)
{
    return p->nconfigs ? (p->nconfigs + TD_PMU_RATES - 1) / TD_PMU_RATES : 1;
}

size_t td_sim_pmu_event(const struct td_sim_pmu *p, uint64_t config, uint64_t config1)
{
    for (size_t i = 0; i < p->nconfigs; i++)
        if (p->config[i].config == config && p->config[i].config1 == config1)
            return i;
    return TD_SIM_NONE;
}
