/* SPDX-License-Identifier: MIT */
/* The libraries that decompress. They are loaded when they are needed: linked, they would make each start of a program
 * slower, and those who read no compressed file need not have them. */
#ifndef TD_CODECS_H
#define TD_CODECS_H

#include <stdbool.h>
#include <stddef.h>

/* Where bytes come from and go to; how many there are becomes how many are left. */
struct td_codec_bytes {
    const unsigned char *in;
    size_t nin;
    unsigned char *out;
    size_t nout;
};

enum td_codec_step {
    TD_CODEC_ON, /* it needs more bytes, or more room */
    TD_CODEC_END, /* a frame (a member of gzip) ended; another may follow */
    TD_CODEC_DAMAGED,
};

struct td_codec {
    const char *name; /* of the program that compresses, as td_packed_by() has it */
    const char *library; /* its soname */
    /* The state of decompressing one file; NULL: out of memory, or *missing: there is no library. */
    void *(*begin)(bool *missing);
    enum td_codec_step (*run)(void *state, struct td_codec_bytes *);
    /* Begins a new frame. */
    void (*again)(void *state);
    void (*end)(void *state);
};

/* That of a program; NULL: there is none, or this was built without its library. */
const struct td_codec *td_codec_find(const char *name);

#ifdef HAVE_ZSTD
#include <zstd.h>

/* What zstd's library is used for. */
struct td_zstd {
#define TD_ZSTD_FUNCTIONS(X) \
    X(ZSTD_createDCtx) \
    X(ZSTD_freeDCtx) \
    X(ZSTD_DCtx_setParameter) X(ZSTD_DCtx_reset) X(ZSTD_decompressStream) X(ZSTD_isError) X(ZSTD_getErrorName)
#define TD_ZSTD_MEMBER(name) __typeof__(name) *name;
    TD_ZSTD_FUNCTIONS(TD_ZSTD_MEMBER)
};
enum { TD_ZSTD_WINDOW_LOG_MAX = 25 /* 32 MiB: zstd -19, and perf record -z=20, and less */ };

/* Loads it; it stays loaded. false: it is missing. */
bool td_zstd_load(struct td_zstd *);
#endif

#endif
