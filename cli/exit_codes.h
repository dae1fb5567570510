/* SPDX-License-Identifier: MIT */
/* The exit codes for reports without an answer, and for an answer that was asked to be without doubts. */
#ifndef CLI_EXIT_CODES_H
#define CLI_EXIT_CODES_H

#include "cli/options.h"
#include "report/report.h"

/* For results none of which allows a verdict: there are no values, or their counts contradict each other.
 * Both report why and what to do next, and return EXIT_UNABLE, else 0. */
int cli_nothing_measured(const struct td_report *);
/* For recordings, of this machine or another one. */
int cli_nothing_replayed(const struct td_report *);

enum { EXIT_DOUBTFUL = 3 };

/* Reports why, and returns EXIT_DOUBTFUL: with --strict, a shown value is flagged; with --min-coverage, one was counted
 * in less of the time, or it is not known in how much. Else 0. */
int cli_strict(const struct cli_options *);

#endif
