/* SPDX-License-Identifier: MIT */
#include "report/shown.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

static bool is(const char *word, size_t n, const char *name)
{
    return n == strlen(name) && !strncasecmp(word, name, n);
}

static bool is_name(const char *word, size_t n, const struct td_metric *m)
{
    return is(word, n, m->name);
}

/* The groups that follow from the tree: a node's children, a level, everything. */
static bool is_group(const char *word, size_t n, const struct td_metric *m)
{
    char children[128], level[16], other[16];

    snprintf(children, sizeof(children), "%s_group", m->parent);
    snprintf(level, sizeof(level), "L%d_group", m->level);
    snprintf(other, sizeof(other), "TopdownL%d", m->level);
    return is(word, n, children) || is(word, n, level) || is(word, n, other) || is(word, n, "all");
}

/* Whether any of the words of -M means the metric. */
static bool any_word(const struct td_report *r, const struct td_metric *m, bool (*means)(const char *word, size_t n, const struct td_metric *))
{
    const char *names = r->named;
    bool any = false;

    while (names && *names && !any) {
        size_t n = strcspn(names, ", ");
        const char *word = names;

        names += n + strspn(names + n, ", ");
        if (n > 4 && !strncasecmp(word, "tma_", 4))
            word += 4, n -= 4;
        any = means(word, n, m);
    }
    return any;
}

bool td_report_names(const struct td_report *r, const struct td_metric *m)
{
    return any_word(r, m, is_name);
}

bool td_report_shows(const struct td_report *r, const struct td_verdict *v, const struct td_metric *m)
{
    bool below = !r->branch || m->kind != TD_METRIC_NODE || m->level <= TD_LEVEL_USUAL || any_word(r, m, is_name) || any_word(r, m, is_group);

    for (size_t i = 0; i < v->npath && !below; i++)
        below = !strcmp(v->path[i]->name, m->parent);
    return below;
}
