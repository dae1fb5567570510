/* SPDX-License-Identifier: MIT */
/* tdprobe-trace(5): readings of counters, raw and cumulative. */
#include "formats/trace/trace.h"

#include "backends/event_match.h"
#include "core/counts/scope_kind.h"
#include "formats/perf_stat/metric_names.h"
#include "formats/trace/trace_write.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { SAMPLES_FEW = 32 /* up to so many samples of a reading are compared one by one */ };

static const char magic[] = "# tdprobe-trace:";

static bool sniff(const char *first, size_t len)
{
    return len >= strlen(magic) && !memcmp(first, magic, strlen(magic));
}

/* Whether text is the name, with or without modes (":u"). */
static bool named(const char *text, const char *name)
{
    size_t len = strlen(name);

    return !strncasecmp(text, name, len) && (!text[len] || text[len] == ':');
}

static const struct td_trace_event *resolve(struct td_recording *r, int text)
{
    struct td_trace *t = td_trace_of(r);
    struct td_trace_event *e = &t->events[text];

    if (e->resolved)
        return e;
    e->resolved = true;
    e->packed = named(r->stream.texts.names[text], "PERF_METRICS");
    e->restores = named(r->stream.texts.names[text], "restores");
    e->changes = named(r->stream.texts.names[text], "cpus_changed");
    e->switches = named(r->stream.texts.names[text], "switches");
    e->elapsed = r->stream.texts.entries[text].elapsed;
    for (size_t i = 0; i < r->stream.identity.nparts; i++)
        e->number[i] = td_event_match(r->stream.identity.part[i], r->stream.texts.names[text]);
    return e;
}

static int event_number(struct td_recording *r, const struct td_trace_lane *s, const struct td_trace_event *e,
                        bool packed)
{
    if (packed)
        return s->uarch && td_uarch_event_number(s->uarch, "topdown-retiring") >= 0 ? TD_EVENT_PACKED : -1;
    for (size_t i = 0; i < r->stream.identity.nparts; i++)
        if (r->stream.identity.part[i] == s->uarch)
            return e->number[i];
    return -1;
}

/* Takes a row about what a reading has besides counts; false: the row is not one. */
static bool take_beside(struct td_snap *snap, const struct td_trace_event *e, const struct td_sample *row)
{
    if (e->restores)
        snap->restores = (uint32_t)row->value;
    else if (e->changes)
        snap->changes = (uint32_t)row->value;
    else if (e->elapsed)
        snap->elapsed = row->value;
    else if (e->switches)
        snap->switches = row->value;
    else
        return false;
    if (e->switches)
        snap->switches_known = row->status == TD_OK;
    return true;
}

static bool same_sample(const struct td_sample *a, const struct td_sample *b)
{
    return a->text == b->text && a->group == b->group && a->is_event == b->is_event;
}

static uint32_t sample_hash(const struct td_hash_index *x, const struct td_sample *s)
{
    const uint32_t key[] = {s->text, s->group};

    return td_hash(x, key, sizeof(key));
}

/* Whether the reading has a sample of the same event, group and modes: 1 or 0, or -errno. */
static int has_sample(struct td_trace_lane *lane, const struct td_sample *s)
{
    const struct td_sample *all = lane->now.samples;
    const size_t n = lane->now.snap.n;

    if (n < SAMPLES_FEW) {
        for (size_t i = 0; i < n; i++)
            if (same_sample(&all[i], s))
                return 1;
        return 0;
    }
    for (size_t i = lane->seen.n; i < n; i++) {
        if (td_hash_room(&lane->seen))
            return -ENOMEM;
        td_hash_add(&lane->seen, sample_hash(&lane->seen, &all[i]));
    }
    for (long i = td_hash_first(&lane->seen, sample_hash(&lane->seen, s)); i >= 0; i = td_hash_next(&lane->seen, i))
        if (same_sample(&all[i], s))
            return 1;
    return 0;
}

static int check_duplicate(struct td_recording *r, struct td_trace_lane *lane, const struct td_sample *s)
{
    const int has = has_sample(lane, s);

    if (has < 0)
        return td_log_no_memory(r->log);
    return has ? td_recording_bad(r, "duplicate event %.60s in group %u of this reading",
                                  td_trace_field(r, TD_COL_EVENT), s->group)
               : 0;
}

/* Why the samples or counts of a reading could not be kept. */
static int fail_reading(struct td_recording *r, int err)
{
    if (err == -E2BIG)
        return td_recording_bad(r, "more than %d events in one reading", TD_READING_ROWS);
    if (err == -EINVAL)
        return td_recording_bad(r, "PERF_METRICS without slots in its group, or beside readings without it");
    return td_log_no_memory(r->log);
}

