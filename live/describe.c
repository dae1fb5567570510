/* SPDX-License-Identifier: MIT */
#include "live/describe.h"

#include "live/meter.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int td_describe_line(struct td_meter *m, const char *format, ...)
{
    char text[512], **grown = realloc(m->plan, (m->nplan + 1) * sizeof(*grown));
    va_list args;

    if (!grown)
        return -ENOMEM;
    m->plan = grown;
    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    m->plan[m->nplan] = strdup(text);
    return m->plan[m->nplan] ? (m->nplan++, 0) : -ENOMEM;
}

size_t td_describe_units(const struct td_meter *m, size_t pmu)
{
    size_t units = 0;

    for (size_t i = 0; i < m->scopes.nunits; i++)
        units += m->scopes.unit[i].pmu == pmu;
    return units;
}

/* Names the PMU from its first unit. */
static int describe_pmu(struct td_meter *m, size_t pmu)
{
    for (size_t i = 0; i < m->scopes.nunits; i++)
        if (m->scopes.unit[i].pmu == pmu)
            return m->source->describe(m, &m->scopes.unit[i]);
    return 0;
}

int td_meter_describe(struct td_meter *m)
{
    int err = td_describe_line(m, "machine: %s (CPU %s, named by %s)%s%s", m->host.identity.name,
                               m->host.id[0] ? m->host.id : "no id", m->host.origin,
                               m->host.guest ? ", a guest of " : "", m->host.guest ? m->host.hypervisor : "");

    for (size_t p = 0; p < m->npmus && !err; p++)
        err = describe_pmu(m, p);
    return err ? td_log_no_memory(m->log) : 0;
}
