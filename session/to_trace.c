/* SPDX-License-Identifier: MIT */
#include "session/to_trace.h"

#include "backends/find_identity.h"
#include "core/sink.h"
#include "live/thread/regions.h"
#include "session/solution.h"
#include "session/machine.h"
#include "formats/trace/trace_write.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FLUSH = 64 * 1024, RUN_DIGITS = 8 /* before the first '-' of a UUID */ };

struct td_convert {
    struct td_trace_writer writer;
    struct td_sink sink; /* gets a trace that is read, and copies it */
    const struct td_texts *texts;
    uint64_t begin, end; /* ns: when the intervals in the batch begin and end */
    struct td_sample *samples; /* TD_READING_ROWS of them */
};

static void copy_header(void *ctx, const char *key, const char *value)
{
    struct td_convert *c = ctx;

    if (key)
        td_trace_write_line(&c->writer, key, value);
    else
        td_trace_write_columns(&c->writer);
}

static void copy_start(void *ctx, const char *scope, enum td_scope_kind kind, char core, const struct td_snap *s)
{
    struct td_convert *c = ctx;

    td_trace_write_start(&c->writer, scope, kind, core, s);
}

static void copy_reading(void *ctx, const char *scope, enum td_scope_kind kind, char core, const struct td_snap *s,
                         bool begins)
{
    struct td_convert *c = ctx;

    td_trace_write_reading(&c->writer, scope, kind, core, s, begins, c->texts);
}

int td_set_convert(struct td *td, td_write_fn *write, void *ctx)
{
    if (td->opened)
        return td_log_fail(&td->log, -EINVAL, "td_set_convert() comes before the recording is opened");
    if (td->convert)
        return td_log_fail(&td->log, -EINVAL, "the handle converts already: td_set_convert() is called once");
    td->convert = calloc(1, sizeof(*td->convert));
    if (td->convert)
        td->convert->samples = calloc(TD_READING_ROWS, sizeof(*td->convert->samples));
    if (!td->convert || !td->convert->samples) {
        td_convert_free(td->convert);
        td->convert = NULL;
        return td_log_no_memory(&td->log);
    }
    td->convert->writer.write = write;
    td->convert->writer.ctx = ctx;
    td->convert->sink = (struct td_sink){copy_header, copy_start, copy_reading, td->convert};
    td->recording->sink = &td->convert->sink;
    return 0;
}

void td_convert_begin(struct td_convert *c, const struct td_stream *from)
{
    c->writer.hints = &from->hints;
    c->texts = &from->texts;
}

void td_convert_free(struct td_convert *c)
{
    if (!c)
        return;
    td_trace_writer_free(&c->writer);
    free(c->samples);
    free(c);
}

/* A trace names one CPU. If several fit, whose answers have to agree, it is the first. */
static void write_header(struct td *td)
{
    static const char *const smt[] = {[TD_SMT_UNKNOWN] = "unknown", [TD_SMT_ON] = "on", [TD_SMT_OFF] = "off"};
    const struct td_candidates *k = &td->candidates;
    char cpu[TD_IDENTITY_TEXT], origin[64], note[512];
    struct td_trace_facts facts = {
        .cpu = td_identity_text(&k->c[0].identity, cpu, sizeof(cpu)),
        .smt = smt[td->stream->smt],
        .source = "import",
        .scaled = true,
        .coverage_unknown = td->stream->coverage_unknown,
        .times = td->stream->times,
        .times_cpus = td->stream->times_cpus,
        .mux_interval = td->stream->mux_interval,
        .origin = origin,
        .cpus = (int)td->stream->cpus,
        .host = td->stream->host,
        .labels = td->settings.labels,
        .started = td->stream->started,
    };
    struct td_trace_writer *w = &td->convert->writer;

    if (w->header)
        return;
    if (td->stream->command && !(w->command = strdup(td->stream->command)))
        w->err = -ENOMEM;
    snprintf(origin, sizeof(origin), "converted from %s", td->recording->reader->name);
    if (strchr(k->names.at, ' ')) {
        snprintf(note, sizeof(note), "these CPUs fit the events and give one answer: %s", k->names.at);
        facts.note = note;
        td_log_note(&td->log, "%s:%lu: %s; the trace names %s (--uarch NAME names another)", td->stream->name,
                    td->stream->line, note, facts.cpu);
    }
    td_trace_write_header(w, &facts);
}

