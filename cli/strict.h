/* SPDX-License-Identifier: MIT */
/* The exit code for a report with an answer that was asked to be without doubts. */
#ifndef CLI_STRICT_H
#define CLI_STRICT_H

#include "cli/options.h"

enum { EXIT_DOUBTFUL = 3 };

/* Reports why, and returns EXIT_DOUBTFUL: with --strict, a shown value is flagged; with --min-coverage, one was counted
 * in less of the time, or it is not known in how much. Else 0. */
int cli_strict(const struct cli_options *);

#endif
