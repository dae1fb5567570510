/* SPDX-License-Identifier: MIT */
#include "live/source.h"

#include "live/msr/msr_source.h"
#include "live/perf/perf_source.h"

#include <string.h>

static const struct td_source *const sources[] = {&td_source_perf, &td_source_msr};

const struct td_source *td_source_find(const char *name)
{
    for (size_t i = 0; i < sizeof(sources) / sizeof(*sources); i++)
        if (!strcmp(sources[i]->name, name))
            return sources[i];
    return NULL;
}
