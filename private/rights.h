/* SPDX-License-Identifier: MIT */
/* Rights that the program was given beyond its caller's, as a set-user-ID copy or by capabilities of its file. */
#ifndef PRIVATE_RIGHTS_H
#define PRIVATE_RIGHTS_H

#include <stdbool.h>

#include "private/exported.h"

/* Before anything else: files are then opened, and the command started, with the caller's rights, and with counting
 * only counters are opened with CAP_PERFMON where the program has it. Again, with counting false, where there is
 * nothing to count after all. 0 or -errno: the rights could not be given back. */
TD_PRIVATE int td_rights_give_back(bool counting);

/* getenv(3), for what says where files and servers are, or leaves a defence out; NULL where the program has rights that
 * its caller lacks. */
TD_PRIVATE const char *td_rights_environment(const char *name);

#endif
