/* SPDX-License-Identifier: MIT */
/* The API of a session: options, reading interval by interval, adding up. */
#include "session.h"

#include "convert.h"
#include "perfspect.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int td_session_fail(struct td *td, int err, const char *text)
{
    snprintf(td->error, sizeof(td->error), "%s", text);
    return err;
}

void td_session_note(const struct td *td, const char *text)
{
    if (td->recording.note)
        td->recording.note(td->recording.note_ctx, text);
}

struct td *td_new(void)
{
    struct td *td = calloc(1, sizeof(*td));

    if (td) {
        td->fixed = true;
        td->level = 2;
    }
    return td;
}

void td_free(struct td *td)
{
    if (!td)
        return;
    td_recording_close(&td->recording);
    td_own_free(td);
    td_live_free(td);
    td_convert_free(td->convert);
    td_candidates_free(&td->candidates);
    for (size_t i = 0; i < td->nsums; i++)
        td_counts_free(&td->sums[i].counts);
    free(td->sums);
    td_scope_index_free(&td->sum_index);
    free(td->name);
    td_counts_free(&td->bound[0]);
    td_counts_free(&td->bound[1]);
    free(td);
}

const char *td_error(const struct td *td)
{
    return td->error;
}

void td_set_note(struct td *td, td_note_fn *note, void *ctx)
{
    td->recording.note = note;
    td->recording.note_ctx = ctx;
}

int td_set_uarch(struct td *td, const char *name_or_id)
{
    char why[256];
    int err = td_machine_find(name_or_id, &td->machine, why, sizeof(why));

    if (err)
        snprintf(td->error, sizeof(td->error), "CPU '%.60s': %s", name_or_id, why);
    return err;
}

int td_set_backend(struct td *td, const char *name)
{
    td->backend = NULL;
    if (!strcmp(name, "auto"))
        return 0;
    for (size_t i = 0; td_backends[i]; i++)
        if (!strcmp(td_backends[i]->name, name)) {
            td->backend = td_backends[i];
            return 0;
        }
    snprintf(td->error, sizeof(td->error), "no backend '%.60s'; 'tdprobe list backends' names them", name);
    return -EINVAL;
}

int td_set_source(struct td *td, const char *name)
{
    const bool msr = !strcmp(name, "msr");

    if (td->opened || td->live)
        return td_session_fail(td, -EINVAL, "the source is set once, before anything is measured");
    if (!strcmp(name, "rdpmc"))
        return td_session_fail(td, -EINVAL, "the source rdpmc measures the calling thread only, from inside a program: see td_open_self() in libtdprobe(3)");
    if (!msr && strcmp(name, "auto") && strcmp(name, "perf")) {
        snprintf(td->error, sizeof(td->error), "the source is auto, perf or msr, not '%.60s'", name);
        return -EINVAL;
    }
    td->source = msr ? TD_SOURCE_MSR : TD_SOURCE_PERF;
    return 0;
}

void td_set_fixed(struct td *td, bool use_fixed)
{
    td->fixed = use_fixed;
}

int td_set_level(struct td *td, int level)
{
    if (level != 1 && level != 2)
        return td_session_fail(td, -EINVAL, "the level is 1 or 2");
    td->level = level;
    td->level_asked = true;
    return 0;
}

void td_set_intervals(struct td *td, bool wanted)
{
    td->skip_intervals = !wanted;
}

int td_set_format(struct td *td, const char *name)
{
    size_t used;

    td->recording.format = NULL;
    if (!strcmp(name, "auto"))
        return 0;
    for (size_t i = 0; td_reader_at(i); i++)
        if (!strcmp(td_reader_at(i)->name, name)) {
            td->recording.format = td_reader_at(i);
            return 0;
        }
    used = (size_t)snprintf(td->error, sizeof(td->error), "no format '%.60s'; 'tdprobe list formats' says what they are: auto", name);
    for (size_t i = 0; td_reader_at(i) && used < sizeof(td->error); i++)
        used += (size_t)snprintf(td->error + used, sizeof(td->error) - used, ", %s", td_reader_at(i)->name);
    return -EINVAL;
}

const char *td_format_name(size_t i)
{
    return td_reader_at(i) ? td_reader_at(i)->name : NULL;
}

