/* SPDX-License-Identifier: MIT */
/* A file that takes its name only when it is whole, and leaves nothing when a signal ends
 * the process before. */
#ifndef REPORT_TEMPORARY_H
#define REPORT_TEMPORARY_H

#include <stdbool.h>

struct td_temporary {
    const char *path; /* the name that it is to take */
    char *name; /* the one that it has, NULL: it is none */
    int target; /* path itself, where what is written is copied into it at the end; else -1 */
};

/* Opens a file beside path, which is absent or a plain file; path must stay. It gets the
 * mode and the owner of what is there. Where that is somebody else's to give, the file of
 * that name will be filled instead of replaced. One such file at a time. A descriptor for
 * writing, or -errno: -EACCES, -EPERM: what is there may not be written. */
int td_temporary_open(struct td_temporary *, const char *path);
/* After all was written to fd, which is closed: the file takes its name if whole, else it
 * goes. 0 or -errno; then it is gone. */
int td_temporary_close(struct td_temporary *, int fd, bool whole);

#endif
