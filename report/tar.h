/* SPDX-License-Identifier: MIT */
/* Archives of files, as POSIX.1-2001 (pax, "ustar interchange format") has them: written, and read with nothing taken
 * out of them. The reader believes no field: what is written here is the least that bundles need, names of up to 100
 * bytes and files whose content is at hand, so that a library of archives would be the larger part. */
#ifndef REPORT_TAR_H
#define REPORT_TAR_H

#include "report/output.h"

enum {
    TD_TAR_BLOCK = 512,
    TD_TAR_NAME = 257, /* a prefix of 155 bytes, a slash, a name of 100, and the NUL */
    TD_TAR_ENTRIES = 10000, /* the most that are read */
    TD_TAR_WHY = 512,
};

/* Writes a file; name is of at most 100 bytes. Nobody owns it, and it is of no time. */
void td_tar_put(struct td_output *, const char *name, const char *bytes, size_t n);
/* Writes what ends an archive. */
void td_tar_end(struct td_output *);

enum td_tar_kind {
    TD_TAR_FILE,
    TD_TAR_FOLDER,
    TD_TAR_EXTENSION, /* says more about the entry after it, such as the rest of a long name */
    TD_TAR_OTHER, /* a link, a device, ... */
};

struct td_tar_entry {
    char name[TD_TAR_NAME]; /* any bytes */
    enum td_tar_kind kind;
    uint64_t at, size; /* where its content is in the archive's file, all of which is there */
};

/* Whether the first n bytes of a file are those of an archive. */
bool td_tar_is(const void *bytes, size_t n);
/* Called for each entry; a nonzero result ends the reading and is returned. */
typedef int td_tar_fn(void *ctx, const struct td_tar_entry *);
/* Reads the archive that lies in a file from byte begin to end: only its headers, one at a time. 0; -EBADMSG, with the
 * reason: it is cut, or contradicts itself. Where pread(2) fails, its -errno. */
int td_tar_read(int fd, uint64_t begin, uint64_t end, td_tar_fn *, void *ctx, char why[TD_TAR_WHY]);

#endif
