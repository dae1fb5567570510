/* SPDX-License-Identifier: MIT */
/* Where the counts of a handle come from. */
#include "live/meter.h"
#include "session/session.h"

bool td_origin_about(const struct td *td, struct td_origin_info *out)
{
    const struct td_stream *stream = td->meter ? &td->meter->stream : td->stream;

    *out = (struct td_origin_info){0};
    if (!stream)
        return false;
    out->host = stream->host;
    out->cpu = stream->identity.nparts ? stream->identity.name : NULL;
    out->command = stream->command;
    return true;
}
