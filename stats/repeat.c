/* SPDX-License-Identifier: MIT */
/* Mean and standard deviation of each metric over the runs of a command. They
 * say how well runs agree; the summary is no such mean. */
#include "stats/repeat.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool same(const char *a, const char *b)
{
    return a && b ? !strcmp(a, b) : a == b;
}

bool td_repeat_first(const struct td_repeat *s, size_t i)
{
    return !i || !same(s->metric[i].scope, s->metric[i - 1].scope) || !same(s->metric[i].core, s->metric[i - 1].core);
}

/* Where a metric is, or where it belongs: after the others of its scope and core. */
static bool find(const struct td_repeat *s, const char *scope, const char *core, const char *name, size_t *at)
{
    *at = s->n;
    for (size_t i = 0; i < s->n; i++) {
        const struct td_repeat_metric *m = &s->metric[i];

        if (!same(m->scope, scope) || !same(m->core, core))
            continue;
        *at = i;
        if (!strcmp(m->name, name))
            return true;
        ++*at;
    }
    return false;
}

static int insert(struct td_repeat *s, size_t at, const struct td_result *r, const struct td_metric *m)
{
    struct td_repeat_metric *grown = realloc(s->metric, (s->n + 1) * sizeof(*grown)), *new;
    const char *core = td_result_core(r);

    if (!grown)
        return -ENOMEM;
    s->metric = grown;
    new = grown + at;
    memmove(new + 1, new, (s->n++ - at) * sizeof(*grown));
    memset(new, 0, sizeof(*new));
    new->scope = strdup(td_result_scope(r));
    new->core = core ? strdup(core) : NULL;
    new->name = strdup(m->name);
    new->parent = strdup(m->parent);
    new->level = m->level;
    return new->scope && new->name && new->parent && (!core || new->core) ? 0 : -ENOMEM;
}

int td_repeat_add(struct td_repeat *s, const struct td_result *r)
{
    size_t at;

    for (size_t i = 0; i < td_result_metrics(r); i++) {
        const struct td_metric *m = td_result_metric(r, i);

        if (m->status != TD_OK)
            continue;
        if (!find(s, td_result_scope(r), td_result_core(r), m->name, &at) && insert(s, at, r, m))
            return -ENOMEM;
        td_mean_add(&s->metric[at].mean, m->value);
    }
    return 0;
}

void td_repeat_free(struct td_repeat *s)
{
    for (size_t i = 0; i < s->n; i++) {
        free(s->metric[i].scope);
        free(s->metric[i].core);
        free(s->metric[i].name);
        free(s->metric[i].parent);
    }
    free(s->metric);
}
