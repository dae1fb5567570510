/* SPDX-License-Identifier: MIT */
#include "core/verdict/level_sum.h"

#include <math.h>

/* Counters that are started and stopped one after the other, and count in different
 * stages of the pipeline, differ a little: on healthy machines, in the recordings of
 * traces/, the sum was 0.995 to 1.008. A share itself may be off by as much as this. */
#define SUM_SLACK 0.05

struct level_sum {
    size_t n, absent; /* shares with a number, and without */
    double value, low, high; /* low, high: where a share has no bounds, of 0 and 1 */
    bool apart; /* some were counted at different times */
};

/* The family of the tree's first level. */
static uint32_t top_family(const struct td_result *r)
{
    for (size_t i = 0; i < r->nmetrics; i++)
        if (r->metrics[i].kind == TD_METRIC_NODE && r->metrics[i].level == TD_LEVEL_TOP)
            return r->family[i];
    return UINT32_MAX;
}

static struct level_sum add_up(const struct td_result *r)
{
    const uint32_t top = top_family(r);
    struct level_sum s = {.n = 0};

    for (size_t i = 0; i < r->nmetrics; i++) {
        const struct td_metric *m = &r->metrics[i];

        if (m->kind != TD_METRIC_NODE || m->level != TD_LEVEL_TOP || r->family[i] != top)
            continue;
        if ((m->status != TD_OK && m->status != TD_IMPOSSIBLE) || strcmp(m->unit, "slots") != 0) {
            s.absent++;
            continue;
        }
        s.n++;
        s.value += m->status == TD_OK ? m->value : m->raw;
        s.low += isnan(m->low) ? 0 : m->low;
        s.high += isnan(m->high) ? 1 : m->high;
        s.apart = s.apart || m->flags & TD_FLAG_SPLIT_GROUPS;
    }
    return s;
}

/* What was counted at the same time must add up. Shares of different times need not: of a program that retires in one
 * interval and waits in the next, 0.8 retiring of the first and 0.8 backend-bound of the second are both right. That
 * they do not add up shows nothing about the counters, so it is no reason to say that they contradict each other; what
 * such a share may be over the whole time, its bounds say, or the flag which says that it has none. Only where no
 * shares within the bounds add up is something wrong. */
static bool is_off(const struct level_sum *s)
{
    if (!s->apart)
        return fabs(s->value - 1) > SUM_SLACK;
    return s->low > 1 + SUM_SLACK || s->high < 1 - SUM_SLACK;
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
