/* SPDX-License-Identifier: MIT */
/* perf.data: the records, and what was counted between two rounds of them. A
 * PERF_RECORD_STAT holds the total of one counter since it was opened; with -I a
 * PERF_RECORD_STAT_ROUND ends each interval, and the totals at the end of all come
 * after the last one, with no round of their own. */
#include "formats/perf_data/data_samples_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* enum perf_user_event_type of tools/lib/perf/include/perf/event.h, and PERF_RECORD_SAMPLE */
enum {
    SAMPLE = 9,
    AUXTRACE = 71,
    THREAD_MAP = 73,
    STAT_CONFIG = 75,
    STAT,
    STAT_ROUND,
    EVENT_UPDATE,
    COMPRESSED = 81,
    COMPRESSED2 = 83
};
enum { TAG_AGGREGATION, ROUND_INTERVAL = 0, ROUND_FINAL };
enum { STAT_BYTES = 40 };

static const char unable[] = "perf.data: none of the events could be counted on that machine";
static const char no_counts[] =
    "perf.data without counts (of 'perf record'?): record with 'perf stat record' or 'perf stat -x, -o FILE'";

/* The end of the data, or of the file if that comes first. */
static int at_end(struct td_recording *r)
{
    struct td_perf_data *p = td_perf_data_of(r);

    if (!p->any && !p->given)
        return td_recording_bad(r, "%s", p->ncounters ? no_counts : unable);
    if (!p->given)
        return td_recording_bad(r, "perf.data: the file ends before its counts are complete");
    if (p->cut)
        td_recording_note(r, "the file was cut off; what comes after the last whole reading is left out");
    return -ENODATA;
}

static int take_config(struct td_recording *r, struct td_perf_view v)
{
    struct td_perf_data *p = td_perf_data_of(r);
    uint64_t n, tag, value;

    if (p->any)
        return td_recording_bad(r, "perf.data: the configuration comes after counts");
    td_perf_u64(&v, &n);
    while (n-- && td_perf_u64(&v, &tag) && td_perf_u64(&v, &value))
        if (tag == TAG_AGGREGATION)
            p->aggregation = value;
    return 0;
}

static int grow_scopes(struct td_perf_data *p, size_t n)
{
    uint32_t *counted = realloc(p->counted, n * sizeof(*counted));
    struct td_perf_scope *grown;

    if (!counted)
        return -ENOMEM;
    p->counted = counted;
    grown = realloc(p->scope, n * sizeof(*grown));
    if (!grown)
        return -ENOMEM;
    memset(grown + p->nscopes, 0, (n - p->nscopes) * sizeof(*grown));
    p->scope = grown;
    p->nscopes = n;
    return 0;
}

/* Makes room for the sums of a new scope. */
static int add_scope(struct td_recording *r, size_t at)
{
    struct td_perf_data *p = td_perf_data_of(r);

    if (at >= p->nscopes && grow_scopes(p, 2 * at + 4))
        return td_log_no_memory(r->log);
    if (p->scope[at].slot)
        return 0;
    p->nslots += p->nevents;
    if (p->nslots > TD_PERF_COUNTERS_MAX)
        return td_recording_bad(r, "perf.data: more than %d counters: record fewer CPUs, threads or events",
                                TD_PERF_COUNTERS_MAX);
    p->scope[at].slot = calloc(p->nevents, sizeof(*p->scope[at].slot));
    return p->scope[at].slot ? 0 : td_log_no_memory(r->log);
}

/* Sets the counter's scope by its CPU or thread, which is known from its first count on. */
static int place_counter(struct td_recording *r, struct td_perf_counter *c, uint32_t cpu, uint32_t thread)
{
    if (c->scope < 0) {
        c->scope = td_perf_data_scope(r, cpu, thread);
        c->cpu = cpu;
        c->thread = thread;
        return c->scope < 0 ? c->scope : add_scope(r, (size_t)c->scope);
    }
    if (c->cpu != cpu || c->thread != thread)
        return td_recording_bad(r, "perf.data: the counter %llu changes its CPU or thread", (unsigned long long)c->id);
    return 0;
}

static struct td_perf_slot *find_slot(struct td_perf_data *p, const struct td_perf_counter *c)
{
    struct td_perf_slot *s = &p->scope[c->scope].slot[c->event];

