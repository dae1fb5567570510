/* SPDX-License-Identifier: MIT */
#include "sim/replay/perf_data/data_samples.h"

#include "sim/replay/perf_data/data_place.h"
#include "sim/replay/perf_data/data_unpack.h"
#include "sim/samples/pairs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* enum perf_event_type and enum perf_user_event_type */
enum {
    MMAP = 1, LOST = 2, COMM = 3, EXIT = 4, THROTTLE = 5, FORK = 7, SAMPLE = 9, MMAP2 = 10, LOST_SAMPLES = 13,
    FINISHED_ROUND = 68, ID_INDEX = 69, AUXTRACE = 71, COMPRESSED = 81, COMPRESSED2 = 83,
};
/* bits of a record's misc */
enum { CPUMODE = 7, MODE_KERNEL = 1, MODE_HYPERVISOR = 3, MMAP_DATA = 1 << 13, COMM_EXEC = 1 << 13, MMAP_BUILD_ID = 1 << 14 };
enum { LOST_BYTES = 128 };

struct td_perf_samples {
    struct td_spaces *spaces;
    struct td_places *places;
    struct td_calls *calls;
    struct td_courses *courses;
    struct td_perf_order *order;
    struct td_perf_unpack *unpack; /* NULL: nothing was compressed */
    bool packed; /* there may be records in it */
    struct td_samples_info info;
    const struct td_perf_data_event *like; /* all events have its sample_type; NULL: they do not */
    bool tasks; /* counters follow tasks from CPU to CPU */
    bool ended, told_unknown;
    bool begun;
    uint64_t origin; /* time of the first sample */
    struct td_perf_record lost; /* a LOST that waits for the record after it; type 0: none */
    unsigned char lost_bytes[LOST_BYTES];
    struct td_member member[TD_MEMBERS_MAX];
};

bool td_perf_samples_are(const struct td_perf_data *p)
{
    for (size_t i = 0; i < p->nevents; i++)
        if (p->event[i].period)
            return true;
    return false;
}

static bool reads_group(const struct td_perf_data_event *e)
{
    return e->sample_type & TD_SAMPLE_READ && e->read_format & TD_READ_GROUP && e->read_format & TD_READ_ID;
}

/* ---- opening ------------------------------------------------------------------------------ */

static bool is_metric(const struct td_recording *r, const struct td_perf_data_event *e)
{
    const char *name = r->stream.texts.names[e->text], *slash = strchr(name, '/');

    return !strncasecmp(slash ? slash + 1 : name, "topdown-", strlen("topdown-")) || (e->named == 0 && (e->config & ~UINT64_C(0x700)) == 0x8000);
}

/* Events of one file have samples that are told apart by an id in one place. */
static int check_events(struct td_recording *r)
{
    struct td_perf_data *p = r->state;
    struct td_perf_samples *s = p->samples;
    bool identifier = true, grouped = false;

    s->like = &p->event[0];
    for (size_t i = 0; i < p->nevents; i++) {
        struct td_perf_data_event *e = &p->event[i];

        e->metric = is_metric(r, e);
        grouped = grouped || (e->period && reads_group(e));
        identifier = identifier && e->sample_type & TD_SAMPLE_IDENTIFIER;
        if (e->sample_type != s->like->sample_type && !identifier)
            return td_recording_bad(r, "perf.data: events whose samples have different fields, and no id at one place");
    }
    if (!grouped)
        return td_recording_bad(r, "perf.data of 'perf record' whose samples have no readings of a group of top-down events: "
                                "'tdprobe perf-command --functions --uarch NAME' prints the perf record -e '{...}:S' that has them");
    return 0;
}

