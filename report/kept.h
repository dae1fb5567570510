/* SPDX-License-Identifier: MIT */
/* Files that are kept: one process at a time writes such a file, and what it kept is on the disk. The lock is that of
 * flock(2), which ends with its holder. Of a file that gets its name only when it is complete, it is on what stands
 * beside it until then, whose name has an ending of its own; whoever writes a file in place has that one too while it
 * opens the file, so that both ways exclude each other. */
#ifndef REPORT_KEPT_H
#define REPORT_KEPT_H

#include <stdbool.h>
#include <sys/types.h>

/* The ending of what stands beside a file that is not complete. */
#define TD_KEPT_ENDING ".tdpart"

/* Locks a regular file that is open, for all or only against those that write it alone (shared); anything else, and
 * what is on a file system without locks, is not locked. 0, or -EALREADY: another process has it. */
int td_kept_lock(int fd, bool shared);
/* Creates name, which has the ending, for this process alone, after it removed what a dead one left there. A descriptor
 * for writing, or -EALREADY: another process has it; -EEXIST: there is something that it cannot be told of; or another
 * -errno. */
int td_kept_begin(const char *name);
/* Removes a file with the ending that a dead process left, which no other has locked; anything else stays. 0, -EALREADY
 * or -EEXIST as above, or -ENOENT: there is none. */
int td_kept_sweep(const char *name);
/* Locks the file at path too, if there is one, which name stands beside. A descriptor that holds the lock, -1 (none is
 * needed), or -EALREADY. */
int td_kept_hold(const char *path);
/* The process that has path locked, or what stands beside it; 0: not known. */
pid_t td_kept_by(const char *path);

/* Waits until what was written to fd is on the disk. File systems that cannot say so are believed. 0 or -errno. */
int td_kept_sync(int fd);
/* The folder that path is in, opened to wait for the name, before the name is given: a failure later would be one of a
 * file that is there. A descriptor or -errno; -EACCES: names may be made in it, but it may not be read. */
int td_kept_folder(const char *path);
/* Waits until the names in the folder are on the disk, and closes it. 0 or -errno, 0 of -EACCES. */
int td_kept_sync_folder(int folder);

#endif
