/* SPDX-License-Identifier: MIT */
/* Reports of tdprobe itself, which hold no counts. */
#ifndef SIM_REPLAY_OWN_REPORT_H
#define SIM_REPLAY_OWN_REPORT_H

#include <stdbool.h>

/* Whether a report begins with this line, in any of its formats and with any separator: of results, phases, functions
 * or a comparison. */
bool td_begins_report(const char *line);

#endif
