/* SPDX-License-Identifier: MIT */
/* A file that gets its name only when it is complete, and leaves nothing if a signal ends
 * the process before. */
#ifndef REPORT_TEMPORARY_H
#define REPORT_TEMPORARY_H

#include <stdbool.h>

struct td_temporary {
    const char *path; /* the name that it will get */
    char *name; /* its present name, NULL: it has none */
    int target; /* path itself, if what was written is copied into it at the end; else -1 */
    int held; /* path itself, locked; -1: there was none */
};

/* Opens a file next to path, which is absent or a plain file; path must stay. It gets the
 * mode and the owner of the existing file. If those may not be set, the file of
 * that name will be filled instead of replaced. Only one such file at a time. A descriptor for
 * writing, or -errno: -EACCES, -EPERM: the existing file may not be written; -EALREADY, -EEXIST: another process
 * writes it, or may do so, see report/kept.h. What a dead one left is removed. */
int td_temporary_open(struct td_temporary *, const char *path);
/* After everything was written to fd, which is closed: names the file if whole and when it is on the disk, otherwise
 * removes it. 0 or -errno; after an error it is removed, unless it is only not known to be in its folder on the disk.
 */
int td_temporary_close(struct td_temporary *, int fd, bool whole);

#endif
