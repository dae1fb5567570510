/* SPDX-License-Identifier: MIT */
/* Groups of recordings that were appended to one file: runs of the same events count the same groups again, and runs of
 * others count groups of their own, with their own copies of what both count. */
#ifndef TD_RUN_GROUPS_H
#define TD_RUN_GROUPS_H

#include "core/stream.h"

/* Zeroed to begin with. */
struct td_run_groups {
    struct td_run_events {
        uint64_t hash; /* of the events */
        uint16_t first; /* number of their first group */
    } * run; /* those of different events */
    size_t n, room;
    uint16_t first, next; /* of the run at hand; for the next run of other events */
};

/* Numbers the groups of a batch, which are from 0 on. begins: it is the first of a run. -ENOMEM. */
int td_run_groups_number(struct td_run_groups *, struct td_stream *, bool begins);
void td_run_groups_free(struct td_run_groups *);

#endif
