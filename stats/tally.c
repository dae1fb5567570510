/* SPDX-License-Identifier: MIT */
/* Adds up intervals. */
#include "stats/tally.h"

#include "private/result.h"
#include "stats/scope_of.h"
#include "util/room.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_node(const struct td_metric *m)
{
    return m->kind == TD_METRIC_NODE && m->level && m->status != TD_NOT_ON_THIS_CPU;
}

/* What a node is a share of; TD_TALLY_WHOLES: of something that is not added up. */
static enum td_tally_whole whole_of(const struct td_metric *m)
{
    return !strcmp(m->unit, "slots") ? TD_TALLY_SLOTS : !strcmp(m->unit, "cycles") ? TD_TALLY_CYCLES : TD_TALLY_WHOLES;
}

/* The entry of a node, which is made when it is seen first; NULL: out of memory. i: its place if it is where it was in
 * the intervals before. */
static struct td_tally_node *node_of(struct td_tally_scope *s, size_t i, const struct td_metric *m)
{
    const enum td_tally_whole whole = whole_of(m);
    struct td_tally_node made = {.level = m->level, .whole = whole};

    for (size_t k = 0; k < s->n; k++) {
        struct td_tally_node *n = &s->node[(i + k) % s->n];

        if (n->whole == whole && !strcmp(n->name, m->name))
            return n;
    }
    if (td_room(&s->node, &s->room, s->n + 1, sizeof(*s->node)) || !(made.name = strdup(m->name)))
        return NULL;
    s->node[s->n] = made;
    return &s->node[s->n++];
}

/* A share is between 0 and 1, whatever error counters have. */
static double share(double value)
{
    return fmin(1, fmax(0, value));
}

/* Adds what a node has of the whole that passed. */
static void add_node(struct td_tally_node *n, const struct td_metric *m, double passed)
{
    const bool bounded = m->status == TD_OK && m->bounds != TD_BOUNDS_NONE;
    const bool sound = bounded && m->bounds == TD_BOUNDS_SOUND;

    n->part[m->status == TD_OK ? TD_TALLY_VALUE : TD_TALLY_ABSENT] +=
        m->status == TD_OK ? share(m->value) * passed : passed;
    n->part[TD_TALLY_LOW] += sound ? share(m->low) * passed : 0;
    n->part[TD_TALLY_HIGH] += sound ? share(m->high) * passed : passed;
    n->part[TD_TALLY_LIKELY_LOW] += bounded ? share(m->low) * passed : 0;
    n->part[TD_TALLY_LIKELY_HIGH] += bounded ? share(m->high) * passed : passed;
    n->valued = n->valued || m->status == TD_OK;
    n->likely = n->likely || bounded != sound;
}

/* Of what passed while it was not listed, a node may have had all or nothing. */
static void add_unlisted(struct td_tally_node *n, double whole)
{
    const double missed = whole - n->known;

    n->known = whole;
    n->part[TD_TALLY_ABSENT] += missed;
    n->part[TD_TALLY_HIGH] += missed;
    n->part[TD_TALLY_LIKELY_HIGH] += missed;
}

static int add_nodes(struct td_tally *t, struct td_tally_scope *s, const struct td_result *r,
                     const double passed[TD_TALLY_WHOLES])
{
    size_t listed = 0;

    for (size_t i = 0; i < td_result_metrics(r); i++) {
        const struct td_metric *m = td_result_metric(r, i);
        const enum td_tally_whole of = is_node(m) ? whole_of(m) : TD_TALLY_WHOLES;
        struct td_tally_node *n;

        t->other_units = t->other_units || (is_node(m) && of == TD_TALLY_WHOLES);
        if (of == TD_TALLY_WHOLES || isnan(passed[of]))
            continue;
        n = node_of(s, listed++, m);
        if (!n)
            return -ENOMEM;
        add_unlisted(n, s->whole[of] - passed[of]);
        add_node(n, m, passed[of]);
        n->known = s->whole[of];
    }
    for (struct td_tally_node *n = s->node; n < s->node + s->n; n++)
        add_unlisted(n, s->whole[n->whole]);
    return 0;
}

static enum td_tally_standing standing_of(const struct td_tally *t, const struct td_result *r)
{
    const double coverage = td_result_coverage(r);

    if (t->by_turns || td_result_flags(r) & TD_FLAG_CPUS_CHANGED)
        return TD_TALLY_PARTIAL;
    return coverage < 1 || td_result_flags(r) & (TD_FLAG_MULTIPLEXED | TD_FLAG_SPLIT_GROUPS) ? TD_TALLY_MULTIPLEXED
                                                                                             : TD_TALLY_EXACT;
}