static void note_limits(struct td_recording *r)
{
    const struct td_perf_data *p = r->state;
    const struct td_perf_data_event *e = p->event;

    while (!(e->period && reads_group(e)))
        e++;
    p->samples->info.times_recorded = e->read_format & TD_READ_ENABLED && e->read_format & TD_READ_RUNNING;
    if (!p->samples->info.times_recorded)
        td_recording_note(r, "for how long the events were counted was not recorded: multiplexing would not be seen");
    if (!(e->sample_type & TD_SAMPLE_TIME))
        td_recording_note(r, "the samples have no times, as with perf record --per-thread, which leaves out threads that are started later: record without it");
    if (td_calls_wanted(p->samples->calls) && !(e->sample_type & TD_SAMPLE_CALLCHAIN))
        td_recording_note(r, "no call chains were recorded: each sample counts for its own function only: perf record -g");
}

/* HEADER_BUILD_ID: records of pid, build-id (its size after 20 bytes, in newer ones) and name. */
static int take_build_ids(struct td_recording *r)
{
    enum { HEADER = 8, ID_FIELD = 24, SIZE_AT = 20, HAS_SIZE = 1 << 15 };
    const struct td_perf_data *p = r->state;
    struct td_perf_view v = p->build_ids, one, id;
    uint32_t type, pid;
    uint16_t misc, size;
    int err = 0;

    while (!err && td_perf_u32(&v, &type) && td_perf_u16(&v, &misc) && td_perf_u16(&v, &size) && size >= HEADER + 4 + ID_FIELD &&
           td_perf_part(&v, size - HEADER, &one)) {
        td_perf_u32(&one, &pid);
        td_perf_part(&one, ID_FIELD, &id);
        err = td_spaces_build_id(p->samples->spaces, (const char *)one.at, strnlen((const char *)one.at, one.n), id.at, misc & HAS_SIZE ? id.at[SIZE_AT] : TD_BUILD_ID_MAX);
    }
    return err ? td_log_no_memory(r->log) : 0;
}

int td_perf_samples_open(struct td_recording *r)
{
    struct td_perf_data *p = r->state;
    struct td_perf_samples *s = p->samples = calloc(1, sizeof(*s));
    int err;

    if (!s)
        return td_log_no_memory(r->log);
    s->spaces = td_spaces_new();
    s->calls = td_calls_new(r->settings->samples_by, r->settings->samples_chain, r->settings->samples_function);
    s->places = s->calls ? td_places_new(r->settings->samples_by, r->settings->symbols, td_calls_wanted(s->calls)) : NULL;
    s->courses = td_courses_new();
    s->order = td_perf_order_new();
    s->tasks = true;
    if (!s->spaces || !s->places || !s->calls || !s->courses || !s->order)
        return td_log_no_memory(r->log);
    r->stream.samples = &s->info;
    err = check_events(r);
    if (!err)
        note_limits(r);
    return err ? err : take_build_ids(r);
}

void td_perf_samples_free(struct td_perf_samples *s)
{
    if (!s)
        return;
    td_spaces_free(s->spaces);
    td_calls_free(s->calls);
    td_places_free(s->places);
    td_courses_free(s->courses);
    td_perf_order_free(s->order);
    td_perf_unpack_free(s->unpack);
    free(s);
}

/* ---- processes ------------------------------------------------------------------------------ */

static int take_mmap(struct td_recording *r, const struct td_perf_record *rec, struct td_perf_view v)
{
    enum { OTHER = 24, PROTECTION = 8, ID_AT = 4 };
    const struct td_perf_data *p = r->state;
    const unsigned mode = rec->misc & CPUMODE;
    struct td_mapping m = {.kernel = mode == MODE_KERNEL};
    struct td_perf_view other = {p->buf, 0}, ignored;
    uint32_t pid, tid;

    td_perf_u32(&v, &pid);
    td_perf_u32(&v, &tid);
    td_perf_u64(&v, &m.start);
    td_perf_u64(&v, &m.size);
    if (!td_perf_u64(&v, &m.offset) || (rec->type == MMAP2 && (!td_perf_part(&v, OTHER, &other) || !td_perf_part(&v, PROTECTION, &ignored))))
        return td_recording_bad(r, "perf.data: a mapping that is cut off");
    if (mode > MODE_HYPERVISOR - 1 || (rec->type == MMAP && rec->misc & MMAP_DATA))
        return 0;
    if (rec->type == MMAP2 && rec->misc & MMAP_BUILD_ID) {
        m.build_id = other.at + ID_AT;
        m.build_id_size = other.at[0];
    }
    m.path = (const char *)v.at;
    m.path_size = strnlen(m.path, v.n);
    return td_spaces_map(p->samples->spaces, pid, &m) ? td_log_no_memory(r->log) : 0;
}

