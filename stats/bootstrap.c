/* SPDX-License-Identifier: MIT */
/* The stationary block bootstrap: D. N. Politis and J. P. Romano, J. Am. Stat. Assoc. 89, 1994, p. 1303.
 * A resample is made of blocks that begin anywhere in the series, at its end continue at its
 * beginning, and have lengths of a geometric distribution. */
#include "stats/bootstrap.h"

#include "stats/mean.h"

#include <math.h>
#include <stdlib.h>

/* ---- the length of the blocks ---------------------------------------------------- */

enum {
    SHORT = 8, /* points below which nothing is known of their dependence */
    ROW = 5, /* correlations in a row: sqrt(log10(n)), where that is more, is so for no n */
};
static const double MOST_ALIKE = 0.98, FEWEST = 0.25; /* degrees of freedom: nothing is shown with these */

/* The autocovariance of the deviations at a lag. */
static double covariance(const double *off, size_t n, size_t lag)
{
    double sum = 0;

    for (size_t i = lag; i < n; i++)
        sum += off[i] * off[i - lag];
    return sum / (double)n;
}

/* The first lag from which on some correlations in a row are not distinct from 0, as in Politis and White. */
static size_t last_lag(const double *off, size_t n, size_t most)
{
    const double none = 2 * sqrt(log10((double)n) / (double)n), all = covariance(off, n, 0);
    size_t small = 0, lag = 1;

    for (; lag <= most + ROW && lag < n && small < ROW; lag++)
        small = fabs(covariance(off, n, lag)) < none * all ? small + 1 : 0;
    return lag - 1 - small; /* a short series may end before the row does */
}

/* The length with the least mean square error: D. N. Politis and H. White, Econom. Rev. 23, 2004, p. 53, with the
 * correction of A. Patton, Politis and White, Econom. Rev. 28, 2009, p. 372. */
static double best_length(const double *off, size_t n, size_t lag)
{
    const size_t window = 2 * lag;
    double spectrum = covariance(off, n, 0), slope = 0;

    for (size_t k = 1; k <= window && k < n; k++) {
        const double at = (double)k / (double)window, taper = at <= 0.5 ? 1 : 2 * (1 - at), c = covariance(off, n, k);

        spectrum += 2 * taper * c;
        slope += 2 * taper * (double)k * c;
    }
    return spectrum > 0 ? cbrt(slope * slope / (spectrum * spectrum) * (double)n) : (double)n;
}

/* The deviations from the mean; NULL: out of memory. Of points that are all the same they are exactly 0: a mean of the
 * values themselves would be rounded, and what is left of it alike in all. */
static double *deviations(const struct td_weighted *p, size_t n)
{
    double *off = malloc(n * sizeof(*off)), mean = 0;

    for (size_t i = 0; i < n; i++)
        mean += (p[i].value - p[0].value) / (double)n;
    for (size_t i = 0; off && i < n; i++)
        off[i] = p[i].value - p[0].value - mean;
    return off;
}

double td_neighbours(const struct td_weighted *p, size_t n)
{
    double *off = n >= SHORT ? deviations(p, n) : NULL, ratio = off ? (double)NAN : MOST_ALIKE;

    if (off && covariance(off, n, 0) > 0) /* the bias: M. G. Kendall, Biometrika 41, 1954, p. 403 */
        ratio = fmin((covariance(off, n, 1) / covariance(off, n, 0) * (double)n + 1) / (double)(n - 4), MOST_ALIKE);
    free(off);
    return ratio;
}

/* The correlation of neighbours, or 0 where chance alone would show as much in one of 200 series. */
static double significant(double neighbours, size_t n)
{
    return neighbours > 2.6 / sqrt((double)n) ? neighbours : 0;
}

struct td_dependence td_dependence_of(const struct td_weighted *p, size_t n, double common)
{
    const double own = td_neighbours(p, n);
    struct td_dependence d = {
        .neighbours = fmax(isnan(common) ? 0 : fmax(common, 0), isnan(own) ? 0 : significant(own, n)), .block = 1};
    double *off = n >= SHORT ? deviations(p, n) : NULL;
    size_t lag = off && covariance(off, n, 0) > 0 ? last_lag(off, n, (size_t)ceil(sqrt((double)n)) + ROW) : 0;

    if (lag)
        d.block = fmax(1, fmin(best_length(off, n, lag), (double)n / 3));
    free(off);
    return d;
}

/* ---- resampling ------------------------------------------------------------------- */

/* The weighted mean of one resample of points that do not depend on each other. */
static double resample_each(const struct td_weighted *p, size_t n, struct td_chance *chance)
{
    double sum = 0, weights = 0;

    for (size_t i = 0; i < n; i++) {
        const struct td_weighted *one = &p[td_chance_below(chance, n)];

        sum += one->weight * one->value;
        weights += one->weight;
    }
    return sum / weights;
}

