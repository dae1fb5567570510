/* SPDX-License-Identifier: MIT */
/* Which retire latencies of a PMU's plan are sampled, and the places where they are: the events of one unit on one CPU,
 * whose records go to one ring. */
#ifndef TD_LATENCY_PLACE_H
#define TD_LATENCY_PLACE_H

#include "live/perf/perf.h"
#include "live/sampling/ring.h"

struct td_meter;

struct td_latency_kind {
    struct td_latency_event {
        uint16_t latency, event; /* numbers of the row's "NAME:R" and of NAME, whose latency that is */
        uint16_t group; /* one of the plan's, or one after these; in rising order */
        uint16_t at; /* which of all the plan's events it is; 0 if it is beside the plan */
    } * event;
    size_t n;
    bool beside; /* they are in groups of their own, which take turns with those of the plan */
};

/* Finds the latencies that the plan's metrics need, and the events that are sampled for them: events of the plan's
 * groups, or with beside events in further groups, as few as the counters allow. -ENOMEM. */
int td_latency_kind_make(struct td_latency_kind *, const struct td_perf_pmu *, bool beside);
void td_latency_kind_free(struct td_latency_kind *);

/* The sums of the samples that one event of a lane had. */
struct td_latency_sums {
    uint64_t n, sum, squares;
    uint64_t running; /* ns that the event ran, if it is beside the plan */
};

struct td_latency_place {
    struct td_perf_target target;
    size_t unit;
    const struct td_latency_kind *kind;
    struct td_ring ring;
    struct td_latency_member {
        int fd; /* that of the unit's event, unless it is beside the plan; -1: not open */
        bool leads; /* it leads a group beside the plan */
        uint64_t id, running;
    } * member; /* by event of the kind; NULL: the place is closed */
};

/* Begins to sample; target, unit and kind of the place have to be set. 0, or e->err: then e says what failed, and the
 * place is closed. */
int td_latency_place_open(const struct td_meter *, struct td_latency_place *, struct td_perf_error *e);
void td_latency_place_close(const struct td_meter *, struct td_latency_place *);
/* Enables or disables the events beside the plan; others are enabled with their group. */
void td_latency_place_enable(const struct td_meter *, const struct td_latency_place *, bool on);
/* Stops sampling: events that go on counting are not interrupted any more. */
void td_latency_place_stop(const struct td_meter *, const struct td_latency_place *);
/* Adds the samples since the last time to the sums of the kind's events. throttled is set where the kernel held some
 * back. An error where the ring holds what can be no record. */
int td_latency_place_take(const struct td_meter *, struct td_latency_place *, struct td_latency_sums *,
                          bool *throttled);

#endif
