/* SPDX-License-Identifier: MIT */
#include "stats/timeline.h"

#include "stats/phases.h"
#include "stats/scope_of.h"
#include "util/room.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The scope of a result, which is added if it is new; NULL: out of memory. */
static struct td_timeline_scope *scope_of(struct td_timeline *t, const struct td_result *r)
{
    const struct td_scope_id id = td_scope_of(r);
    const long at = td_scope_table_number(&t->scopes, &id);

    if (at < 0 || td_room(&t->scope, &t->room, (size_t)at + 1, sizeof(*t->scope)))
        return NULL;
    if ((size_t)at == t->n)
        t->scope[t->n++] = (struct td_timeline_scope){.nodes = 0};
    return &t->scope[at];
}

/* Writes the values of level 1 to out, as far as room allows, and returns how many there are; 0: one is absent. */
static size_t level_1(const struct td_result *r, double *out, size_t room)
{
    size_t n = 0;

    for (size_t i = 0; i < td_result_metrics(r); i++) {
        const struct td_metric *m = td_result_metric(r, i);

        if (m->kind != TD_METRIC_NODE || m->level != TD_LEVEL_TOP || m->status == TD_NOT_ON_THIS_CPU)
            continue;
        if (m->status != TD_OK)
            return 0;
        if (n < room)
            out[n] = m->value;
        n++;
    }
    return n;
}

static int make_room(struct td_timeline_scope *s)
{
    const size_t room = s->room ? 2 * s->room : 64;
    double *value;
    uint64_t *end;

    if (s->n < s->room)
        return 0;
    value = realloc(s->value, room * s->nodes * sizeof(*value));
    if (value)
        s->value = value;
    end = value ? realloc(s->end, room * sizeof(*end)) : NULL;
    if (!end)
        return -ENOMEM;
    s->end = end;
    s->room = room;
    return 0;
}

int td_timeline_add(struct td_timeline *t, const struct td_result *r, struct td_timeline_scope **taken)
{
    struct td_timeline_scope *s = scope_of(t, r);
    uint64_t time = 0, lasted = 0;

    if (taken)
        *taken = NULL;
    if (!s)
        return -ENOMEM;
    s->nodes = s->nodes ? s->nodes : level_1(r, NULL, 0);
    if (!s->nodes)
        return 0;
    if (make_room(s))
        return -ENOMEM;
    if (level_1(r, s->value + s->n * s->nodes, s->nodes) != s->nodes)
        return 0;
    td_result_time(r, &time);
    s->end[s->n] = time;
    if (!s->n && td_result_duration(r, &lasted) && time > lasted)
        s->begin = time - lasted;
    s->n++;
    if (taken)
        *taken = s;
    return 0;
}

int td_timeline_cut(struct td_timeline *t)
{
    int err = 0;

    for (size_t i = 0; !err && i < t->n; i++) {
        struct td_timeline_scope *s = &t->scope[i];

        if (s->n)
            err = td_phases(s->value, s->n, s->nodes, 0.05, &s->first, &s->phases);
    }
    return err;
}

struct td_timeline_scope *td_timeline_find(const struct td_timeline *t, const struct td_result *r)
{
    const struct td_scope_id id = td_scope_of(r);
    const long at = td_scope_table_find(&t->scopes, &id);

    return at < 0 ? NULL : &t->scope[at];
}

const struct td_scope_id *td_timeline_id(const struct td_timeline *t, const struct td_timeline_scope *s)
{
    return &t->scopes.id[s - t->scope];
}

size_t td_timeline_phase(const struct td_timeline_scope *s, size_t i)
{
    size_t p = 0, beyond = s->phases;

    while (beyond - p > 1) {
        const size_t middle = p + (beyond - p) / 2;

        if (s->first[middle] <= i)
            p = middle;
        else
            beyond = middle;
    }
    return p;
}

uint64_t td_timeline_begin(const struct td_timeline_scope *s, size_t phase)
{
    return phase ? s->end[s->first[phase] - 1] : s->begin;
}

void td_timeline_free(struct td_timeline *t)
{
    for (size_t i = 0; i < t->n; i++) {
        free(t->scope[i].value);
        free(t->scope[i].end);
        free(t->scope[i].first);
    }
    free(t->scope);
    td_scope_table_free(&t->scopes);
}