/* The weighted mean of one resample of points that may depend on each other, in blocks. */
static double resample(const struct td_weighted *p, size_t n, double block, struct td_chance *chance)
{
    size_t at = 0;
    double sum = 0, weights = 0;

    if (block <= 1)
        return resample_each(p, n, chance);
    for (size_t i = 0; i < n; i++) {
        at = !i || td_chance_ratio(chance) * block < 1 ? td_chance_below(chance, n) : (at + 1) % n;
        sum += p[at].weight * p[at].value;
        weights += p[at].weight;
    }
    return sum / weights;
}

/* The deviation of the mean over all resamples that there can be. With probability (1 - 1 / block)^k two points of a
 * resample that are k steps apart are of one block, and so k apart in the series; else they are independent (Politis
 * and Romano, lemma 1). It is exact as far as the weighted mean is linear in its points. */
static double of_all(const struct td_weighted *p, size_t n, double block, double mean, double weights)
{
    static const double none = 1e-4;
    const double stays = block > 1 ? 1 - 1 / block : 0;
    double together = stays, sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += pow(p[i].weight * (p[i].value - mean), 2);
    for (size_t k = 1; k < n && together > none; k++, together *= stays) {
        double alike = 0;

        for (size_t i = 0; i < n; i++)
            alike += p[i].weight * (p[i].value - mean) * p[(i + k) % n].weight * (p[(i + k) % n].value - mean);
        sum += 2 * together * (1 - (double)k / (double)n) * alike;
    }
    return sqrt(fmax(sum, 0)) / weights;
}

/* The deviation of some resamples. Their distances from the first are kept, so that the mean is known before the
 * squares are added: the running mean of td_mean_add() would divide once more for each, one after the other. Of
 * resamples that are all the same it is exactly 0. */
static double of_some(const struct td_weighted *p, size_t n, double block, struct td_chance *chance)
{
    const double first = resample(p, n, block, chance);
    double off[TD_RESAMPLES] = {0}, mean = 0, squares = 0;

    for (unsigned i = 1; i < TD_RESAMPLES; i++)
        mean += off[i] = resample(p, n, block, chance) - first;
    mean /= TD_RESAMPLES;
    for (unsigned i = 0; i < TD_RESAMPLES; i++)
        squares += (off[i] - mean) * (off[i] - mean);
    return sqrt(squares / (TD_RESAMPLES - 1));
}

/* The standard error that independent points would have. */
static double independent(const struct td_weighted *p, size_t n, double mean, double weights)
{
    double squares = 0;

    for (size_t i = 0; i < n; i++)
        squares += pow(p[i].weight * (p[i].value - mean), 2);
    return sqrt(squares * (double)n / (double)(n - 1)) / weights;
}

/* By which factor the variance of a mean is larger because neighbours are alike with this correlation. */
static double inflation(double neighbours)
{
    return (1 + neighbours) / (1 - neighbours);
}

/* By which factor the variance of the mean comes out too small from resamples: one in block neighbours of a resample
 * begins a block and is no neighbour in the series, so their correlation is smaller. */
static double cut(struct td_dependence d)
{
    return inflation(d.neighbours) / inflation(d.neighbours * (1 - 1 / fmax(1, d.block)));
}

/* How many independent points would tell as much of the variance. */
static double independents(struct td_dependence d, size_t n)
{
    return (double)n / fmax(d.block, inflation(d.neighbours)); /* this is at least 1 */
}

void td_bootstrap(const struct td_weighted *p, size_t n, struct td_dependence depends, struct td_chance *chance,
                  struct td_estimate *out)
{
    const double count = independents(depends, n);
    struct td_mean plain = {0};
    double sum = 0, weights = 0, alone, deviation;

    for (size_t i = 0; i < n; i++) {
        sum += p[i].weight * p[i].value;
        weights += p[i].weight;
        td_mean_add(&plain, p[i].value);
    }
    *out = (struct td_estimate){.mean = sum / weights,
                                .error = (double)NAN,
                                .degrees = fmax(count - 1, FEWEST),
                                .deviation = td_mean_deviation(&plain)};
    if (n < 2)
        return;
    deviation = chance ? of_some(p, n, depends.block, chance) : of_all(p, n, depends.block, out->mean, weights);
    /* a variance that n independent points give is too small by a factor of (n - 1) / n */
    out->error = deviation * sqrt(cut(depends) * (out->degrees + 1) / out->degrees);
    /* a series that looks smoother than chance is not trusted: its error is not below that of the points by
     * themselves */
    alone = independent(p, n, out->mean, weights) * sqrt(inflation(depends.neighbours));
    out->error = fmax(out->error, alone);
}
