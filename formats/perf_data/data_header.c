/* SPDX-License-Identifier: MIT */
/* perf.data: the header, the events with their ids, and where the features are. */
#include "formats/perf_data/perf_data.h"

#include "util/made_files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* struct perf_file_header */
enum { HEADER_SIZE = 104, HEADER_FEATURES = 72, PIPE_SIZE = 16, FEATURES = 256 };
/* struct perf_event_attr of the first version, and the offsets of its flags and, after it, of the ids */
enum { ATTR_MIN = 64, ATTR_MAX = 4096, SECTION = 16 };
enum {
    CONFIG = 8,
    PERIOD = 16,
    SAMPLE_TYPE = 24,
    READ_FORMAT = 32,
    FLAGS = 40,
    BRANCH_TYPE = 72,
    REGS_USER = 80,
    CLOCK = 92,
    REGS_INTR = 96
};
/* bit of the flags: the clock is given; it is one of clock_gettime(2) */
static const uint64_t use_clock = 1 << 25;
enum { MONOTONIC = 1 };
/* HEADER_* of tools/perf/util/header.h */
enum {
    BUILD_ID = 2,
    HOSTNAME = 3,
    OSRELEASE = 4,
    NRCPUS = 7,
    CPUID = 9,
    CMDLINE = 11,
    EVENT_DESC = 12,
    TOPOLOGY = 13,
    NUMA = 14,
    PMU_MAPPINGS = 16
};

/* Reads the file, or as much of it as is kept. */
static int load(struct td_recording *r)
{
    struct td_perf_data *p = td_perf_data_of(r);

    while (!p->whole && p->room < TD_PERF_WHOLE_MAX) {
        size_t room = p->room ? 2 * p->room : 1 << 16;
        unsigned char *grown;
        ssize_t n;

        room = room < TD_PERF_WHOLE_MAX ? room : TD_PERF_WHOLE_MAX;
        grown = realloc(p->buf, room);
        if (!grown)
            return td_log_no_memory(r->log);
        p->buf = grown;
        p->room = room;
        n = td_bytes_take(&r->bytes, p->buf + p->end, room - p->end);
        if (n < 0) {
            td_recording_bad(r, "cannot be read: %s", strerror((int)-n));
            return (int)n;
        }
        p->end += (size_t)n;
        p->whole = p->end < p->room;
    }
    return 0;
}

/* Finds a section of the file, which must be there. after_data: perf may have it after the data, where a pipe is not
 * read. */
static int section(struct td_recording *r, const char *what, bool after_data, uint64_t offset, uint64_t size,
                   struct td_perf_view *out)
{
    const struct td_perf_data *p = td_perf_data_of(r);

    if (offset <= p->end && size <= p->end - offset) {
        *out = (struct td_perf_view){p->buf + offset, (size_t)size};
        return 0;
    }
    r->bytes.line = offset;
    if (p->whole)
        return td_recording_bad(r, "perf.data: %s lie outside the file", what);
    return td_recording_bad(r, "perf.data: %s are after the first %d MiB of the file, which is as much as is kept: %s",
                            what, TD_PERF_WHOLE_MAX >> 20,
                            after_data && !r->seek ? "name the file instead of a pipe" : "the file is damaged");
}

static int add_counter(struct td_recording *r, uint64_t id, size_t event)
{
    struct td_perf_data *p = td_perf_data_of(r);

    if (!(p->ncounters & (p->ncounters - 1))) { /* the array is full at 0 and at each power of two */
        struct td_perf_counter *grown = realloc(p->counter, (p->ncounters ? 2 * p->ncounters : 1) * sizeof(*grown));

        if (!grown)
            return td_log_no_memory(r->log);
        p->counter = grown;
    }
    p->counter[p->ncounters++] = (struct td_perf_counter){.id = id, .event = (uint32_t)event, .scope = -1};
    return 0;
}

