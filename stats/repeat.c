/* SPDX-License-Identifier: MIT */
/* Mean and standard deviation of each metric over the runs of a command. They
 * show how well runs agree; the summary is no such mean.
 *
 * A run's true share is not below its lower bound. So the mean of all such runs is not below
 * the mean of their lower bounds, which is known as precisely as their spread allows. */
#include "stats/repeat.h"

#include "stats/same_text.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool td_repeat_first(const struct td_repeat *s, size_t i)
{
    return !i || !td_same_text(s->metric[i].scope, s->metric[i - 1].scope) || !td_same_text(s->metric[i].core, s->metric[i - 1].core);
}

/* Where a metric is, or where it belongs: after the others of its scope and core. */
static bool find(const struct td_repeat *s, const char *scope, const char *core, const char *name, size_t *at)
{
    *at = s->n;
    for (size_t i = 0; i < s->n; i++) {
        const struct td_repeat_metric *m = &s->metric[i];

        if (!td_same_text(m->scope, scope) || !td_same_text(m->core, core))
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
    new->sound = true;
    new->until = s->until;
    new->unit = m->kind != TD_METRIC_NODE ? strdup(m->unit) : NULL;
    return new->scope && new->name && new->parent && (!core || new->core) && (m->kind == TD_METRIC_NODE || new->unit) ? 0 : -ENOMEM;
}

static void add(struct td_repeat_metric *to, const struct td_metric *m)
{
    td_mean_add(&to->mean, m->value);
    if (m->bounds == TD_BOUNDS_NONE)
        return;
    td_mean_add(&to->low, m->low);
    td_mean_add(&to->high, m->high);
    to->sound = to->sound && m->bounds == TD_BOUNDS_SOUND;
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
        add(&s->metric[at], m);
    }
    return 0;
}

/* How far the mean of many more runs can be from a mean. Runs that end when this is small end more often where it is too small by
 * chance: by simulation of normally scattered runs, a tenth more makes up for that. */
static double error_of(const struct td_repeat_metric *m, const struct td_mean *mean)
{
    static const double more = 1.1;

    return td_mean_error(mean) * (m->until ? more : 1);
}

enum td_bounds td_repeat_bounds(const struct td_repeat_metric *m, double *low, double *high)
{
    const bool spread = m->mean.n > 2;

    *low = *high = (double)NAN;
    if (!m->mean.n || m->low.n < m->mean.n)
        return TD_BOUNDS_NONE;
    *low = m->low.mean - (spread ? error_of(m, &m->low) : 0);
    *high = m->high.mean + (spread ? error_of(m, &m->high) : 0);
    if (!m->unit && spread) { /* but a share that the formula puts outside stays within its bounds */
        *low = fmax(*low, fmin(0, m->low.mean));
        *high = fmin(*high, fmax(1, m->high.mean));
    }
    return spread || !m->sound ? TD_BOUNDS_LIKELY : TD_BOUNDS_SOUND;
}

/* The runs' own bounds stay as wide, what their spread adds falls with the root of their number. */
static double runs_for(const struct td_repeat_metric *m, double off, double within)
{
    const double own = fmax(m->mean.mean - m->low.mean, m->high.mean - m->mean.mean);

    return own >= within ? HUGE_VAL : ceil((double)m->mean.n * pow((off - own) / (within - own), 2));
}

bool td_repeat_known(const struct td_repeat *s, double within, struct td_repeat_width *worst)
{
    *worst = (struct td_repeat_width){.name = NULL};
    for (size_t i = 0; i < s->n; i++) {
        const struct td_repeat_metric *m = &s->metric[i];
        double low, high, off;

        if (m->unit || td_repeat_bounds(m, &low, &high) == TD_BOUNDS_NONE)
            continue;
        off = fmax(m->mean.mean - low, high - m->mean.mean);
        if (!worst->name || off > worst->off)
            *worst = (struct td_repeat_width){m->name, off, runs_for(m, off, within)};
    }
    return worst->name && worst->off <= within && s->metric->mean.n >= TD_REPEAT_LEAST;
}

void td_repeat_free(struct td_repeat *s)
{
    for (size_t i = 0; i < s->n; i++) {
        free(s->metric[i].scope);
        free(s->metric[i].core);
        free(s->metric[i].name);
        free(s->metric[i].parent);
        free(s->metric[i].unit);
    }
    free(s->metric);
}