static int take_comm(struct td_recording *r, const struct td_perf_record *rec, struct td_perf_view v)
{
    const struct td_perf_data *p = r->state;
    uint32_t pid, tid;

    td_perf_u32(&v, &pid);
    if (!td_perf_u32(&v, &tid))
        return td_recording_bad(r, "perf.data: a name of a thread that is cut off");
    return td_spaces_name(p->samples->spaces, pid, tid, (const char *)v.at, strnlen((const char *)v.at, v.n), rec->misc & COMM_EXEC) ? td_log_no_memory(r->log) : 0;
}

static int take_task(struct td_recording *r, const struct td_perf_record *rec, struct td_perf_view v)
{
    const struct td_perf_data *p = r->state;
    uint32_t pid, parent, tid, parent_tid;

    td_perf_u32(&v, &pid);
    td_perf_u32(&v, &parent);
    td_perf_u32(&v, &tid);
    if (!td_perf_u32(&v, &parent_tid))
        return td_recording_bad(r, "perf.data: the start or end of a thread that is cut off");
    if (rec->type == FORK)
        return td_spaces_fork(p->samples->spaces, pid, parent, tid, parent_tid) ? td_log_no_memory(r->log) : 0;
    td_spaces_exit(p->samples->spaces, pid, tid);
    return 0;
}

/* ---- holes ------------------------------------------------------------------------------------ */

static int take_lost(struct td_recording *r, const struct td_perf_record *rec, struct td_perf_view v, const struct td_perf_sample *end)
{
    struct td_perf_data *p = r->state;
    uint64_t id, n;

    if (rec->type == LOST)
        td_perf_u64(&v, &id);
    if (!td_perf_u64(&v, &n))
        return td_recording_bad(r, "perf.data: a count of lost samples that is cut off");
    p->samples->info.missing += n;
    return td_courses_lost(p->samples->courses, p->event[0].sample_type & TD_SAMPLE_CPU && p->event[0].flags & TD_ATTR_SAMPLE_ID_ALL, end->cpu)
               ? td_log_no_memory(r->log)
               : 0;
}

/* It comes before the sample that was one too many; none follow that until the kernel's next tick. */
static int take_throttle(struct td_recording *r, struct td_perf_view v, const struct td_perf_sample *end)
{
    const struct td_perf_data *p = r->state;
    struct td_perf_counter *c;
    uint64_t time, id;

    td_perf_u64(&v, &time);
    if (!td_perf_u64(&v, &id))
        return td_recording_bad(r, "perf.data: a THROTTLE that is cut off");
    c = td_perf_data_find(p, id);
    if (c) {
        c->held = true;
        c->held_tid = end->tid;
    }
    return 0;
}

/* ---- samples ---------------------------------------------------------------------------------- */

/* The counters of the group that have an event. */
static size_t take_members(struct td_perf_data *p, const struct td_perf_data_event *e, struct td_perf_view values)
{
    struct td_member *m = p->samples->member;
    uint64_t id, value;
    size_t n = 0;

    while (n < TD_MEMBERS_MAX && td_perf_value(e, &values, &id, &value)) {
        const struct td_perf_counter *c = td_perf_data_follow(p, id);

        if (c)
            m[n++] = (struct td_member){id, value, c->event, p->event[c->event].metric};
    }
    return n;
}