int td_perf_data_ids(struct td_recording *r, struct td_perf_view ids, size_t event)
{
    struct td_perf_data *p = td_perf_data_of(r);
    uint64_t id;
    int err = 0;

    if (ids.n / 8 > TD_PERF_COUNTERS_MAX - p->ncounters)
        return td_recording_bad(r, "perf.data: more than %d counters: record fewer CPUs, threads or events",
                                TD_PERF_COUNTERS_MAX);
    while (!err && td_perf_u64(&ids, &id)) {
        if (!id) /* the kernel counts from 1 */
            continue;
        err = add_counter(r, id, event);
        p->event[event].nids++;
    }
    return err;
}

/* A member of struct perf_event_attr; 0: this attr is from before there was one. */
static uint64_t attr_u64(struct td_perf_view attr, size_t offset)
{
    struct td_perf_view before;
    uint64_t value = 0;

    if (td_perf_part(&attr, offset, &before))
        td_perf_u64(&attr, &value);
    return value;
}

static uint32_t attr_u32(struct td_perf_view attr, size_t offset)
{
    struct td_perf_view before;
    uint32_t value = 0;

    if (td_perf_part(&attr, offset, &before))
        td_perf_u32(&attr, &value);
    return value;
}

static void take_sampling(struct td_perf_data_event *e, struct td_perf_view attr)
{
    e->period = attr_u64(attr, PERIOD);
    e->sample_type = attr_u64(attr, SAMPLE_TYPE);
    e->read_format = attr_u64(attr, READ_FORMAT);
    e->branch_type = attr_u64(attr, BRANCH_TYPE);
    e->regs_user = attr_u64(attr, REGS_USER);
    e->regs_intr = attr_u64(attr, REGS_INTR);
}

void td_perf_data_attr(struct td_perf_data_event *e, struct td_perf_view attr)
{
    struct td_perf_view front = attr;
    uint32_t size;

    td_perf_u32(&front, &e->type);
    td_perf_u32(&front, &size);
    attr.n = attr.n < size ? attr.n : size;
    e->config = attr_u64(attr, CONFIG);
    e->flags = attr_u64(attr, FLAGS);
    e->monotonic = e->flags & use_clock && attr_u32(attr, CLOCK) == MONOTONIC;
    take_sampling(e, attr);
    e->scale = 1;
}

/* Reads what is after the data of a file that is not kept as a whole; then reading continues where it was. */
static int load_tail(struct td_recording *r)
{
    struct td_perf_data *p = td_perf_data_of(r);
    ssize_t n = 0;
    int err;

    if (p->whole || !r->seek || p->data_end == UINT64_MAX)
        return 0;
    p->tail.at = p->tail_bytes = malloc(TD_PERF_WHOLE_MAX);
    if (!p->tail_bytes)
        return td_log_no_memory(r->log);
    err = td_bytes_seek(&r->bytes, r->seek, p->data_end);
    n = err ? err : td_bytes_take(&r->bytes, p->tail_bytes, TD_PERF_WHOLE_MAX);
    err = n < 0 ? (int)n : td_bytes_seek(&r->bytes, r->seek, p->end);
    if (err)
        return td_recording_unread(r, err);
    p->tail.n = (size_t)n;
    return 0;
}

/* A part of the file, if it is kept. */
static bool kept(const struct td_perf_data *p, uint64_t offset, uint64_t size, struct td_perf_view *out)
{
    const bool in_tail = p->tail.n && offset >= p->data_end;
    const uint64_t at = in_tail ? offset - p->data_end : offset, n = in_tail ? p->tail.n : p->end;

    *out = (struct td_perf_view){p->buf, 0};
    if (at > n || size > n - at)
        return false;
    *out = (struct td_perf_view){(in_tail ? p->tail.at : p->buf) + at, (size_t)size};
    return true;
}

