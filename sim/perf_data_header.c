/* SPDX-License-Identifier: MIT */
/* perf.data: the header, the events with their ids, and where the features are. */
#include "perf_data.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* struct perf_file_header */
enum { HEADER_SIZE = 104, HEADER_FEATURES = 72, PIPE_SIZE = 16, FEATURES = 256 };
/* struct perf_event_attr of the first version, and the place of the ids behind it */
enum { ATTR_MIN = 64, ATTR_MAX = 4096, SECTION = 16 };
/* HEADER_* of tools/perf/util/header.h */
enum { NRCPUS = 7, CPUID = 9, EVENT_DESC = 12, TOPOLOGY = 13, NUMA = 14, PMU_MAPPINGS = 16, USED = 32 };

/* Spelt out, so that compilers make one load of each. */
static uint32_t u32_at(const unsigned char *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static uint64_t u64_at(const unsigned char *at)
{
    return (uint64_t)at[0] | (uint64_t)at[1] << 8 | (uint64_t)at[2] << 16 | (uint64_t)at[3] << 24 | (uint64_t)at[4] << 32 |
           (uint64_t)at[5] << 40 | (uint64_t)at[6] << 48 | (uint64_t)at[7] << 56;
}

/* The front bytes, which go; NULL: there are not as many, and none is left. */
static const unsigned char *take(struct td_perf_view *v, size_t bytes)
{
    const unsigned char *at = v->at;

    if (v->n < bytes) {
        v->n = 0;
        return NULL;
    }
    v->at += bytes;
    v->n -= bytes;
    return at;
}

bool td_perf_u16(struct td_perf_view *v, uint16_t *out)
{
    const unsigned char *at = take(v, 2);

    *out = (uint16_t)(at ? at[0] | (unsigned)at[1] << 8 : 0);
    return at;
}

bool td_perf_u32(struct td_perf_view *v, uint32_t *out)
{
    const unsigned char *at = take(v, 4);

    *out = at ? u32_at(at) : 0;
    return at;
}

bool td_perf_u64(struct td_perf_view *v, uint64_t *out)
{
    const unsigned char *at = take(v, 8);

    *out = at ? u64_at(at) : 0;
    return at;
}

bool td_perf_part(struct td_perf_view *v, uint64_t size, struct td_perf_view *out)
{
    *out = (struct td_perf_view){v->at, 0};
    if (size > v->n) {
        v->n = 0;
        return false;
    }
    out->n = (size_t)size;
    v->at += size;
    v->n -= (size_t)size;
    return true;
}

bool td_perf_string(struct td_perf_view *v, const char **text, size_t *len)
{
    struct td_perf_view bytes;
    const unsigned char *end;
    uint32_t size;
    bool good = td_perf_u32(v, &size) && td_perf_part(v, size, &bytes);

    *text = "";
    *len = 0;
    if (!good)
        return false;
    end = size ? memchr(bytes.at, '\0', bytes.n) : NULL;
    *text = (const char *)bytes.at;
    *len = end ? (size_t)(end - bytes.at) : bytes.n;
    return true;
}

/* The file, or as much of it as is kept. */
static int load(struct td_recording *r)
{
    struct td_perf_data *p = r->state;

    while (!p->whole && p->room < TD_PERF_WHOLE_MAX) {
        size_t room = p->room ? 2 * p->room : 1 << 16;
        unsigned char *grown;
        ssize_t n;

        room = room < TD_PERF_WHOLE_MAX ? room : TD_PERF_WHOLE_MAX;
        grown = realloc(p->buf, room);
        if (!grown)
            return td_recording_no_memory(r);
        p->buf = grown;
        p->room = room;
        n = td_csv_take(&r->csv, p->buf + p->end, room - p->end);
        if (n < 0) {
            td_recording_bad(r, "cannot be read: %s", strerror((int)-n));
            return (int)n;
        }
        p->end += (size_t)n;
        p->whole = p->end < p->room;
    }
    return 0;
}

/* A section of the file that must be there. */
static int section(struct td_recording *r, const char *what, uint64_t offset, uint64_t size, struct td_perf_view *out)
{
    const struct td_perf_data *p = r->state;

    if (offset <= p->end && size <= p->end - offset) {
        *out = (struct td_perf_view){p->buf + offset, (size_t)size};
        return 0;
    }
    r->csv.line = offset;
    if (p->whole)
        return td_recording_bad(r, "perf.data: %s lie outside the file", what);
    return td_recording_bad(r, "perf.data: %s lie behind the first %d MiB of the file, which is as much as is kept", what, TD_PERF_WHOLE_MAX >> 20);
}

static int add_counter(struct td_recording *r, uint64_t id, size_t event)
{
    struct td_perf_data *p = r->state;

    if (!(p->ncounters & (p->ncounters - 1))) { /* 0 and the powers of two: it is full */
        struct td_perf_counter *grown = realloc(p->counter, (p->ncounters ? 2 * p->ncounters : 1) * sizeof(*grown));

        if (!grown)
            return td_recording_no_memory(r);
        p->counter = grown;
    }
    p->counter[p->ncounters++] = (struct td_perf_counter){.id = id, .event = (uint32_t)event, .scope = -1};
    return 0;
}

static int take_ids(struct td_recording *r, struct td_perf_view ids, size_t event)
{
    struct td_perf_data *p = r->state;
    uint64_t id;
    int err = 0;

    if (ids.n / 8 > TD_PERF_COUNTERS_MAX - p->ncounters)
        return td_recording_bad(r, "perf.data: more than %d counters", TD_PERF_COUNTERS_MAX);
    while (!err && td_perf_u64(&ids, &id)) {
        if (!id) /* the kernel counts from 1 */
            continue;
        err = add_counter(r, id, event);
        p->event[event].nids++;
    }
    return err;
}

/* One struct perf_file_attr: the event, and where its ids are. */
static int take_attr(struct td_recording *r, struct td_perf_view attr, size_t event)
{
    struct td_perf_data *p = r->state;
    struct td_perf_event *e = &p->event[event];
    struct td_perf_view ids, at = {attr.at + attr.n - SECTION, SECTION};
    uint64_t offset, size;
    int err;

    e->type = u32_at(attr.at);
    e->config = u64_at(attr.at + 8);
    e->flags = u64_at(attr.at + 40);
    e->scale = 1;
    td_perf_u64(&at, &offset);
    td_perf_u64(&at, &size);
    r->csv.line = (uint64_t)(attr.at - p->buf);
    if (size % 8)
        return td_recording_bad(r, "perf.data: the ids of an event take %llu bytes, which is no multiple of 8", (unsigned long long)size);
    if (!size)
        return 0;
    err = section(r, "the ids of an event", offset, size, &ids);
    return err ? err : take_ids(r, ids, event);
}

static int take_attrs(struct td_recording *r, struct td_perf_view attrs, uint64_t attr_size)
{
    struct td_perf_data *p = r->state;
    struct td_perf_view attr;
    int err = 0;

    p->event = calloc(attrs.n / attr_size, sizeof(*p->event));
    if (!p->event)
        return td_recording_no_memory(r);
    while (!err && td_perf_part(&attrs, attr_size, &attr))
        err = take_attr(r, attr, p->nevents++);
    return err;
}

static size_t slot_of(const struct td_perf_data *p, uint64_t id)
{
    return (size_t)((id * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & (p->nbuckets - 1);
}

static int index_counters(struct td_recording *r)
{
    struct td_perf_data *p = r->state;

    for (p->nbuckets = 2; p->nbuckets < 2 * p->ncounters;)
        p->nbuckets *= 2;
    p->bucket = calloc(p->nbuckets, sizeof(*p->bucket));
    if (!p->bucket)
        return td_recording_no_memory(r);
    for (size_t i = 0; i < p->ncounters; i++) {
        size_t at = slot_of(p, p->counter[i].id);

        for (; p->bucket[at]; at = (at + 1) & (p->nbuckets - 1))
            if (p->counter[p->bucket[at] - 1].id == p->counter[i].id)
                return td_recording_bad(r, "perf.data: two counters have the id %llu", (unsigned long long)p->counter[i].id);
        p->bucket[at] = (uint32_t)i + 1;
    }
    return 0;
}

struct td_perf_counter *td_perf_data_find(const struct td_perf_data *p, uint64_t id)
{
    for (size_t at = slot_of(p, id); p->bucket[at]; at = (at + 1) & (p->nbuckets - 1))
        if (p->counter[p->bucket[at] - 1].id == id)
            return &p->counter[p->bucket[at] - 1];
    return NULL;
}

/* The table of features stands behind the data, an entry for each bit that is set. */
static void find_features(struct td_recording *r, struct td_perf_view found[USED])
{
    const struct td_perf_data *p = r->state;
    bool cut = false;
    struct td_perf_view table = {p->buf, 0};
    uint64_t offset, size;

    if (p->whole && p->data_end <= p->end)
        table = (struct td_perf_view){p->buf + p->data_end, p->end - (size_t)p->data_end};
    for (size_t i = 0; i < FEATURES; i++) {
        if (i < USED)
            found[i] = (struct td_perf_view){p->buf, 0};
        if (!(p->buf[HEADER_FEATURES + i / 8] >> i % 8 & 1))
            continue;
        if (!td_perf_u64(&table, &offset) || !td_perf_u64(&table, &size) || offset > p->end || size > p->end - offset)
            cut = true;
        else if (i < USED)
            found[i] = (struct td_perf_view){p->buf + offset, (size_t)size};
    }
    if (cut && p->whole && p->data_end != UINT64_MAX)
        td_recording_note(r, "what the file says of its CPU and events is cut off, and used as far as it goes");
}

static int take_features(struct td_recording *r, const struct td_machine *machine)
{
    const struct td_perf_data *p = r->state;
    struct td_perf_view f[USED];
    int err;

    r->csv.line = p->data_end != UINT64_MAX ? p->data_end : 0;
    find_features(r, f);
    err = td_perf_data_names(r, f[EVENT_DESC], f[PMU_MAPPINGS]);
    if (!err)
        err = td_perf_data_topology(r, f[NRCPUS], f[TOPOLOGY], f[NUMA]);
    return err ? err : td_perf_data_cpuid(r, f[CPUID], machine);
}

/* What of the kinds of perf.data this one is. */
static int check_kind(struct td_recording *r)
{
    const struct td_perf_data *p = r->state;

    if (p->end >= 8 && !memcmp(p->buf, "2ELIFREP", 8))
        return td_recording_bad(r, "perf.data of a machine with the other byte order: not read; record with 'perf stat -x, -o FILE' there");
    if (p->end >= 8 && !memcmp(p->buf, "PERFFILE", 8))
        return td_recording_bad(r, "perf.data of a perf before 2.6.38: not read; record with 'perf stat -x, -o FILE'");
    if (p->end >= PIPE_SIZE && u64_at(p->buf + 8) == PIPE_SIZE)
        return td_recording_bad(r, "perf.data in pipe mode (written to '-o -'): not read; record with 'perf stat record -o FILE' or 'perf stat -x, -o FILE'");
    if (p->end < HEADER_SIZE || u64_at(p->buf + 8) < HEADER_SIZE)
        return td_recording_bad(r, "perf.data: the header is cut off or not perf's; record with 'perf stat record' or 'perf stat -x, -o FILE'");
    return 0;
}

/* Where the data are; the reading goes on there. */
static int find_data(struct td_recording *r, uint64_t offset, uint64_t size)
{
    struct td_perf_data *p = r->state;

    r->csv.line = 40;
    if (offset < HEADER_SIZE || offset > p->end || size > UINT64_MAX - offset)
        return td_recording_bad(r, "perf.data: the data lie outside the file");
    p->start = (size_t)offset;
    p->data_end = size ? offset + size : UINT64_MAX;
    if (!size)
        td_recording_note(r, "perf did not finish this file: it names neither its CPU nor its events");
    else if (!p->whole)
        td_recording_note(r, "the file is longer than %d MiB: the names of its CPU and events, which stand at its end, are not used", TD_PERF_WHOLE_MAX >> 20);
    return 0;
}

int td_perf_data_header(struct td_recording *r, const struct td_machine *machine)
{
    struct td_perf_data *p = r->state;
    struct td_perf_view attrs, h;
    uint64_t attr_size, at, size, data, data_size;
    int err = load(r);

    if (!err)
        err = check_kind(r);
    if (err)
        return err;
    h = (struct td_perf_view){p->buf + 16, HEADER_SIZE - 16};
    td_perf_u64(&h, &attr_size);
    td_perf_u64(&h, &at);
    td_perf_u64(&h, &size);
    td_perf_u64(&h, &data);
    td_perf_u64(&h, &data_size);
    r->csv.line = 16;
    if (attr_size < ATTR_MIN + SECTION || attr_size > ATTR_MAX || size % attr_size)
        return td_recording_bad(r, "perf.data: %llu bytes of events of %llu bytes each", (unsigned long long)size, (unsigned long long)attr_size);
    if (!size || size / attr_size > TD_PERF_EVENTS_MAX)
        return td_recording_bad(r, "perf.data: %llu events, not 1 to %d", (unsigned long long)(size / attr_size), TD_PERF_EVENTS_MAX);
    err = section(r, "the events", at, size, &attrs);
    if (!err)
        err = take_attrs(r, attrs, attr_size);
    if (!err)
        err = index_counters(r);
    if (!err)
        err = find_data(r, data, data_size);
    return err ? err : take_features(r, machine);
}
