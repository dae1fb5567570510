/* SPDX-License-Identifier: MIT */
/* Top-down inside a program: regions of the calling thread, by its own counters.
 *
 *     struct td *td = td_new();
 *     int sort = -1;
 *
 *     if (!td_open_self(td, &(struct td_self_ask){.target = 0.02}))
 *         sort = td_region(td, "sort");
 *     td_region_begin(td, sort);
 *     ...
 *     td_region_end(td, sort);
 *
 * A handle counts one thread, the one that opened it, and is used by it alone:
 * for others its calls end with -EPERM, and change nothing. Other threads have
 * handles of their own, at the same time. After fork(2) the child has none: calls
 * with its parent's end with -ECHILD, and td_free() may be called. Descriptors are
 * closed by exec(2).
 *
 * What is detected, and makes td_measure() fail and a region's pass be discarded:
 * the events had no counter for a time, the thread was on another kind of core, the
 * registers were zeroed in between by this handle (td_reset()), or by others so
 * that a count runs backwards. Not detected: others who zero the registers by
 * read(2) or ioctl(2) of the same events, if more has passed since than had
 * before; only this process has their descriptors. Nor an interrupt between the two
 * rdpmc of a reading that does not end in another thread's turn: its slots are in
 * the metrics only, where kernel mode is counted. Interrupts, and all else that
 * the kernel does on behalf of the thread, count there. Who forbids rdpmc (sysfs
 * rdpmc, kernel.perf_user_access) while a handle is open makes readings fault.
 *
 * A signal handler may call td_point_read(), and the other functions where it
 * cannot have interrupted one of the same handle. */
#ifndef TD_REGIONS_H
#define TD_REGIONS_H

#include "td_read.h"
#include "tdprobe.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TD_SELF_EVENTS = 12 /* ordinary events of one thread, at most */ };

/* One reading of all that the handle counts. Plain data: keep as many as you like. */
struct td_snapshot {
    struct td_point point; /* slots and metrics are 0 where there is no PERF_METRICS */
    uint64_t count[TD_SELF_EVENTS]; /* of the ordinary events, cumulative */
};

/* What to count. Zeroed: user and kernel mode, plain regions, no ring. */
struct td_self_ask {
    /* How wide the bounds of a share of level 1 may be to either side, 0..1, as
     * 0.02; below 0.008 it cannot be met, and above a half a share has wider ones. The eight bits of PERF_METRICS are parts of the slots since both
     * registers were zeroed, so bounds widen with their distance from that. With a
     * target, td_region_begin() of an outermost region zeroes them (one ioctl(2))
     * when a region as long as this one was on average would miss it. 0: never. */
    double target;
    /* Count the correction terms of the published formula too (INT_MISC.UOP_DROPPING,
     * ...), one rdpmc each; otherwise results carry the flag correction_missing. */
    bool corrections;
    bool no_user, no_kernel; /* leave that mode out */
    unsigned regions; /* most names, 0: 64 */
    unsigned depth; /* most regions inside each other, 0: 16 */
    unsigned ring; /* passes kept for td_regions_write(), 0: none */
};

/* Opens counters for the calling thread; td_set_uarch(), td_set_backend(),
 * td_set_level(), td_set_fixed() and td_set_machine() hold. The level is
 * automatic: 2 where the metrics register gives it, or where its events fit the
 * counters beside level 1. On hybrids the cores with PERF_METRICS are measured, or
 * the kind that td_set_uarch() names. Errors as td_open_live(), and -EOPNOTSUPP
 * where counters cannot be read by the program itself; td_error() says why and
 * what to do. Reading, measuring and passing through regions allocate nothing. */
TD_EXPORT int td_open_self(struct td *, const struct td_self_ask *);
/* For td_point_read(), which reads PERF_METRICS without a call. Of the handle;
 * NULL: not open. */
TD_EXPORT const struct td_self *td_self_of(const struct td *);

/* Reads all counters. After a failure td_measure() refuses out. -EAGAIN, -EXDEV,
 * -EPERM, -ECHILD as td_point_read(). */
TD_EXPORT int td_read(struct td *, struct td_snapshot *out);
/* What happened between two readings, the older one first. The result is of the
 * handle, valid until the next call that takes it. -ESTALE: the registers
 * were zeroed in between; -EAGAIN: events had no counter for a time, or the thread
 * was on a core without them; -EINVAL: nothing is open, or a reading had failed. */
TD_EXPORT int td_measure(struct td *, const struct td_snapshot *from, const struct td_snapshot *to, const struct td_result **out);
/* The same of the smaller kind of reading; events beside PERF_METRICS are missing. */
TD_EXPORT int td_measure_points(struct td *, const struct td_point *from, const struct td_point *to, const struct td_result **out);
/* Zeroes the registers: bounds are tightest right behind it. A new epoch begins. */
TD_EXPORT int td_reset(struct td *);

/* The number of a region's name, the same for the same name. -ENOSPC: more than
 * were asked for. The name is copied. */
TD_EXPORT int td_region(struct td *, const char *name);
/* A pass through a region. Regions nest, and the outer ones include the inner
 * ones; one that is begun again inside itself goes on. A pass that cannot be
 * measured is counted as discarded, with its reason, and its error is returned;
 * end it all the same. -EINVAL: no such region, or not the one begun last;
 * -ENOSPC: too deep. */
TD_EXPORT int td_region_begin(struct td *, int region);
TD_EXPORT int td_region_end(struct td *, int region);

/* Why a pass through a region does not count. */
enum td_discard {
    TD_DISCARD_RESET, /* the registers were zeroed inside it */
    TD_DISCARD_UNSCHEDULED, /* the events had no counter for a time: multiplexed, or on another kind of core */
    TD_DISCARD_OTHER_CORE, /* it began or ended on another kind of core */
    TD_DISCARDS,
};
/* "reset" and the like; static storage. */
TD_EXPORT const char *td_discard_name(enum td_discard);

/* What passed through a region so far. */
struct td_region_info {
    const char *name; /* of the handle */
    uint64_t passes; /* that are in the result */
    uint64_t discarded[TD_DISCARDS];
    uint64_t slots; /* of the passes; 0 where SLOTS is not counted */
};
/* The i-th region and its metrics, of scope kind "region"; the counts of all its
 * passes are added and solved once (without a pass they are not_counted). info or out
 * may be NULL. -ENODATA: there are no more. */
TD_EXPORT int td_region_result(struct td *, size_t i, struct td_region_info *info, const struct td_result **out);

/* The last passes as a tdprobe-trace(5), oldest first, each one interval of a
 * scope of kind "region". lost (or NULL): how many were overwritten before. The
 * ring is empty after that. */
TD_EXPORT int td_regions_write(struct td *, td_write_fn *write, void *ctx, uint64_t *lost);

#ifdef __cplusplus
}
#endif

#endif
