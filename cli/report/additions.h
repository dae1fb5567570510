/* SPDX-License-Identifier: MIT */
/* What 'tdprobe report' adds to its functions: those of --annotate by their lines, and what to do next. */
#ifndef CLI_REPORT_ADDITIONS_H
#define CLI_REPORT_ADDITIONS_H

#include "report/functions/functions_report.h"

/* Which functions are shown by their lines. */
struct cli_annotate {
    const char *function; /* as it was asked for; NULL: it was not */
    const char *dso; /* the same */
    struct td_annotated *found;
    struct td_code **code; /* of each */
    size_t n;
};

/* Finds them when all is read, and gives them to the report. 0, or an exit code after a message. */
int cli_annotate_find(struct cli_annotate *, struct td *, struct td_functions_report *);
void cli_annotate_free(struct cli_annotate *);

/* Sets next, whose texts cli_next_steps_free() frees. command: "tdprobe report" with what the recording is read with,
 * such as --uarch, for a function by its lines; NULL: none can be shown. */
void cli_next_steps(struct td_functions_report *, const char *command);
void cli_next_steps_free(struct td_functions_report *);

#endif
