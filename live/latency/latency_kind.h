/* SPDX-License-Identifier: MIT */
/* Which retire latencies of a PMU's plan are sampled, and by which events. Pure. */
#ifndef TD_LATENCY_KIND_H
#define TD_LATENCY_KIND_H

#include "live/perf/perf.h"

struct td_latency_kind {
    struct td_latency_event {
        uint16_t latency, event; /* of the row: "NAME:R", and NAME, which has it */
        uint16_t group; /* of the plan, or after its groups; in rising order */
        uint16_t at; /* of the plan's events, in all groups; of those beside the plan 0 */
    } * event;
    size_t n;
    bool beside; /* in groups of their own, which take turns with those of the plan */
};

/* The latencies that the plan's metrics need: of the events that its groups count, or beside them, in as few groups as
 * the counters hold. -ENOMEM. */
int td_latency_kind_make(struct td_latency_kind *, const struct td_perf_pmu *, bool beside);
void td_latency_kind_free(struct td_latency_kind *);

#endif
