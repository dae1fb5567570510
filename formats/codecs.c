/* SPDX-License-Identifier: MIT */
/* gzip by zlib, and zstd by its own library. */
#include "formats/codecs.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_ZSTD

bool td_zstd_load(struct td_zstd *z)
{
    void *library = dlopen("libzstd.so.1", RTLD_LAZY | RTLD_LOCAL);
    bool all = library;

#define FIND(name) all = all && (z->name = (__typeof__(name) *)dlsym(library, #name));
    TD_ZSTD_FUNCTIONS(FIND)
#undef FIND
    return all;
}

struct zstd_state {
    struct td_zstd zstd;
    ZSTD_DCtx *ctx;
};

static void zstd_end(void *state)
{
    struct zstd_state *s = state;

    if (s->ctx)
        s->zstd.ZSTD_freeDCtx(s->ctx);
    free(s);
}

static void *zstd_begin(bool *missing)
{
    struct zstd_state *s = calloc(1, sizeof(*s));

    *missing = s && !td_zstd_load(&s->zstd);
    if (s && !*missing)
        s->ctx = s->zstd.ZSTD_createDCtx();
    if (s && !s->ctx) {
        zstd_end(s);
        return NULL;
    }
    if (s)
        s->zstd.ZSTD_DCtx_setParameter(s->ctx, ZSTD_d_windowLogMax, TD_ZSTD_WINDOW_LOG_MAX);
    return s;
}

static enum td_codec_step zstd_run(void *state, struct td_codec_bytes *b)
{
    struct zstd_state *s = state;
    ZSTD_inBuffer in = {b->in, b->nin, 0};
    ZSTD_outBuffer out = {b->out, b->nout, 0};
    const size_t code = s->zstd.ZSTD_decompressStream(s->ctx, &out, &in);

    b->nin -= in.pos;
    b->nout -= out.pos;
    return s->zstd.ZSTD_isError(code) ? TD_CODEC_DAMAGED : code ? TD_CODEC_ON : TD_CODEC_END;
}

static void zstd_again(void *state)
{
    struct zstd_state *s = state;

    s->zstd.ZSTD_DCtx_reset(s->ctx, ZSTD_reset_session_only);
}

static const struct td_codec zstd = {"zstd", "libzstd.so.1", zstd_begin, zstd_run, zstd_again, zstd_end};
#endif

#ifdef HAVE_ZLIB
#include <zlib.h>

struct gzip_state {
    __typeof__(inflateInit2_) *init;
    __typeof__(inflate) *inflate;
    __typeof__(inflateReset) *reset;
    __typeof__(inflateEnd) *end;
    z_stream stream;
    bool begun;
};

static bool load_zlib(struct gzip_state *s)
{
    void *library = dlopen("libz.so.1", RTLD_LAZY | RTLD_LOCAL);

    return library && (s->init = (__typeof__(inflateInit2_) *)dlsym(library, "inflateInit2_")) &&
           (s->inflate = (__typeof__(inflate) *)dlsym(library, "inflate")) &&
           (s->reset = (__typeof__(inflateReset) *)dlsym(library, "inflateReset")) &&
           (s->end = (__typeof__(inflateEnd) *)dlsym(library, "inflateEnd"));
}

static void gzip_end(void *state)
{
    struct gzip_state *s = state;

    if (s->begun)
        s->end(&s->stream);
    free(s);
}

static void *gzip_begin(bool *missing)
{
    enum { GZIP = 16 + MAX_WBITS /* the header and the checksum of gzip around it: zlib.h */ };
    struct gzip_state *s = calloc(1, sizeof(*s));

    *missing = s && !load_zlib(s);
    if (s && !*missing)
        s->begun = s->init(&s->stream, GZIP, ZLIB_VERSION, (int)sizeof(s->stream)) == Z_OK;
    if (s && !s->begun) {
        gzip_end(s);
        return NULL;
    }
    return s;
}

static enum td_codec_step gzip_run(void *state, struct td_codec_bytes *b)
{
    struct gzip_state *s = state;
    int code;

    s->stream.next_in = (Bytef *)b->in;
    s->stream.avail_in = (uInt)b->nin;
    s->stream.next_out = b->out;
    s->stream.avail_out = (uInt)b->nout;
    code = s->inflate(&s->stream, Z_NO_FLUSH);
    b->nin = s->stream.avail_in;
    b->nout = s->stream.avail_out;
    return code == Z_STREAM_END ? TD_CODEC_END : code == Z_OK || code == Z_BUF_ERROR ? TD_CODEC_ON : TD_CODEC_DAMAGED;
}

static void gzip_again(void *state)
{
    struct gzip_state *s = state;

    s->reset(&s->stream);
}

static const struct td_codec gzip = {"gzip", "libz.so.1", gzip_begin, gzip_run, gzip_again, gzip_end};
#endif

const struct td_codec *td_codec_find(const char *name)
{
    static const struct td_codec *const all[] = {
#ifdef HAVE_ZLIB
        &gzip,
#endif
#ifdef HAVE_ZSTD
        &zstd,
#endif
        NULL,
    };

    for (size_t i = 0; all[i]; i++)
        if (!strcmp(all[i]->name, name))
            return all[i];
    return NULL;
}
