/* SPDX-License-Identifier: MIT */
/* The pages of mapped events, which a thread reads without a call. */
#ifndef TD_PAGE_H
#define TD_PAGE_H

#include "sim/kernel/event.h"

struct td_sim;

struct td_sim_page {
    struct td_sim_page *link;
    struct perf_event_mmap_page *at;
    size_t size;
    unsigned maps;
    uint64_t head; /* bytes written to the ring that follows the page, if it has one */
    uint64_t lost; /* records without room since the last one that had room */
    uint64_t watermark; /* readers are woken when so many bytes were written after woken_at */
    uint64_t woken_at;
    unsigned samples; /* those of events that wake after a number of samples, since the last wake-up */
    bool woken; /* readers are to be told that they were woken */
    struct td_sim_event *event; /* NULL: the page is zeroed memory */
};

/* Bits of rdpmc's ECX, and so of the index in a page; Arm's number of PMCCNTR_EL0. */
enum { TD_SIM_RDPMC_FIXED = 1 << 30, TD_SIM_RDPMC_METRICS = 1 << 29, TD_SIM_ARM_CYCLE = 31 };

/* A new event's counter: whether an instruction can read it, its width and start. 0 or -EINVAL. */
int td_sim_event_user(const struct td_sim *, const struct perf_event_attr *, struct td_sim_event *);
/* The event got, lost or moved its counter, or was set: updates its page if it has one. */
void td_sim_page_update(const struct td_sim *, struct td_sim_event *);
/* Time has passed: brings all pages up to now, because they are read without a call. */
void td_sim_pages_sync(struct td_sim *);

#endif
