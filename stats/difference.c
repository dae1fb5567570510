/* SPDX-License-Identifier: MIT */
#include "stats/difference.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

/* How much of a rounding error is left in the mean of points that scatter, as a share of the most that it can be: B.
 * Widrow and I. Kollar, Quantization Noise, 2008, appendix B. */
static double left_of_rounding(double deviation, double width)
{
    return width > 0 ? exp(-2 * pow(M_PI * deviation / width, 2)) : 0;
}

/* What the points' own bounds add to the difference of their means: errors that scatter are in the scatter of the
 * points already, and errors that are common to both sides cancel. */
static double own_bounds(const struct td_side_metric *a, const struct td_side_metric *b, double deviation_a,
                         double deviation_b, bool alike)
{
    const double wa = isnan(a->width) ? 0 : a->width, wb = isnan(b->width) ? 0 : b->width;
    const double left = fmax(left_of_rounding(deviation_a, wa), left_of_rounding(deviation_b, wb));

    return alike ? fabs(wa - wb) + 2 * fmin(wa, wb) * left : wa + wb;
}

/* Degrees of freedom of a difference of two means: F. E. Satterthwaite, Biometrics Bull. 2, 1946, p. 110. */
static double joint_degrees(const struct td_estimate *a, const struct td_estimate *b)
{
    const double va = a->error * a->error, vb = b->error * b->error;

    return va + vb > 0 ? (va + vb) * (va + vb) / (va * va / a->degrees + vb * vb / b->degrees)
                       : fmin(a->degrees, b->degrees);
}

/* A side with only one run is taken to scatter as the other side's runs do. */
static void borrow(struct td_estimate *one, const struct td_estimate *many)
{
    one->error = many->deviation;
    one->deviation = many->deviation;
    one->degrees = many->degrees;
}

static void estimate(const struct td_side_metric *s, struct td_chance *chance, struct td_estimate *out)
{
    const struct td_dependence none = {0};

    td_bootstrap(s->point, s->n, s->series ? td_dependence_of(s->point, s->n, s->neighbours) : none, chance, out);
}

/* A side's value with its own bounds around it; td_comparison_judge() adds the standard error. */
static struct td_bounded side_of(const struct td_side_metric *s, double value)
{
    struct td_bounded v = {value, value, value};

    if (s->bounds != TD_BOUNDS_NONE) {
        v.low -= s->value - s->low;
        v.high += s->high - s->value;
    } else if (!isnan(s->width)) {
        v.low -= s->width;
        v.high += s->width;
    }
    return v;
}

/* A series' value is that of its counts added up; its mean only has the same spread. */
static double value_of(const struct td_side_metric *s, const struct td_estimate *e)
{
    return s->series && !isnan(s->value) ? s->value : e->mean;
}

/* Points without any scatter and without bounds do not tell how far they can be trusted. */
static void set_basis(enum td_basis basis, const struct td_side_metric *a, const struct td_side_metric *b,
                      struct td_difference *d)
{
    const bool bounded = !isnan(a->width) && !isnan(b->width);

    d->equal = !(d->error_low > 0) && !bounded && d->diff.value != 0;
    d->basis = d->equal ? TD_BASIS_NONE : basis;
}

static void by_scatter(const struct td_side_metric *a, const struct td_side_metric *b, bool alike,
                       struct td_chance *chance, struct td_difference *out)
{
    struct td_estimate ea, eb;

    estimate(a, chance, &ea);
    estimate(b, chance, &eb);
    out->degrees = a->n < 2 ? eb.degrees : b->n < 2 ? ea.degrees : joint_degrees(&ea, &eb);
    if (a->n < 2)
        borrow(&ea, &eb);
    else if (b->n < 2)
        borrow(&eb, &ea);
    out->a = side_of(a, value_of(a, &ea));
    out->b = side_of(b, value_of(b, &eb));
    out->diff.value = out->b.value - out->a.value;
    out->error_a = ea.error;
    out->error_b = eb.error;
    out->degrees_a = ea.degrees;
    out->degrees_b = eb.degrees;
    out->error_low = out->error_high = hypot(ea.error, eb.error);
    out->fixed_low = out->fixed_high = own_bounds(a, b, ea.deviation, eb.deviation, alike);
    out->unbounded = isnan(a->width) || isnan(b->width);
    set_basis(a->series ? TD_BASIS_INTERVALS : TD_BASIS_RUNS, a, b, out);
}

/* Compares pair by pair: what drifts while the runs alternate is in both runs of a pair, and cancels. */
static int by_pairs(const struct td_side_metric *a, const struct td_side_metric *b, bool alike,
                    struct td_chance *chance, struct td_difference *out)
{
    struct td_weighted *between = malloc(a->n * sizeof(*between));
    struct td_estimate e;

    if (!between)
        return -ENOMEM;
    by_scatter(a, b, alike, chance, out);
    for (size_t i = 0; i < a->n; i++)
        between[i] = (struct td_weighted){b->point[i].value - a->point[i].value, 1};
    td_bootstrap(between, a->n, (struct td_dependence){0}, chance, &e);
    free(between);
    out->error_low = out->error_high = e.error;
    out->degrees = e.degrees;
    set_basis(TD_BASIS_PAIRS, a, b, out);
    return 0;
}

/* Compares one value of each side by their bounds. Likely bounds are taken for those of a normal distribution: 1.96
 * standard errors each way. */
static void by_bounds(const struct td_side_metric *a, const struct td_side_metric *b, struct td_difference *out)
{
    static const double errors = 1.959964, many = 1e6;

    out->a = (struct td_bounded){a->value, a->low, a->high};
    out->b = (struct td_bounded){b->value, b->low, b->high};
    out->diff.value = b->value - a->value;
    if (a->bounds == TD_BOUNDS_NONE || b->bounds == TD_BOUNDS_NONE)
        return;
    out->fixed_low = out->diff.value - (b->low - a->high);
    out->fixed_high = b->high - a->low - out->diff.value;
    out->basis = TD_BASIS_SOUND;
    if (a->bounds == TD_BOUNDS_SOUND && b->bounds == TD_BOUNDS_SOUND)
        return;
    out->basis = TD_BASIS_LIKELY;
    out->error_low = out->fixed_low / errors;
    out->error_high = out->fixed_high / errors;
    out->fixed_low = out->fixed_high = 0;
    out->degrees = out->degrees_a = out->degrees_b = many;
}

int td_difference_of(const struct td_side_metric *a, const struct td_side_metric *b, bool alike, bool paired,
                     struct td_chance *chance, struct td_difference *out)
{
    const bool runs = !a->series && !b->series && a->n + b->n >= 3 && a->n && b->n;

    out->na = a->n;
    out->nb = b->n;
    out->basis = TD_BASIS_NONE;
    if (runs && paired && a->n == b->n)
        return by_pairs(a, b, alike, chance, out);
    if (runs || (a->series && b->series && a->n > 1 && b->n > 1))
        by_scatter(a, b, alike, chance, out);
    else
        by_bounds(a, b, out);
    return 0;
}
