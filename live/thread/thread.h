/* SPDX-License-Identifier: MIT */
/* Counters of the calling thread, read by an instruction: what they counted between two
 * readings; opening is in thread_source.h, regions are in regions.h. */
#ifndef TD_THREAD_H
#define TD_THREAD_H

#include "live/meter.h"
#include "live/thread/pass_sum.h"

enum { TD_OWN_FAILED = UINT32_MAX /* the epoch of a reading that failed */ };

/* What readers are given is in memory that fork(2) wipes, and points back here. */
struct td_own_page {
    struct td__regions regions; /* first, and its struct td_self is first in it: see td__point_retry() */
    struct td_own *own;
};

/* One pass through a region, in progress or kept. */
struct td_pass {
    int region, err; /* err: of its beginning */
    uint64_t begin, end; /* ns, if passes are kept */
    struct td_snapshot from, to;
};

struct td_named {
    char *name;
    struct td_pass_sum sum;
};

struct td_own {
    const struct td_os *os;
    struct td_log *log;
    struct td_own_page *page; /* from the seam; NULL: not open */
    const struct td_perf_pmu *pmu;
    const struct td_perf_unit *unit; /* its events */
    bool packed; /* PERF_METRICS is read, and comes first */
    char core; /* the kind of core, as in struct td_lane */
    uint64_t start; /* when it was opened, ns */
    const volatile struct perf_event_mmap_page *event[TD_SELF_EVENTS]; /* the ordinary events */
    size_t nevents;
    const volatile struct perf_event_mmap_page *leader[TD_SELF_EVENTS + 1]; /* of each group */
    size_t nleaders;
    void *map[TD_SELF_EVENTS + 1]; /* all pages */
    size_t nmaps;
    ptrdiff_t rseq;
    bool kinds; /* there are several kinds of core */

    /* for a reading, without the values: slots and metrics, then the events */
    struct td_sample sample[TD_SELF_EVENTS + 2];
    size_t nsamples;
    uint32_t *text; /* for each event's counts */
    struct td_counts delta; /* with all the room it needs */
    bool smt; /* enabled, or not known */

    double target;
    bool plain; /* passes are two readings of PERF_METRICS and are not kept: they are inline */
    struct td_named *region; /* as many as page->regions.n, like those that inline functions use: */
    struct td__region_sum *hot;
    unsigned most_regions, most_depth;
    struct td__begun *begun; /* passes in progress, with a place below and one above that have no region */
    struct td_pass *stack; /* those in progress that are not inline, at the same places */
    struct td_pass *ring;
    unsigned kept, next, room; /* passes in the ring */
    uint64_t lost;
};

/* 0 if the calling thread may use the counters (own NULL: nothing is open); else -EINVAL, -EPERM
 * or -ECHILD; in the log, except for another thread, which must not touch it. All functions
 * below are for those that may. */
int td_own_check(const struct td_own *own, struct td_log *);
/* td_read() and td_reset(). */
int td_own_read(struct td_own *, struct td_snapshot *out);
int td_own_reset(struct td_own *);
/* A reading in the form of a snapshot; samples: room for own->nsamples. */
struct td_snap td_own_snap(const struct td_own *, const struct td_snapshot *, struct td_sample *samples);
/* 0 if the counts between two readings are known; td_measure()'s errors, without a text. */
int td_own_comparable(const struct td_own *, const struct td_snapshot *from, const struct td_snapshot *to);
/* The counts between them, in own->delta; and those of PERF_METRICS alone. */
int td_own_delta(struct td_own *, const struct td_snapshot *from, const struct td_snapshot *to);
int td_own_delta_points(struct td_own *, const struct td_point *from, const struct td_point *to);
/* Adds the counts between them to a region's sums; and the counts of all its passes, in own->delta. */
void td_own_add(struct td_own *, const struct td_snapshot *from, const struct td_snapshot *to, size_t region);
int td_own_sum(struct td_own *, size_t region);
/* Logs the text for an error of reading or measuring, and returns the error. */
int td_own_fail(const struct td_own *, int err);

#endif
