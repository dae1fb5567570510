/* SPDX-License-Identifier: MIT */
/* Mean and standard deviation of each metric over the runs of a command. They
 * show how well runs agree; the summary is no such mean.
 *
 * A run's true share is not below its lower bound. So the mean of all such runs is not below
 * the mean of their lower bounds, which is known as precisely as their spread allows. */
#include "stats/repeat.h"

#include "stats/scope_of.h"
#include "util/room.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The metrics of a scope. */
struct td_repeat_place {
    size_t first, n;
    size_t next; /* of them: the one that is probably asked for next, as they come in one order */
};

bool td_repeat_first(const struct td_repeat *s, size_t i)
{
    return !i || s->metric[i].number != s->metric[i - 1].number;
}

/* The place of a result's scope, a new one at the end. NULL: out of memory. */
static struct td_repeat_place *place_of(struct td_repeat *s, const struct td_result *r)
{
    const struct td_scope_id id = td_scope_of(r);
    const size_t known = s->scopes.n;
    const long at = td_scope_table_number(&s->scopes, &id);

    if (at < 0 || td_room(&s->place, &s->place_room, s->scopes.n, sizeof(*s->place)))
        return NULL;
    if ((size_t)at == known)
        s->place[at] = (struct td_repeat_place){.first = s->n};
    return &s->place[at];
}

/* Where a metric is, or where it belongs: after the others of its scope. */
static bool find(const struct td_repeat *s, struct td_repeat_place *in, const char *name, size_t *at)
{
    for (size_t tried = 0; tried < in->n; tried++) {
        const size_t i = (in->next + tried) % in->n;

        *at = in->first + i;
        if (!strcmp(s->metric[*at].name, name)) {
            in->next = i + 1;
            return true;
        }
    }
    *at = in->first + in->n;
    return false;
}

/* A metric of the scope of a place is put at its end: those of the scopes after it move. */
static int make_room(struct td_repeat *s, struct td_repeat_place *in, size_t at)
{
    if (td_room(&s->metric, &s->room, s->n + 1, sizeof(*s->metric)))
        return -ENOMEM;
    memmove(s->metric + at + 1, s->metric + at, (s->n - at) * sizeof(*s->metric));
    for (size_t i = 0; at < s->n && i < s->scopes.n; i++)
        if (s->place[i].first >= at && &s->place[i] != in)
            s->place[i].first++;
    in->n++;
    s->n++;
    return 0;
}

static int insert(struct td_repeat *s, struct td_repeat_place *in, size_t at, const struct td_result *r,
                  const struct td_metric *m)
{
    struct td_repeat_metric *new;
    const char *core = td_result_core(r);

    if (make_room(s, in, at))
        return -ENOMEM;
    new = s->metric + at;
    memset(new, 0, sizeof(*new));
    new->number = (size_t)(in - s->place);
    new->scope = strdup(td_result_scope(r));
    new->core = core ? strdup(core) : NULL;
    new->name = strdup(m->name);
    new->parent = strdup(m->parent);
    new->level = m->level;
    new->sound = true;
    new->until = s->until;
    new->unit = m->kind != TD_METRIC_NODE ? strdup(m->unit) : NULL;
    return new->scope &&new->name &&new->parent && (!core || new->core) && (m->kind == TD_METRIC_NODE || new->unit)
               ? 0
               : -ENOMEM;
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

const struct td_repeat_metric *td_repeat_find(const struct td_repeat *s, const struct td_result *r, const char *name)
{
    const struct td_scope_id id = td_scope_of(r);
    const long place = s->scopes.n ? td_scope_table_find(&s->scopes, &id) : -1;
    size_t at;

    return place >= 0 && find(s, &s->place[place], name, &at) ? &s->metric[at] : NULL;
}

int td_repeat_add(struct td_repeat *s, const struct td_result *r)
{
    struct td_repeat_place *in = place_of(s, r);
    size_t at;

    for (size_t i = 0; in && i < td_result_metrics(r); i++) {
        const struct td_metric *m = td_result_metric(r, i);

        if (m->status != TD_OK)
            continue;
        if (!find(s, in, m->name, &at) && insert(s, in, at, r, m))
            return -ENOMEM;
        add(&s->metric[at], m);
    }
    return in ? 0 : -ENOMEM;
}

/* How far the mean of many more runs can be from a mean. Runs that end when this is small end more often where it is
 * too small by chance: by simulation of normally scattered runs, a tenth more makes up for that. */
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
    free(s->place);
    td_scope_table_free(&s->scopes);
}
