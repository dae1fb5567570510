/* SPDX-License-Identifier: MIT */
/* Random phases of a workload, for the tests of the simulated register. */
#ifndef RANDOM_PMU_H
#define RANDOM_PMU_H

#include "sim/machine/pmu.h"
#include "tests/support/unit.h"

static uint32_t random_weight(struct unit_random *r, uint32_t most)
{
    uint64_t how = unit_random_below(r, 8);

    return how == 0 ? 0 : how == 1 ? most : (uint32_t)unit_random_below(r, (uint64_t)most + 1);
}

static void random_phase(struct unit_random *r, uint64_t slots, struct td_pmu_phase *p)
{
    uint32_t left = TD_PMU_WHOLE;
    size_t first = unit_random_below(r, TD_PMU_LEVEL1);

    *p = (struct td_pmu_phase){.slots = slots};
    for (size_t i = 0; i < TD_PMU_LEVEL1; i++) {
        size_t f = (first + i) % TD_PMU_LEVEL1;

        p->weight[f] = i + 1 < TD_PMU_LEVEL1 ? random_weight(r, left) : left;
        p->weight[TD_PMU_LEVEL1 + f] = random_weight(r, p->weight[f]);
        left -= p->weight[f];
    }
}

#endif
