/* SPDX-License-Identifier: MIT */
/* A PMU of simulated cores: its counters, and the ordinary events that it can count. */
#ifndef TD_CORE_PMU_H
#define TD_CORE_PMU_H

#include "util/cpu_list.h"
#include "sim/machine/pmu.h"

#define TD_SIM_NONE SIZE_MAX /* in place of the number of a PMU or event */

/* Bits of counters: general ones from 0, fixed ones from TD_SIM_FIXED, ... */
enum {
    TD_SIM_FIXED = 32,
    TD_SIM_CYCLE = 47, /* Arm's cycle counter, */
    TD_SIM_METRIC = 48, /* the eight metric events, as Linux numbers them */
    TD_SIM_COUNTERS = 56,
};

/* An ordinary event of a PMU. */
struct td_sim_config {
    uint64_t config;
    uint64_t config1; /* what it needs in an extra register, or 0 */
    uint64_t on; /* counters that can hold it; 0: any general one */
    enum {
        TD_SIM_CORE = 1, /* counts on each thread of a core what all of them do */
        TD_SIM_CLOCK = 2, /* counts by time: a busy sibling takes slots from a thread, but no clock cycles */
        TD_SIM_ALONE = 4, /* counts only while no sibling is busy */
    } how;
};

struct td_sim_pmu {
    char name[32];
    unsigned type, metrics;
    struct td_cpu_set cpus;
    uint64_t counters, taken; /* as bits */
    bool arm;
    enum { TD_SIM_HONEST, TD_SIM_EQUAL, TD_SIM_CONSTANT, TD_SIM_SLOTS } lie;
    enum td_pmu_rounding rounding;
    int skew;
    struct td_sim_config *config;
    size_t nconfigs;
};

/* Banks of the PMU model that its events take on each CPU. */
size_t td_sim_pmu_banks(const struct td_sim_pmu *);
/* The number of the event with that config and config1, or TD_SIM_NONE. */
size_t td_sim_pmu_event(const struct td_sim_pmu *, uint64_t config, uint64_t config1);

#endif
