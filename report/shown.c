/* SPDX-License-Identifier: MIT */
#include "report/shown.h"

#include <string.h>
#include <strings.h>

bool td_report_names(const struct td_report *r, const struct td_metric *m)
{
    const char *names = r->named;
    bool any = false;

    while (names && *names && !any) {
        size_t n = strcspn(names, ", ");
        const char *word = names;

        names += n + strspn(names + n, ", ");
        if (n > 4 && !strncasecmp(word, "tma_", 4))
            word += 4, n -= 4;
        any = n == strlen(m->name) && !strncasecmp(word, m->name, n);
    }
    return any;
}

bool td_report_shows(const struct td_report *r, const struct td_metric *m)
{
    const struct td_verdict *v = &r->verdict;
    bool below = !r->branch || m->kind != TD_METRIC_NODE || m->level <= TD_LEVEL_USUAL || m->named;

    for (size_t i = 0; i < v->npath && !below; i++)
        below = !strcmp(v->path[i]->name, m->parent);
    return below;
}
