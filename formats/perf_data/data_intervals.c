/* SPDX-License-Identifier: MIT */
/* perf.data: makes intervals of samples, each of what was counted since the sample before. */
#include "formats/perf_data/data_samples_parts.h"
#include "samples/pairs.h"
#include "samples/wanted.h"

#include <errno.h>

/* Takes those counters of a sample's group that the file has an event for. */
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

/* Whether two members of a group take samples in pairs, at the same distance each time: a period that varies keeps
 * none. */
static bool in_step(const struct td_perf_data_event *first, const struct td_perf_data_event *second)
{
    return first->period == second->period && !((first->flags | second->flags) & TD_ATTR_FREQ);
}

/* The indices of the first two members that sample; n stands for one that is not there. */
static void find_samplers(const struct td_perf_data *p, size_t n, size_t sampler[2])
{
    size_t found = 0;

    sampler[0] = sampler[1] = n;
    for (size_t i = 0; i < n && found < 2; i++)
        if (p->event[p->samples->member[i].event].period)
            sampler[found++] = i;
    if (found == 2 &&
        !in_step(&p->event[p->samples->member[sampler[0]].event], &p->event[p->samples->member[sampler[1]].event]))
        sampler[1] = n;
}

/* The leader of the group that the sample has read, which is numbered when it is first seen. */
static const struct td_perf_data_event *lead(struct td_perf_data *p)
{
    struct td_perf_samples *s = p->samples;
    struct td_perf_data_event *e = &p->event[s->member[0].event];

    if (!e->leads)
        e->turn = s->turns[td_core_index(p->recording.stream.texts.entries[e->text].core)]++;
    e->leads = true;
    return e;
}

/* Whether groups of the leader's kind of core take turns: a sample of one says nothing of what others count. */
static bool takes_turns(const struct td_perf_data *p, const struct td_perf_data_event *leader)
{
    return p->samples->turns[td_core_index(p->recording.stream.texts.entries[leader->text].core)] > 1;
}

/* Whether a group was without counters between two samples, while others had their turns: beyond what times that were
 * not read at once differ by. */
static bool turns_between(const struct td_course_delta *d)
{
    return d->enabled - d->running > d->enabled / 64;
}

static void tally(struct td_perf_samples *s, enum td_sample_start start)
{
    s->info.first += start == TD_START_ENABLED;
    s->info.lost += start == TD_START_LOST;
    s->info.throttled += start == TD_START_THROTTLED;
    s->info.courses = (uint32_t)td_courses_count(s->courses);
}

/* The members of a group count and stop together. Where it was not recorded for how long, or for which CPU, they are
 * taken to have counted throughout: their shares of each other do not depend on it. Where groups take turns, too: what
 * all of them counted adds up to the whole, and what one did is put together with the others' cycle by cycle. */
static struct td_count count_of(const struct td_perf_data *p, const struct td_perf_data_event *e,
                                const struct td_course_delta *d, bool turns, double value)
{
    const struct td_text_entry *text = &p->recording.stream.texts.entries[e->text];
    const bool timed = p->samples->info.times_recorded && !turns;
    const double throughout = turns && d->enabled ? (double)d->enabled : d->duration ? (double)d->duration : 1;
    const double enabled = timed ? (double)d->enabled : throughout, running = timed ? (double)d->running : throughout;
    const bool part = timed && running > 0 && running < enabled;

    return (struct td_count){
        .value = value * e->scale * (part ? enabled / running : 1),
        .enabled = enabled > running ? enabled : running,
        .running = running,
        .modes = text->modes,
        .text = (uint32_t)e->text,
        .status = d->reset                  ? TD_COUNTER_RESET
                  : timed && !(running > 0) ? TD_NOT_COUNTED
                                            : TD_OK,
    };
}

/* Whether an interval may have counts of other scopes too. By CPU none has; otherwise only one between two samples of
 * the same scope is free of them, and where samples come in pairs, one between the two of a pair. */
static bool is_mixed(const struct td_recording *r, const struct td_interval *v)
{
    return r->settings->samples->by != TD_SAMPLES_BY_CPU && (v->at.began != v->at.scope || v->at.pair > TD_PAIR_SHORT);
}