/* Whether two members of a group take samples in pairs: at the same distance each time, which no varying period keeps. */
static bool in_step(const struct td_perf_data_event *first, const struct td_perf_data_event *second)
{
    return first->period == second->period && !((first->flags | second->flags) & TD_ATTR_FREQ);
}

/* The first two members that sample, as indices: n where there is none. */
static void find_samplers(const struct td_perf_data *p, size_t n, size_t sampler[2])
{
    size_t found = 0;

    sampler[0] = sampler[1] = n;
    for (size_t i = 0; i < n && found < 2; i++)
        if (p->event[p->samples->member[i].event].period)
            sampler[found++] = i;
    if (found == 2 && !in_step(&p->event[p->samples->member[sampler[0]].event], &p->event[p->samples->member[sampler[1]].event]))
        sampler[1] = n;
}

static void tally(struct td_perf_samples *s, enum td_sample_start start)
{
    s->info.first += start == TD_START_ENABLED;
    s->info.lost += start == TD_START_LOST;
    s->info.throttled += start == TD_START_THROTTLED;
    s->info.courses = (uint32_t)td_courses_count(s->courses);
}

/* The members of a group count and stop together. Where it was not recorded for how long, they are taken to have counted
 * throughout: their shares of each other do not depend on it. */
static struct td_count count_of(const struct td_recording *r, const struct td_perf_data_event *e, const struct td_course_delta *d, double value)
{
    const struct td_text_entry *text = &r->stream.texts.entries[e->text];
    const bool timed = ((const struct td_perf_data *)r->state)->samples->info.times_recorded;
    const double throughout = d->duration ? (double)d->duration : 1;
    const double enabled = timed ? (double)d->enabled : throughout, running = timed ? (double)d->running : throughout;
    const bool part = timed && running > 0 && running < enabled;

    return (struct td_count){
        .value = value * e->scale * (part ? enabled / running : 1), .enabled = enabled > running ? enabled : running, .running = running,
        .modes = text->modes, .text = (uint32_t)e->text,
        .status = d->reset ? TD_COUNTER_RESET : timed && !(running > 0) ? TD_NOT_COUNTED : TD_OK,
    };
}

/* By CPU all counts are of the scope; otherwise those between two samples in it, of pairs those of one pair. */
static bool is_mixed(const struct td_recording *r, const struct td_interval *v)
{
    return r->settings->samples_by != TD_SAMPLES_BY_CPU && (v->began != v->scope || v->pair > TD_PAIR_SHORT);
}

static int add_interval(struct td_recording *r, const struct td_perf_sample *sample, size_t n, const struct td_course_delta *d, const struct td_pair *pair,
                        const struct td_share *share)
{
    const struct td_perf_data *p = r->state;
    const struct td_perf_samples *s = p->samples;
    const struct td_text_entry *leader = &r->stream.texts.entries[p->event[s->member[0].event].text];
    struct td_interval *v = td_stream_interval(&r->stream);
    int err = v ? 0 : -ENOMEM;

    if (err)
        return err;
    v->has_time = sample->time;
    v->time = sample->time > s->origin ? sample->time - s->origin : 0;
    v->duration = d->duration;
    v->scope = share->at->name;
    v->scope_kind = td_samples_by_name(r->settings->samples_by);
    v->core = leader->core;
    v->lane = share->number * TD_CORES + (uint32_t)td_core_index(v->core);
    v->switched = s->tasks;
    v->start = d->reset && d->start == TD_START_SAMPLE ? TD_START_LOST : d->start;
    v->pair = pair->kind;
    v->distance = pair->distance;
    v->began = v->start == TD_START_SAMPLE ? share->began : NULL;
    v->dso = share->at->dso ? share->at->dso->path : NULL;
    v->symbols = share->at->symbols;
    v->course = d->course;
    v->nth = share->nth;
    v->mixed = is_mixed(r, v) || d->reset;
    for (size_t i = 0; i < n && !err; i++) {
        const struct td_count c = count_of(r, &p->event[s->member[i].event], d, (double)d->value[i]);

        err = td_counts_append(&v->counts, &c);
    }
    return err;
}

