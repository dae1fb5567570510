/* SPDX-License-Identifier: MIT */
/* What to do after a report of functions. */
#ifndef CLI_NEXT_STEPS_H
#define CLI_NEXT_STEPS_H

#include "report/functions/functions_report.h"

/* Sets next, whose texts cli_next_steps_free() frees. command: "tdprobe report" with what the recording is read with,
 * such as
 * --uarch, for a function by its lines; NULL: none can be shown. */
void cli_next_steps(struct td_functions_report *, const char *command);
void cli_next_steps_free(struct td_functions_report *);

#endif