static int add_interval(struct td_recording *r, const struct td_perf_sample *sample, size_t n,
                        const struct td_course_delta *d, const struct td_pair *pair, const struct td_share *share,
                        const struct td_share *back)
{
    const struct td_perf_data *p = td_perf_data_of(r);
    const struct td_perf_samples *s = p->samples;
    const struct td_perf_data_event *first = &p->event[s->member[0].event];
    const struct td_text_entry *leader = &r->stream.texts.entries[first->text];
    const bool turns = takes_turns(p, first);
    struct td_interval *v = td_stream_interval(&r->stream);
    int err = v ? 0 : -ENOMEM;

    if (err)
        return err;
    v->at.has_time = sample->time;
    v->at.time = sample->time > s->origin ? sample->time - s->origin : 0;
    v->at.duration = d->duration;
    v->at.scope = share->at->name;
    v->at.scope_kind = share->at->kind != TD_KIND_NONE ? share->at->kind : td_kind_of_samples(r->settings->samples->by);
    v->core = leader->core;
    v->lane = share->number * TD_CORES + (uint32_t)td_core_index(v->core);
    v->switched = s->tasks;
    v->at.start = d->reset && d->start == TD_START_SAMPLE ? TD_START_LOST : d->start;
    v->at.pair = pair->kind;
    v->at.distance = pair->distance;
    v->at.began = v->at.start == TD_START_SAMPLE ? share->began : NULL;
    v->at.dso = share->at->dso ? share->at->dso->path : NULL;
    v->at.symbols = share->at->symbols;
    v->at.code = share->at->code;
    v->at.course = d->course;
    v->at.own = d->own;
    v->at.back = !back ? TD_BACK_NONE : back->began == v->at.scope ? TD_BACK_HERE : TD_BACK_ELSEWHERE;
    v->at.nth = share->nth;
    v->mixed = is_mixed(r, v) || d->reset;
    for (size_t i = 0; i < n && !err; i++) {
        struct td_count c = count_of(p, &p->event[s->member[i].event], d, turns, (double)d->value[i]);

        c.group = first->turn;
        err = td_counts_append(&v->counts, &c);
    }
    return err;
}

/* Gives an interval for each scope that the sample counts for. */
static int give(struct td_recording *r, const struct td_perf_sample *sample, size_t n, const struct td_course_delta *d,
                const struct td_pair *pair, const struct td_place *at)
{
    const struct td_perf_samples *s = td_perf_data_of(r)->samples;
    struct td_share share[TD_FRAMES_MAX], back[TD_FRAMES_MAX];
    const size_t shares = td_calls_shares(s->calls, at, d->began, share);
    int err = 0;

    if (d->back)
        td_calls_shares(s->calls, at, d->back, back);
    for (size_t i = 0; i < shares && !err; i++)
        err = add_interval(r, sample, n, d, pair, &share[i], d->back ? &back[i] : NULL);
    return err ? td_log_no_memory(r->log) : 0;
}

/* The counter that overflowed; NULL: the file has none with that id. */
static struct td_perf_counter *sampled(const struct td_perf_data *p, struct td_perf_view v)
{
    uint64_t id;

    return td_perf_sample_id(p->samples->like, v, &id) ? td_perf_data_find(p, id)
           : p->ncounters == 1                         ? &p->counter[0]
                                                       : NULL;
}

/* Whether a counter's sample is the first or the second of its pair, or of no pair. */
static enum td_sampler sampler_of(struct td_recording *r, size_t n, const struct td_perf_counter *by,
                                  const size_t sampler[2])
{
    const struct td_perf_data *p = td_perf_data_of(r);
    struct td_perf_samples *s = p->samples;

    if (sampler[1] == n)
        return TD_SAMPLER_ONLY;
    s->info.paired = r->stream.texts.names[p->event[s->member[sampler[0]].event].text];
    return s->member[sampler[1]].id == by->id   ? TD_SAMPLER_SECOND
           : s->member[sampler[0]].id == by->id ? TD_SAMPLER_FIRST
                                                : TD_SAMPLER_ONLY;
}

/* Takes a reading: what was counted since the last sample of its course becomes intervals. */
static int take_reading(struct td_recording *r, const struct td_group_reading *g, const struct td_place *at,
                        struct td_course_delta *out)
{
    struct td_perf_samples *s = td_perf_data_of(r)->samples;
    const int err = td_courses_take(s->courses, g, at, out);