/* Doubles beyond 2^64 - 1 have no place in a trace. */
static uint64_t whole(double x)
{
    return x >= 0x1p64 ? UINT64_MAX : (uint64_t)x;
}

static double fraction_of(double x)
{
    return x < 0x1p53 ? x - floor(x) : 0;
}

static struct td_sample sample_of(const struct td_count *c)
{
    struct td_sample s = {
        .group = c->group,
        .status = c->status,
        .text = c->text,
        .printed = c->printed,
        .value = whole(c->value),
        .enabled = whole(fmax(c->enabled, c->running)),
        .running = whole(c->running),
    };

    s.fraction = fraction_of(c->value);
    s.enabled_fraction = fraction_of(fmax(c->enabled, c->running));
    s.running_fraction = fraction_of(c->running);
    return s;
}

/* An event whose name is a word of a trace is written all the same: an interval may have no other, and is not lost
 * then. */
static void fill_samples(const struct td *td, const struct td_counts *k, struct td_snap *snap)
{
    const struct td_texts *t = &td->stream->texts;

    snap->s = td->convert->samples;
    for (size_t i = 0; i < k->n; i++) {
        if (t->entries[k->c[i].text].elapsed && snap->untimed && snap->elapsed) /* it has a row of its own */
            continue;
        snap->s[snap->n] = sample_of(&k->c[i]);
        snap->s[snap->n++].is_event = td_trace_is_word(t->names[k->c[i].text]);
    }
}

/* When the interval began: where the previous one ended, unless another recording begins. */
static void take_time(struct td_convert *c, const struct td_interval *v)
{
    if (!v->at.has_time || v->at.time == c->end)
        return;
    c->begin = v->at.time > c->end ? c->end : 0;
    c->end = v->at.time;
}

int td_convert_interval(struct td *td, const struct td_interval *v)
{
    struct td_convert *c = td->convert;
    struct td_snap snap = {.untimed = !v->at.has_time};
    const struct td_result *ignored;

    if (v->uarch) /* from a trace, which was copied */
        return 0;
    write_header(td);
    take_time(c, v);
    snap.time = c->begin;
    td_trace_write_start(&c->writer, v->at.scope, v->at.scope_kind, v->core, &snap);
    snap.time = v->at.time;
    if (!v->at.has_time || v->at.duration != c->end - c->begin)
        snap.elapsed = v->at.duration;
    fill_samples(td, &v->counts, &snap);
    td_trace_write_reading(&c->writer, v->at.scope, v->at.scope_kind, v->core, &snap, false, &td->stream->texts);
    /* if several CPUs fit, their answers must agree, even those not printed */
    return td->skip_intervals && td->candidates.n > 1 ? td_session_solve(td, v, false, &ignored) : 0;
}

static int fail_write(struct td *td, int err)
{
    return td_log_fail(&td->log, err, "the trace cannot be written: %s", strerror(-err));
}

int td_convert_flush(struct td *td, int err)
{
    struct td_trace_writer *w = &td->convert->writer;
    int failed = 0;

    if (err || w->err || w->used >= FLUSH)
        failed = td_trace_write_flush(w);
    return failed ? fail_write(td, failed) : err;
}

/* ---- this machine --------------------------------------------------------------- */

struct td_record {
    const struct td_meter *meter;
    struct td_trace_writer writer;
    struct td_sink sink;
};

/* 8 random digits of the kernel's, other ones each time; NULL where it gives none. A simulated machine has what its
 * description says. */