/* One struct perf_file_attr: the event, and where its ids are. */
static int take_attr(struct td_recording *r, struct td_perf_view attr, size_t event)
{
    struct td_perf_data *p = td_perf_data_of(r);
    struct td_perf_view ids, at = {attr.at + attr.n - SECTION, SECTION};
    uint64_t offset, size;
    int err;

    td_perf_data_attr(&p->event[event], (struct td_perf_view){attr.at, attr.n - SECTION});
    td_perf_u64(&at, &offset);
    td_perf_u64(&at, &size);
    r->bytes.line = (uint64_t)(attr.at - p->buf);
    if (size % 8)
        return td_recording_bad(r, "perf.data: the ids of an event take %llu bytes, which is no multiple of 8",
                                (unsigned long long)size);
    if (!size)
        return 0;
    err =
        kept(p, offset, size, &ids) ? 0 : section(r, "the ids of an event", offset >= p->data_end, offset, size, &ids);
    return err ? err : td_perf_data_ids(r, ids, event);
}

static int take_attrs(struct td_recording *r, struct td_perf_view attrs, uint64_t attr_size)
{
    struct td_perf_data *p = td_perf_data_of(r);
    struct td_perf_view attr;
    int err = 0;

    p->event = calloc(attrs.n / attr_size, sizeof(*p->event));
    if (!p->event)
        return td_log_no_memory(r->log);
    while (!err && td_perf_part(&attrs, attr_size, &attr))
        err = take_attr(r, attr, p->nevents++);
    return err;
}

/* The table of features is after the data and has an entry for each bit that is set. */
static void find_features(struct td_recording *r, struct td_perf_view found[FEATURES])
{
    struct td_perf_data *p = td_perf_data_of(r);
    bool cut = false;
    struct td_perf_view table = {p->buf, 0}, at;
    uint64_t offset, size;

    if (p->tail.n)
        table = p->tail;
    else if (p->whole && p->data_end <= p->end)
        table = (struct td_perf_view){p->buf + p->data_end, p->end - (size_t)p->data_end};
    for (size_t i = 0; i < FEATURES; i++) {
        found[i] = (struct td_perf_view){p->buf, 0};
        if (!(p->buf[HEADER_FEATURES + i / 8] >> i % 8 & 1))
            continue;
        if (!td_perf_u64(&table, &offset) || !td_perf_u64(&table, &size) || !kept(p, offset, size, &at))
            cut = true;
        else
            found[i] = at;
    }
    if (cut && (p->whole || p->tail.n) && p->data_end != UINT64_MAX)
        td_recording_note(r, "what the file says of its CPU and events is cut off, and used as far as it goes");
}

/* Whether the recorded kernel is before 6.14. Since then Linux leaves the counters stopped while it reads them for a
 * sample ("Avoid disable PMU if !cpuc->enabled in sample read"). */
static bool release_is_before_fix(struct td_perf_view v)
{
    const char *text;
    unsigned long major, minor = 0;
    char *end;
    size_t n;

    if (!td_perf_string(&v, &text, &n) || *text < '0' || *text > '9')
        return false;
    major = strtoul(text, &end, 10);
    if (*end == '.')
        minor = strtoul(end + 1, NULL, 10);
    return major < 6 || (major == 6 && minor < 14);
}

/* Whether fields of PERF_METRICS were counted in the kernel, by their encodings, 0x8000 to 0x8700. */
static bool counts_kernel_metrics(const struct td_perf_data *p)
{
    for (size_t i = 0; i < p->nevents; i++)
        if ((p->event[i].config & ~UINT64_C(0x700)) == 0x8000 && !(p->event[i].flags & TD_PERF_EXCLUDE_KERNEL))
            return true;
    return false;
}

int td_perf_data_features(struct td_recording *r, const struct td_perf_view f[TD_PERF_FEATURES])
{
    int err = td_perf_data_names(r, f[EVENT_DESC], f[PMU_MAPPINGS]);

    if (!err)
        err = td_perf_data_topology(r, f[NRCPUS], f[TOPOLOGY], f[NUMA]);
    td_perf_data_origin(r, f[HOSTNAME], f[CMDLINE]);
    r->stream.handler_counted = release_is_before_fix(f[OSRELEASE]) && counts_kernel_metrics(td_perf_data_of(r));
    return err ? err : td_perf_data_cpuid(r, f[CPUID]);
}

