/* SPDX-License-Identifier: MIT */
/* The names that PerfSpect gives to what it keeps of a host: HOST_events.jsonl and HOST_metadata.json. */
#ifndef CLI_PERFSPECT_H
#define CLI_PERFSPECT_H

#include <stdbool.h>

#define CLI_PERFSPECT_EVENTS "_events.jsonl"

/* Whether that is the name of a host's counts. */
bool cli_perfspect_events(const char *path);
/* The name of the metadata beside such a file; the caller's. NULL: out of memory. */
char *cli_perfspect_metadata(const char *events);

#endif