static void add_time(struct td_tally_scope *s, const struct td_result *r)
{
    const double coverage = td_result_coverage(r);
    uint64_t ns;

    if (!td_result_duration(r, &ns))
        return;
    s->seconds += (double)ns / 1e9;
    s->counted += (isnan(coverage) ? 1 : coverage) * (double)ns / 1e9;
}

/* Why a result cannot be added: TD_OK: it can, as some node of level 1 has a value, and the slots are known. */
static enum td_status obstacle(const struct td_result *r)
{
    enum td_status first = TD_NO_SLOTS;

    for (size_t i = td_result_metrics(r); i-- > 0;) {
        const struct td_metric *m = td_result_metric(r, i);

        if (!is_node(m) || m->level != TD_LEVEL_TOP)
            continue;
        if (m->status == TD_OK && td_result_slots(r) > 0)
            return TD_OK;
        first = m->status == TD_OK ? TD_NO_SLOTS : m->status;
    }
    return first;
}

/* The entry of a scope, which is made when it is seen first; NULL: -ENOMEM, or it is one too many. */
static struct td_tally_scope *scope_of(struct td_tally *t, const struct td_result *r, int *err)
{
    const struct td_scope_id id = td_scope_of(r);
    const bool full = t->most && t->scopes.n >= t->most;
    const size_t before = t->scopes.n;
    long number;

    *err = td_room_zeroed(&t->scope, &t->room, t->scopes.n + 1, sizeof(*t->scope));
    if (*err)
        return NULL;
    number = full ? td_scope_table_find(&t->scopes, &id) : td_scope_table_number(&t->scopes, &id);
    if (number < 0) {
        *err = full ? 0 : -ENOMEM;
        return NULL;
    }
    if (t->scopes.n > before) {
        t->scope[number] = (struct td_tally_scope){
            .cpu = strdup(td_result_cpu(r)),
            .backend = td_result_backend(r),
            .formula = strdup(td_result_formula(r)),
        };
        if (!t->scope[number].cpu || !t->scope[number].formula)
            *err = -ENOMEM;
    }
    return *err ? NULL : &t->scope[number];
}

int td_tally_add(struct td_tally *t, const struct td_result *r)
{
    const double passed[TD_TALLY_WHOLES] = {td_result_slots(r), td_result_cycles(r)};
    const enum td_status why = obstacle(r);
    struct td_tally_scope *s;
    int err;

    s = scope_of(t, r, &err);
    if (!s) {
        t->left_out += !err;
        return err;
    }
    if (why != TD_OK) {
        s->discarded[why]++;
        return 0;
    }
    for (int of = 0; of < TD_TALLY_WHOLES; of++)
        s->whole[of] += isnan(passed[of]) ? 0 : passed[of];
    s->intervals[standing_of(t, r)]++;
    add_time(s, r);
    return add_nodes(t, s, r, passed);
}

int td_tally_add_idle(struct td_tally *t, const struct td_result *r)
{
    int err;
    struct td_tally_scope *s = scope_of(t, r, &err);

    if (!s) {
        t->left_out += !err;
        return err;
    }
    s->intervals[standing_of(t, r)]++;
    add_time(s, r);
    return 0;
}

static void free_scope(struct td_tally_scope *s)
{
    for (size_t i = 0; i < s->n; i++)
        free(s->node[i].name);
    free(s->node);
    free(s->cpu);
    free(s->formula);
}

/* A table has no way to take one scope out: those that stay get a new one. */
int td_tally_drop(struct td_tally *t, td_tally_drop_fn *drop, void *ctx)
{
    struct td_scope_table kept = {.n = 0};

    if (!t->scopes.n)
        return 0;
    for (size_t i = 0; i < t->scopes.n; i++)
        if (!drop(ctx, &t->scopes.id[i]) && td_scope_table_number(&kept, &t->scopes.id[i]) < 0) {
            td_scope_table_free(&kept);
            return -ENOMEM;
        }
    for (size_t i = 0, to = 0; i < t->scopes.n; i++) {
        if (to < kept.n && td_scope_same(&kept.id[to], &t->scopes.id[i]))
            t->scope[to++] = t->scope[i];
        else
            free_scope(&t->scope[i]);
    }
    memset(t->scope + kept.n, 0, (t->scopes.n - kept.n) * sizeof(*t->scope));
    td_scope_table_free(&t->scopes);
    t->scopes = kept;
    return 0;
}

void td_tally_free(struct td_tally *t)
{
    for (size_t i = 0; i < t->scopes.n; i++)
        free_scope(&t->scope[i]);
    free(t->scope);
    td_scope_table_free(&t->scopes);
    *t = (struct td_tally){.most = 0};
}