    if (p->scope[c->scope].round != p->round)
        p->counted[p->ncounted++] = (uint32_t)c->scope;
    p->scope[c->scope].round = p->round;
    if (s->round != p->round)
        *s = (struct td_perf_slot){.round = p->round};
    return s;
}

/* Adds what was counted since the counter's last reading to the sum of its scope. */
static void add_count(struct td_perf_data *p, struct td_perf_slot *s, struct td_perf_counter *c, uint64_t value,
                      uint64_t enabled, uint64_t running)
{
    double n = (double)(value - c->value), e = (double)(enabled - c->enabled), u = (double)(running - c->running);

    if (value < c->value || enabled < c->enabled || running < c->running) {
        s->reset = true;
    } else if (u > 0) {
        s->value += u < e ? n * (e / u) : n;
        s->enabled += e > u ? e : u;
        s->running += u;
    } else if (e > 0) {
        s->missing = true;
    }
    p->moved = p->moved || value != c->value || enabled != c->enabled;
    c->value = value;
    c->enabled = enabled;
    c->running = running;
}

/* Takes what a counter has counted by then: its id, CPU and thread, and three totals. */
static int take_stat(struct td_recording *r, struct td_perf_view v)
{
    struct td_perf_data *p = td_perf_data_of(r);
    const unsigned char *at = td_perf_take(&v, STAT_BYTES);
    uint64_t id;
    struct td_perf_counter *c;
    int err;

    if (!at)
        return td_recording_bad(r, "perf.data: a count that is cut off");
    id = td_perf_u64_at(at);
    c = p->ncounters ? td_perf_data_follow(p, id) : NULL;
    if (!c)
        return td_recording_bad(r, "perf.data: a count of id %llu, which no event has", (unsigned long long)id);
    err = place_counter(r, c, td_perf_u32_at(at + 8), td_perf_u32_at(at + 12));
    if (err)
        return err;
    add_count(p, find_slot(p, c), c, td_perf_u64_at(at + 16), td_perf_u64_at(at + 24), td_perf_u64_at(at + 32));
    p->any = true;
    return 0;
}

/* The counts since the last round are complete: returns whether they are to be given. */
static int take_round(struct td_recording *r, struct td_perf_view v, bool *give)
{
    struct td_perf_data *p = td_perf_data_of(r);
    uint64_t kind, time;

    if (!td_perf_u64(&v, &kind) || !td_perf_u64(&v, &time) || kind > ROUND_FINAL)
        return td_recording_bad(r, "perf.data: the end of an interval that is none");
    if (p->final)
        return td_recording_bad(r, "perf.data: an interval after the final counts");
    p->final = kind == ROUND_FINAL;
    if (p->final && p->given && !p->moved) /* it would be the last interval once more */
        return 0;
    if (p->given && time <= p->time)
        return td_recording_bad(r, "perf.data: time goes backwards: %llu ns come after %llu ns",
                                (unsigned long long)time, (unsigned long long)p->time);
    p->has_time = p->given || !p->final;
    p->time = p->has_time ? time : 0;
    p->given = *give = p->any;
    p->emitting = *give;
    p->at_scope = p->at_event = 0;
    return 0;
}

static int take_record(struct td_recording *r, uint32_t type, struct td_perf_view v, bool *give)
{
    switch (type) {
    case STAT: return take_stat(r, v);
    case STAT_ROUND: return take_round(r, v, give);
    case STAT_CONFIG: return take_config(r, v);
    case THREAD_MAP: return td_perf_data_threads(r, v);
    case EVENT_UPDATE: return td_perf_data_update(r, v);
    case SAMPLE:
    case COMPRESSED: /* perf record -z alone writes them; of groups that samples read they are unpacked: data_unpack.c
                      */
    case COMPRESSED2:
    case AUXTRACE: /* what it announces is not a record */
        return td_recording_bad(
            r, "perf.data of 'perf record', which has samples and no counts: record with 'perf stat record' or "
               "'perf stat -x, -o FILE'");
    default: /* about programs and maps */ return 0;
    }
}

static void fill_row(const struct td_perf_data *p, const struct td_perf_data_event *e, const struct td_perf_slot *s,
                     struct td_row *out)
{
    *out = (struct td_row){.has_time = p->has_time,
                           .time = p->time,
                           .scope = (int)p->counted[p->at_scope],
                           .text = e->text,
                           .status = TD_OK};
    if (!e->nids)
        out->status = TD_NOT_SUPPORTED;
    else if (s->reset)
        out->status = TD_COUNTER_RESET;
    else if (s->missing || s->running <= 0)
        out->status = TD_NOT_COUNTED;
    out->enabled = s->enabled;
    out->running = s->running;
    out->value = out->status == TD_OK ? s->value * e->scale : 0;
}

