/* SPDX-License-Identifier: MIT */
#include "cli/metric_names.h"

#include "cli/nearest.h"
#include "include/tdprobe.h"
#include "stats/series.h"

#include <string.h>

/* The k-th metric of the i-th CPU that a result may have. i and k: go on from there. */
static bool next_metric(size_t *i, size_t *k, struct td_metric_info *out)
{
    const struct td_uarch *u;

    for (; (u = td_uarch_at(*i)); ++*i, *k = 0)
        while (!td_uarch_metric(u, (*k)++, out))
            if (*out->unit)
                return true;
    return false;
}

/* What a comparison has besides a CPU's metrics. */
static const char *own_name(size_t i)
{
    return i < TD_TOTALS ? td_total_name((enum td_total)i) : i == TD_TOTALS ? TD_SERIES_IPC : NULL;
}

bool cli_metric_compared(const char *name, bool *share)
{
    struct td_metric_info m = {.size = sizeof(m)};

    *share = false;
    for (size_t i = 0; own_name(i); i++)
        if (!strcmp(own_name(i), name))
            return true;
    for (size_t i = 0, k = 0; next_metric(&i, &k, &m);)
        if (!strcmp(m.name, name)) {
            *share = m.kind == TD_METRIC_NODE;
            return true;
        }
    return false;
}

const char *cli_metric_near_compared(const char *name)
{
    struct cli_nearest near = cli_nearest(name);
    struct td_metric_info m = {.size = sizeof(m)};

    for (size_t i = 0, k = 0; next_metric(&i, &k, &m);)
        cli_nearest_try(&near, m.name);
    for (size_t i = 0; own_name(i); i++)
        cli_nearest_try(&near, own_name(i));
    return near.best;
}

const char *cli_metric_near_listed(const char *name)
{
    struct cli_nearest near = cli_nearest(name);
    struct td_metric_info m = {.size = sizeof(m)};

    for (size_t i = 0, k = 0; next_metric(&i, &k, &m);) {
        cli_nearest_try(&near, m.name);
        if (m.groups)
            cli_nearest_try_list(&near, m.groups);
    }
    return near.best;
}
