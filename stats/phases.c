/* SPDX-License-Identifier: MIT */
#include "stats/phases.h"

#include "stats/chance.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A series, and what of its scatter is known. */
struct series {
    size_t n, k;
    const double *value; /* [i * k + j]: the j-th value of interval i */
    double *sum; /* [i * k + j]: the sum of the j-th values before interval i */
    double *scatter; /* by j: the variance; 0: the value never changes */
    double fewer; /* how many intervals tell as much as one that does not depend on its neighbours */
};

struct cuts {
    size_t *first; /* of each phase, and n at the end */
    size_t n; /* phases */
};

/* ---- scatter ------------------------------------------------------------------------------------- */

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Half the mean squared difference of intervals so far apart, without the tenth that is largest, as cuts may have made
 * it: of a normal distribution the rest has 0.623 of the whole mean (P(chi^2_3 < 2.7055) / 0.9). */
static double variogram(const struct series *s, size_t j, size_t apart, double *room)
{
    static const double left = 0.623;
    const size_t n = s->n - apart, kept = n - (n + 9) / 10;
    double mean = 0;

    for (size_t i = 0; i < n; i++) {
        const double by = s->value[(i + apart) * s->k + j] - s->value[i * s->k + j];

        room[i] = by * by / 2;
    }
    qsort(room, n, sizeof(*room), by_size);
    for (size_t i = 0; i < kept; i++)
        mean += room[i] / (double)kept;
    return mean / left;
}

/* The scatter of a value that mostly stands still: a small part of what its steps make. */
static double still(const struct series *s, size_t j)
{
    static const double part = 1e-3;
    double sum = 0;

    for (size_t i = 1; i < s->n; i++)
        sum += pow(s->value[i * s->k + j] - s->value[(i - 1) * s->k + j], 2) / 2;
    return part * sum / (double)(s->n - 1);
}

/* Measures the scatter, and how alike neighbours are. Where each value depends on the one before with correlation r,
 * half the mean squared difference of neighbours is 1 - r of the variance, and that of the next but one 1 - r * r. */
static int measure_scatter(struct series *s)
{
    static const double most = 0.95;
    double *room = malloc(s->n * sizeof(*room)), one = 0, two = 0, alike;

    s->scatter = calloc(s->k, sizeof(*s->scatter));
    if (!room || !s->scatter) {
        free(room);
        return -ENOMEM;
    }
    for (size_t j = 0; j < s->k; j++) {
        s->scatter[j] = variogram(s, j, 1, room);
        if (!(s->scatter[j] > 0)) {
            s->scatter[j] = still(s, j);
            continue;
        }
        one += 1;
        two += variogram(s, j, 2, room) / s->scatter[j];
    }
    free(room);
    alike = fmin(fmax(two / one - 1, 0), most); /* 0 where none moves: fmax() leaves out what is no number */
    for (size_t j = 0; j < s->k; j++)
        s->scatter[j] /= 1 - alike;
    s->fewer = (1 + alike) / (1 - alike);
    return 0;
}

static int add_up(struct series *s)
{
    s->sum = calloc((s->n + 1) * s->k, sizeof(*s->sum));
    for (size_t i = 0; s->sum && i < s->n; i++)
        for (size_t j = 0; j < s->k; j++)
            s->sum[(i + 1) * s->k + j] = s->sum[i * s->k + j] + s->value[i * s->k + j];
    return s->sum ? 0 : -ENOMEM;
}

static double mean(const struct series *s, size_t from, size_t to, size_t j)
{
    return (s->sum[to * s->k + j] - s->sum[from * s->k + j]) / (double)(to - from);
}

/* ---- the best cuts ------------------------------------------------------------------------------- */

/* The cost of a stretch as a phase: minus what its mean explains of the squared values, in units of their scatter. The
 * sum of all squares, which is the same for all partitions, is left out. */
static double cost(const struct series *s, size_t from, size_t to)
{
    double explained = 0;

    for (size_t j = 0; j < s->k; j++)
        if (s->scatter[j] > 0) {
            const double sum = s->sum[to * s->k + j] - s->sum[from * s->k + j];

            explained += sum * sum / (double)(to - from) / s->scatter[j];
        }
    return -explained;
}

/* Partitions of the first i intervals: the least cost, and where the last phase of that begins. */
struct best {
    double cost;
    size_t begin;
};

/* Tries the beginnings that can still be best; those that cannot any more are left out from now on. */
static void try_all(const struct series *s, struct best *best, size_t to, size_t *tried, size_t *n, double penalty)
{
    size_t left = 0;

    for (size_t c = 0; c < *n; c++) {
        const double total = best[tried[c]].cost + cost(s, tried[c], to);

        if (total + penalty < best[to].cost)
            best[to] = (struct best){total + penalty, tried[c]};
    }
    for (size_t c = 0; c < *n; c++)
        if (best[tried[c]].cost + cost(s, tried[c], to) <= best[to].cost)
            tried[left++] = tried[c];
    *n = left;
}

static int follow(const struct best *best, size_t n, struct cuts *out)
{
    out->n = 0;
    for (size_t at = n; at; at = best[at].begin)
        out->n++;
    out->first = malloc((out->n + 1) * sizeof(*out->first));
    if (!out->first)
        return -ENOMEM;
    out->first[out->n] = n;
    for (size_t p = out->n, at = n; p--;)
        out->first[p] = at = best[at].begin;
    return 0;
}