/* Whether a row of the event is still to be given: an event that could not be counted has one in
 * each interval, which takes no space in the file, so the number of such rows is limited. */
static bool is_given(struct td_recording *r, const struct td_perf_data_event *e, const struct td_perf_slot *s)
{
    struct td_perf_data *p = td_perf_data_of(r);

    if (e->nids)
        return s->round == p->round;
    if (p->nunable == TD_PERF_UNABLE_MAX)
        td_recording_note(r, "the events that could not be counted are left out from here on: they took %d rows",
                          TD_PERF_UNABLE_MAX);
    p->nunable += p->nunable <= TD_PERF_UNABLE_MAX;
    return p->nunable <= TD_PERF_UNABLE_MAX;
}

/* Gives the next sum of the round. -EAGAIN: there are no more. */
static int give_row(struct td_recording *r, struct td_row *out)
{
    struct td_perf_data *p = td_perf_data_of(r);

    for (; p->at_scope < p->ncounted; p->at_scope++, p->at_event = 0) {
        const uint32_t scope = p->counted[p->at_scope];

        while (p->at_event < p->nevents) {
            const struct td_perf_data_event *e = &p->event[p->at_event];
            const struct td_perf_slot *s = &p->scope[scope].slot[p->at_event++];

            if (!is_given(r, e, s))
                continue;
            fill_row(p, e, s, out);
            return 0;
        }
    }
    p->emitting = p->moved = false;
    p->ncounted = 0;
    p->round++;
    return -EAGAIN;
}

static int next_row(struct td_recording *r, struct td_row *out)
{
    struct td_perf_data *p = td_perf_data_of(r);
    int err = -EAGAIN;

    if (p->emitting) /* an interval ends with its round, whatever comes after it */
        return give_row(r, out);
    while (err == -EAGAIN) {
        struct td_perf_record record;
        bool give = false;

        err = td_perf_data_record(r, &record);
        if (err == -ENODATA)
            return at_end(r);
        if (!err)
            err = take_record(r, record.type, record.v, &give);
        if (!err)
            err = give ? give_row(r, out) : -EAGAIN;
    }
    return err;
}

static bool sniff_bytes(const char *bytes, size_t len)
{
    return len >= 8 &&
           (!memcmp(bytes, "PERFILE2", 8) || !memcmp(bytes, "2ELIFREP", 8) || !memcmp(bytes, "PERFFILE", 8));
}

static int next(struct td_recording *r)
{
    struct td_perf_data *p = td_perf_data_of(r);

    return p->samples ? td_perf_samples_next(r) : td_gather_next(r, p->gather, next_row);
}

static void perf_data_close(struct td_recording *r)
{
    struct td_perf_data *p = td_perf_data_of(r);

    for (size_t i = 0; i < p->nscopes; i++)
        free(p->scope[i].slot);
    free(p->scope);
    free(p->thread);
    free(p->cpu);
    free(p->by_id);
    free(p->counted);
    free(p->counter);
    free(p->event);
    free(p->buf);
    free(p->tail_bytes);
    td_gather_free(p->gather);
    td_perf_samples_free(p->samples);
}

static int perf_data_open(struct td_recording *r, char *first, size_t len)
{
    struct td_perf_data *p = td_perf_data_of(r);
    int err;

    (void)first;
    (void)len;
    p->aggregation = 1; /* AGGR_GLOBAL */
    p->round = 1;
    p->gather = td_gather_new();
    err = p->gather ? td_perf_data_load(r) : td_log_no_memory(r->log);
    if (!err)
        err = td_perf_data_piped(p) ? td_perf_data_pipe(r) : td_perf_data_header(r);
    return err || !td_perf_samples_are(p) ? err : td_perf_samples_open(r);
}

const struct td_reader td_reader_perf_data = {
    .name = "perf-data",
    .size = sizeof(struct td_perf_data),
    .sniff_bytes = sniff_bytes,
    .open = perf_data_open,
    .next = next,
    .close = perf_data_close,
    .about = "perf.data of perf stat record, and of perf record with groups",
    .marked = true,
};
