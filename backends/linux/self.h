/* SPDX-License-Identifier: MIT */
/* The source "rdpmc": counters of the calling thread, read by an instruction.
 * Shared by opening (self.c), reading (self_read.c), and regions (regions.c,
 * regions_trace.c). */
#ifndef TD_SELF_H
#define TD_SELF_H

#include "live.h"

#include "td_regions.h"

enum { TD_OWN_FAILED = UINT32_MAX /* the epoch of a reading that failed */ };

/* What readers are given lies in memory that fork(2) wipes, and leads back here. */
struct td_own_page {
    struct td_self self; /* first: see td_point_retry() */
    struct td_own *own;
};

/* One pass through a region that goes on, or is kept. */
struct td_pass {
    int region, err; /* err: of its begin */
    uint64_t begin, end; /* ns, where passes are kept */
    struct td_snapshot from, to;
};

/* What passes counted, added up. */
struct td_pass_sum {
    uint64_t slots, count[TD_SELF_EVENTS];
    double field[TD_FIELDS], err; /* slots of each field of PERF_METRICS; of each, half-width */
};

struct td_named {
    char *name;
    unsigned open; /* how often it was begun */
    struct td_region_info info;
    struct td_pass_sum sum;
};

struct td_own {
    const struct td_os *os;
    struct td_own_page *page; /* of the seam; NULL: not open */
    const struct td_perf_pmu *pmu;
    bool packed; /* PERF_METRICS is read, and leads */
    char core; /* its kind, as in struct td_lane */
    uint64_t start; /* when it was opened, ns */
    const volatile struct perf_event_mmap_page *event[TD_SELF_EVENTS]; /* the ordinary events */
    size_t nevents;
    const volatile struct perf_event_mmap_page *leader[TD_PLAN_GROUPS]; /* of each group */
    size_t nleaders;
    void *map[TD_SELF_EVENTS + 1]; /* all pages */
    size_t nmaps;
    ptrdiff_t rseq;
    bool kinds; /* of cores: several */

    struct td_sample sample[TD_SELF_EVENTS + 2]; /* of a reading, but for the values: slots and metrics, then the events */
    size_t nsamples;
    uint32_t text[TD_EVENTS_MAX]; /* of each event's counts */
    struct td_counts delta; /* with all the room it needs */
    struct td_solve_ask solve;

    double target;
    struct td_named *region;
    unsigned nregions, most_regions;
    struct td_pass *stack;
    unsigned depth, most_depth;
    struct td_pass *ring;
    unsigned kept, next, room; /* of the ring */
    uint64_t lost;
};

/* 0 if the calling thread may use the handle; else -EINVAL, -EPERM or -ECHILD:
 * said, but for another thread's, which must not touch it. */
int td_own_check(struct td *);
/* A reading as snapshots are; samples: room for own->nsamples. */
struct td_snap td_own_snap(const struct td_own *, const struct td_snapshot *, struct td_sample *samples);
/* 0 if what lies between two readings is known; td_measure()'s errors. */
int td_own_comparable(const struct td_own *, const struct td_snapshot *from, const struct td_snapshot *to);
/* The counts between them, in own->delta. */
int td_own_delta(struct td_own *, const struct td_snapshot *from, const struct td_snapshot *to);
/* Adds what lies between them to a sum; and such a sum's counts, in own->delta. */
void td_own_add(const struct td_own *, const struct td_snapshot *from, const struct td_snapshot *to, struct td_pass_sum *);
int td_own_sum(struct td_own *, const struct td_pass_sum *);
/* Solves counts of this thread into the handle's result. */
void td_own_solve(struct td *, const struct td_counts *, const char *scope, const char *kind, const struct td_result **out);
/* Keeps the text of an error of reading or measuring, and returns it. */
int td_own_fail(struct td *, int err);
/* The arrays of regions, stack and ring. -ENOMEM. */
int td_regions_init(struct td_own *, const struct td_self_ask *);
void td_regions_free(struct td_own *);
/* A pass that ended is kept in the ring. */
void td_regions_keep(struct td_own *, const struct td_pass *);

#endif
