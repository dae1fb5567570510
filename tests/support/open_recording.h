/* SPDX-License-Identifier: MIT */
/* A recording named "f", opened as the session does, with what the session passes on. */
#ifndef OPEN_RECORDING_H
#define OPEN_RECORDING_H

#include "formats/formats.h"
#include "samples/wanted.h"
#include "tests/support/source.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct opened {
    struct td_recording *r;
    struct td_settings settings;
    struct td_samples_wanted samples;
    struct td_log log;
};

/* A recording that is not yet open: what td_recording_open() asks for may still be set. -ENOMEM. */
static int begin_recording(struct opened *o)
{
    memset(o, 0, sizeof(*o));
    o->settings.samples = &o->samples;
    o->r = calloc(1, sizeof(*o->r));
    if (!o->r)
        return -ENOMEM;
    o->r->settings = &o->settings;
    o->r->log = &o->log;
    o->r->stream.name = "f";
    return 0;
}

/* asked: the CPU, or NULL; note may be NULL; format: its reader, or NULL. Call close_recording() in any case. */
static int open_recording_as(struct opened *o, struct source *from, const struct td_identity *asked, td_note_fn *note,
                             void *ctx, const struct td_reader *format)
{
    if (begin_recording(o))
        return -ENOMEM;
    if (asked)
        o->settings.identity = *asked;
    o->log.note = note;
    o->log.note_ctx = ctx;
    return td_recording_open(&o->r, source_read, from, format);
}

__attribute__((unused)) static int open_recording(struct opened *o, struct source *from,
                                                  const struct td_identity *asked, td_note_fn *note, void *ctx)
{
    return open_recording_as(o, from, asked, note, ctx, NULL);
}

__attribute__((unused)) static int next_batch(struct opened *o)
{
    return o->r->stream.next(&o->r->stream);
}

static void close_recording(struct opened *o)
{
    td_recording_close(o->r);
}

#endif
