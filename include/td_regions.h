/* SPDX-License-Identifier: MIT */
/* Top-down inside a program: regions of the calling thread, measured by its own counters.
 *
 *     struct td *td = td_new();
 *     int sort = -1;
 *
 *     if (!td_open_self(td, &(struct td_self_ask){.size = sizeof(struct td_self_ask), .target = 0.02}))
 *         sort = td_region(td, "sort");
 *     td_region_begin(td, sort);
 *     ...
 *     td_region_end(td, sort);
 *
 * A handle counts one thread, the one that opened it, and only that thread may use it:
 * calls by others return -EPERM and change nothing. Other threads can have handles of
 * their own at the same time. A child of fork(2) has none: calls with its parent's
 * handle return -ECHILD, except for td_free(), which may be called. exec(2) closes
 * the descriptors.
 *
 * Detected, so that td_measure() fails and a region's pass is discarded: the events
 * had no counter for a time, the thread was on another kind of core, the registers
 * were zeroed in between by this handle (td_reset()), or by others so that a count
 * ran backwards. Not detected: others zeroed the registers by read(2) or ioctl(2) of
 * the same events, and more has passed since then than before; only this process has
 * their descriptors. Nor is an interrupt detected between the two rdpmc of a reading
 * if it does not end in another thread's turn: where kernel mode is counted, its slots
 * are in the metrics only. Interrupts, and all else that the kernel does on behalf of
 * the thread, are counted where kernel mode is. If rdpmc is forbidden (sysfs rdpmc,
 * kernel.perf_user_access) while a handle is open, readings fault.
 *
 * A signal handler may call td_point_read(), and the other functions if it
 * cannot have interrupted one on the same handle. */
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

/* What to count. Zeroed but for size: user and kernel mode, plain regions, no ring. */
struct td_self_ask {
    size_t size; /* sizeof(struct td_self_ask) */
    /* How wide the bounds of a level-1 share may be to either side, 0..1, such as 0.02; below 0.008
     * it cannot be met, and a share above a half may exceed it. The eight bits of PERF_METRICS are
     * fractions of the slots since both registers were zeroed, so bounds widen as slots pass. With a
     * target, td_region_begin() of an outermost region zeroes the registers (one ioctl(2))
     * if a pass as long as the region's mean pass would miss the target. 0: never. */
    double target;
    /* Count the correction terms of the published formula too (INT_MISC.UOP_DROPPING,
     * ...), one rdpmc each; otherwise results carry the flag correction_missing. */
    bool corrections;
    bool no_user, no_kernel; /* leave that mode out */
    unsigned regions; /* maximum number of names, 0: 64 */
    unsigned depth; /* maximum nesting of regions, 0: 16 */
    unsigned ring; /* passes kept for td_regions_write(), 0: none */
};

/* Opens counters for the calling thread; td_set_uarch(), td_set_backend(),
 * td_set_level(), td_set_fixed() and td_set_machine() apply. The level is
 * automatic: 2 where the metrics register gives it, or where its events fit the
 * counters beside those of level 1. On hybrids the cores with PERF_METRICS are measured,
 * or the kind that td_set_uarch() names. Errors as for td_open_live(), and -EOPNOTSUPP
 * where the program cannot read counters itself; td_error() has the reason and
 * what to do. Reading, measuring and passing through regions allocate nothing. */
TD_EXPORT int td_open_self(struct td *, const struct td_self_ask *);
/* For td_point_read(), which reads PERF_METRICS without a call. Owned by the handle;
 * NULL: not open. */
TD_EXPORT const struct td_self *td_self_of(const struct td *);

/* Reads all counters. After a failure td_measure() refuses out. -EAGAIN, -EXDEV,
 * -EPERM, -ECHILD as for td_point_read(). */
TD_EXPORT int td_read(struct td *, struct td_snapshot *out);
/* What happened between two readings, the older one first. The handle owns the result,
 * which is valid until the next call that takes the handle. -ESTALE: the registers
 * were zeroed in between; -EAGAIN: events had no counter for a time, or the thread
 * was on a core without them; -EINVAL: nothing is open, or a reading had failed. */
