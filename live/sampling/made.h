/* SPDX-License-Identifier: MIT */
/* What recorded processes told of the code that they made while they ran, in their maps and jitdumps: copies for the
 * recording (util/made_files.h), as a process in a container has its files where nobody looks for them later. */
#ifndef TD_MADE_H
#define TD_MADE_H

#include "live/sampling/data_file.h"

struct td_made {
    void *processes; /* tsearch(3), by number */
    struct td_made_process *last; /* the one that was found last, or NULL */
    size_t n;
};

/* Takes notice of the processes in a record, while they are there. -ENOMEM. */
int td_made_take(struct td_made *, const struct td_os *, const struct perf_event_header *);
/* Adds the files of those that were sampled and of those that they were forked from, up to TD_KEPT_MOST bytes, first
 * those of processes with most samples; nothing where there are none. Whether there was more. */
bool td_made_put(struct td_made *, const struct td_os *, struct td_data_bytes *);
void td_made_free(struct td_made *);

#endif
