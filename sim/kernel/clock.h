/* SPDX-License-Identifier: MIT */
/* What happens as time passes: tasks move and end, CPUs go off and on, others take counters, signals come. */
#ifndef TD_CLOCK_H
#define TD_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct td_sim;

/* Something that happens at a time. */
struct td_sim_happening {
    uint64_t at;
    size_t order; /* in the description */
    enum {
        TD_SIM_CPU_OFF,
        TD_SIM_CPU_ON,
        TD_SIM_RIVAL_ON,
        TD_SIM_RIVAL_OFF,
        TD_SIM_CGROUP_ON,
        TD_SIM_CGROUP_OFF,
        TD_SIM_SIGNAL
    } what;
    int which; /* CPU, rival, cgroup or signal */
};

/* All of one kind; sorted by time once the machine has begun. */
struct td_sim_happenings {
    struct td_sim_happening *happening;
    size_t n, past;
};

struct td_sim_clock {
    struct td_sim_happenings changes, signals;
};

int td_sim_happening_add(struct td_sim_clock *, const struct td_sim_happening *);
/* Called as the machine begins. */
void td_sim_clock_begin(struct td_sim_clock *);
void td_sim_clock_free(struct td_sim_clock *);
/* The first that has not happened yet, or NULL. */
const struct td_sim_happening *td_sim_happening_next(const struct td_sim_happenings *);

/* When the next thing other than a signal happens, or TD_SIM_NEVER. */
uint64_t td_sim_next(struct td_sim *);
/* Lets time pass. */
void td_sim_run(struct td_sim *, uint64_t to);
/* A call to the kernel begins: it takes 1 us. */
void td_sim_call(struct td_sim *);

#endif
