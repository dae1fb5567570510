/* SPDX-License-Identifier: MIT */
/* The order of a comparison's rows. */
#include "stats/comparison.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct placed {
    struct td_difference row;
    size_t at; /* the order they were made in */
    size_t scope; /* where the first row of its scope and side was */
    double most; /* the weight of the heaviest row of the scope */
};

static bool shown(const struct td_difference *d)
{
    return d->call == TD_CALL_MORE || d->call == TD_CALL_LESS;
}

static double weight(const struct td_difference *d)
{
    return d->total ? 0 : fabs(isnan(d->saved) ? d->share ? d->diff.value : 0 : d->saved);
}

static int compare_numbers(double a, double b)
{
    return (a > b) - (a < b);
}

static int by_weight(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;
    int order = compare_numbers((double)x->row.side, (double)y->row.side);

    order = order ? order : compare_numbers(y->most, x->most);
    order = order ? order : compare_numbers((double)x->scope, (double)y->scope);
    order = order ? order : y->row.total - x->row.total;
    if (!order && !x->row.total) {
        order = shown(&y->row) - shown(&x->row);
        order = order ? order : compare_numbers(weight(&y->row), weight(&x->row));
    }
    return order ? order : compare_numbers((double)x->at, (double)y->at);
}

static bool together(const struct td_difference *a, const struct td_difference *b)
{
    return a->side == b->side && a->scope == b->scope && a->core == b->core;
}

/* Sets where the rows of each scope are now. begin has room for as many numbers as there are rows. */
static void move_verdicts(struct td_comparison *c, const struct placed *placed, size_t *begin)
{
    for (size_t i = c->n; i-- > 0;)
        begin[placed[i].scope] = i;
    for (size_t i = 0; i < c->verdicts; i++)
        if (c->verdict[i].rows)
            c->verdict[i].first = begin[c->verdict[i].first];
}

int td_comparison_sort(struct td_comparison *c)
{
    struct placed *placed = malloc((c->n + 1) * sizeof(*placed));
    size_t *begin = malloc((c->n + 1) * sizeof(*begin)), first = 0;

    if (!placed || !begin) {
        free(placed);
        free(begin);
        return -ENOMEM;
    }
    for (size_t i = 0; i < c->n; i++) { /* a scope's rows were made in a row */
        if (!together(&c->row[i], &c->row[first]))
            first = i;
        placed[i] = (struct placed){c->row[i], i, first, 0};
        placed[first].most = fmax(placed[first].most, weight(&c->row[i]));
    }
    for (size_t i = 0; i < c->n; i++)
        placed[i].most = placed[placed[i].scope].most;
    qsort(placed, c->n, sizeof(*placed), by_weight);
    for (size_t i = 0; i < c->n; i++)
        c->row[i] = placed[i].row;
    move_verdicts(c, placed, begin);
    free(placed);
    free(begin);
    return 0;
}
