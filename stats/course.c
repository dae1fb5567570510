/* SPDX-License-Identifier: MIT */
/* Whether a series has a trend or two phases, beyond what its scatter explains. */
#include "stats/difference.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

enum { LEAST = 4 /* fewest points of a phase */ };
static const double CHANCE = 0.025; /* how often a trend is found in a series without one; and phases as often */

/* A straight line through the series, and what is left of each point. */
struct fitted {
    double slope; /* per point */
    double squares; /* the sum of the squared rests */
    struct td_weighted *rest;
};

static int fit(const struct td_weighted *p, size_t n, double mean, struct fitted *out)
{
    const double middle = ((double)n - 1) / 2;
    double together = 0, across = 0;

    *out = (struct fitted){.rest = malloc(n * sizeof(*out->rest))};
    for (size_t i = 0; i < n; i++) {
        together += ((double)i - middle) * (p[i].value - mean);
        across += ((double)i - middle) * ((double)i - middle);
    }
    out->slope = together / across;
    for (size_t i = 0; out->rest && i < n; i++) {
        out->rest[i] = (struct td_weighted){p[i].value - mean - out->slope * ((double)i - middle), 1};
        out->squares += out->rest[i].value * out->rest[i].value;
    }
    return out->rest ? 0 : -ENOMEM;
}

/* Whether a slope, which is not 0, is more than rests that are alike from point to point give by chance. Without rests
 * it is infinitely more. */
static bool slopes(const struct fitted *l, size_t n)
{
    const struct td_dependence rest = td_dependence_of(l->rest, n, 0);
    const double fewer = fmax((1 + rest.neighbours) / (1 - rest.neighbours), rest.block),
                 degrees = (double)n / fewer - 2;
    const double across = ((double)n * (double)n - 1) * (double)n / 12,
                 error = sqrt(l->squares / ((double)n - 2) * fewer / across);

    return degrees > 0 && td_chance_beyond(l->slope / error, degrees) < CHANCE;
}

/* The point before and after which the means differ most for their numbers of points; 0: the series is too short for
 * two phases, or they do not differ. */
static size_t clearest(const struct td_weighted *p, size_t n, double mean)
{
    double sum = 0, most = 0;
    size_t at = 0;

    for (size_t k = 1; k + LEAST <= n; k++) {
        sum += p[k - 1].value - mean;
        if (k < LEAST || fabs(sum) / sqrt((double)k * (double)(n - k)) <= most)
            continue;
        most = fabs(sum) / sqrt((double)k * (double)(n - k));
        at = k;
    }
    return at;
}

static double squares_around(const struct td_weighted *p, size_t n, double mean)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += (p[i].value - mean) * (p[i].value - mean);
    return sum;
}

/* Whether the means before and after a point, which differ, do so by more than chance. The point was searched for, so
 * the chance of each point that could have been found adds up. Of means without errors there is none. */
static bool steps(const struct td_estimate *before, const struct td_estimate *after, size_t n)
{
    const double by = after->mean - before->mean, error = hypot(before->error, after->error);

    return td_chance_beyond(by / error, fmin(before->degrees, after->degrees)) * (double)n < CHANCE;
}

static double mean_of(const struct td_weighted *p, size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += p[i].value;
    return sum / (double)n;
}

int td_course_of(const struct td_weighted *p, size_t n, double margin, struct td_chance *chance, struct td_course *out)
{
    const double mean = mean_of(p, n);
    const size_t at = clearest(p, n, mean);
    struct td_estimate before, after;
    struct fitted line;
    bool straight;

    out->trend = false;
    out->change = 0;
    if (!at)
        return 0;
    if (fit(p, n, mean, &line))
        return -ENOMEM;
    td_bootstrap(p, at, td_dependence_of(p, at, 0), chance, &before);
    td_bootstrap(p + at, n - at, td_dependence_of(p + at, n - at, 0), chance, &after);
    straight = line.squares < squares_around(p, at, before.mean) + squares_around(p + at, n - at, after.mean);
    out->trend = straight && fabs(line.slope) * (double)n > margin && slopes(&line, n);
    if (!straight && fabs(after.mean - before.mean) > margin && steps(&before, &after, n))
        out->change = at;
    out->before = out->trend ? mean - line.slope * ((double)n - 1) / 2 : before.mean;
    out->after = out->trend ? mean + line.slope * ((double)n - 1) / 2 : after.mean;
    free(line.rest);
    return 0;
}
