/* SPDX-License-Identifier: MIT */
#include "stats/place_bounds.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

double td_place_naive(const struct td_deltas *d, const struct td_delta_place *p, size_t metric)
{
    const struct td_weighed all = td_deltas_all(d, p, metric);

    return td_weighed_mean(&all);
}

/* The chunks of pure deltas as points. Their number. */
static size_t points_of(const struct td_deltas *d, const struct td_delta_place *p, size_t metric,
                        struct td_weighted *out)
{
    size_t n = 0;

    for (size_t i = 0; i < td_stays_of(p)->pure.chunks; i++) {
        const struct td_weighed w = td_deltas_chunk(d, p, i, metric);

        if (w.weight > 0)
            out[n++] = (struct td_weighted){td_weighed_mean(&w), w.weight};
    }
    return n;
}

/* The share of the deltas that end there and are not pure, by numbers. */
static double missed(const struct td_delta_place *p)
{
    return 1 - (double)td_stays_of(p)->pure.n / (double)p->intervals;
}

/* What was counted when the program entered a place, and when it left it, is in no pure delta: as large a share as that
 * of deltas that end there and are not pure. It is taken to differ from the pure ones by a standard
 * deviation of theirs: nothing where a place does the same all the time, much where it calls others in turns. */
static double edges(const struct td_delta_place *p, double deviation)
{
    return missed(p) * deviation * sqrt((double)td_stays_of(p)->pure.each);
}

/* The same reach where no delta has all counts of a metric: beyond bounds that have chance already, for 95 of 100
 * values, from which the deviation of single deltas is found too. */
static double reach_apart(const struct td_delta_place *p, const struct td_whole *w, double confidence)
{
    static const double usual = 1.96, many = 1e6;
    const double error = fmax(w->high - w->value, w->value - w->low) / usual; /* one of them may end at 0 or 1 */

    if (!w->share) /* how much it may be elsewhere was in no delta */
        return (double)NAN;
    return (td_chance_student(1 - confidence, many) - usual) * error +
           missed(p) * error * sqrt((double)td_stays_of(p)->pure.n);
}

/* Where groups take turns, the intervals of one saw a part of the time, and what they did not see may be like those
 * around it, in whatever stretches: neighbours are joined as long as 8 points are left, and the widest spread counts.
 */
static double spread_of(struct td_weighted *p, size_t n, double confidence)
{
    enum { LEAST = 8 };
    double most = 0;

    while (n >= LEAST) {
        double sum = 0, weights = 0, squares = 0;

        for (size_t i = 0; i < n; i++) {
            sum += p[i].weight * p[i].value;
            weights += p[i].weight;
        }
        for (size_t i = 0; i < n; i++)
            squares += pow(p[i].weight * (p[i].value - sum / weights), 2);
        most = fmax(most, td_chance_student(1 - confidence, (double)(n - 1)) *
                              sqrt(squares * (double)n / (double)(n - 1)) / weights);
        n /= 2;
        for (size_t i = 0; i < n; i++) {
            const struct td_weighted *a = &p[2 * i], *b = a + 1;
            const double weight = a->weight + b->weight;

            p[i] = (struct td_weighted){(a->weight * a->value + b->weight * b->value) / weight, weight};
        }
    }
    return most;
}

/* How far chance may have taken the mean, and what is missed. */
static int reach_of(const struct td_deltas *d, const struct td_delta_place *p, size_t metric, double confidence,
                    struct td_chance *chance, double *reach)
{
    const struct td_pure_deltas *pure = &td_stays_of(p)->pure;
    struct td_weighted *point;
    struct td_estimate e;
    size_t n;

    *reach = (double)NAN;
    if (!pure->n)
        return 0;
    point = malloc((pure->chunks + 1) * sizeof(*point));
    if (!point)
        return -ENOMEM;
    n = points_of(d, p, metric, point);
    if (n > 1) {
        td_bootstrap(point, n, td_dependence_of(point, n, (double)NAN), chance, &e);
        *reach = e.error > 0 ? td_chance_student(1 - confidence, e.degrees) * e.error : 0;
        if (d->turns)
            *reach = fmax(*reach, spread_of(point, n, confidence));
        *reach += edges(p, e.deviation);
    }
    free(point);
    return 0;
}

/* How far the value of the place alone may be from that of its pure deltas, of which a share was elsewhere, where a
 * share of slots can be anything from 0 to 1, and another metric as much as it was in any delta. */
static void hide(const struct td_smear *smear, const struct td_whole *w, double most, double *below, double *above)
{
    const double odds = smear->elsewhere / (1 - smear->elsewhere);

    *below = odds * fmax(0, (w->share ? 1 : most) - w->value);
    *above = odds * w->value;
}

int td_place_bounds(const struct td_deltas *d, const struct td_delta_place *p, size_t metric,
                    const struct td_smear *smear, const struct td_whole *w, double confidence, struct td_chance *chance,
                    double *low, double *high)
{
    double reach, below, above;
    int err;

    *low = *high = (double)NAN;
    if (!td_chance_available())
        return 0;
    err = reach_of(d, p, metric, confidence, chance, &reach);
    if (err)
        return err;
    if (w->apart)
        reach = reach_apart(p, w, confidence);
    hide(smear, w, d->most[metric], &below, &above);
    *low = w->low - reach - below;
    *high = w->high + reach + above;
    if (!isnan(*low)) /* events are not counted backwards: only a formula can say so */
        *low = fmax(*low, fmin(0, w->low));
    if (w->share && !isnan(*high))
        *high = fmin(*high, fmax(1, w->high));
    return 0;
}
