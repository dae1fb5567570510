/* SPDX-License-Identifier: MIT */
/* A file that gets its name only when it is complete, and leaves nothing if a signal ends
 * the process before. */
#ifndef REPORT_TEMPORARY_H
#define REPORT_TEMPORARY_H

#include <stdbool.h>

struct td_temporary {
    const char *path; /* the name that it will get */
    char *name; /* its present name; NULL: it has none */
    int target; /* a descriptor of path, if what was written is copied into it at the end; else -1 */
    int held; /* a descriptor of path that holds its lock; -1: there was no such file */
};

/* Opens a file next to path, which is absent or a plain file; path must stay. It gets the mode and the owner of the
 * existing file. If those may not be set, the file of that name will be filled instead of replaced. Only one such file
 * at a time. A descriptor for writing, or -errno: -EACCES, -EPERM: the existing file may not be written; -EALREADY,
 * -EEXIST: another process writes it, or may do so, see report/kept.h. What a dead process left is removed. */
int td_temporary_open(struct td_temporary *, const char *path);
/* The same, before this process gives up the right to make and rename files: a process beside it, which keeps that
 * right, will do what td_temporary_close() does, and removes the file where this one ends without. The file is the one
 * that is open, if there is one; otherwise it is opened, and td_temporary_open() then gives it, or the error. False: no
 * process can be started, and td_temporary_close() needs that right. */
bool td_temporary_entrust(const char *path);
/* Closes fd, to which everything was written. With whole, the file gets its name once it is on the disk; else it is
 * removed. 0 or -errno. After an error it is removed too, unless only its name is not known to be on the disk. */
int td_temporary_close(struct td_temporary *, int fd, bool whole);

#endif
