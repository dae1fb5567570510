/* SPDX-License-Identifier: MIT */
/* The exit code of a report that has no answer. */
#ifndef CLI_NOTHING_SAID_H
#define CLI_NOTHING_SAID_H

#include "report/report.h"

/* Both say why, and return EXIT_UNABLE, else 0. Where results were measured, and no
 * verdict is possible on any: there are no values, or their counts contradict each other. */
int cli_nothing_measured(const struct td_report *);
/* Where results were replayed, and all that was recorded is impossible: what is merely
 * absent was not recorded. */
int cli_nothing_replayed(const struct td_report *);

#endif
