/* SPDX-License-Identifier: MIT */
#include "formats/perf_data/data_samples_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_ZSTD

#include "formats/codecs.h"
#include "util/room.h"

enum { HEADER = 8, STEP = 1 << 17 };

struct td_perf_unpack {
    struct td_zstd zstd;
    ZSTD_DCtx *ctx;
    unsigned char *buf; /* buf[start..end) was unpacked and not yet taken */
    size_t start, end, room;
    uint64_t in, out; /* bytes so far, packed and unpacked */
    uint64_t at; /* where the last piece is in the file */
};

static int no_library(struct td_recording *r)
{
    return td_recording_bad(r,
                            "perf.data, compressed (perf record -z): libzstd.so.1 is missing: install zstd's library, "
                            "or record without -z");
}

static int begin(struct td_recording *r, struct td_perf_unpack **out)
{
    struct td_perf_unpack *u = calloc(1, sizeof(*u));

    *out = u;
    if (!u)
        return td_log_no_memory(r->log);
    if (!td_zstd_load(&u->zstd))
        return no_library(r);
    u->ctx = u->zstd.ZSTD_createDCtx();
    if (!u->ctx || td_room(&u->buf, &u->room, STEP, 1))
        return td_log_no_memory(r->log);
    u->zstd.ZSTD_DCtx_setParameter(u->ctx, ZSTD_d_windowLogMax, TD_ZSTD_WINDOW_LOG_MAX);
    return 0;
}

/* Unpacks up to STEP bytes more; *full: there may be still more. */
static int unpack(struct td_recording *r, struct td_perf_unpack *u, ZSTD_inBuffer *in, bool *full)
{
    ZSTD_outBuffer to = {NULL, STEP, 0};
    size_t code;

    if (td_room(&u->buf, &u->room, u->end + STEP, 1))
        return td_log_no_memory(r->log);
    to.dst = u->buf + u->end;
    code = u->zstd.ZSTD_decompressStream(u->ctx, &to, in);
    if (u->zstd.ZSTD_isError(code))
        return td_recording_bad(r, "perf.data: compressed records are damaged: %s", u->zstd.ZSTD_getErrorName(code));
    *full = to.pos == to.size;
    u->end += to.pos;
    u->out += to.pos;
    if (u->end > TD_UNPACK_MOST || u->out > TD_UNPACK_MOST + TD_UNPACK_RATIO * u->in)
        return td_recording_bad(r, "perf.data: compressed records that become more than %d times as long",
                                TD_UNPACK_RATIO);
    return 0;
}

int td_perf_unpack_add(struct td_recording *r, struct td_perf_unpack **unpacked, struct td_perf_view piece)
{
    ZSTD_inBuffer in = {piece.at, piece.n, 0};
    int err = *unpacked ? 0 : begin(r, unpacked);
    struct td_perf_unpack *u = *unpacked;
    bool full = false;

    if (err)
        return err;
    u->at = r->bytes.line;
    memmove(u->buf, u->buf + u->start, u->end - u->start);
    u->end -= u->start;
    u->start = 0;
    u->in += piece.n;
    do
        err = unpack(r, u, &in, &full);
    while (!err && (in.pos < in.size || full));
    return err;
}

int td_perf_unpack_take(struct td_recording *r, struct td_perf_unpack *u, struct td_perf_record *out)
{
    struct td_perf_view v = {u->buf + u->start, u->end - u->start}, whole = v;
    uint16_t size;

    *out = (struct td_perf_record){.at = u->at};
    r->bytes.line = u->at;
    if (!td_perf_u32(&v, &out->type) || !td_perf_u16(&v, &out->misc) || !td_perf_u16(&v, &size))
        return -EAGAIN;
    if (size < HEADER)
        return td_recording_bad(r, "perf.data: a compressed record of %u bytes", (unsigned)size);
    if (!td_perf_part(&whole, size, &out->v))
        return -EAGAIN;
    out->v = v;
    out->v.n = size - HEADER;
    u->start += size;
    return 0;
}

void td_perf_unpack_free(struct td_perf_unpack *u)
{
    if (!u)
        return;
    if (u->ctx)
        u->zstd.ZSTD_freeDCtx(u->ctx);
    free(u->buf);
    free(u);
}

#else

int td_perf_unpack_add(struct td_recording *r, struct td_perf_unpack **u, struct td_perf_view piece)
{
    (void)u, (void)piece;
    return td_recording_bad(
        r, "perf.data, compressed (perf record -z): not read, for tdprobe was built without zstd; record without -z");
}

int td_perf_unpack_take(struct td_recording *r, struct td_perf_unpack *u, struct td_perf_record *out)
{
    (void)r, (void)u, (void)out;
    return -EAGAIN;
}

void td_perf_unpack_free(struct td_perf_unpack *u)
{
    (void)u;
}

#endif
