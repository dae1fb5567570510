/* SPDX-License-Identifier: MIT */
/* Reports of tdprobe itself, which hold no counts. */
#ifndef SIM_REPLAY_OWN_REPORT_H
#define SIM_REPLAY_OWN_REPORT_H

/* What begins with this line, in any of its formats and with any separator: "a report" of results, phases or functions,
 * "a comparison", or NULL. */
const char *td_own_report(const char *line);

#endif
