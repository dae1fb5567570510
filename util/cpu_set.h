/* SPDX-License-Identifier: MIT */
/* Sets of CPU ids as bits, sized by their largest member. */
#ifndef TD_CPU_SET_H
#define TD_CPU_SET_H

#include "util/bits.h"
#include "include/tdprobe.h"

/* Zeroed: empty. */
struct td_cpu_set {
    struct td_bits ids; /* owned; td_cpu_set_free() */
};

bool td_cpu_set_empty(const struct td_cpu_set *);
bool td_cpu_set_has(const struct td_cpu_set *, unsigned cpu);
/* Adds first to last, which is below TD_CPUS_MAX: 0 or -ENOMEM. */
int td_cpu_set_add(struct td_cpu_set *, unsigned first, unsigned last);
/* The first member from cpu on; TD_CPUS_MAX: there is none. */
unsigned td_cpu_set_next(const struct td_cpu_set *, unsigned cpu);
void td_cpu_set_free(struct td_cpu_set *);

#endif
