/* SPDX-License-Identifier: MIT */
/* Rights that the process has and its caller lacks: those of a set-user-ID copy, or of capabilities of the program's
 * file. They are for counters alone. Nothing else asks the system whether they are there. */
#ifndef TD_LENT_H
#define TD_LENT_H

#include <stdbool.h>

/* Whether the process was started with such rights, also after they were given back: whoever started it chose its
 * environment, and has not those rights. */
bool td_lent(void);

/* Gives back what is not for counters: ids become the caller's, and of the capabilities only CAP_PERFMON stays, if
 * counting, which is in force within td_lent_counters(true) and (false) alone. A command that is started then has none
 * of it. Does nothing where no rights are lent. 0 or -errno: then the process may do more than its caller. */
int td_lent_give_back(bool counting);

/* Puts CAP_PERFMON into force for the calling thread, or no longer, where td_lent_give_back() has kept it. */
void td_lent_counters(bool on);

/* Whether td_lent_give_back() has kept CAP_PERFMON, which is then not among the capabilities in force. */
bool td_lent_counting(void);

/* getenv(3); NULL where rights are lent. For what says where files, libraries and servers are. */
const char *td_lent_environment(const char *name);

#endif
