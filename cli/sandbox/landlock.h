/* SPDX-License-Identifier: MIT */
/* Which files this process may open from now on, by landlock(7). */
#ifndef CLI_SANDBOX_LANDLOCK_H
#define CLI_SANDBOX_LANDLOCK_H

#include <stdbool.h>
#include <stdint.h>

enum cli_landlock_right {
    CLI_LANDLOCK_READ = 1, /* a file, or a folder with all below it */
    CLI_LANDLOCK_WRITE = 2, /* the same, where it exists */
    CLI_LANDLOCK_MAKE = 4, /* files in a folder and below it are made, renamed and removed */
    CLI_LANDLOCK_FOLDERS = 8, /* and folders */
};

struct cli_landlock {
    int rules; /* a descriptor */
    uint64_t handled; /* what needs a rule from now on */
    bool lacking; /* a rule, for want of descriptors or memory */
};

/* The kernel's version of the interface; -ENOSYS, -EOPNOTSUPP: it has none, or was started without; another -errno. */
int cli_landlock_version(void);
/* Begins a list of what stays allowed. connects: TCP connections too. False: the kernel has no Landlock. */
bool cli_landlock_begin(struct cli_landlock *, bool connects);
/* Allows what a path names now, through links; nothing, if that cannot be found. */
void cli_landlock_allow(struct cli_landlock *, const char *path, unsigned rights);
/* Ends the list: all else is refused with EACCES, to this process and those that it starts, for ever. False: it is not,
 * as where the list lacks a rule, since what the program needs would be refused. */
bool cli_landlock_end(struct cli_landlock *);

#endif
