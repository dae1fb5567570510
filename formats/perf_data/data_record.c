/* SPDX-License-Identifier: MIT */
/* perf.data: one record after the other. */
#include "formats/perf_data/data_order.h"

#include <errno.h>
#include <string.h>

enum { RECORD_HEADER = 8, PIECE = 1 << 17 };

/* Reads on, after what the buffer still has. */
static int fill(struct td_recording *r)
{
    struct td_perf_data *p = td_perf_data_of(r);
    ssize_t got;

    memmove(p->buf, p->buf + p->start, p->end - p->start);
    p->base += p->start;
    p->end -= p->start;
    p->start = 0;
    got = td_bytes_take(&r->bytes, p->buf + p->end, PIECE);
    if (got < 0) {
        td_recording_bad(r, "cannot be read: %s", strerror((int)-got));
        return (int)got;
    }
    p->end += (size_t)got;
    p->whole = got < PIECE;
    return 0;
}

/* Makes n bytes available in the buffer, or fewer where the file ends before. */
static inline int need(struct td_recording *r, size_t n)
{
    const struct td_perf_data *p = td_perf_data_of(r);

    return p->end - p->start >= n || p->whole ? 0 : fill(r);
}

int td_perf_data_record(struct td_recording *r, struct td_perf_record *out)
{
    struct td_perf_data *p = td_perf_data_of(r);
    uint64_t at = p->base + p->start;
    struct td_perf_view v;
    uint16_t size = 0;
    int err = 0;

    r->bytes.line = at;
    *out = (struct td_perf_record){.at = at};
    if (at < p->data_end)
        err = need(r, RECORD_HEADER);
    if (err)
        return err;
    v = (struct td_perf_view){p->buf + p->start, p->end - p->start};
    p->cut = at < p->data_end && (p->data_end != UINT64_MAX || v.n) && v.n < RECORD_HEADER;
    if (at >= p->data_end || v.n < RECORD_HEADER)
        return -ENODATA;
    td_perf_u32(&v, &out->type);
    td_perf_u16(&v, &out->misc);
    td_perf_u16(&v, &size);
    if (size < RECORD_HEADER || size > p->data_end - at)
        return td_recording_bad(r, "perf.data: a record of %u bytes", (unsigned)size);
    err = need(r, size);
    if (err)
        return err;
    p->cut = p->end - p->start < size;
    if (p->cut)
        return -ENODATA;
    out->v = (struct td_perf_view){p->buf + p->start + RECORD_HEADER, (size_t)size - RECORD_HEADER};
    p->start += size;
    return 0;
}
