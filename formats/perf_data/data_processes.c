/* SPDX-License-Identifier: MIT */
/* perf.data: records about processes. */
#include "formats/perf_data/data_samples_parts.h"

#include <string.h>

/* bits of a record's misc */
enum {
    CPUMODE = 7,
    MODE_KERNEL = 1,
    MODE_HYPERVISOR = 3,
    MMAP_DATA = 1 << 13,
    COMM_EXEC = 1 << 13,
    MMAP_BUILD_ID = 1 << 14
};

static int take_mmap(struct td_recording *r, const struct td_perf_record *rec, struct td_perf_view v)
{
    enum { OTHER = 24, PROTECTION = 8, ID_AT = 4 };
    const struct td_perf_data *p = td_perf_data_of(r);
    const unsigned mode = rec->misc & CPUMODE;
    struct td_mapping m = {.kernel = mode == MODE_KERNEL};
    struct td_perf_view other = {p->buf, 0}, ignored;
    uint32_t pid, tid;

    td_perf_u32(&v, &pid);
    td_perf_u32(&v, &tid);
    td_perf_u64(&v, &m.start);
    td_perf_u64(&v, &m.size);
    if (!td_perf_u64(&v, &m.offset) ||
        (rec->type == TD_RECORD_MMAP2 && (!td_perf_part(&v, OTHER, &other) || !td_perf_part(&v, PROTECTION, &ignored))))
        return td_recording_bad(r, "perf.data: a mapping that is cut off");
    if (mode > MODE_HYPERVISOR - 1 || (rec->type == TD_RECORD_MMAP && rec->misc & MMAP_DATA))
        return 0;
    if (rec->type == TD_RECORD_MMAP2 && rec->misc & MMAP_BUILD_ID) {
        m.build_id = other.at + ID_AT;
        m.build_id_size = other.at[0];
    }
    m.path = (const char *)v.at;
    m.path_size = strnlen(m.path, v.n);
    return td_spaces_map(p->samples->spaces, pid, &m) ? td_log_no_memory(r->log) : 0;
}

/* Takes a record of a function that the kernel made while it ran, or has removed. */
static int take_function(struct td_recording *r, struct td_perf_view v)
{
    enum { UNREGISTER = 1 };
    const struct td_perf_data *p = td_perf_data_of(r);
    struct td_mapping m = {.kernel = true, .function = true};
    uint16_t kind, flags;
    uint32_t size;
    int err;

    td_perf_u64(&v, &m.start);
    td_perf_u32(&v, &size);
    td_perf_u16(&v, &kind);
    if (!td_perf_u16(&v, &flags))
        return td_recording_bad(r, "perf.data: a function of the kernel that is cut off");
    m.size = size;
    m.path = (const char *)v.at;
    m.path_size = strnlen(m.path, v.n);
    if (flags & UNREGISTER)
        err = td_spaces_unmap_function(p->samples->spaces, m.start, m.size);
    else
        err = m.path_size ? td_spaces_map(p->samples->spaces, 0, &m) : 0;
    return err ? td_log_no_memory(r->log) : 0;
}

/* Takes a record of a cgroup: its id, and its path from the root of the hierarchy. */
static int take_cgroup(struct td_recording *r, struct td_perf_view v)
{
    struct td_perf_samples *s = td_perf_data_of(r)->samples;
    uint64_t id;

    if (!td_perf_u64(&v, &id))
        return td_recording_bad(r, "perf.data: the record of a cgroup that is cut off");
    return td_cgroups_name(s->cgroups, id, (const char *)v.at, strnlen((const char *)v.at, v.n))
               ? td_log_no_memory(r->log)
               : 0;
}

static int take_comm(struct td_recording *r, const struct td_perf_record *rec, struct td_perf_view v)
{
    const struct td_perf_data *p = td_perf_data_of(r);
    uint32_t pid, tid;

    td_perf_u32(&v, &pid);
    if (!td_perf_u32(&v, &tid))
        return td_recording_bad(r, "perf.data: a name of a thread that is cut off");
    return td_spaces_name(p->samples->spaces, pid, tid, (const char *)v.at, strnlen((const char *)v.at, v.n),
                          rec->misc & COMM_EXEC)
               ? td_log_no_memory(r->log)
               : 0;
}

static int take_task(struct td_recording *r, const struct td_perf_record *rec, struct td_perf_view v)
{
    const struct td_perf_data *p = td_perf_data_of(r);
    struct td_birth b;
    uint64_t time = 0;

    td_perf_u32(&v, &b.pid);
    td_perf_u32(&v, &b.parent);
    td_perf_u32(&v, &b.tid);
    if (!td_perf_u32(&v, &b.parent_tid))
        return td_recording_bad(r, "perf.data: the start or end of a thread that is cut off");
    td_perf_u64(&v, &time); /* 0: the recorder's own record of a process that was there before */
    b.seen = time;
    b.time = p->nevents && p->event[0].monotonic ? time : 0; /* a recording has one clock */
    if (rec->type == TD_RECORD_FORK)
        return td_spaces_fork(p->samples->spaces, &b) ? td_log_no_memory(r->log) : 0;
    td_spaces_exit(p->samples->spaces, b.pid, b.tid);
    return 0;
}

/* Takes the pid, the build-id (in newer files with its size after 20 bytes) and the name of a file. */
int td_perf_take_build_id(struct td_recording *r, uint16_t misc, struct td_perf_view v)
{
    enum { ID_FIELD = 24, SIZE_AT = 20, HAS_SIZE = 1 << 15 };
    const struct td_perf_data *p = td_perf_data_of(r);
    struct td_perf_view id;
    uint32_t pid;

    if (!td_perf_u32(&v, &pid) || !td_perf_part(&v, ID_FIELD, &id))
        return 0;
    return td_spaces_build_id(p->samples->spaces, (const char *)v.at, strnlen((const char *)v.at, v.n), id.at,
                              misc & HAS_SIZE ? id.at[SIZE_AT] : TD_BUILD_ID_MAX)
               ? td_log_no_memory(r->log)
               : 0;
}

int td_perf_take_build_ids(struct td_recording *r)
{
    enum { HEADER = 8 };
    struct td_perf_view v = td_perf_data_of(r)->build_ids, one;
    uint32_t type;
    uint16_t misc, size;
    int err = 0;

    while (!err && td_perf_u32(&v, &type) && td_perf_u16(&v, &misc) && td_perf_u16(&v, &size) && size >= HEADER &&
           td_perf_part(&v, size - HEADER, &one))
        err = td_perf_take_build_id(r, misc, one);
    return err;
}

int td_perf_take_process(struct td_recording *r, const struct td_perf_record *rec, struct td_perf_view v)
{
    switch (rec->type) {
    case TD_RECORD_MMAP:
    case TD_RECORD_MMAP2: return take_mmap(r, rec, v);
    case TD_RECORD_KSYMBOL: return take_function(r, v);
    case TD_RECORD_COMM: return take_comm(r, rec, v);
    case TD_RECORD_CGROUP: return take_cgroup(r, v);
    default: return take_task(r, rec, v);
    }
}