/* An interval for each scope that the sample counts for. */
static int give(struct td_recording *r, const struct td_perf_sample *sample, size_t n, const struct td_course_delta *d, const struct td_pair *pair,
                const struct td_place *at)
{
    const struct td_perf_samples *s = ((const struct td_perf_data *)r->state)->samples;
    struct td_share share[TD_FRAMES_MAX];
    const size_t shares = td_calls_shares(s->calls, at, d->began, share);
    int err = 0;

    for (size_t i = 0; i < shares && !err; i++)
        err = add_interval(r, sample, n, d, pair, &share[i]);
    return err ? td_log_no_memory(r->log) : 0;
}

/* The event whose counter overflowed; NULL: none of the file. */
static struct td_perf_counter *sampled(const struct td_perf_data *p, struct td_perf_view v)
{
    uint64_t id;

    return td_perf_sample_id(p->samples->like, v, &id) ? td_perf_data_find(p, id) : p->ncounters == 1 ? &p->counter[0] : NULL;
}

/* What the sample of a counter is to the pair that it belongs to. */
static enum td_sampler sampler_of(struct td_recording *r, size_t n, const struct td_perf_counter *by, const size_t sampler[2])
{
    const struct td_perf_data *p = r->state;
    struct td_perf_samples *s = p->samples;

    if (sampler[1] == n)
        return TD_SAMPLER_ONLY;
    s->info.paired = r->stream.texts.names[p->event[s->member[sampler[0]].event].text];
    return s->member[sampler[1]].id == by->id ? TD_SAMPLER_SECOND : s->member[sampler[0]].id == by->id ? TD_SAMPLER_FIRST : TD_SAMPLER_ONLY;
}

/* What was counted since the last sample of the course. */
static int take_reading(struct td_recording *r, const struct td_group_reading *g, const struct td_place *at, struct td_course_delta *out)
{
    struct td_perf_samples *s = ((struct td_perf_data *)r->state)->samples;
    const int err = td_courses_take(s->courses, g, at, out);

    if (err == -E2BIG)
        return td_recording_bad(r, "perf.data: more than %d counters and threads", TD_COURSES_MAX);
    if (err == -ENOMEM)
        return td_log_no_memory(r->log);
    s->info.samples++;
    s->info.still += err == -EAGAIN;
    return err;
}

static int take_counts(struct td_recording *r, const struct td_perf_counter *by, const struct td_perf_sample *sample, bool held, const struct td_place *at)
{
    struct td_perf_data *p = r->state;
    struct td_perf_samples *s = p->samples;
    const struct td_perf_data_event *e = &p->event[by->event];
    const size_t n = take_members(p, e, sample->values);
    struct td_group_reading g = {
        .time = sample->time, .enabled = sample->enabled, .running = sample->running, .tid = e->flags & TD_ATTR_INHERIT ? sample->tid : 0,
        .cpu = sample->cpu, .has_cpu = e->sample_type & TD_SAMPLE_CPU, .held = held, .n = n, .member = s->member,
    };
    struct td_course_delta d;
    struct td_pair pair;
    size_t sampler[2];
    int err;

    if (!n) {
        s->info.samples++;
        s->info.still++;
        return 0;
    }
    find_samplers(p, n, sampler);
    g.sampler = sampler_of(r, n, by, sampler);
    err = take_reading(r, &g, at, &d);
    if (err && err != -EAGAIN)
        return err;
    pair = td_pair_of(&d, g.sampler, !err && g.sampler ? d.value[sampler[0]] : 0, &s->info);
    if (err)
        return 0;
    tally(s, d.start);
    return give(r, sample, n, &d, &pair, at);
}

