/* SPDX-License-Identifier: MIT */
/* A read function around another. It keeps no more than a piece of the file: going back is decompressing again. */
#include "formats/unpack.h"

#include "formats/codecs.h"
#include "private/packed.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = 64 * 1024 };

struct td_unpack {
    td_read_fn *read;
    td_seek_fn *seek;
    void *ctx;
    bool looked; /* the first bytes were read, and show what it is */
    const struct td_codec *codec; /* NULL: it is no compressed file */
    void *state; /* the codec's */
    unsigned char buf[PIECE]; /* what was read and not used: buf[start..end) */
    unsigned char skipped[PIECE / 16]; /* not on the stack, of which some callers have little */
    size_t start, end;
    bool at_end; /* nothing follows in the file */
    bool between; /* a frame ended, and no other has begun */
    uint64_t in, out; /* bytes since the beginning */
    char why[160];
};

struct td_unpack *td_unpack_new(td_read_fn *read, td_seek_fn *seek, void *ctx)
{
    struct td_unpack *u = calloc(1, sizeof(*u));

    if (u)
        *u = (struct td_unpack){.read = read, .seek = seek, .ctx = ctx};
    return u;
}

const char *td_unpack_why(const struct td_unpack *u)
{
    return u->why;
}

void td_unpack_free(struct td_unpack *u)
{
    if (u && u->state)
        u->codec->end(u->state);
    free(u);
}

/* The reason comes after the file's name and "is compressed by gzip, and". */
__attribute__((format(printf, 2, 3))) static int fail(struct td_unpack *u, const char *reason, ...)
{
    const int n = snprintf(u->why, sizeof(u->why), "is compressed by %s, and ", u->codec->name);
    va_list args;

    va_start(args, reason);
    vsnprintf(u->why + n, sizeof(u->why) - (size_t)n, reason, args);
    va_end(args);
    return -EUCLEAN;
}

/* Reads more after what is not used yet. */
static int fill(struct td_unpack *u)
{
    ssize_t n;

    memmove(u->buf, u->buf + u->start, u->end - u->start);
    u->end -= u->start;
    u->start = 0;
    n = u->read(u->ctx, u->buf + u->end, sizeof(u->buf) - u->end);
    if (n < 0)
        return (int)n;
    u->at_end = !n;
    u->end += (size_t)n;
    u->in += (uint64_t)n;
    return 0;
}

static int begin(struct td_unpack *u)
{
    bool missing = false;

    u->state = u->codec->begin(&missing);
    if (u->state || !missing)
        return u->state ? 0 : -ENOMEM;
    return fail(u, "%s is missing: install it, or decompress the file first: %s -dc PATH > FILE", u->codec->library,
                u->codec->name);
}

/* Finds out by the first bytes what the file is. */
static int look(struct td_unpack *u)
{
    const char *command, *by;
    int err = 0;

    while (!err && !u->at_end && u->end < TD_PACKED_HEAD)
        err = fill(u);
    if (err)
        return err;
    u->looked = true;
    by = td_packed_by(u->buf, u->end, &command);
    u->codec = by ? td_codec_find(by) : NULL;
    return u->codec ? begin(u) : 0;
}

/* Passes on what was read to know the file, and then what follows, as it is. */
static ssize_t pass(struct td_unpack *u, void *buf, size_t size)
{
    const size_t left = u->end - u->start, n = left < size ? left : size;

    if (!left)
        return u->read(u->ctx, buf, size);
    memcpy(buf, u->buf + u->start, n);
    u->start += n;
    return (ssize_t)n;
}

/* What follows the end of a frame: another one; zeros, which fill up a tape's block, are left out. */
static void begin_frame(struct td_unpack *u)
{
    while (u->start < u->end && !u->buf[u->start])
        u->start++;
    if (u->start == u->end)
        return;
    u->codec->again(u->state);
    u->between = false;
}

/* Decompresses at least a byte, unless it is at the end: how many. */
static ssize_t decompress(struct td_unpack *u, void *buf, size_t size)
{
    struct td_codec_bytes b = {.out = buf, .nout = size};
    enum td_codec_step step;
    int err = 0;

    while (b.nout == size) {
        if (u->start == u->end && !u->at_end)
            err = fill(u);
        if (err)
            return err;
        if (u->between)
            begin_frame(u);
        if (u->between && u->at_end)
            return 0;
        if (u->between)
            continue;
        b.in = u->buf + u->start;
        b.nin = u->end - u->start;
        step = u->codec->run(u->state, &b);
        if (step == TD_CODEC_DAMAGED)
            return fail(u, "damaged: copy it again");
        u->start = u->end - b.nin;
        if (b.nout == size && u->at_end && u->start == u->end)
            return fail(u, "cut off: it ends in the middle; copy it again");
        u->between = step == TD_CODEC_END;
    }
    u->out += size - b.nout;
    if (u->out > TD_UNPACK_FREE + TD_UNPACK_TIMES * u->in)
        return fail(u, "becomes more than %d times as long: if that is right, decompress it first", TD_UNPACK_TIMES);
    return (ssize_t)(size - b.nout);
}

ssize_t td_unpack_read(void *unpack, void *buf, size_t size)
{
    struct td_unpack *u = unpack;
    int err = u->looked ? 0 : look(u);

    if (err)
        return err;
    return u->codec ? decompress(u, buf, size) : pass(u, buf, size);
}

/* Begins again where the file does. */
static int rewind_file(struct td_unpack *u)
{
    int err = u->seek(u->ctx, 0);

    if (err)
        return err;
    u->codec->again(u->state);
    u->start = u->end = 0;
    u->at_end = u->between = false;
    u->in = u->out = 0;
    return 0;
}

int td_unpack_seek(void *unpack, uint64_t offset)
{
    struct td_unpack *u = unpack;
    ssize_t n = 1;
    int err = u->looked ? 0 : look(u);

    if (err)
        return err;
    if (!u->codec) {
        u->start = u->end = 0;
        return u->seek(u->ctx, offset);
    }
    err = offset < u->out ? rewind_file(u) : 0;
    while (!err && n > 0 && u->out < offset) {
        const uint64_t left = offset - u->out;

        n = decompress(u, u->skipped, left < sizeof(u->skipped) ? (size_t)left : sizeof(u->skipped));
        err = n < 0 ? (int)n : 0;
    }
    return err;
}
