/* SPDX-License-Identifier: MIT */
/* Files that are kept: only one process at a time writes such a file, and what it wrote is on the disk in the end. The
 * lock is that of flock(2), which ends with its holder. A file that gets its name only when it is complete is written
 * beside that name until then, under one with an ending of its own, and the lock is on this one. Whoever writes a file
 * in place holds that lock too while it opens the file, so that both ways exclude each other. */
#ifndef REPORT_KEPT_H
#define REPORT_KEPT_H

#include <stdbool.h>
#include <sys/types.h>

/* The ending of the name under which an incomplete file is written. */
#define TD_KEPT_ENDING ".tdpart"

/* Locks an open regular file: against all others, or with shared only against those that want it alone. Other files,
 * and those on a file system without locks, are not locked. 0, or -EALREADY: another process has it. */
int td_kept_lock(int fd, bool shared);
/* Creates name, which has the ending, for this process alone, after removing what a dead process left there. A
 * descriptor for writing, or -EALREADY: another process has it; -EEXIST: something is there of which that is not known;
 * or another -errno. */
int td_kept_begin(const char *name);
/* Removes a file with the ending that a dead process left, which nobody has locked; anything else stays. 0, -EALREADY
 * or -EEXIST as above, or -ENOENT: there is none. */
int td_kept_sweep(const char *name);
/* Locks the file at path itself, if there is one, beside which the incomplete one is written. A descriptor that holds
 * the lock, -1 if none is needed, or -EALREADY. */
int td_kept_hold(const char *path);
/* The process that has path locked, or the incomplete file beside it; 0: not known. */
pid_t td_kept_by(const char *path);

/* Waits until what was written to fd is on the disk. File systems that cannot say so are believed. 0 or -errno. */
int td_kept_sync(int fd);
/* Opens the folder that path is in, for td_kept_sync_folder(). To be called before the file gets its name, since a
 * failure afterwards would be about a file that is there. A descriptor or -errno; -EACCES: names may be made in it, but
 * it may not be read. */
int td_kept_folder(const char *path);
/* Waits until the names in the folder are on the disk, and closes it. Does nothing for -EACCES in place of a
 * descriptor. 0 or -errno. */
int td_kept_sync_folder(int folder);

#endif
