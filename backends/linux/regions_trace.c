/* SPDX-License-Identifier: MIT */
/* The last passes through regions, kept in a ring, and written as a trace. */
#include "self.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

void td_regions_keep(struct td_own *own, const struct td_pass *p)
{
    own->ring[own->next] = *p;
    own->next = (own->next + 1) % own->room;
    if (own->kept < own->room)
        own->kept++;
    else
        own->lost++;
}

/* One end of a pass, as readings of a trace are. */
static void write_end(const struct td_own *own, struct td_trace_writer *w, const struct td_pass *p, bool begins, const struct td_texts *texts)
{
    struct td_sample samples[TD_SELF_EVENTS + 2];
    struct td_snap s = td_own_snap(own, begins ? &p->from : &p->to, samples);
    const uint64_t ns = begins ? 0 : p->end - p->begin;

    s.time = (begins ? p->begin : p->end) - own->start;
    for (size_t i = 0; i < s.n; i++)
        samples[i].enabled = samples[i].running = ns;
    td_trace_write_reading(w, own->region[p->region].name, "region", own->core, &s, begins, texts);
}

int td_regions_write(struct td *td, td_write_fn *write, void *ctx, uint64_t *lost)
{
    struct td_own *own = td->own;
    struct td_trace_writer w = {.write = write, .ctx = ctx};
    int err = td_own_check(td);

    if (err)
        return err;
    if (!own->room)
        return td_session_fail(td, -EINVAL, "no passes are kept: ask for a ring when the handle is opened");
    td_live_trace_header(td, &w, "rdpmc");
    for (unsigned i = 0; i < own->kept; i++) {
        const struct td_pass *p = &own->ring[(own->next + own->room - own->kept + i) % own->room];

        write_end(own, &w, p, true, &td->recording.texts);
        write_end(own, &w, p, false, &td->recording.texts);
    }
    err = td_trace_write_flush(&w);
    td_trace_writer_free(&w);
    if (lost)
        *lost = own->lost;
    if (err) {
        snprintf(td->error, sizeof(td->error), "the trace cannot be written: %s", strerror(-err));
        return err;
    }
    own->kept = 0;
    own->lost = 0;
    return 0;
}
