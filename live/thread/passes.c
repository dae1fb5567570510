/* SPDX-License-Identifier: MIT */
/* The last passes through regions, kept in a ring. */
#include "live/thread/regions.h"

void td_ring_keep(struct td_own *own, const struct td_pass *p)
{
    own->ring[own->next] = *p;
    own->next = (own->next + 1) % own->room;
    if (own->kept < own->room)
        own->kept++;
    else
        own->lost++;
}

/* Passes one end of a pass to the sink, as a reading of a trace. */
static void tell_end(const struct td_own *own, const struct td_sink *sink, const struct td_pass *p, bool begins)
{
    struct td_sample samples[TD_SELF_EVENTS + 2];
    struct td_snap s = td_own_snap(own, begins ? &p->from : &p->to, samples);
    const uint64_t ns = begins ? 0 : p->end - p->begin;

    s.time = (begins ? p->begin : p->end) - own->start;
    for (size_t i = 0; i < s.n; i++)
        samples[i].enabled = samples[i].running = ns;
    sink->reading(sink->ctx, own->region[p->region].name, TD_KIND_REGION, own->core, &s, begins);
}

void td_ring_tell(const struct td_own *own, const struct td_sink *sink)
{
    for (unsigned i = 0; i < own->kept; i++) {
        const struct td_pass *p = &own->ring[(own->next + own->room - own->kept + i) % own->room];

        tell_end(own, sink, p, true);
        tell_end(own, sink, p, false);
    }
}

void td_ring_clear(struct td_own *own)
{
    own->kept = 0;
    own->lost = 0;
}
