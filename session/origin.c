/* SPDX-License-Identifier: MIT */
/* Where the counts of a handle come from. */
#include "core/sized.h"
#include "formats/trace/labels.h"
#include "live/meter.h"
#include "private/result.h"
#include "session/session.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

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

const char *td_recording_started(const struct td *td, uint64_t *monotonic, uint64_t *realtime)
{
    const struct td_stream *stream = td->meter ? &td->meter->stream : td->stream;

    *monotonic = stream ? stream->monotonic : 0;
    *realtime = stream ? stream->realtime : 0;
    return stream ? stream->started : NULL;
}

const char *td_recording_labels(const struct td *td)
{
    return td->stream ? td->stream->labels : NULL;
}

int td_set_label(struct td *td, const char *label)
{
    const char *before = td->settings.labels;
    const size_t n = before ? strlen(before) + 1 : 0, len = strlen(label);
    char *all = malloc(n + len + 1);

    if (!all)
        return td_log_no_memory(&td->log);
    if (before) {
        memcpy(all, before, n - 1);
        all[n - 1] = ';';
    }
    memcpy(all + n, label, len + 1);
    if (!td_labels_are(all)) {
        free(all);
        return td_log_fail(
            &td->log, -EINVAL,
            "'%.60s' is no label such as build=4711, with a key of up to %d letters, digits and _.- and a "
            "value of up to %d bytes without semicolon, or its key has been given already",
            label, TD_LABEL_KEY, TD_LABEL_VALUE);
    }
    free(td->settings.labels);
    td->settings.labels = all;
    return 0;
}
