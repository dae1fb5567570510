/* SPDX-License-Identifier: MIT */
/* Which retire latencies of a PMU's plan are sampled, and by which events. Pure. */
#ifndef TD_LATENCY_KIND_H
#define TD_LATENCY_KIND_H

#include "live/perf/perf.h"

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

#endif
