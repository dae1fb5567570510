/* SPDX-License-Identifier: MIT */
/* Counters of the calling thread, read by an instruction: what they counted between two
 * readings; opening is in thread_source.h, regions are in regions.h. */
#ifndef TD_THREAD_H
#define TD_THREAD_H

#include "live/meter.h"
#include "live/thread/pass_sum.h"

enum { TD_OWN_FAILED = UINT32_MAX /* the epoch of a reading that failed */ };

/* What a thread reads by, in memory that a child of fork(2) finds zeroed, with the way back to its struct td_own. */
struct td_own_page {
    struct td__regions regions; /* must be first, as struct td_self is in it: see td__point_retry() */
    struct td_own *own;
};

/* One pass through a region, in progress or kept. */
struct td_pass {
    int region;
    int err; /* that of its first reading */
    uint64_t begin, end; /* ns; only if passes are kept */
    struct td_snapshot from, to;
};

struct td_named {
    char *name;
    struct td_pass_sum sum;
};

struct td_own {
    const struct td_os *os;
    struct td_log *log;
    struct td_own_page *page; /* mapped by the seam; NULL: not open */
    const struct td_perf_pmu *pmu;
    const struct td_perf_unit *unit; /* the events that are read */
    bool packed; /* PERF_METRICS is read, and comes first */
    char core; /* the kind of core, as in struct td_lane */
    uint64_t start; /* when it was opened, ns */
    const volatile struct perf_event_mmap_page *event[TD_SELF_EVENTS]; /* the ordinary events */
    size_t nevents;
    const volatile struct perf_event_mmap_page *leader[TD_SELF_EVENTS + 1]; /* those of groups' leaders */
    size_t nleaders;
    void *map[TD_SELF_EVENTS + 1]; /* all pages, to be unmapped */
    size_t nmaps;
    ptrdiff_t rseq;
    bool kinds; /* there are several kinds of core */

    /* the samples of a reading, but for their values: slots and metrics, then the events */
    struct td_sample sample[TD_SELF_EVENTS + 2];
    size_t nsamples;
    uint32_t *text; /* by event: the name that its counts get */
    struct td_counts delta; /* has all the room that it will need */
    bool smt; /* SMT is on, or not known to be off */

    double target;
    bool plain; /* passes are inline: they are two readings of PERF_METRICS, and are not kept */
    struct td_named *region; /* page->regions.n of them */
    struct td__region_sum *hot; /* as many: the sums that inline functions add to */
    unsigned most_regions, most_depth;
    struct td__begun *begun; /* passes in progress, with a place below and one above that have no region */
    struct td_pass *stack; /* those in progress that are not inline, at the same places */
    struct td_pass *ring;
    unsigned kept, next, room; /* passes in the ring */
    uint64_t lost;
};

/* Whether the calling thread may use the counters: 0, or -EINVAL, -EPERM or -ECHILD (own NULL: nothing is open). The
 * log has the error, except that of another thread, which must not touch the log. Only threads that may use the
 * counters may call what is below. */
int td_own_check(const struct td_own *own, struct td_log *);
/* These do what td_read() and td_reset() promise. */
int td_own_read(struct td_own *, struct td_snapshot *out);
int td_own_reset(struct td_own *);
/* A reading in the form of struct td_snap; samples has room for own->nsamples. */
struct td_snap td_own_snap(const struct td_own *, const struct td_snapshot *, struct td_sample *samples);
/* Whether the counts between two readings are known: 0, or an error of td_measure(), without a text. */
int td_own_comparable(const struct td_own *, const struct td_snapshot *from, const struct td_snapshot *to);
/* The counts between two readings, in own->delta; the second one takes those of PERF_METRICS alone. */
int td_own_delta(struct td_own *, const struct td_snapshot *from, const struct td_snapshot *to);
int td_own_delta_points(struct td_own *, const struct td_point *from, const struct td_point *to);
/* Adds the counts between two readings to a region's sums; and puts the counts of all its passes into own->delta. */
void td_own_add(struct td_own *, const struct td_snapshot *from, const struct td_snapshot *to, size_t region);
int td_own_sum(struct td_own *, size_t region);
/* Logs the text for an error of reading or measuring, and returns the error. */
int td_own_fail(const struct td_own *, int err);

#endif
