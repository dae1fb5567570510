/* SPDX-License-Identifier: MIT */
/* Recordings: their formats, and opening one. */
#include "session/session.h"
#include "formats/formats.h"
#include "formats/unpack.h"
#include "session/to_trace.h"
#include "util/text_buffer.h"

#include <errno.h>
#include <string.h>

static int no_format(struct td *td, const char *name)
{
    struct td_text_buffer all = {0};
    int err = td_text_buffer_add(&all, "auto");

    for (size_t i = 0; td_reader_at(i) && !err; i++)
        err = td_text_buffer_add(&all, ", %s", td_reader_at(i)->name);
    err = err ? td_log_no_memory(&td->log)
              : td_log_fail(&td->log, -EINVAL, "no format '%.60s'; 'tdprobe list formats' says what they are: %s", name,
                            all.at);
    td_text_buffer_free(&all);
    return err;
}

int td_set_format(struct td *td, const char *name)
{
    td->format = NULL;
    if (!strcmp(name, "auto"))
        return 0;
    for (size_t i = 0; td_reader_at(i); i++)
        if (!strcmp(td_reader_at(i)->name, name)) {
            td->format = td_reader_at(i);
            return 0;
        }
    return no_format(td, name);
}

const char *td_format_name(size_t i)
{
    return td_reader_at(i) ? td_reader_at(i)->name : NULL;
}

const char *td_format_about(size_t i)
{
    return td_reader_at(i) ? td_reader_at(i)->about : NULL;
}

/* Passes the handle's settings to a recording. */
static void hand_down(struct td *td, const char *name)
{
    td->recording->settings = &td->settings;
    td->recording->log = &td->log;
    td->recording->stream.name = name;
}

int td_set_metadata(struct td *td, const char *name, td_read_fn *read, void *ctx)
{
    int err;

    if (td->opened)
        return td_session_too_late(td);
    hand_down(td, name);
    td->recording->bytes.line = 1; /* all of it is on one line */
    err = td_perfspect_metadata(td->recording, read, ctx);
    td->recording->stream.name = NULL;
    return err;
}

int td_set_seek(struct td *td, td_seek_fn *seek)
{
    if (td->opened)
        return td_session_too_late(td);
    td->seek = seek;
    return 0;
}

int td_open(struct td *td, const char *name, td_read_fn *read, void *ctx)
{
    int err;

    if (td->opened)
        return td_session_too_late(td);
    td->opened = true;
    free(td->name); /* of what td_open_printed() found to be no percentages */
    td->name = strdup(name);
    if (!td->name)
        return td_log_no_memory(&td->log);
    hand_down(td, td->name);
    td_unpack_free(td->unpack); /* that of td_open_printed() */
    td->unpack = td_unpack_new(read, td->seek, ctx);
    if (!td->unpack)
        return td_log_no_memory(&td->log);
    td->recording->seek = td->seek ? td_unpack_seek : NULL;
    td->recording->unread = td_unpack_why(td->unpack);
    if (td->settings.identity.nparts) /* overrides the metadata */
        td->recording->stream.identity.nparts = 0;
    if (td->settings.smt != TD_SMT_UNKNOWN) /* the same, and of recordings that do not say it */
        td->recording->stream.smt = td->settings.smt;
    err = td_recording_open(&td->recording, td_unpack_read, td->unpack, td->format);
    if (!err && td->convert && td->recording->stream.samples) /* which samples follow each other would be lost */
        err = td_log_fail(
            &td->log, -EOPNOTSUPP,
            "%s: samples of perf record cannot be converted, for a trace has no place for their order: keep the file, "
            "which replay reads itself",
            name);
    td->stream = err ? NULL : &td->recording->stream;
    if (td->stream && td->convert)
        td_convert_begin(td->convert, td->stream);
    return err;
}
