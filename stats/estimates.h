/* SPDX-License-Identifier: MIT */
/* What is estimated of the places of samples. There can be hundreds of thousands, of which few have more than some
 * values: what several of them would have alike is kept once. */
#ifndef STATS_ESTIMATES_H
#define STATS_ESTIMATES_H

#include "include/tdprobe.h"

/* Of one place, or of several that have no estimate. */
struct td_estimates {
    const char *core; /* the kind of core on hybrids; else NULL */
    /* with likely bounds; without an estimate the status is TD_NOT_COUNTED, and value and bounds are NAN */
    const struct td_metric *const *metric;
    size_t metrics;
    const struct td_verdict *verdict; /* by these bounds; only of places with an estimate, else one without anything */
    unsigned flags; /* those of the sum of its pure intervals */
    /* inside */
    const struct td_functions_core *of;
    const struct td_weighed *all; /* where its metrics are others than those of its kind of core, else NULL */
    struct td_estimates *next;
};

/* All estimates of one kind of core. Zeroed to begin with. */
struct td_estimates_store {
    struct td_estimates *alike, *own; /* lists: those that places without an estimate share, and one place's own */
    struct td_metric **without; /* metrics without a value, no two of them alike */
    size_t n, room;
};

/* What another place without an estimate has, if this result would give the same; else NULL. */
const struct td_estimates *td_estimates_alike(const struct td_estimates_store *, const struct td_result *);
/* New estimates with these flags, without metrics; shared: td_estimates_alike() shall find them. NULL: out of memory.
 */
struct td_estimates *td_estimates_new(struct td_estimates_store *, unsigned flags, bool shared);
/* Sets n metrics, of which copies are kept; their texts must stay. 0 or -ENOMEM. */
int td_estimates_set(struct td_estimates_store *, struct td_estimates *, const struct td_metric *metric, size_t n);
/* Sets the verdict, which a result allows by the metrics that were set. 0 or -ENOMEM. */
int td_estimates_judge(struct td_estimates *, const struct td_result *, const struct td_metric *metric);
/* Takes a metric's value away. */
void td_estimate_take_away(struct td_metric *);
void td_estimates_free(struct td_estimates_store *);

#endif
