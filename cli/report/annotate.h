/* SPDX-License-Identifier: MIT */
/* --annotate: which functions of a recording are shown by their lines. */
#ifndef CLI_ANNOTATE_H
#define CLI_ANNOTATE_H

#include "report/functions/functions_report.h"

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

#endif
