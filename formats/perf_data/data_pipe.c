/* SPDX-License-Identifier: MIT */
/* perf.data in pipe mode: events and features come as records before the data (perf_event__synthesize_attr() and
 * perf_event__synthesize_features() of perf). */
#include "formats/perf_data/perf_data.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* enum perf_user_event_type: what comes before the data; from USER on records are perf's, not the kernel's */
enum {
    USER = 64,
    HEADER_ATTR = 64,
    HEADER_FEATURE = 80,
    COMPRESSED = 81,
    COMPRESSED2 = 83,
    AUXTRACE = 71,
    STAT = 76,
    STAT_ROUND = 77,
    FINISHED_ROUND = 68
};
enum { START = 16, RECORD_HEADER = 8, ATTR_MIN = 64 };

static bool is_data(uint32_t type)
{
    return type < USER || type == COMPRESSED || type == COMPRESSED2 || type == AUXTRACE || type == STAT ||
           type == STAT_ROUND || type == FINISHED_ROUND;
}

/* Takes a record with a perf_event_attr and the ids of its counters. */
static int take_attr(struct td_recording *r, struct td_perf_view v)
{
    struct td_perf_data *p = td_perf_data_of(r);
    const size_t whole = v.n;
    struct td_perf_view front = v, attr;
    struct td_perf_data_event *grown;
    uint32_t type, size;

    td_perf_u32(&front, &type);
    if (!td_perf_u32(&front, &size) || size < ATTR_MIN || !td_perf_part(&v, size, &attr))
        return td_recording_bad(r, "perf.data: an event's description of %zu bytes is damaged", whole);
    if (p->nevents == TD_PERF_EVENTS_MAX)
        return td_recording_bad(r, "perf.data: more than %d events: record fewer", TD_PERF_EVENTS_MAX);
    grown = realloc(p->event, (p->nevents + 1) * sizeof(*grown));
    if (!grown)
        return td_log_no_memory(r->log);
    p->event = grown;
    memset(&grown[p->nevents], 0, sizeof(*grown));
    td_perf_data_attr(&grown[p->nevents], attr);
    return td_perf_data_ids(r, v, p->nevents++);
}

static void take_feature(struct td_perf_view v, struct td_perf_view f[TD_PERF_FEATURES])
{
    uint64_t feature;

    if (td_perf_u64(&v, &feature) && feature < TD_PERF_FEATURES)
        f[feature] = v;
}

/* Reads up to the data. Then reading continues with the first record again: records that are no data are skipped
 * there. */
int td_perf_data_pipe(struct td_recording *r)
{
    struct td_perf_data *p = td_perf_data_of(r);
    struct td_perf_view rest = {p->buf + START, p->end - START}, v, f[TD_PERF_FEATURES];
    uint32_t type;
    uint16_t misc, size;
    int err = 0;

    for (size_t i = 0; i < TD_PERF_FEATURES; i++)
        f[i] = (struct td_perf_view){p->buf, 0};
    while (!err && td_perf_u32(&rest, &type) && td_perf_u16(&rest, &misc) && td_perf_u16(&rest, &size) &&
           !is_data(type) && size >= RECORD_HEADER && td_perf_part(&rest, size - RECORD_HEADER, &v)) {
        r->bytes.line = (uint64_t)(v.at - p->buf) - RECORD_HEADER;
        if (type == HEADER_ATTR)
            err = take_attr(r, v);
        else if (type == HEADER_FEATURE)
            take_feature(v, f);
    }
    if (!err && !p->nevents)
        return td_recording_bad(r, "perf.data in pipe mode (written to '-o -'): no event comes before its data");
    p->start = START;
    p->data_end = UINT64_MAX;
    err = err ? err : td_perf_data_index(r);
    return err ? err : td_perf_data_features(r, f);
}
