/* SPDX-License-Identifier: MIT */
#include "cli/usual_file.h"

#include <stdio.h>
#include <string.h>

bool cli_perfspect_events(const char *path)
{
    const size_t n = strlen(path), len = strlen(CLI_PERFSPECT_EVENTS);

    return n >= len && !strcmp(path + n - len, CLI_PERFSPECT_EVENTS);
}

char *cli_perfspect_metadata(const char *events)
{
    char *path;

    return asprintf(&path, "%.*s_metadata.json", (int)(strlen(events) - strlen(CLI_PERFSPECT_EVENTS)), events) < 0
               ? NULL
               : path;
}