static int keep_sample(struct td_recording *r, struct td_reading *now, const struct td_sample *s)
{
    const int err = td_reading_append(now, s);

    return err ? fail_reading(r, err) : 0;
}

/* Begins a reading with its first row, with which the others must agree. */
static int begin_reading(struct td_recording *r, struct td_trace_lane *s, const struct td_snap *place)
{
    const struct td_snap *before = &s->before.snap;

    if (s->open) {
        if (s->now.snap.time == place->time && s->now.snap.untimed == place->untimed &&
            s->now.snap.epoch == place->epoch)
            return 0;
        return td_recording_bad(r, "the reading of %s that begins in line %lu has no end", s->name, s->line);
    }
    if (s->has_before && place->untimed != before->untimed)
        return td_recording_bad(r, "a time, but the reading of %s before has none, or the other way round", s->name);
    if (s->has_before && place->time < before->time)
        return td_recording_bad(r, "time goes backwards: %s comes after %llu", td_trace_field(r, TD_COL_TIME),
                                (unsigned long long)before->time);
    s->now.snap = *place;
    s->rows = 0;
    s->open = true;
    s->line = r->bytes.line;
    return 0;
}

/* Takes a start row: what follows for the scope counts from zero. */
static int start_scope(struct td_recording *r, struct td_trace_lane *s, const struct td_snap *place)
{
    if (s->open)
        return td_recording_bad(r, "the reading of %s that begins in line %lu has no end", s->name, s->line);
    s->before.snap = *place;
    s->has_before = s->from_zero = true;
    if (r->sink)
        r->sink->start(r->sink->ctx, s->name, s->kind, s->core, place);
    return 0;
}

static const char printed_row[] = "printed:";

/* Takes a row that names a metric which the recording tool printed beside the count of the row before. */
static int take_printed(struct td_recording *r, struct td_trace_lane *s, const char *name)
{
    const uint16_t hint = td_printed_name(name, strlen(name));
    uint32_t *printed;

    if (!s->now.snap.n || hint == TD_HINT_NONE)
        return td_recording_bad(r, hint ? "%s%.60s comes after no count" : "%s%.60s is no metric", printed_row, name);
    printed = &s->now.samples[s->now.snap.n - 1].printed;
    *printed = td_hints_join(&r->stream.hints, *printed, td_hints_one(&r->stream.hints, hint));
    return td_recording_check_hints(r);
}

static const char samples_row[] = "latency_samples", squares_row[] = "latency_squares";

/* Takes a row about the latencies whose sum is the value of the row before: how many there are, or the sum of their
 * squares. */
static int take_latencies(struct td_recording *r, struct td_trace_lane *s, bool squares)
{
    struct td_sample *of = s->now.snap.n ? &s->now.samples[s->now.snap.n - 1] : NULL;
    uint64_t value;
    int err = of ? td_trace_number(r, TD_COL_VALUE, squares ? squares_row : samples_row, &value)
                 : td_recording_bad(r, "%s comes after no count", squares ? squares_row : samples_row);

    if (err)
        return err;
    of->sampled.any = true;
    *(squares ? &of->sampled.squares : &of->sampled.n) = value;
    return 0;
}

static int take_sample(struct td_recording *r, struct td_trace_lane *s)
{
    struct td_sample sample = {.status = TD_OK};
    const struct td_trace_event *e;
    const char *name = td_trace_field(r, TD_COL_EVENT);
    size_t len = r->bytes.length[TD_COL_EVENT];
    bool packed;
    int text, number, err;

    s->rows++;
    if (!strncmp(name, printed_row, strlen(printed_row)))
        return take_printed(r, s, name + strlen(printed_row));
    if (!strcmp(name, samples_row) || !strcmp(name, squares_row))
        return take_latencies(r, s, name[strlen("latency_s")] == 'q');
    sample.is_event = !strncmp(name, TD_TRACE_EVENT, strlen(TD_TRACE_EVENT));
    if (sample.is_event) {
        name += strlen(TD_TRACE_EVENT);
        len -= strlen(TD_TRACE_EVENT);
    }
    text = td_recording_text(r, name, len);
    if (text < 0)
        return text;
    e = resolve(r, text);
    sample.text = (uint32_t)text;
    packed = e->packed && !sample.is_event;
    err = td_trace_sample(r, packed, &sample);
    if (!err && !sample.is_event && take_beside(&s->now.snap, e, &sample))
        return 0;
    if (!err)
        err = check_duplicate(r, s, &sample);
    number = event_number(r, s, e, packed);
    sample.modes = r->stream.texts.entries[text].modes;
    /* events that no formula uses are kept, so that the end can be checked */
    sample.event = number < 0 ? TD_EVENT_UNKNOWN : (uint16_t)number;
    if (packed)
        s->now.snap.encoding = TD_ENC_PACKED;
    return err ? err : keep_sample(r, &s->now, &sample);
}

