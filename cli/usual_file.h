/* SPDX-License-Identifier: MIT */
/* Files by the names that tools give them: the recording that is read where none is named, which record wrote here; and
 * what PerfSpect keeps of a host, HOST_events.jsonl and HOST_metadata.json. */
#ifndef CLI_USUAL_FILE_H
#define CLI_USUAL_FILE_H

#include "cli/table/option.h"

#include <stdbool.h>

/* The names that record uses of itself. */
#define CLI_USUAL_TRACE "tdprobe.trace"
#define CLI_USUAL_DATA "tdprobe.data"

/* The youngest file of those names in a subcommand's list, after a message where there are several; NULL, after a
 * message: none is here. */
char *cli_usual_file(const struct cli_subcommand *);

#define CLI_PERFSPECT_EVENTS "_events.jsonl"

/* Whether that is the name of a host's counts. */
bool cli_perfspect_events(const char *path);
/* The name of the metadata beside such a file; the caller's. NULL: out of memory. */
char *cli_perfspect_metadata(const char *events);

#endif