/* The sample's place, or its call. */
static int find_place(struct td_perf_samples *s, const struct td_perf_data_event *e, const struct td_perf_sample *sample, uint16_t misc, const struct td_place **out)
{
    const struct td_hit hit = td_perf_hit(e, sample, misc);
    const struct td_call *call;
    int err = td_places_find(s->places, s->spaces, &hit, out);

    if (err || !td_calls_wanted(s->calls))
        return err;
    err = td_perf_call(sample, &hit, *out, s->places, s->spaces, s->calls, &call);
    *out = err ? NULL : &call->place;
    return err;
}

static int take_sample(struct td_recording *r, const struct td_perf_record *rec)
{
    struct td_perf_data *p = r->state;
    struct td_perf_samples *s = p->samples;
    struct td_perf_counter *c = sampled(p, rec->v);
    const struct td_perf_data_event *e = c ? &p->event[c->event] : NULL;
    const struct td_place *at;
    struct td_perf_sample sample;
    bool held;
    int err;

    if (!e || !reads_group(e))
        return 0;
    if (!td_perf_sample_read(e, rec->v, &sample))
        return td_recording_bad(r, "perf.data: a sample that is too short for its fields");
    if (!s->begun)
        s->origin = sample.time;
    s->begun = true;
    err = find_place(s, e, &sample, rec->misc, &at);
    if (err == -E2BIG)
        return td_recording_bad(r, "perf.data: more than %d different places: ask for less detail, as --by dso", TD_PLACES_MAX);
    if (err)
        return td_log_no_memory(r->log);
    held = c->held && (!(e->flags & TD_ATTR_INHERIT) || c->held_tid == sample.tid);
    c->held = c->held && !held;
    return take_counts(r, c, &sample, held, at);
}

/* ---- records -------------------------------------------------------------------------------------- */

/* Uses a record, in the order of times. */
static int take(struct td_recording *r, const struct td_perf_record *rec)
{
    const struct td_perf_data *p = r->state;
    struct td_perf_view v = rec->v;
    struct td_perf_sample end;

    r->csv.line = rec->at;
    if (rec->type == SAMPLE)
        return take_sample(r, rec);
    td_perf_trailer(p->samples->like, &v, &end);
    switch (rec->type) {
    case MMAP:
    case MMAP2:
        return take_mmap(r, rec, v);
    case COMM:
        return take_comm(r, rec, v);
    case FORK:
    case EXIT:
        return take_task(r, rec, v);
    case THROTTLE:
        return take_throttle(r, v, &end);
    default:
        return take_lost(r, rec, v, &end);
    }
}

/* Whether the record is used, and when it was written. */
static bool is_used(const struct td_perf_data *p, struct td_perf_record *rec)
{
    struct td_perf_view v = rec->v;
    struct td_perf_sample end;

    switch (rec->type) {
    case SAMPLE:
        rec->time = td_perf_sample_time(p->samples->like, v);
        return true;
    case MMAP:
    case MMAP2:
    case COMM:
    case FORK:
    case EXIT:
    case THROTTLE:
    case LOST:
    case LOST_SAMPLES:
        td_perf_trailer(p->samples->like, &v, &end);
        rec->time = end.time;
        return true;
    default:
        return false;
    }
}

/* Counters of whole CPUs have no thread. */
static void take_index(struct td_perf_samples *s, struct td_perf_view v)
{
    uint64_t n, id, index, cpu, tid;

    td_perf_u64(&v, &n);
    if (n && v.n)
        s->tasks = false;
    while (n-- && td_perf_u64(&v, &id) && td_perf_u64(&v, &index) && td_perf_u64(&v, &cpu) && td_perf_u64(&v, &tid))
        s->tasks = s->tasks || tid != UINT64_MAX;
}

static int queue(struct td_recording *r, const struct td_perf_record *rec)
{
    struct td_perf_data *p = r->state;

    return td_perf_order_add(p->samples->order, rec) ? td_log_no_memory(r->log) : 0;
}