TD_EXPORT int td_measure(struct td *, const struct td_snapshot *from, const struct td_snapshot *to,
                         const struct td_result **out);
/* The same for the smaller kind of reading; events other than PERF_METRICS are missing. */
TD_EXPORT int td_measure_points(struct td *, const struct td_point *from, const struct td_point *to,
                                const struct td_result **out);
/* Zeroes the registers: bounds are tightest right after that. A new epoch begins. */
TD_EXPORT int td_reset(struct td *);

/* The number of a region's name, the same for the same name. -ENOSPC: more names
 * than were asked for. The name is copied. */
TD_EXPORT int td_region(struct td *, const char *name);

/* Why a pass through a region does not count. */
enum td_discard {
    TD_DISCARD_RESET, /* the registers were zeroed inside it */
    TD_DISCARD_UNSCHEDULED, /* the events had no counter for a time: multiplexed, or on another kind of core */
    TD_DISCARD_OTHER_CORE, /* it began or ended on another kind of core */
    TD_DISCARDS,
};
/* "reset" and the like; static storage. */
TD_EXPORT const char *td_discard_name(enum td_discard);

/* The passes through a region so far. */
struct td_region_info {
    size_t size; /* sizeof(struct td_region_info) */
    const char *name; /* owned by the handle */
    uint64_t passes; /* those in the result */
    uint64_t discarded[8]; /* by enum td_discard, which may have up to as many */
    uint64_t slots; /* of the passes; 0 where SLOTS is not counted */
};

/* ---- what follows, up to the two inline functions, is no API: these need it ---- */

/* The parts of td_region_begin() and td_region_end() that are not inline; programs
 * need not call these. to: the reading at the end, or NULL if none was made yet. */
TD_EXPORT int td__region_begin(struct td *, int region);
TD_EXPORT int td__region_end(struct td *, int region, const struct td_point *to);

/* Passes of one region, added up. The handle owns this and all that follows: for the two
 * inline functions only, and not to be changed. */
struct td__region_sum {
    const char *name; /* these four as in struct td_region_info */
    uint64_t passes;
    uint64_t discarded[8];
    uint64_t slots; /* s1 - s0 of each pass, which begins at s0 slots and ends at s1 */
    /* The sum of s0 + s1 of the passes since the library last took these sums out: below
     * TD__REGION_ROOM, so that 255 times as much, the limit of each field's magnitude, fits 64 bits. */
    uint64_t ends;
    int64_t field[TD_FIELDS]; /* sum of s1 * field - s0 * field of the passes */
    unsigned open; /* how often it was begun */
};
#define TD__REGION_ROOM (UINT64_C(1) << 55)

/* A pass in progress. */
struct td__begun {
    int64_t region; /* its number if it ends inline; else a number that no region has */
    struct td__region_sum *sum;
    struct td_point from;
    unsigned full; /* a pass that begins here does not do so inline */
};

/* struct td begins with a pointer to this. A handle that is not open has no thread,
 * nor has one in a child of fork(2). */
struct td__regions {
    struct td_self self;
    struct td__begun *next; /* in the stack, above the pass begun last */
    struct td__region_sum *sum; /* by number */
    unsigned n; /* regions */
    unsigned fields; /* of PERF_METRICS, 4 or 8 */
};

/* A pass through a region. Regions nest, and the outer ones include the inner
 * ones; one that is begun again inside itself continues. A pass that cannot be
 * measured is counted as discarded, with its reason, and its error is returned;
 * end it all the same. -EINVAL: no such region, or not the one begun last;
 * -ENOSPC: nested too deeply. */
