/* SPDX-License-Identifier: MIT */
/* The exit code for a report without an answer. */
#ifndef CLI_NOTHING_SAID_H
#define CLI_NOTHING_SAID_H

#include "report/report.h"

/* Both report why, and return EXIT_UNABLE, else 0. For measured results, none of which
 * allows a verdict: there are no values, or their counts contradict each other. */
int cli_nothing_measured(const struct td_report *);
/* For replayed results, if everything that was recorded is impossible: what is merely
 * absent was not recorded. */
int cli_nothing_replayed(const struct td_report *);

#endif