/* A LOST is written with the first record after the hole, but has a later time than that: it would come too late. */
static int keep_lost(struct td_recording *r, const struct td_perf_record *rec)
{
    struct td_perf_samples *s = ((struct td_perf_data *)r->state)->samples;
    struct td_perf_record before = s->lost;
    int err = 0;

    if (before.type) {
        before.time = rec && rec->time < before.time ? rec->time : before.time;
        s->lost.type = 0;
        err = queue(r, &before);
    }
    if (err || !rec || (rec->type != LOST && rec->type != LOST_SAMPLES) || rec->v.n > LOST_BYTES)
        return err || !rec ? err : queue(r, rec);
    s->lost = *rec;
    s->lost.v.at = memcpy(s->lost_bytes, rec->v.at, rec->v.n);
    return 0;
}

/* Trace data follows its record. */
static int skip_data(struct td_recording *r, struct td_perf_view v)
{
    (void)v;
    return td_recording_bad(r, "perf.data with trace data (intel_pt and the like): not read; record top-down events alone");
}

/* Records follow from the unpacked ones; COMPRESSED2 has their size before them. */
static int unpack(struct td_recording *r, const struct td_perf_record *rec)
{
    struct td_perf_samples *s = ((struct td_perf_data *)r->state)->samples;
    struct td_perf_view v = rec->v;
    uint64_t size = v.n;

    if (rec->type == COMPRESSED2 && (!td_perf_u64(&v, &size) || size > v.n))
        return td_recording_bad(r, "perf.data: compressed records that are cut off");
    v.n = (size_t)size;
    s->packed = true;
    return td_perf_unpack_add(r, &s->unpack, v);
}

/* The next record, of those that are unpacked or of the file. */
static int next_record(struct td_recording *r, struct td_perf_record *out)
{
    struct td_perf_samples *s = ((struct td_perf_data *)r->state)->samples;
    int err = s->packed ? td_perf_unpack_take(r, s->unpack, out) : -EAGAIN;

    if (err == -EAGAIN) {
        s->packed = false;
        return td_perf_data_record(r, out);
    }
    if (!err && (out->type == COMPRESSED || out->type == COMPRESSED2))
        return td_recording_bad(r, "perf.data: compressed records in compressed records");
    return err;
}

static int use(struct td_recording *r, struct td_perf_record *rec)
{
    struct td_perf_data *p = r->state;

    switch (rec->type) {
    case COMPRESSED:
    case COMPRESSED2:
        return unpack(r, rec);
    case AUXTRACE:
        return skip_data(r, rec->v);
    case FINISHED_ROUND:
        return td_perf_order_round(p->samples->order, false) ? td_log_no_memory(r->log) : 0;
    case ID_INDEX:
        take_index(p->samples, rec->v);
        return 0;
    default:
        if (!is_used(p, rec))
            return 0;
        return rec->time && rec->time != UINT64_MAX ? keep_lost(r, rec) : take(r, rec);
    }
}

/* Reads one record, and uses or keeps it. */
static int read_record(struct td_recording *r)
{
    struct td_perf_samples *s = ((struct td_perf_data *)r->state)->samples;
    struct td_perf_record rec;
    int err = next_record(r, &rec);

    if (err != -ENODATA)
        return err ? err : use(r, &rec);
    s->ended = true;
    err = keep_lost(r, NULL);
    return err ? err : td_perf_order_round(s->order, true);
}

static int at_end(struct td_recording *r)
{
    const struct td_perf_data *p = r->state;

    if (!p->samples->info.samples)
        return td_recording_bad(r, "perf.data of 'perf record' without a sample of a group");
    if (p->cut)
        td_recording_note(r, "the file was cut off; the samples up to there are used");
    return -ENODATA;
}

int td_perf_samples_next(struct td_recording *r)
{
    const struct td_perf_data *p = r->state;
    struct td_perf_samples *s = p->samples;
    struct td_perf_record rec;
    int err = 0;

    r->stream.nbatch = 0;
    while (!err && !r->stream.nbatch) {
        if (td_perf_order_take(s->order, &rec))
            err = take(r, &rec);
        else
            err = s->ended ? at_end(r) : read_record(r);
    }
    return err;
}
