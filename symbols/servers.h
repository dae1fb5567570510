/* SPDX-License-Identifier: MIT */
/* Files by their build-ids from the debuginfod servers that the variable DEBUGINFOD_URLS names, by libdebuginfod of
 * elfutils, which keeps them in a cache of its own (debuginfod_find_debuginfo(3)). */
#ifndef TD_SERVERS_H
#define TD_SERVERS_H

#include <stddef.h>

enum td_server_file { TD_SERVER_PROGRAM, TD_SERVER_DEBUG /* its separate debug information */ };

/* Why servers cannot be asked, and what to do about it; NULL: they can. */
const char *td_servers_missing(void);
/* A descriptor of the file, whose path in the cache name gets. -1 and errno: ENOENT: no server has it; ETIMEDOUT: one
 * did not answer. */
int td_servers_open(enum td_server_file, const unsigned char *id, size_t id_size, char *name, size_t room);

#endif
