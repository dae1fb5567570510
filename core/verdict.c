/* SPDX-License-Identifier: MIT */
/* Which node is the bottleneck, if the bounds allow one to be named. */
#include "result.h"

#include <math.h>
#include <string.h>

static double threshold(const struct td_result *r, const struct td_metric *m)
{
    const struct td_node *node = td_node_find(m->name);

    return r->backend->atom ? node->threshold_atom : node->threshold;
}

/* The nodes under a parent that may be above their thresholds, largest first.
 * The others limit nothing, however large: retiring 40 % is no bottleneck. */
static size_t suspects(const struct td_result *r, const char *parent, const struct td_metric *out[8])
{
    size_t n = 0;

    for (size_t i = 0; i < r->nmetrics; i++) {
        const struct td_metric *m = &r->metrics[i];
        size_t at;

        if (m->status != TD_OK || strcmp(m->parent, parent) || n == 8)
            continue;
        if ((isnan(m->high) ? m->value : m->high) <= threshold(r, m))
            continue;
        for (at = n++; at > 0 && out[at - 1]->value < m->value; at--)
            out[at] = out[at - 1];
        out[at] = m;
    }
    return n;
}

/* A node that should have a value and has none: it might be the bottleneck. */
static const struct td_metric *find_absent(const struct td_result *r, const char *parent)
{
    for (size_t i = 0; i < r->nmetrics; i++) {
        const struct td_metric *m = &r->metrics[i];

        if (!strcmp(m->parent, parent) && m->status != TD_OK && m->status != TD_NOT_ON_THIS_CPU &&
            m->status != TD_NOT_IN_THIS_FORMULA && m->status != TD_PUBLISHED_FORMULA_WRONG)
            return m;
    }
    return NULL;
}

static bool any_value(const struct td_result *r, const char *parent)
{
    for (size_t i = 0; i < r->nmetrics; i++)
        if (!strcmp(r->metrics[i].parent, parent) && r->metrics[i].status == TD_OK)
            return true;
    return false;
}

/* Settles one level: true if its winner is decided and has become v->node. */
static bool settle(const struct td_result *r, const char *parent, struct td_verdict *v)
{
    size_t n = suspects(r, parent, v->among), rivals = 1;

    v->namong = 0;
    if (!any_value(r, parent))
        return false;
    v->absent = find_absent(r, parent);
    if (v->absent) {
        v->namong = n;
        return false;
    }
    if (!n)
        return false;
    for (size_t i = 0; i < n; i++)
        v->unbounded = v->unbounded || isnan(v->among[i]->low);
    if (v->unbounded) {
        v->namong = n;
        return false;
    }
    while (rivals < n && v->among[rivals]->high >= v->among[0]->low)
        rivals++;
    if (rivals > 1 || v->among[0]->low <= threshold(r, v->among[0])) {
        v->namong = rivals;
        return false;
    }
    v->node = v->among[0];
    return true;
}

void td_result_verdict(const struct td_result *r, struct td_verdict *out)
{
    *out = (struct td_verdict){0};
    if (settle(r, "", out))
        settle(r, out->node->name, out);
}
