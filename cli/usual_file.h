/* SPDX-License-Identifier: MIT */
/* The recording that is read where none is named: the one that record wrote here. */
#ifndef CLI_USUAL_FILE_H
#define CLI_USUAL_FILE_H

#include "cli/table/option.h"

/* The names that record uses of itself. */
#define CLI_USUAL_TRACE "tdprobe.trace"
#define CLI_USUAL_DATA "tdprobe.data"

/* The youngest file of those names in a subcommand's list, after a message where there are several; NULL, after a
 * message: none is here. */
char *cli_usual_file(const struct cli_subcommand *);

#endif
