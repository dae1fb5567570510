/* SPDX-License-Identifier: MIT */
#include "core/core_kind.h"

#include <string.h>

static const struct {
    char core;
    const char *name, *pmu; /* pmu: its name in Linux, arch/x86/events/intel/core.c */
} kinds[TD_CORES] = {{0, "", ""}, {'P', "P", "cpu_core"}, {'E', "E", "cpu_atom"}, {'L', "LP", "cpu_lowpower"}};

size_t td_core_index(char core)
{
    for (size_t i = 1; core && i < TD_CORES; i++)
        if (kinds[i].core == core)
            return i;
    return 0;
}

const char *td_core_name(char core)
{
    return kinds[td_core_index(core)].name;
}

const char *td_core_pmu(char core)
{
    const size_t i = td_core_index(core);

    return i ? kinds[i].pmu : NULL;
}

char td_core_of_pmu(const char *pmu)
{
    for (size_t i = 1; i < TD_CORES; i++)
        if (!strcmp(kinds[i].pmu, pmu))
            return kinds[i].core;
    return 0;
}
