/* SPDX-License-Identifier: MIT */
/* Workloads: what a task executes on the CPUs of one PMU, in phases that repeat. */
#ifndef TD_WORKLOAD_H
#define TD_WORKLOAD_H

#include "sim/machine/core_pmu.h"

enum { TD_SIM_SHARE = 4 /* the most threads of a core */, TD_SIM_MSEC = 1000000 };

struct td_sim_phase {
    uint64_t ns;
    uint64_t function; /* its address, which samples have; 0: none is described */
    uint32_t weight[TD_PMU_FIELDS];
    uint32_t *rate; /* counts of the PMU's events, by number, per TD_PMU_WHOLE slots; 0 from nrates on */
    /* of the same events: the mean retire latency, from the retirement before to theirs, in core clocks; 0: none is
     * described */
    uint16_t *latency;
    size_t nrates;
};

/* The file that a workload's functions are in, as it is mapped. */
struct td_sim_image {
    char path[96]; /* "": none */
    uint64_t start, size;
};

struct td_sim_work {
    char name[32];
    struct td_sim_image image;
    size_t pmu;
    uint64_t per_ms; /* slots of a thread that has its core for itself */
    uint64_t ns; /* how long all phases take */
    struct td_sim_phase *phase;
    size_t nphases;
    struct td_pmu_phase *built; /* [threads that share the core - 1][bank][phase] */
    size_t nbanks;
};

struct td_sim_works {
    struct td_sim_work *work;
    size_t n;
};

/* What executes a workload, whichever CPU it is on. */
struct td_sim_runner {
    char work[32]; /* "": nothing */
    uint64_t from; /* where in its phases it began, ns */
    uint64_t ran; /* how long it has run since, ns */
    bool paused; /* it has its CPU but executes nothing */
    struct td_pmu_truth *truth; /* what it executed, by PMU; NULL: not recorded */
};

const struct td_sim_work *td_sim_work_find(const struct td_sim_works *, const char *name, size_t pmu);
/* The file that a workload of that name executes on whichever PMU, or NULL. */
const struct td_sim_image *td_sim_work_image(const struct td_sim_works *, const char *name);
/* Translates the phases for the PMU model, once they and the PMU's events are complete. 0 or -ENOMEM. */
int td_sim_work_build(struct td_sim_work *, const struct td_sim_pmu *);
/* Sets a bank of counters to where a runner is in its workload; threads: how many share the core. */
void td_sim_work_load(const struct td_sim_work *, size_t threads, size_t bank, uint64_t ran, struct td_pmu *);
void td_sim_works_free(struct td_sim_works *);

#endif
