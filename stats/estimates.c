/* SPDX-License-Identifier: MIT */
#include "stats/estimates.h"

#include "private/result.h"
#include "util/room.h"
#include "util/words.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of most places; the others' are their own. */
static const struct td_verdict no_verdict;

/* ---- metrics without a value ------------------------------------------------------------ */

/* The status of a metric without its value. */
static enum td_status status_without(const struct td_metric *m)
{
    return m->status == TD_OK ? TD_NOT_COUNTED : m->status;
}

void td_estimate_take_away(struct td_metric *m)
{
    m->status = status_without(m);
    m->value = m->low = m->high = m->raw = (double)NAN;
    m->bounds = TD_BOUNDS_NONE;
}

/* Whether a metric without a value is what this one would be without its value. */
static bool is_same_without(const struct td_metric *without, const struct td_metric *m)
{
    return without->status == status_without(m) && without->level == m->level && without->kind == m->kind &&
           without->flags == m->flags && without->corrections == m->corrections && without->over == m->over &&
           without->latencies == m->latencies && without->named == m->named && !strcmp(without->name, m->name) &&
           !strcmp(without->parent, m->parent) && !strcmp(without->unit, m->unit) &&
           td_same_text(without->event, m->event) && td_same_text(without->why, m->why);
}

/* Whether a metric has no number. */
static bool is_without(const struct td_metric *m)
{
    return m->status != TD_OK && (m->status != TD_IMPOSSIBLE || isnan(m->raw));
}

/* The one that is kept for all that are like it. at: where it may be, as metrics come in the same order. NULL: out of
 * memory. */
static const struct td_metric *find_without(struct td_estimates_store *s, const struct td_metric *m, size_t at)
{
    struct td_metric *copy;

    for (size_t i = 0; i < s->n; i++)
        if (is_same_without(s->without[(at + i) % s->n], m))
            return s->without[(at + i) % s->n];
    copy = malloc(sizeof(*copy));
    if (!copy || td_room(&s->without, &s->room, s->n + 1, sizeof(*s->without))) {
        free(copy);
        return NULL;
    }
    *copy = *m;
    return s->without[s->n++] = copy;
}

/* ---- estimates ------------------------------------------------------------------------- */

const struct td_estimates *td_estimates_alike(const struct td_estimates_store *s, const struct td_result *r)
{
    enum { MOST = 16 }; /* few differ, if any: another event that is missing, another flag */
    const struct td_estimates *e = s->alike;

    for (size_t n = 0; e && n < MOST; e = e->next, n++) {
        bool same = e->flags == td_result_flags(r) && e->metrics == td_result_metrics(r);

        for (size_t i = 0; same && i < e->metrics; i++)
            same = is_same_without(e->metric[i], td_result_metric(r, i));
        if (same)
            return e;
    }
    return NULL;
}

struct td_estimates *td_estimates_new(struct td_estimates_store *s, unsigned flags, bool shared)
{
    struct td_estimates *e = malloc(sizeof(*e)), **list = shared ? &s->alike : &s->own;

    if (!e)
        return NULL;
    *e = (struct td_estimates){.verdict = &no_verdict, .flags = flags, .next = *list};
    return *list = e;
}

/* One block has the pointers and, after them, the metrics that no other place shares. */
int td_estimates_set(struct td_estimates_store *s, struct td_estimates *to, const struct td_metric *metric, size_t n)
{
    const struct td_metric **kept;
    struct td_metric *own;
    size_t owned = 0;

    for (size_t i = n; i-- > 0;)
        owned += !is_without(&metric[i]);
    kept = calloc(1, n * sizeof(*kept) + owned * sizeof(*own) + 1);
    to->metric = kept;
    if (!kept)
        return -ENOMEM;
    own = (struct td_metric *)(void *)(kept + n);
    for (size_t i = 0; i < n; i++) {
        if (is_without(&metric[i])) {
            kept[i] = find_without(s, &metric[i], i);
        } else {
            *own = metric[i];
            kept[i] = own++;
        }
        if (!kept[i])
            return -ENOMEM;
    }
    to->metrics = n;
    return 0;
}

int td_estimates_judge(struct td_estimates *to, const struct td_result *r, const struct td_metric *metric)
{
    struct td_verdict *v = malloc(sizeof(*v));
    const struct td_metric **kept;

    if (!v)
        return -ENOMEM;
    td_result_verdict_by(r, metric, v);
    if (v->remedy != TD_REMEDY_NONE && v->remedy != TD_REMEDY_DOCTOR)
        v->remedy = TD_REMEDY_LONGER; /* more samples make all bounds narrower */
    kept = calloc(v->npath + v->namong + 1, sizeof(*kept));
    if (!kept) {
        free(v);
        return -ENOMEM;
    }
    for (size_t i = 0; i < v->npath; i++)
        kept[i] = to->metric[v->path[i] - metric];
    for (size_t i = 0; i < v->namong; i++)
        kept[v->npath + i] = to->metric[v->among[i] - metric];
    v->path = kept;
    v->among = kept + v->npath;
    v->node = v->node ? to->metric[v->node - metric] : NULL;
    v->absent = v->absent ? to->metric[v->absent - metric] : NULL;
    to->verdict = v;
    return 0;
}

static void free_list(struct td_estimates *e)
{
    while (e) {
        struct td_estimates *next = e->next;

        free((void *)(uintptr_t)e->metric);
        free((void *)(uintptr_t)e->all);
        if (e->verdict != &no_verdict) {
            free((void *)(uintptr_t)e->verdict->path);
            free((void *)(uintptr_t)e->verdict);
        }
        free(e);
        e = next;
    }
}

void td_estimates_free(struct td_estimates_store *s)
{
    free_list(s->alike);
    free_list(s->own);
    for (size_t i = 0; i < s->n; i++)
        free(s->without[i]);
    free(s->without);
    *s = (struct td_estimates_store){.n = 0};
}
