/* SPDX-License-Identifier: MIT */
#include "core/level_sum.h"

#include <math.h>

/* Counters that are started and stopped one after the other, and count in different
 * stages of the pipeline, differ a little: on healthy machines, in the recordings of
 * traces/, the sum was 0.995 to 1.008. A share itself may be off by as much as this. */
#define SUM_SLACK 0.05

struct level_sum {
    size_t n, absent; /* shares with a number, and without */
    double value, low, high; /* NAN: one has no bounds */
    bool apart; /* counted at different times: then likely bounds show what is possible */
};

static struct level_sum add_up(const struct td_result *r)
{
    struct level_sum s = {.n = 0};

    for (size_t i = 0; i < r->nmetrics; i++) {
        const struct td_metric *m = &r->metrics[i];

        if (m->kind != TD_METRIC_NODE || m->level != TD_LEVEL_TOP)
            continue;
        if ((m->status != TD_OK && m->status != TD_IMPOSSIBLE) || strcmp(m->unit, "slots") != 0) {
            s.absent++;
            continue;
        }
        s.n++;
        s.value += m->status == TD_OK ? m->value : m->raw;
        s.low += m->low;
        s.high += m->high;
        s.apart = s.apart || m->flags & TD_FLAG_SPLIT_GROUPS;
    }
    return s;
}

static bool is_off(const struct level_sum *s)
{
    if (!s->apart)
        return fabs(s->value - 1) > SUM_SLACK;
    return s->low > 1 + SUM_SLACK || s->high < 1 - SUM_SLACK; /* false without bounds */
}

static void forbid(struct td_metric *m, bool absurd)
{
    m->low = m->high = (double)NAN;
    m->bounds = TD_BOUNDS_NONE;
    m->flags |= TD_FLAG_SUM_OFF;
    if (!absurd)
        return;
    m->status = TD_IMPOSSIBLE;
    m->raw = m->value;
    m->value = (double)NAN;
    m->flags = 0;
}

void td_level_sum_check(struct td_result *r, double absurd)
{
    const struct level_sum s = add_up(r);
    const bool beyond = s.value > absurd || s.value * absurd < 1;

    if (!s.n || s.absent || (!beyond && !is_off(&s)))
        return;
    for (size_t i = 0; i < r->nmetrics; i++)
        if (r->metrics[i].kind == TD_METRIC_NODE && r->metrics[i].status == TD_OK)
            forbid(&r->metrics[i], beyond);
}
