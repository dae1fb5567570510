/* SPDX-License-Identifier: MIT */
/* The ring that the kernel puts an event's records into: perf_event_open(2), "MMAP layout". */
#ifndef TD_RING_H
#define TD_RING_H

#include "os/os.h"

struct td_ring {
    struct perf_event_mmap_page *page; /* NULL: not mapped */
    size_t size; /* bytes that are mapped */
    unsigned char *bounce; /* holds a record that goes around the ring's end */
};

/* A record with its header; it is valid during the call. A nonzero result ends the taking and is returned. */
typedef int td_ring_fn(void *ctx, const struct perf_event_header *record);

/* Maps the event's ring of 2^n pages. 0 or -errno; -EPERM: as much memory may not be locked. */
int td_ring_map(struct td_ring *, const struct td_os *, int fd, size_t pages);
void td_ring_unmap(struct td_ring *, const struct td_os *);
/* Calls fn with each record that is there now, and gives their room back to the kernel. 0; -EBADMSG: a record has an
 * impossible size; or what fn returned. */
int td_ring_take(struct td_ring *, td_ring_fn *fn, void *ctx);

#endif
