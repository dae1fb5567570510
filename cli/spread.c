/* SPDX-License-Identifier: MIT */
/* Mean and standard deviation of each metric over the runs of a command. They
 * say how well runs agree; the summary is no such mean. */
#include "spread.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Welford's, which does not lose the digits that differ. */
void cli_spread_number_add(struct cli_spread_number *s, double value)
{
    double off = value - s->mean;

    s->n++;
    s->mean += off / s->n;
    s->squares += off * (value - s->mean);
}

double cli_spread_deviation(const struct cli_spread_number *s)
{
    return s->n > 1 ? sqrt(s->squares / (s->n - 1)) : (double)NAN;
}

static bool same(const char *a, const char *b)
{
    return a && b ? !strcmp(a, b) : a == b;
}

bool cli_spread_first(const struct cli_spread *s, size_t i)
{
    return !i || !same(s->metrics[i].scope, s->metrics[i - 1].scope) || !same(s->metrics[i].core, s->metrics[i - 1].core);
}

/* Where a metric is, or where it belongs: behind the others of its scope and core. */
static bool find(const struct cli_spread *s, const char *scope, const char *core, const char *name, size_t *at)
{
    *at = s->n;
    for (size_t i = 0; i < s->n; i++) {
        const struct cli_spread_metric *m = &s->metrics[i];

        if (!same(m->scope, scope) || !same(m->core, core))
            continue;
        *at = i;
        if (!strcmp(m->name, name))
            return true;
        ++*at;
    }
    return false;
}

static int insert(struct cli_spread *s, size_t at, const struct td_result *r, const struct td_metric *m)
{
    struct cli_spread_metric *grown = realloc(s->metrics, (s->n + 1) * sizeof(*grown)), *new;
    const char *core = td_result_core(r);

    if (!grown)
        return -ENOMEM;
    s->metrics = grown;
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

int cli_spread_add(struct cli_spread *s, const struct td_result *r)
{
    size_t at;

    for (size_t i = 0; i < td_result_metrics(r); i++) {
        const struct td_metric *m = td_result_metric(r, i);

        if (m->status != TD_OK)
            continue;
        if (!find(s, td_result_scope(r), td_result_core(r), m->name, &at) && insert(s, at, r, m))
            return -ENOMEM;
        cli_spread_number_add(&s->metrics[at].number, m->value);
    }
    return 0;
}

void cli_spread_free(struct cli_spread *s)
{
    for (size_t i = 0; i < s->n; i++) {
        free(s->metrics[i].scope);
        free(s->metrics[i].core);
        free(s->metrics[i].name);
        free(s->metrics[i].parent);
    }
    free(s->metrics);
}
