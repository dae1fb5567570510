/* SPDX-License-Identifier: MIT */
/* Files that gzip or zstd has compressed, read as what they hold. */
#ifndef TD_UNPACK_H
#define TD_UNPACK_H

#include "include/tdprobe.h"

enum {
    /* How many bytes of a file may come out before its ratio counts, and how many times as long all of it may become:
     * tables of counts shrink to a twentieth, intervals that are all alike to a hundredth. */
    TD_UNPACK_FREE = 64 << 20,
    TD_UNPACK_TIMES = 250,
};

struct td_unpack;

/* Reads a file through read, and seek (NULL: it cannot seek) of the same ctx, which have to stay: decompressed if it
 * begins as one of gzip or zstd, otherwise as it is. NULL: out of memory. */
struct td_unpack *td_unpack_new(td_read_fn *read, td_seek_fn *seek, void *ctx);
/* A td_read_fn. -EUCLEAN: it cannot be decompressed, and td_unpack_why() has the reason; or read's error. */
ssize_t td_unpack_read(void *unpack, void *buf, size_t size);
/* A td_seek_fn, if there is seek: what lies before the byte is decompressed again. Errors of both. */
int td_unpack_seek(void *unpack, uint64_t offset);
/* Why it cannot be decompressed, after the file's name: "is compressed by gzip, and damaged"; "": it can. Until
 * td_unpack_free(). */
const char *td_unpack_why(const struct td_unpack *);
void td_unpack_free(struct td_unpack *);

#endif
