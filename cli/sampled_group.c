/* SPDX-License-Identifier: MIT */
#include "cli/sampled_group.h"

#include <stdio.h>
#include <string.h>

char *cli_sampled_group(const char *group, const char *cycles)
{
    const char *slash = strchr(group, '/'), *comma = strchr(group, ',');
    const int pmu = slash && comma && slash < comma ? (int)(slash - group) - 1 : 0;
    const char *name = group + 1 + (pmu ? pmu + 1 : 0);
    char *text;
    int n;

    if (strncmp(name, "slots", strlen("slots")) || !comma)
        n = asprintf(&text, "%s:S", group);
    else if (pmu)
        n = asprintf(&text, "%.*s,%.*s/%s/%s:S", (int)(comma - group), group, pmu, group + 1, cycles, comma);
    else
        n = asprintf(&text, "%.*s,%s%s:S", (int)(comma - group), group, cycles, comma);
    return n < 0 ? NULL : text;
}