/* Removes the samples of events that no formula uses; of a reading that begins at zero, keeps whether any was counted.
 */
static void drop_unknown(struct td_trace_lane *s)
{
    struct td_reading *now = &s->now;
    size_t n = 0;

    s->others_counted = false;
    for (size_t i = 0; i < now->snap.n; i++) {
        const struct td_sample *x = &now->samples[i];

        if (x->event != TD_EVENT_UNKNOWN)
            now->samples[n++] = *x;
        else if (s->from_zero && x->status == TD_OK &&
                 (x->running || x->running_fraction > 0 || now->snap.coverage_unknown))
            s->others_counted = true;
    }
    now->snap.n = n;
}

/* Gives the counts of the packed register's fields their kernel names. */
static int name_fields(struct td_recording *r, struct td_interval *v)
{
    for (size_t i = 0; i < v->counts.n; i++) {
        const struct td_event *e = &v->uarch->events[v->counts.c[i].event];
        int text = e->field < 0 ? (int)v->counts.c[i].text : td_recording_text(r, e->name, strlen(e->name));

        if (text < 0)
            return text;
        v->counts.c[i].text = (uint32_t)text;
    }
    return 0;
}

/* Fills in the reading that a start row stands for: every event of the next reading, at 0. */
static int fill_zeros(struct td_recording *r, struct td_trace_lane *s)
{
    struct td_reading *before = &s->before;

    s->from_zero = false;
    before->snap.n = 0;
    before->snap.encoding = s->now.snap.encoding;
    before->snap.switches_known = s->now.snap.switches_known;
    before->snap.switches = before->snap.elapsed = 0;
    for (size_t i = 0; i < s->now.snap.n; i++) {
        struct td_sample zero = s->now.samples[i];
        int err;

        zero.value = zero.enabled = zero.running = 0;
        zero.sampled.n = zero.sampled.squares = 0;
        zero.fraction = zero.enabled_fraction = zero.running_fraction = 0;
        zero.status = TD_OK;
        err = keep_sample(r, before, &zero);
        if (err)
            return err;
    }
    return 0;
}

static int make_interval(struct td_recording *r, struct td_trace_lane *s)
{
    struct td_interval *v = td_stream_interval(&r->stream);
    struct td_trace *t = td_trace_of(r);
    int err;

    if (!v)
        return td_log_no_memory(r->log);
    t->any_interval = true;
    v->at.has_time = !s->now.snap.untimed;
    v->at.time = s->now.snap.time;
    v->at.scope = s->name;
    v->at.scope_kind = s->kind;
    v->core = s->core;
    v->lane = s->number;
    v->switched = s->now.snap.encoding == TD_ENC_COUNTS && td_kind_switched(s->kind);
    v->uarch = s->uarch;
    v->unknown = s->rows && !s->now.snap.n;
    v->others_counted = s->others_counted;
    v->cpus_changed = s->before.snap.changes != s->now.snap.changes;
    td_interval_between(v, &s->before.snap, &s->now.snap);
    err = td_snap_delta(&s->before.snap, &s->now.snap, s->uarch, &v->counts);
    if (err == -ESTALE) {
        td_recording_note(r, "the counters of %s started again: the interval is left out", s->name);
        err = td_snap_restarted(&s->now.snap, s->uarch, &v->counts);
    }
    if (err)
        return fail_reading(r, err);
    return s->now.snap.encoding == TD_ENC_PACKED ? name_fields(r, v) : 0;
}

/* Refuses the reading of another run: if two programs write one file, whole lines of both may be in it, which only this
 * tells apart. */
static int check_run(struct td_recording *r, const struct td_trace_lane *s)
{
    const char *wanted = td_trace_of(r)->run, *run = td_trace_field(r, TD_COL_ENABLED);

    if (!*wanted || !strcmp(wanted, run))
        return 0;
    return td_recording_bad(r, "the reading of %s is of the run '%.20s', not of '%s' as the header says", s->name, run,
                            wanted);
}

/* Takes the row that ends a reading. 1: an interval ends too, and is in the batch. begins: no interval leads to the
 * reading. */
