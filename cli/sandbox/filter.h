/* SPDX-License-Identifier: MIT */
/* Which system calls this process may make from now on, by seccomp(2). */
#ifndef CLI_SANDBOX_FILTER_H
#define CLI_SANDBOX_FILTER_H

#include <stdbool.h>

/* Whether this build has a filter for its architecture, and the kernel takes filters. */
bool cli_filter_known(void);
/* Ends the process when it starts a program, traces another process, counts, mounts, and so on; refuses sockets, unless
 * it needs them, and changes of modes and owners by name. For all threads, and processes that they start, for ever. */
bool cli_filter_begin(bool sockets);

#endif
