/* SPDX-License-Identifier: MIT */
#include "session/printed_shares.h"

#include "core/counts/hints.h"

#include <math.h>

/* Shares that were printed are rounded; and of counts that were scaled one by one, or of a mean run, they are others by
 * a little. By the formulas that perf had built in, without terms that were published later, by more. */
#define PRINTED_OFF 0.01
#define PRINTED_PLAIN_OFF 0.02

/* What a CPU's result says of one share. */
static enum td_printed_says compare_share(const struct td_printed_share *p, const struct td_result *r)
{
    const bool plain = p->hint & TD_HINT_PLAIN;
    const unsigned node = plain ? p->hint - (unsigned)TD_HINT_PLAIN : p->hint - (unsigned)td_hint_published(0);
    const double most = fmax(2 * p->unit, plain ? PRINTED_PLAIN_OFF : PRINTED_OFF);

    for (size_t i = 0; i < r->nmetrics && !p->several; i++) {
        const struct td_metric *m = &r->metrics[i];
        const double off = fabs(m->value - p->share);

        if (m->kind == TD_METRIC_NODE && m->status == TD_OK && r->nodes[i]->number == node)
            return off <= p->unit ? TD_PRINTED_ITS : off > most ? TD_PRINTED_OTHERS : TD_PRINTED_OPEN;
    }
    return TD_PRINTED_OPEN;
}

enum td_printed_says td_printed_shares_compare(const struct td_printed_shares *p, const struct td_result *r)
{
    size_t its = 0, others = 0;

    for (size_t i = 0; i < p->n; i++) {
        const enum td_printed_says says = compare_share(&p->of[i], r);

        its += says == TD_PRINTED_ITS;
        others += says == TD_PRINTED_OTHERS;
    }
    return others ? TD_PRINTED_OTHERS : its > 1 ? TD_PRINTED_ITS : TD_PRINTED_OPEN;
}
