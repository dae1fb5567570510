/* SPDX-License-Identifier: MIT */
#include "report/shown.h"

#include <string.h>
#include <strings.h>

bool td_report_names(const struct td_report *r, const struct td_metric *m)
{
    const char *names = r->named;
    const size_t len = strlen(m->name);

    while (names && *names) {
        size_t n = strcspn(names, ", ");
        const char *word = names;

        names += n + strspn(names + n, ", ");
        if (n > 4 && !strncasecmp(word, "tma_", 4))
            word += 4, n -= 4;
        if (n == len && !strncasecmp(word, m->name, n))
            return true;
    }
    return false;
}

bool td_report_shows(const struct td_report *r, const struct td_verdict *v, const struct td_metric *m)
{
    bool below = !r->branch || m->kind != TD_METRIC_NODE || m->level <= TD_LEVEL_USUAL || td_report_names(r, m);

    for (size_t i = 0; i < v->npath && !below; i++)
        below = !strcmp(v->path[i]->name, m->parent);
    return below;
}
