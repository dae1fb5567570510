/* SPDX-License-Identifier: MIT */
/* Bounds and calls of a comparison by the method of S. Holm, Scand. J. Stat. 6, 1979, p. 65. */
#include "stats/comparison.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

struct judged {
    size_t row;
    double p; /* how likely a row without any difference would look at least as different */
};

static bool is_judged(const struct td_difference *d)
{
    return d->basis > TD_BASIS_SOUND;
}

/* The chance that there is no difference, by the end of the interval that is nearer to 0. */
static double chance_of(const struct td_difference *d)
{
    const bool more = d->diff.value > 0;
    const double gap = more ? d->diff.value - d->fixed_low : -d->diff.value - d->fixed_high,
                 error = more ? d->error_low : d->error_high;

    if (gap <= 0)
        return 1;
    return error > 0 ? td_chance_beyond(gap / error, d->degrees) : 0;
}

static double reach(double alpha, double error, double degrees)
{
    return error > 0 ? td_chance_student(alpha, degrees) * error : 0;
}

static void widen(struct td_bounded *v, double alpha, double error, double degrees)
{
    const double by = reach(alpha, error, degrees);

    v->low -= by;
    v->high += by;
}

/* Limits the bounds of a share's difference: two shares differ by no more than the whole. */
static void limit_difference(struct td_difference *d)
{
    d->diff.low = fmax(d->diff.low, fmin(-1, d->diff.value));
    d->diff.high = fmin(d->diff.high, fmax(1, d->diff.value));
}

static void limit_sides(struct td_difference *d)
{
    d->a.low = fmax(d->a.low, fmin(0, d->a.value));
    d->a.high = fmin(d->a.high, fmax(1, d->a.value));
    d->b.low = fmax(d->b.low, fmin(0, d->b.value));
    d->b.high = fmin(d->b.high, fmax(1, d->b.value));
}

static enum td_difference_call call_of(const struct td_difference *d, double margin)
{
    const double within = d->share ? margin : margin * fabs(d->a.value);

    if (isnan(d->diff.low) || isnan(d->diff.high))
        return TD_CALL_UNKNOWN;
    if (d->diff.low >= -within && d->diff.high <= within)
        return TD_CALL_SAME;
    return d->diff.low > 0 ? TD_CALL_MORE : d->diff.high < 0 ? TD_CALL_LESS : TD_CALL_UNKNOWN;
}

static void set_bounds(struct td_difference *d, double alpha, double margin)
{
    d->alpha = alpha;
    d->diff.low = d->diff.high = (double)NAN;
    if (d->basis != TD_BASIS_NONE) {
        d->diff.low = d->diff.value - d->fixed_low - reach(alpha, d->error_low, d->degrees);
        d->diff.high = d->diff.value + d->fixed_high + reach(alpha, d->error_high, d->degrees);
    }
    if (is_judged(d)) {
        widen(&d->a, alpha, d->error_a, d->degrees_a);
        widen(&d->b, alpha, d->error_b, d->degrees_b);
        if (d->share)
            limit_sides(d);
    }
    if (d->share && d->basis != TD_BASIS_NONE)
        limit_difference(d);
    d->call = call_of(d, margin);
}

static int by_chance(const void *a, const void *b)
{
    const struct judged *x = a, *y = b;

    return x->p != y->p ? (x->p > y->p) - (x->p < y->p) : (x->row > y->row) - (x->row < y->row);
}

int td_comparison_judge(struct td_comparison *c)
{
    const double alpha = 1 - c->set.confidence;
    struct judged *judged = malloc((c->n + 1) * sizeof(*judged));
    bool shown = true;
    double level = 0;

    if (!judged)
        return -ENOMEM;
    c->family = 0;
    for (size_t i = 0; i < c->n; i++)
        if (is_judged(&c->row[i]))
            judged[c->family++] = (struct judged){i, chance_of(&c->row[i])};
        else
            set_bounds(&c->row[i], 0, c->set.margin);
    qsort(judged, c->family, sizeof(*judged), by_chance);
    for (size_t k = 0; k < c->family; k++) {
        if (shown)
            level = alpha / (double)(c->family - k);
        shown = shown && judged[k].p < level;
        set_bounds(&c->row[judged[k].row], level, c->set.margin);
    }
    free(judged);
    return 0;
}

const char *td_call_name(enum td_difference_call call)
{
    static const char *const name[] = {
        [TD_CALL_UNKNOWN] = "unknown", [TD_CALL_SAME] = "same", [TD_CALL_MORE] = "more", [TD_CALL_LESS] = "less"};

    return name[call];
}

const char *td_basis_name(enum td_basis basis)
{
    static const char *const name[] = {
        [TD_BASIS_NONE] = "none",           [TD_BASIS_SOUND] = "sound", [TD_BASIS_LIKELY] = "likely",
        [TD_BASIS_INTERVALS] = "intervals", [TD_BASIS_RUNS] = "runs",   [TD_BASIS_PAIRS] = "pairs"};

    return name[basis];
}