TD__READ_INLINE int td_region_begin(struct td *td, int region)
{
    struct td__regions *all = *(struct td__regions **)(void *)td;
    struct td__region_sum *sum;
    struct td__begun *pass;

    if (__builtin_expect(all->self.thread != td__thread() || (unsigned)region >= all->n, 0))
        return td__region_begin(td, region);
    pass = all->next;
    sum = &all->sum[region];
    if (__builtin_expect(pass->full | sum->open, 0))
        return td__region_begin(td, region);
    if (__builtin_expect(td__point_try(&all->self, &pass->from), 0))
        return td__region_begin(td, region);
    pass->region = region;
    pass->sum = sum;
    sum->open = 1;
    all->next = pass + 1;
    return 0;
}

#if defined(__x86_64__)

/* The i-th field of PERF_METRICS: this processor stores the lowest byte first. */
#define TD__PASS_FIELD(point, i) (((const unsigned char *)&(point)->metrics)[i])
#define TD__PASS_ADD(i) (sum->field[i] += s1 * TD__PASS_FIELD(&to, i) - s0 * TD__PASS_FIELD(&pass->from, i))

TD__READ_INLINE int td_region_end(struct td *td, int region)
{
    struct td__regions *all = *(struct td__regions **)(void *)td;
    const volatile struct perf_event_mmap_page *page;
    struct td__region_sum *sum;
    struct td__begun *pass;
    uint64_t slots, unscheduled, ends;
    struct td_point to;
    int64_t s0, s1;
    uint32_t seq, level1;
    bool changed;

    if (__builtin_expect(all->self.thread != td__thread(), 0))
        return td__region_end(td, region, NULL);
    pass = all->next - 1;
    if (__builtin_expect(pass->region != region, 0))
        return td__region_end(td, region, NULL);
    page = all->self.page;
    seq = page->lock & ~UINT32_C(1);
    TD__READ_REGISTERS(&all->self, page, &to, changed, seq, level1, slots, unscheduled);
    if (__builtin_expect(changed, 0))
        return td__region_end(td, region, NULL);
    sum = pass->sum;
    ends = sum->ends + pass->from.slots + slots;
    /* Nothing wrote the registers, counts run forwards, level 1 is there, and the sums have room. */
    if (__builtin_expect(pass->from.updates != seq || pass->from.epoch != all->self.epoch ||
                             pass->from.unscheduled != unscheduled || pass->from.slots > slots ||
                             !(uint32_t)pass->from.metrics || !level1 || (ends | slots) >= TD__REGION_ROOM,
                         0)) {
        to.slots = slots;
        to.unscheduled = unscheduled;
        to.updates = seq;
        to.epoch = all->self.epoch;
        return td__region_end(td, region, &to);
    }
    s0 = (int64_t)pass->from.slots;
    s1 = (int64_t)slots;
    sum->passes++;
    sum->slots += (uint64_t)(s1 - s0);
    sum->ends = ends;
    TD__PASS_ADD(0);
    TD__PASS_ADD(1);
    TD__PASS_ADD(2);
    TD__PASS_ADD(3);
    if (__builtin_expect(all->fields > 4, 1)) {
        TD__PASS_ADD(4);
        TD__PASS_ADD(5);
        TD__PASS_ADD(6);
        TD__PASS_ADD(7);
    }
    sum->open = 0;
    all->next = pass;
    return 0;
}

#undef TD__PASS_ADD
#undef TD__PASS_FIELD

#else

TD__READ_INLINE int td_region_end(struct td *td, int region)
{
    return td__region_end(td, region, NULL);
}

#endif

/* The i-th region and its metrics, of scope kind "region"; the counts of all its
 * passes are added and solved once (without a pass they are not_counted). info or out
 * may be NULL. -ENODATA: there are no more. */
TD_EXPORT int td_region_result(struct td *, size_t i, struct td_region_info *info, const struct td_result **out);

/* The last passes as a tdprobe-trace(5), oldest first, each one interval of a
 * scope of kind "region". lost (or NULL): how many were overwritten before. Empties
 * the ring. */
TD_EXPORT int td_regions_write(struct td *, td_write_fn *write, void *ctx, uint64_t *lost);

#ifdef __cplusplus
}
#endif

#endif
