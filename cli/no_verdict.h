/* SPDX-License-Identifier: MIT */
/* The exit code for a report without an answer. */
#ifndef CLI_NO_VERDICT_H
#define CLI_NO_VERDICT_H

#include "report/report.h"

/* For results none of which allows a verdict: there are no values, or their counts contradict each other.
 * Both report why and what to do next, and return EXIT_UNABLE, else 0. */
int cli_nothing_measured(const struct td_report *);
/* For recordings, of this machine or another one. */
int cli_nothing_replayed(const struct td_report *);

#endif
