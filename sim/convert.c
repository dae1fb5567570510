/* SPDX-License-Identifier: MIT */
#include "convert.h"

#include "trace_write.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FLUSH = 64 * 1024 };

struct td_convert {
    struct td_trace_writer writer;
    uint64_t begin, end; /* ns: of the intervals of the batch */
    struct td_counts bound;
    struct td_sample *samples; /* TD_COUNTS_MAX of them */
};

int td_convert(struct td *td, td_write_fn *write, void *ctx)
{
    if (td->opened || td->convert)
        return td_session_fail(td, -EINVAL, "converting begins before anything is opened");
    td->convert = calloc(1, sizeof(*td->convert));
    if (td->convert)
        td->convert->samples = calloc(TD_COUNTS_MAX, sizeof(*td->convert->samples));
    if (!td->convert || !td->convert->samples)
        return td_session_fail(td, -ENOMEM, "out of memory");
    td->convert->writer.write = write;
    td->convert->writer.ctx = ctx;
    td->recording.copy = &td->convert->writer;
    return 0;
}

void td_convert_free(struct td_convert *c)
{
    if (!c)
        return;
    td_trace_writer_free(&c->writer);
    td_counts_free(&c->bound);
    free(c->samples);
    free(c);
}

/* A trace names one CPU. Where several fit, whose answers have to agree, it is the first. */
static void write_header(struct td *td)
{
    static const char *const smt[] = {[TD_SMT_UNKNOWN] = "unknown", [TD_SMT_ON] = "on", [TD_SMT_OFF] = "off"};
    const struct td_candidates *k = &td->candidates;
    char cpu[TD_MACHINE_TEXT], origin[64], note[TD_TEXT + 64];
    struct td_trace_facts facts = {
        .cpu = td_machine_text(&k->c[0].machine, cpu, sizeof(cpu)), .smt = smt[td->recording.smt], .source = "import",
        .scaled = true, .coverage_unknown = td->recording.coverage_unknown, .origin = origin,
    };

    if (td->convert->writer.header)
        return;
    for (size_t i = 0; i < TD_CORES; i++)
        facts.level[i] = td->recording.level[i];
    snprintf(origin, sizeof(origin), "converted from %s", td->recording.reader->name);
    if (strchr(k->names, ' ')) {
        snprintf(note, sizeof(note), "these CPUs fit the events and give one answer: %s", k->names);
        facts.note = note;
        td_recording_note(&td->recording, "%s; the trace names %s (--uarch NAME names another)", note, facts.cpu);
    }
    td_trace_write_header(&td->convert->writer, &facts);
}

/* Doubles beyond 2^64 - 1, and times in parts of a ns, have no place in a trace. */
static uint64_t whole(double x)
{
    return x >= 0x1p64 ? UINT64_MAX : (uint64_t)x;
}

static struct td_sample sample_of(const struct td_count *c)
{
    struct td_sample s = {
        .group = c->group, .status = c->status, .text = c->text, .printed = c->printed, .value = whole(c->value),
        .enabled = whole(ceil(fmax(c->enabled, c->running))), .running = whole(ceil(c->running)),
    };

    s.fraction = c->value < 0x1p53 ? c->value - floor(c->value) : 0;
    return s;
}

/* Words with a meaning of their own; no formula knows such events. */
static bool reserved(const char *name)
{
    static const char *const words[] = {"start", "begin", "end", "restores", "PERF_METRICS"};

    for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
        if (!strcmp(name, words[i]))
            return true;
    return !strncmp(name, "printed:", strlen("printed:"));
}

static void fill_samples(const struct td *td, const struct td_counts *k, struct td_snap *snap)
{
    snap->s = td->convert->samples;
    for (size_t i = 0; i < k->n; i++)
        if (!reserved(td->recording.texts.names[k->c[i].text]))
            snap->s[snap->n++] = sample_of(&k->c[i]);
}

/* When the interval began: with the one before, unless a further recording begins. */
static void take_time(struct td_convert *c, const struct td_interval *v)
{
    if (!v->has_time || v->time == c->end)
        return;
    c->begin = v->time > c->end ? c->end : 0;
    c->end = v->time;
}

int td_convert_interval(struct td *td, const struct td_interval *v)
{
    const struct td_machine *m = &td->candidates.c[0].machine;
    struct td_convert *c = td->convert;
    struct td_snap snap = {.untimed = !v->has_time};
    const struct td_counts *counts = &v->counts;
    const struct td_result *ignored;
    char core = v->core;
    int err = 0;

    if (v->uarch) /* of a trace, which was copied */
        return 0;
    if (!core && m->nparts > 1) { /* hybrids: a row has its kind of core, and only what is of that */
        core = m->part[0]->core;
        counts = &c->bound;
        err = td_candidate_bind(&td->candidates.c[0], 0, &td->recording.texts, v, &c->bound);
    }
    if (err)
        return td_session_fail(td, err, "out of memory");
    write_header(td);
    take_time(c, v);
    snap.time = v->has_time ? c->begin : 0;
    td_trace_write_start(&c->writer, v->scope, v->scope_kind, core, &snap);
    snap.time = v->has_time ? v->time : 0;
    fill_samples(td, counts, &snap);
    td_trace_write_reading(&c->writer, v->scope, v->scope_kind, core, &snap, false, &td->recording.texts);
    /* where several CPUs fit, their answers must agree in what is not printed, too */
    return td->skip_intervals && td->candidates.n > 1 ? td_session_solve(td, v, false, &ignored) : 0;
}

int td_convert_flush(struct td *td, int err)
{
    struct td_trace_writer *w = &td->convert->writer;
    int failed = 0;

    if (err || w->err || w->used >= FLUSH)
        failed = td_trace_write_flush(w);
    if (failed)
        snprintf(td->error, sizeof(td->error), "the trace cannot be written: %s", strerror(-failed));
    return failed ? failed : err;
}