const char *td_format_about(size_t i)
{
    return td_reader_at(i) ? td_reader_at(i)->about : NULL;
}

int td_set_metadata(struct td *td, const char *name, td_read_fn *read, void *ctx)
{
    struct td_recording *r = &td->recording;
    int err;

    if (td->opened)
        return td_session_fail(td, -EINVAL, "the handle has been opened already");
    r->name = name;
    r->csv.line = 1; /* all of it is one line */
    err = td_perfspect_metadata(r, read, ctx, td->machine.nparts ? &td->machine : NULL);
    r->name = NULL;
    return err ? td_session_fail(td, err, r->why) : 0;
}

int td_open(struct td *td, const char *name, td_read_fn *read, void *ctx)
{
    int err;

    if (td->opened)
        return td_session_fail(td, -EINVAL, "the handle has been opened already");
    td->opened = true;
    td->recording.name = td->name = strdup(name);
    if (!td->name)
        return td_session_fail(td, -ENOMEM, "out of memory");
    if (td->machine.nparts) /* overrides what metadata said */
        td->recording.machine.nparts = 0;
    err = td_recording_open(&td->recording, read, ctx, td->machine.nparts ? &td->machine : NULL);
    return err ? td_session_fail(td, err, td->recording.why) : 0;
}

static struct td_interval *find_sum(struct td *td, const struct td_interval *v)
{
    int at = td_scope_find(&td->sum_index, v->scope, strlen(v->scope), v->scope_kind, v->core);
    struct td_interval *grown;

    if (at >= 0)
        return &td->sums[at];
    grown = realloc(td->sums, (td->nsums + 1) * sizeof(*grown));
    if (!grown)
        return NULL;
    td->sums = grown;
    if (td_scope_add(&td->sum_index, v->scope, v->scope_kind, v->core) < 0)
        return NULL;
    grown[td->nsums] = *v;
    grown[td->nsums].counts = (struct td_counts){0};
    return &grown[td->nsums++];
}

static int add_up(struct td *td, const struct td_interval *v)
{
    struct td_interval *s = find_sum(td, v);
    int err = s ? td_counts_add(&s->counts, &v->counts) : -ENOMEM;

    if (err == -ENOMEM)
        return td_session_fail(td, err, "out of memory");
    if (err) {
        td_recording_bad(&td->recording, "more than %d different events in all", TD_COUNTS_MAX);
        return td_session_fail(td, -EBADMSG, td->recording.why);
    }
    s->time = v->time;
    return 0;
}

static int take_interval(struct td *td, const struct td_interval *v, const struct td_result **out)
{
    int err;

    if (td_session_skips(td, v))
        return 0;
    td->matched = td->matched || td_session_matches(td, v);
    if (!td->matched) /* if none does, the CPU is another: said at the end */
        return 0;
    err = add_up(td, v);
    if (!err && td->convert)
        err = td_convert_interval(td, v);
    return err || td->skip_intervals ? err : td_session_solve(td, v, false, out);
}

int td_next(struct td *td, const struct td_result **out)
{
    struct td_recording *r = &td->recording;
    int err = 0;

    *out = NULL;
    if (!r->reader)
        return td_session_fail(td, -EINVAL, "no recording is open");
    while (!err && !*out) {
        if (td->at < r->nbatch) {
            err = take_interval(td, &r->batch[td->at++], out);
            continue;
        }
        td->at = 0;
        r->nbatch = 0;
        err = r->reader->next(r);
        if (err && err != -ENODATA && err != -EAGAIN)
            td_session_fail(td, err, r->why);
        td->any = td->any || !err;
        if (!err && !td->ready)
            err = td_session_find_cpu(td);
        if ((!err || err == -ENODATA) && td->convert)
            err = td_convert_flush(td, err);
    }
    if (err == -ENODATA && td->any && !td->ready)
        return td_session_no_events(td);
    if (err == -ENODATA && !td->ready) {
        td_recording_bad(r, "the file holds no interval");
        return td_session_fail(td, -EBADMSG, r->why);
    }
    return err == -ENODATA && !td->matched ? td_session_no_match(td) : err;
}

int td_summary(struct td *td, size_t i, const struct td_result **out)
{
    if (i >= td->nsums)
        return -ENODATA;
    return td_session_solve(td, &td->sums[i], true, out);
}