static int take_features(struct td_recording *r)
{
    struct td_perf_data *p = td_perf_data_of(r);
    struct td_perf_view f[FEATURES];

    r->bytes.line = p->data_end != UINT64_MAX ? p->data_end : 0;
    find_features(r, f);
    p->build_ids = f[BUILD_ID];
    p->kept = f[TD_KEPT_FEATURE];
    return td_perf_data_features(r, f);
}

/* Refuses the kinds of perf.data that are not read. Each begins with one of the marks that sniff_bytes() knows. */
static int check_kind(struct td_recording *r)
{
    const struct td_perf_data *p = td_perf_data_of(r);
    struct td_perf_view front = {p->buf, p->end};
    uint64_t magic, size;

    td_perf_u64(&front, &magic);
    td_perf_u64(&front, &size);
    if (!memcmp(p->buf, "2ELIFREP", 8))
        return td_recording_bad(
            r, "perf.data of a machine with the other byte order: not read; record with 'perf stat -x, -o FILE' there");
    if (!memcmp(p->buf, "PERFFILE", 8))
        return td_recording_bad(r, "perf.data of a perf before 2.6.38: not read; record with 'perf stat -x, -o FILE'");
    if (size != PIPE_SIZE && (p->end < HEADER_SIZE || size < HEADER_SIZE))
        return td_recording_bad(r, "perf.data: the header is cut off or not perf's; "
                                   "record with 'perf stat record' or 'perf stat -x, -o FILE'");
    return 0;
}

/* Finds the data, where reading then continues. */
static int find_data(struct td_recording *r, uint64_t offset, uint64_t size)
{
    struct td_perf_data *p = td_perf_data_of(r);

    r->bytes.line = 40;
    if (offset < HEADER_SIZE || offset > p->end || size > UINT64_MAX - offset)
        return td_recording_bad(r, "perf.data: the data lie outside the file");
    p->start = (size_t)offset;
    p->data_end = size ? offset + size : UINT64_MAX;
    if (!size)
        td_recording_note(r, "perf did not finish this file: it names neither its CPU nor its events");
    else if (!p->whole && !r->seek)
        td_recording_note(
            r, "the file is longer than %d MiB: the names of its CPU and events, which are at its end, are not used",
            TD_PERF_WHOLE_MAX >> 20);
    return 0;
}

int td_perf_data_load(struct td_recording *r)
{
    const int err = load(r);

    return err ? err : check_kind(r);
}

bool td_perf_data_piped(const struct td_perf_data *p)
{
    struct td_perf_view size = {p->buf + 8, p->end - 8};
    uint64_t n;

    return td_perf_u64(&size, &n) && n == PIPE_SIZE;
}

int td_perf_data_header(struct td_recording *r)
{
    struct td_perf_data *p = td_perf_data_of(r);
    struct td_perf_view attrs, h;
    uint64_t attr_size, at, size, data, data_size;
    int err;

    h = (struct td_perf_view){p->buf + 16, HEADER_SIZE - 16};
    td_perf_u64(&h, &attr_size);
    td_perf_u64(&h, &at);
    td_perf_u64(&h, &size);
    td_perf_u64(&h, &data);
    td_perf_u64(&h, &data_size);
    r->bytes.line = 16;
    if (attr_size < ATTR_MIN + SECTION || attr_size > ATTR_MAX || size % attr_size)
        return td_recording_bad(r, "perf.data: %llu bytes of events of %llu bytes each", (unsigned long long)size,
                                (unsigned long long)attr_size);
    if (!size || size / attr_size > TD_PERF_EVENTS_MAX)
        return td_recording_bad(r, "perf.data: %llu events, not 1 to %d", (unsigned long long)(size / attr_size),
                                TD_PERF_EVENTS_MAX);
    err = section(r, "the events", false, at, size, &attrs);
    if (!err)
        err = find_data(r, data, data_size);
    if (!err)
        err = load_tail(r);
    if (!err)
        err = take_attrs(r, attrs, attr_size);
    if (!err)
        err = td_perf_data_index(r);
    return err ? err : take_features(r);
}
