/* SPDX-License-Identifier: MIT */
/* perf.data of perf record: takes all records in the order of their times. */
#include "formats/perf_data/data_samples_parts.h"

#include <errno.h>
#include <string.h>

/* ---- holes ------------------------------------------------------------------------------------ */

static int take_lost(struct td_recording *r, const struct td_perf_record *rec, struct td_perf_view v,
                     const struct td_perf_sample *end)
{
    struct td_perf_data *p = td_perf_data_of(r);
    uint64_t id, n;

    if (rec->type == TD_RECORD_LOST)
        td_perf_u64(&v, &id);
    if (!td_perf_u64(&v, &n))
        return td_recording_bad(r, "perf.data: a count of lost samples that is cut off");
    p->samples->info.missing += n;
    return td_courses_lost(p->samples->courses,
                           p->event[0].sample_type & TD_SAMPLE_CPU && p->event[0].flags & TD_ATTR_SAMPLE_ID_ALL,
                           end->cpu)
               ? td_log_no_memory(r->log)
               : 0;
}

/* Takes a THROTTLE. It comes before the sample that was one too many; after that one there is none until the kernel's
 * next tick. */
static int take_throttle(struct td_recording *r, struct td_perf_view v, const struct td_perf_sample *end)
{
    const struct td_perf_data *p = td_perf_data_of(r);
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

/* ---- records -------------------------------------------------------------------------------------- */

/* Takes a switch of a CPU between threads. Both threads have a record of it: that of the one that leaves says which one
 * is next. */
static int take_switch(struct td_recording *r, const struct td_perf_record *rec, struct td_perf_view v,
                       const struct td_perf_sample *end)
{
    const struct td_perf_data *p = td_perf_data_of(r);
    uint32_t pid, tid;

    if (!td_perf_u32(&v, &pid) || !td_perf_u32(&v, &tid))
        return td_recording_bad(r, "perf.data: a SWITCH_CPU_WIDE that is cut off");
    if (!(rec->misc & TD_MISC_SWITCH_OUT) || !rec->time || !(p->samples->like->sample_type & TD_SAMPLE_CPU))
        return 0;
    return td_courses_switched(p->samples->courses, end->cpu, rec->time, tid, rec->misc & TD_MISC_SWITCH_PREEMPTED)
               ? td_log_no_memory(r->log)
               : 0;
}

/* Uses a record, in the order of times. */
static int take(struct td_recording *r, const struct td_perf_record *rec)
{
    const struct td_perf_data *p = td_perf_data_of(r);
    struct td_perf_view v = rec->v;
    struct td_perf_sample end;

    r->bytes.line = rec->at;
    if (rec->type == TD_RECORD_SAMPLE)
        return td_perf_take_sample(r, rec);
    td_perf_trailer(p->samples->like, &v, &end);
    switch (rec->type) {
    case TD_RECORD_THROTTLE: return take_throttle(r, v, &end);
    case TD_RECORD_LOST:
    case TD_RECORD_LOST_SAMPLES: return take_lost(r, rec, v, &end);
    case TD_RECORD_SWITCH_CPU_WIDE: return take_switch(r, rec, v, &end);
    default: return td_perf_take_process(r, rec, v);
    }
}

/* Whether a record is used, and if so gives it the time when it was written. */
static bool is_used(const struct td_perf_data *p, struct td_perf_record *rec)
{
    struct td_perf_view v = rec->v;
    struct td_perf_sample end;

    switch (rec->type) {
    case TD_RECORD_SAMPLE: rec->time = td_perf_sample_time(p->samples->like, v); return true;
    case TD_RECORD_MMAP:
    case TD_RECORD_MMAP2:
    case TD_RECORD_KSYMBOL:
    case TD_RECORD_COMM:
    case TD_RECORD_CGROUP:
    case TD_RECORD_FORK:
    case TD_RECORD_EXIT:
    case TD_RECORD_THROTTLE:
    case TD_RECORD_LOST:
    case TD_RECORD_LOST_SAMPLES:
    case TD_RECORD_SWITCH_CPU_WIDE:
        td_perf_trailer(p->samples->like, &v, &end);
        rec->time = end.time;
        return true;
    default: return false;
    }
}

/* Finds out from an ID_INDEX whether counters follow tasks: those of whole CPUs have no thread. */
static void take_index(struct td_perf_samples *s, struct td_perf_view v)
{
    uint64_t n, id, index, cpu, tid;

    td_perf_u64(&v, &n);
    if (n && v.n)
        s->tasks = false;
    while (n-- && td_perf_u64(&v, &id) && td_perf_u64(&v, &index) && td_perf_u64(&v, &cpu) && td_perf_u64(&v, &tid))
        s->tasks = s->tasks || tid != UINT64_MAX;
}

/* Whether a record is in a file that is kept as a whole: not in a piece of one, unpacked, or kept back. */
static bool stays(const struct td_perf_data *p, const struct td_perf_record *rec)
{
    return p->whole && (uintptr_t)rec->v.at - (uintptr_t)p->buf < p->end;
}

static int queue(struct td_recording *r, const struct td_perf_record *rec)
{
    struct td_perf_data *p = td_perf_data_of(r);

    return td_perf_order_add(p->samples->order, rec, stays(p, rec)) ? td_log_no_memory(r->log) : 0;
}

/* Keeps a LOST back until the record after it, and gives it that one's time: it is written with the first record after
 * the hole, but with a later time, by which it would come too late. */
static int keep_lost(struct td_recording *r, const struct td_perf_record *rec)
{
    struct td_perf_samples *s = td_perf_data_of(r)->samples;
    struct td_perf_record before = s->lost;
    int err = 0;

    if (before.type) {
        before.time = rec && rec->time < before.time ? rec->time : before.time;
        s->lost.type = 0;
        err = queue(r, &before);
    }
    if (err || !rec || (rec->type != TD_RECORD_LOST && rec->type != TD_RECORD_LOST_SAMPLES) || rec->v.n > TD_LOST_BYTES)
        return err || !rec ? err : queue(r, rec);
    s->lost = *rec;
    s->lost.v.at = memcpy(s->lost_bytes, rec->v.at, rec->v.n);
    return 0;
}

/* Refuses trace data, which follows its record. */
static int skip_data(struct td_recording *r, struct td_perf_view v)
{
    (void)v;
    return td_recording_bad(
        r, "perf.data with trace data (intel_pt and the like) is not read: record top-down events alone");
}

/* Unpacks a record of compressed records, which are taken next. COMPRESSED2 has their size before them. */
static int unpack(struct td_recording *r, const struct td_perf_record *rec)
{
    struct td_perf_samples *s = td_perf_data_of(r)->samples;
    struct td_perf_view v = rec->v;
    uint64_t size = v.n;

    if (rec->type == TD_RECORD_COMPRESSED2 && (!td_perf_u64(&v, &size) || size > v.n))
        return td_recording_bad(r, "perf.data: compressed records are cut off: the file is damaged");
    v.n = (size_t)size;
    s->packed = true;
    return td_perf_unpack_add(r, &s->unpack, v);
}

/* The next record: one that was unpacked, or else the next of the file. */
static int next_record(struct td_recording *r, struct td_perf_record *out)
{
    struct td_perf_samples *s = td_perf_data_of(r)->samples;
    int err = s->packed ? td_perf_unpack_take(r, s->unpack, out) : -EAGAIN;

    if (err == -EAGAIN) {
        s->packed = false;
        return td_perf_data_record(r, out);
    }
    if (!err && (out->type == TD_RECORD_COMPRESSED || out->type == TD_RECORD_COMPRESSED2))
        return td_recording_bad(r, "perf.data: compressed records are in compressed records: the file is damaged");
    return err;
}

static int use(struct td_recording *r, struct td_perf_record *rec)
{
    struct td_perf_data *p = td_perf_data_of(r);

    switch (rec->type) {
    case TD_RECORD_COMPRESSED:
    case TD_RECORD_COMPRESSED2: return unpack(r, rec);
    case TD_RECORD_AUXTRACE: return skip_data(r, rec->v);
    case TD_RECORD_FINISHED_ROUND: return td_perf_order_round(p->samples->order, false) ? td_log_no_memory(r->log) : 0;
    case TD_RECORD_BUILD_ID: return td_perf_take_build_id(r, rec->misc, rec->v);
    case TD_RECORD_ID_INDEX: take_index(p->samples, rec->v); return 0;
    default:
        if (!is_used(p, rec))
            return 0;
        return rec->time && rec->time != UINT64_MAX ? keep_lost(r, rec) : take(r, rec);
    }
}

/* Reads one record, and uses or keeps it. */
static int read_record(struct td_recording *r)
{
    struct td_perf_samples *s = td_perf_data_of(r)->samples;
    struct td_perf_record rec;
    int err = next_record(r, &rec);

    if (err != -ENODATA)
        return err ? err : use(r, &rec);
    s->ended = true;
    err = keep_lost(r, NULL);
    return err ? err : td_perf_order_round(s->order, true);
}

/* Gives back the memory that was needed for reading, before what is done with all samples takes more. */
static void release(struct td_perf_data *p)
{
    td_perf_order_end(p->samples->order);
    td_calls_end(p->samples->calls);
    free(p->buf);
    p->buf = NULL;
    p->start = p->end = p->room = 0;
}

static int at_end(struct td_recording *r)
{
    struct td_perf_data *p = td_perf_data_of(r);

    release(p);
    if (!p->samples->info.samples)
        return td_recording_bad(r, "perf.data of 'perf record' without a sample of a group");
    if (p->cut)
        td_recording_note(r, "the file was cut off; the samples up to there are used");
    return -ENODATA;
}

int td_perf_samples_next(struct td_recording *r)
{
    const struct td_perf_data *p = td_perf_data_of(r);
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