static int cut(const struct series *s, struct cuts *out)
{
    const double penalty = 2 * log((double)s->n) * s->fewer;
    struct best *best = calloc(s->n + 1, sizeof(*best));
    size_t *tried = malloc(s->n * sizeof(*tried)), n = 0;
    int err = best && tried ? 0 : -ENOMEM;

    for (size_t to = 1; !err && to <= s->n; to++) {
        best[to].cost = HUGE_VAL;
        if (to >= TD_PHASE_LEAST) {
            tried[n++] = to - TD_PHASE_LEAST;
            try_all(s, best, to, tried, &n, penalty);
        }
    }
    err = err ? err : follow(best, s->n, out);
    free(best);
    free(tried);
    return err;
}

/* ---- whether a cut is more than chance ----------------------------------------------------------- */

/* The sum of squared deviations from the phase's mean. */
static double rest(const struct series *s, size_t from, size_t to, size_t j)
{
    const double m = mean(s, from, to, j);
    double sum = 0;

    for (size_t i = from; i < to; i++)
        sum += (s->value[i * s->k + j] - m) * (s->value[i * s->k + j] - m);
    return sum;
}

/* The probability that chance makes the j-th values of two neighbouring phases differ as much. */
static double chance_in(const struct series *s, size_t from, size_t at, size_t to, size_t j)
{
    const double before = (double)(at - from) / s->fewer, after = (double)(to - at) / s->fewer;
    const double by = mean(s, at, to, j) - mean(s, from, at, j);
    const double own = (rest(s, from, at, j) + rest(s, at, to, j)) / (double)(to - from - 2);
    const double error = sqrt(fmax(own, s->scatter[j]) * (1 / before + 1 / after));

    return td_chance_beyond(by / error, fmax(before + after - 2, 1));
}

/* The same of the value that shows it best. One that never changes shows nothing: its means differ by what they are
 * rounded. */
static double chance_of(const struct series *s, size_t from, size_t at, size_t to)
{
    double least = 1;

    for (size_t j = 0; j < s->k; j++)
        if (s->scatter[j] > 0)
            least = fmin(least, chance_in(s, from, at, to, j));
    return least;
}

static double chance_at(const struct series *s, const struct cuts *c, size_t p)
{
    return chance_of(s, c->first[p - 1], c->first[p], c->first[p + 1]);
}

/* chance: of each phase's beginning. Those beside the one dropped have new neighbours. */
static void drop(const struct series *s, struct cuts *c, double *chance, size_t p)
{
    memmove(c->first + p, c->first + p + 1, (c->n - p) * sizeof(*c->first));
    c->n--;
    memmove(chance + p, chance + p + 1, (c->n - p) * sizeof(*chance));
    if (p > 1)
        chance[p - 1] = chance_at(s, c, p - 1);
    if (p < c->n)
        chance[p] = chance_at(s, c, p);
}

static int drop_unclear(const struct series *s, double most_chance, struct cuts *c)
{
    double *chance = malloc(c->n * sizeof(*chance));

    if (!chance)
        return -ENOMEM;
    for (size_t p = 1; p < c->n; p++)
        chance[p] = chance_at(s, c, p);
    while (c->n > 1) {
        size_t weakest = 1;

        for (size_t p = 2; p < c->n; p++)
            if (chance[p] > chance[weakest])
                weakest = p;
        if (chance[weakest] * (double)s->n * (double)s->k < most_chance)
            break;
        drop(s, c, chance, weakest);
    }
    free(chance);
    return 0;
}

/* ---- all of it ------------------------------------------------------------------------------------- */

/* Means of so many intervals each; the last stretch may be longer. NULL: out of memory. */
static double *coarser(const double *value, size_t n, size_t k, size_t each)
{
    const size_t bins = n / each;
    double *out = calloc(bins * k, sizeof(*out));

    for (size_t b = 0; out && b < bins; b++) {
        const size_t to = b + 1 < bins ? (b + 1) * each : n;

        for (size_t i = b * each; i < to; i++)
            for (size_t j = 0; j < k; j++)
                out[b * k + j] += value[i * k + j] / (double)(to - b * each);
    }
    return out;
}

static int find(const double *value, size_t n, size_t k, double chance, struct cuts *out)
{
    struct series s = {.n = n, .k = k, .value = value};
    int err = add_up(&s);

    err = err ? err : measure_scatter(&s);
    err = err ? err : cut(&s, out);
    err = err ? err : drop_unclear(&s, chance, out);
    free(s.sum);
    free(s.scatter);
    return err;
}

int td_phases(const double *value, size_t n, size_t k, double chance, size_t **first, size_t *phases)
{
    const size_t each = (n + TD_PHASE_BINS - 1) / TD_PHASE_BINS;
    double *means = coarser(value, n, k, each);
    struct cuts c = {.first = calloc(1, sizeof(*c.first)), .n = 1};
    int err = c.first && means ? 0 : -ENOMEM;

    if (!err && n / each >= 2 * TD_PHASE_LEAST) {
        free(c.first);
        c.first = NULL;
        err = find(means, n / each, k, chance, &c);
    }
    for (size_t p = 0; !err && p < c.n; p++)
        c.first[p] *= each;
    free(means);
    *first = c.first;
    *phases = c.n;
    return err;
}
