/* SPDX-License-Identifier: MIT */
/* How the counts of an interval were taken, as far as that is known: what likely bounds are based on. */
#ifndef TD_MEASURED_H
#define TD_MEASURED_H

#include "core/counts/counts.h"
#include "core/bounds/likely.h"

/* The fastest that a CPU of the tables runs, in cycles per ns (Core i9-14900KS, by Intel's
 * data sheet): an idle one counts fewer slots, but none counts more. */
#define TD_FASTEST 6.2

struct td_taken {
    double elapsed; /* ns from beginning to end; 0: not known */
    double cpus; /* on how many CPUs it was counted at the same time; 0: not known, found from elapsed */
    /* on each of these it was enabled all that time; of the counts' own times only the ratio means anything */
    bool always;
    double interval; /* of the rotation, ns */
    bool interval_assumed; /* it was not recorded */
    bool tasks; /* counted only while they ran: the windows differ in length */
    bool in_step; /* the intervals so far show that the program keeps step with the rotation */

    /* What the metrics register held when the kernel wrote it back, see td_likely_restored(). */
    double switches; /* of the tasks; NAN: not known */
    double held; /* slots */
    double held_running; /* ns: its group's time while it held them, on all CPUs */

    /* For a sum: td_likely_ask.parts of the first metric of the result, then of the next, ... */
    const double *parts;
    size_t nparts;
};

/* A count's times, for td_likely_windows(). */
struct td_likely_times td_taken_times(const struct td_taken *, const struct td_count *);

#endif
