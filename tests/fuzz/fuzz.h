/* SPDX-License-Identifier: MIT */
/* What the fuzz targets share: bytes to read, and what must hold for every result. */
#ifndef FUZZ_H
#define FUZZ_H

#include "include/tdprobe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct input {
    const uint8_t *data;
    size_t size;
    size_t piece; /* the most that one reading gives; 0: all */
};

static inline ssize_t give(void *ctx, void *buf, size_t size)
{
    struct input *in = ctx;

    if (size > in->size)
        size = in->size;
    if (in->piece && size > in->piece)
        size = in->piece;
    memcpy(buf, in->data, size);
    in->data += size;
    in->size -= size;
    return (ssize_t)size;
}

/* Ends the process and names what does not hold. */
#define require(holds_) \
    ((holds_) ? (void)0 : (fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #holds_), abort()))

/* What must hold for every result, whatever was read (fuzz_check.c). */
void fuzz_check(const struct td_result *, bool summary);
/* For td_set_note(): a note is one line. */
void fuzz_note(void *ctx, const char *text);

/* The bytes as a recording, through the public API. options: which CPU is named, and
 * how it is read. importer: the reader that must take it; NULL: any. -1: another reader took it.
 * An input that takes over a second of CPU time (with sanitizers, up to 4 for one of 8 MiB), or 64 MB of memory where
 * an allocator counts it (sanitizers), ends the process. */
int fuzz_recording(const char *importer, const uint8_t *data, size_t size, unsigned options);
enum { FUZZ_OPTIONS = 512 }; /* how many there are */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