    if (err == -E2BIG)
        return td_recording_bad(r, "perf.data: more than %d counters and threads: record fewer CPUs or threads",
                                TD_COURSES_MAX);
    if (err == -ENOMEM)
        return td_log_no_memory(r->log);
    s->info.samples++;
    s->info.still += err == -EAGAIN;
    return err;
}

static int take_counts(struct td_recording *r, const struct td_perf_counter *by, const struct td_perf_sample *sample,
                       bool held, const struct td_place *at)
{
    struct td_perf_data *p = td_perf_data_of(r);
    struct td_perf_samples *s = p->samples;
    const struct td_perf_data_event *e = &p->event[by->event];
    const size_t n = take_members(p, e, sample->values);
    struct td_group_reading g = {
        .time = sample->time,
        .enabled = sample->enabled,
        .running = sample->running,
        .tid = e->flags & TD_ATTR_INHERIT ? sample->tid : 0,
        .thread = sample->tid,
        .cpu = sample->cpu,
        .has_cpu = e->sample_type & TD_SAMPLE_CPU,
        .held = held,
        .n = n,
        .member = s->member,
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
    if (takes_turns(p, lead(p)) && s->info.times_recorded && turns_between(&d))
        pair = (struct td_pair){TD_PAIR_REST, 0};
    tally(s, d.start);
    return give(r, sample, n, &d, &pair, at);
}

/* Finds what the sample counts for: its place, or its call where callers count. */
static int find_place(struct td_perf_samples *s, const struct td_perf_data_event *e,
                      const struct td_perf_sample *sample, uint16_t misc, const struct td_place **out)
{
    static const struct td_perf_sample alone; /* a sample without a chain */
    const struct td_hit hit = td_perf_hit(e, sample, misc, s->cgroups);
    const struct td_place *at[TD_PLACES_AT];
    const struct td_call *call;
    size_t n;
    int err = td_places_find(s->places, s->spaces, &hit, at, &n);

    *out = err ? NULL : at[0];
    if (err || !td_calls_wanted(s->calls))
        return err;
    err = td_perf_call(td_calls_chained(s->calls) ? sample : &alone, &hit, at, n, s->places, s->spaces, s->calls,
                       s->caller, &call);
    *out = err ? NULL : &call->place;
    return err;
}

/* Says what is too much: places, or what call paths are kept of. Of pages with call paths --by dso has no fewer. */
static int too_many_places(struct td_recording *r)
{
    if (!td_calls_wanted(td_perf_data_of(r)->samples->calls))
        return td_recording_bad(r,
                                "perf.data: the samples are at more than %d different places: ask for fewer, as by "
                                "--by dso",
                                TD_PLACES_MAX);
    return td_recording_bad(r,
                            "perf.data: the call paths are more than %d, or their names take more than %d MiB: ask "
                            "for none, as by --format text --by dso",
                            TD_PLACES_MAX, TD_CALLS_TEXT_MAX >> 20);
}

int td_perf_take_sample(struct td_recording *r, const struct td_perf_record *rec)
{
    struct td_perf_data *p = td_perf_data_of(r);
    struct td_perf_samples *s = p->samples;
    struct td_perf_counter *c = sampled(p, rec->v);
    const struct td_perf_data_event *e = c ? &p->event[c->event] : NULL;
    const struct td_place *at;
    struct td_perf_sample sample;
    bool held;
    int err;

    if (!e || !td_perf_reads_group(e))
        return 0;
    if (!td_perf_sample_read(e, rec->v, &sample))
        return td_recording_bad(r, "perf.data: a sample is too short for its fields: the file is damaged");
    if (!s->begun)
        s->origin = sample.time;
    s->begun = true;
    err = find_place(s, e, &sample, rec->misc, &at);
    if (err)
        return err == -E2BIG ? too_many_places(r) : td_log_no_memory(r->log);
    held = c->held && (!(e->flags & TD_ATTR_INHERIT) || c->held_tid == sample.tid);
    c->held = c->held && !held;
    return take_counts(r, c, &sample, held, at);
}