static const char *new_run(const struct td_os *os, char *out, size_t size)
{
    char uuid[64];
    const ssize_t n = os->file(os->ctx, "/proc/sys/kernel/random/uuid", uuid, sizeof(uuid));

    if (n < RUN_DIGITS || strspn(uuid, "0123456789abcdef") != RUN_DIGITS)
        return NULL;
    snprintf(out, size, "%.*s", RUN_DIGITS, uuid);
    return out;
}

static void write_machine(const struct td_meter *m, struct td_trace_writer *w, uint64_t began)
{
    const struct td_host *h = &m->host;
    char run[TD_TRACE_RUN_TEXT];
    struct td_trace_facts facts = {
        .cpu = m->settings->identity.nparts ? h->identity.name : h->id,
        .smt = h->smt           ? "on"
               : h->smt_unknown ? "unknown"
                                : "off",
        .source = strcmp(m->ask.os->name, "linux") ? "simulated" : m->source->name,
        .cpus = (int)h->ncpus,
        .mux_interval = m->stream.mux_interval,
        .host = m->stream.host,
        .labels = m->settings->labels,
        .began = began,
        .monotonic = m->stream.monotonic,
        .realtime = m->stream.realtime,
    };

    if (w->header)
        return;
    facts.run = new_run(m->ask.os, run, sizeof(run));
    for (size_t i = 0; i < TD_CORES; i++)
        facts.level[i] = m->stream.level[i];
    td_trace_write_header(w, &facts);
}

/* The sink for those who take readings; the header precedes the first of them. */
static void record_reading(void *ctx, const char *scope, enum td_scope_kind kind, char core, const struct td_snap *s,
                           bool begins)
{
    struct td_record *r = ctx;

    write_machine(r->meter, &r->writer, 0);
    td_trace_write_reading(&r->writer, scope, kind, core, s, begins, &r->meter->stream.texts);
}

int td_set_record(struct td *td, const char *command, td_write_fn *write, void *ctx)
{
    struct td_record *r = td->record;
    int err = td_session_meter(td);

    if (err)
        return err;
    if (td->meter->opened)
        return td_log_fail(&td->log, -EINVAL, "td_set_record() comes before the counters are opened");
    r = td->record = r ? r : calloc(1, sizeof(*r));
    if (!r)
        return td_log_no_memory(&td->log);
    free(r->writer.command);
    r->meter = td->meter;
    r->writer.write = write;
    r->writer.ctx = ctx;
    r->writer.command = command ? strdup(command) : NULL;
    r->sink = (struct td_sink){.reading = record_reading, .ctx = r};
    td->meter->sink = &r->sink;
    return command && !r->writer.command ? td_log_no_memory(&td->log) : 0;
}

int td_record_flush(struct td *td)
{
    int err = td->record ? td_trace_write_flush(&td->record->writer) : 0;

    return err ? fail_write(td, err) : 0;
}

void td_record_free(struct td_record *r)
{
    if (r)
        td_trace_writer_free(&r->writer);
    free(r);
}

int td_regions_write(struct td *td, td_write_fn *write, void *ctx, uint64_t *lost)
{
    struct td_record r = {.meter = td->meter, .writer = {.write = write, .ctx = ctx}};
    const struct td_sink sink = {.reading = record_reading, .ctx = &r};
    int err = td_own_check(td->own, &td->log);

    if (err)
        return err;
    if (!td->own->room)
        return td_log_fail(&td->log, -EINVAL,
                           "no passes are kept: ask for a ring (struct td_self_ask) when the handle is opened");
    write_machine(td->meter, &r.writer, td->own->start); /* even if there are no readings */
    td_ring_tell(td->own, &sink);
    err = td_trace_write_flush(&r.writer);
    td_trace_writer_free(&r.writer);
    if (lost)
        *lost = td->own->lost;
    if (err)
        return fail_write(td, err);
    td_ring_clear(td->own);
    return 0;
}