static int end_reading(struct td_recording *r, struct td_trace_lane *s, bool begins)
{
    struct td_reading spare;
    uint64_t rows;
    bool had_before = s->has_before && !begins;
    int err = td_trace_number(r, TD_COL_VALUE, "number of rows", &rows);

    if (!err && (!s->open || rows != s->rows))
        err = td_recording_bad(r, "the reading of %s has %zu rows, not %.20s", s->name, s->open ? s->rows : 0,
                               td_trace_field(r, TD_COL_VALUE));
    if (!err)
        err = check_run(r, s);
    if (err)
        return err;
    if (r->sink)
        r->sink->reading(r->sink->ctx, s->name, s->kind, s->core, &s->now.snap, begins);
    drop_unknown(s);
    if (s->from_zero)
        err = fill_zeros(r, s);
    if (!err && had_before && s->uarch)
        err = make_interval(r, s);
    spare = s->before;
    s->before = s->now;
    s->now = spare;
    s->has_before = true;
    s->open = false;
    td_hash_index_free(&s->seen);
    return err ? err : had_before && s->uarch;
}

static int take_row(struct td_recording *r)
{
    struct td_trace_lane *s = NULL;
    const char *event;
    struct td_snap place;
    bool begins;
    int err;

    if (r->bytes.nfields != TD_COLUMNS)
        return td_recording_bad(r, "%zu columns, not %d", r->bytes.nfields, TD_COLUMNS);
    td_trace_originals(r);
    event = td_trace_field(r, TD_COL_EVENT);
    err = td_trace_place(r, &place);
    if (!err)
        err = td_trace_lane(r, &s);
    if (err)
        return err;
    if (!strcmp(event, "start"))
        return start_scope(r, s, &place);
    err = begin_reading(r, s, &place);
    if (err)
        return err;
    begins = !strcmp(event, "begin");
    return begins || !strcmp(event, "end") ? end_reading(r, s, begins) : take_sample(r, s);
}

/* At the end of the file: notes readings that a crash left incomplete. */
static int finish(struct td_recording *r, bool cut)
{
    struct td_trace *t = td_trace_of(r);

    if (!t->any_interval)
        return td_recording_bad(
            r, "the trace holds no interval: it takes two whole readings of a scope, or one after a start row");
    for (size_t i = 0; i < t->nlanes; i++) {
        struct td_trace_lane *s = &t->lane[i];

        if (s->open)
            td_recording_note(r, "the last reading of %s, from line %lu on, was cut off; it is left out", s->name,
                              s->line);
        cut = cut && !s->open;
        s->open = false;
    }
    if (cut)
        td_recording_note(r, "the last line was cut off; it is left out");
    return -ENODATA;
}

/* What an error means for the intervals that were given before it, if any were: the file could not be read to its end
 * before them. */
static int damaged(struct td_recording *r, int err, bool given)
{
    char kept[TD_LOG_TEXT];

    if (err != -EBADMSG || r->seek || !given)
        return err;
    td_log_defer(r->log, kept);
    return td_log_fail(r->log, err,
                       "%s; a trace of one recorder has no such line, so what was given before it is not sound either: "
                       "record it again",
                       kept);
}

static int trace_next(struct td_recording *r)
{
    const bool given = td_trace_of(r)->any_interval;
    char *line;
    size_t len;
    int err;

    r->stream.nbatch = 0;
    do {
        err = td_recording_line(r, &line, &len);
        if (err == -ENODATA || (!err && r->bytes.unterminated))
            return finish(r, !err);
        if (err)
            return damaged(r, err, given);
        if (len && *line != '#') {
            err = td_recording_split(r, line, len);
            if (!err)
                err = take_row(r);
        } else if (len) {
            err = td_recording_bad(r, "a header line among the readings");
        }
    } while (!err);
    return err < 0 ? damaged(r, err, given) : 0;
}

static void trace_close(struct td_recording *r)
{
    struct td_trace *t = td_trace_of(r);

    for (size_t i = 0; i < t->nlanes; i++) {
        td_reading_free(&t->lane[i].before);
        td_reading_free(&t->lane[i].now);
        td_hash_index_free(&t->lane[i].seen);
    }
    free(t->lane);
    td_scope_index_free(&t->index);
}

static int trace_open(struct td_recording *r, char *first, size_t len)
{
    struct td_trace *t = td_trace_of(r);
    int err;

    (void)len;
    t->bits = 64;
    if (td_bytes_format(&r->bytes, ',', '"'))
        return td_log_no_memory(r->log);
    err = td_trace_header(r, first);
    r->stream.raw = !t->scaled;
    return err;
}

const struct td_reader td_reader_trace = {
    .name = "tdprobe-trace",
    .size = sizeof(struct td_trace),
    .sniff = sniff,
    .open = trace_open,
    .next = trace_next,
    .close = trace_close,
    .about = "tdprobe record, and what is described in tdprobe-trace(5)",
    .marked = true,
};
