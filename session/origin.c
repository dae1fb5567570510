/* SPDX-License-Identifier: MIT */
/* Where the counts of a handle come from. */
#include "core/sized.h"
#include "live/meter.h"
#include "private/result.h"
#include "session/session.h"

#include <errno.h>

int td_origin_about(struct td *td, struct td_origin_info *out)
{
    const struct td_stream *stream = td->meter ? &td->meter->stream : td->stream;
    struct td_origin_info info = {.size = sizeof(info)};
    int err;

    if (stream) {
        info.host = stream->host;
        info.cpu = stream->identity.nparts ? stream->identity.name : NULL;
        info.command = stream->command;
    }
    err = td_sized_give(&td->log, "td_origin_info", out, sizeof(info), &info);
    return err ? err : stream ? 0 : -ENODATA;
}

const char *td_recording_started(const struct td *td, uint64_t *monotonic)
{
    const struct td_stream *stream = td->meter ? &td->meter->stream : td->stream;

    *monotonic = stream ? stream->monotonic : 0;
    return stream ? stream->started : NULL;
}
