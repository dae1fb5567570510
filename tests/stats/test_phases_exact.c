/* SPDX-License-Identifier: MIT */
/* Phases of short series against all partitions that there are, each cost worked out anew from the method's text in
 * phases.h: squared deviations from the means, in units of the scatter, and 2 ln(n) for each phase. */
#include "stats/chance.h"
#include "stats/phases.h"
#include "tests/support/chance.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LENGTH = 40, VALUES = 3 };

struct plain {
    double v[LENGTH][VALUES], scatter[VALUES], fewer;
    size_t n, k;
};

static int falling(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x < y) - (x > y);
}

/* Half the mean squared difference of values so far apart, of all but the tenth that is largest (rounded up), which of
 * a normal distribution is 0.623 of that of all. */
static double differences(const struct plain *s, size_t j, size_t apart)
{
    double square[LENGTH], sum = 0;
    size_t n = 0, left;

    for (size_t i = apart; i < s->n; i++)
        square[n++] = pow(s->v[i][j] - s->v[i - apart][j], 2);
    qsort(square, n, sizeof(*square), falling);
    left = (n + 9) / 10;
    for (size_t i = left; i < n; i++)
        sum += square[i];
    return sum / 2 / (double)(n - left) / 0.623;
}

/* A value that mostly stands still scatters by a thousandth of its steps. What neighbours have in common, at most 0.95,
 * makes the scatter larger and the intervals fewer. */
static void find_scatter(struct plain *s)
{
    double ratios = 0, alike;
    size_t moving = 0;

    for (size_t j = 0; j < s->k; j++) {
        double steps = 0;

        s->scatter[j] = differences(s, j, 1);
        for (size_t i = 1; i < s->n; i++)
            steps += pow(s->v[i][j] - s->v[i - 1][j], 2) / 2 / (double)(s->n - 1);
        if (s->scatter[j] > 0) {
            ratios += differences(s, j, 2) / s->scatter[j];
            moving++;
        } else {
            s->scatter[j] = steps / 1000;
        }
    }
    alike = moving ? ratios / (double)moving - 1 : 0;
    alike = alike < 0 ? 0 : alike > 0.95 ? 0.95 : alike;
    for (size_t j = 0; j < s->k; j++)
        s->scatter[j] = s->scatter[j] / (1 - alike);
    s->fewer = (1 + alike) / (1 - alike);
}

static double mean(const struct plain *s, size_t from, size_t to, size_t j)
{
    double sum = 0;

    for (size_t i = from; i < to; i++)
        sum += s->v[i][j];
    return sum / (double)(to - from);
}

static double squares(const struct plain *s, size_t from, size_t to, size_t j)
{
    double sum = 0;

    for (size_t i = from; i < to; i++)
        sum += pow(s->v[i][j] - mean(s, from, to, j), 2);
    return sum;
}

/* The least cost of a partition of the first n: each phase of TD_PHASE_LEAST and more. */
static size_t cut(const struct plain *s, size_t *first)
{
    double best[LENGTH + 1] = {0};
    size_t begin[LENGTH + 1] = {0}, phases = 0;

    for (size_t to = 1; to <= s->n; to++) {
        best[to] = HUGE_VAL;
        for (size_t from = 0; from + TD_PHASE_LEAST <= to; from++) {
            double cost = best[from] + 2 * log((double)s->n) * s->fewer;

            for (size_t j = 0; j < s->k; j++)
                cost += s->scatter[j] > 0 ? squares(s, from, to, j) / s->scatter[j] : 0;
            if (cost < best[to])
                best[to] = cost, begin[to] = from;
        }
    }
    for (size_t at = s->n; at; at = begin[at])
        phases++;
    first[phases] = s->n;
    for (size_t p = phases, at = s->n; p--;)
        first[p] = at = begin[at];
    return phases;
}

/* Student's t of the two phases around first[p], of the value that shows their difference best. */
static double chance_at(const struct plain *s, const size_t *first, size_t p)
{
    const size_t a = first[p - 1], b = first[p], c = first[p + 1];
    const double before = (double)(b - a) / s->fewer, after = (double)(c - b) / s->fewer, degrees = before + after - 2;
    double least = 1;

    for (size_t j = 0; j < s->k; j++) {
        const double by = mean(s, b, c, j) - mean(s, a, b, j);
        const double own = (squares(s, a, b, j) + squares(s, b, c, j)) / (double)(c - a - 2),
                     variance = own > s->scatter[j] ? own : s->scatter[j];
        const double error = sqrt(variance / before + variance / after);

        if (s->scatter[j] > 0) /* else it is always the same, and what is left of it is rounded off */
            least = fmin(least, td_chance_beyond(by / error, degrees > 1 ? degrees : 1));
    }
    return least;
}

static size_t weakest_of(const struct plain *s, const size_t *first, size_t phases)
{
    size_t weakest = 1;

    for (size_t p = 2; p < phases; p++)
        if (chance_at(s, first, p) > chance_at(s, first, weakest))
            weakest = p;
    return weakest;
}

/* The chance of such a cut in a series of that length and number of values. */
static double chance_in_all(const struct plain *s, const size_t *first, size_t p)
{
    return chance_at(s, first, p) * (double)(s->n * s->k);
}

/* Drops the least clear cut, until the chances of all are below most. */
static size_t drop(const struct plain *s, double most, size_t *first, size_t phases)
{
    while (phases > 1) {
        const size_t weakest = weakest_of(s, first, phases);

        if (chance_in_all(s, first, weakest) < most)
            break;
        memmove(first + weakest, first + weakest + 1, (phases - weakest) * sizeof(*first));
        phases--;
    }
    return phases;
}

/* Series of up to four levels, some alike from value to value, some of which stand still, with a step or without. */
static void make(struct plain *s, struct unit_random *random)
{
    const double alike = (double)unit_random_below(random, 3) * 0.4, step = (double)unit_random_below(random, 5);

    s->n = 10 + unit_random_below(random, LENGTH - 9);
    s->k = 1 + unit_random_below(random, VALUES);
    for (size_t j = 0; j < s->k; j++) {
        const bool stands = unit_random_below(random, 6) == 0;
        double state = 0, level = 0.3;

        for (size_t i = 0; i < s->n; i++) {
            if (unit_random_below(random, 12) == 0)
                level = 0.3 + step * chance_normal(random);
            state = alike * state + chance_normal(random);
            s->v[i][j] = level + (stands ? 0 : state);
        }
    }
}

/* By the number of the case: chances as they are asked for, and those just below and above the one by which the least
 * clear cut is dropped. */
static double most_chance(const struct plain *s, unsigned long i, const size_t *first, size_t phases)
{
    static const double chances[] = {0.05, 1, 100}, around[] = {1 - 1e-6, 1 + 1e-6};

    return i % 5 < 3 || phases == 1 ? chances[i % 3]
                                    : around[i % 5 - 3] * chance_in_all(s, first, weakest_of(s, first, phases));
}

static void against_all(void)
{
    struct unit_random random = {11};
    unsigned long wrong = 0, several = 0, dropped = 0;

    for (unsigned long i = 0; chance_available() && i < 3000; i++) {
        struct plain s = {.n = 0};
        double value[LENGTH * VALUES];
        size_t wanted[LENGTH + 1], *first, phases, n, all;
        double most;

        make(&s, &random);
        find_scatter(&s);
        for (size_t at = 0; at < s.n * s.k; at++)
            value[at] = s.v[at / s.k][at % s.k];
        all = cut(&s, wanted);
        most = most_chance(&s, i, wanted, all);
        n = drop(&s, most, wanted, all);
        CU_ASSERT_FATAL(!td_phases(value, s.n, s.k, most, &first, &phases));
        wrong += phases != n || memcmp(first, wanted, n * sizeof(*first)) != 0;
        several += n > 2;
        dropped += n < all;
        free(first);
    }
    if (wrong)
        printf("\n    %lu differ", wrong);
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT(!chance_available() || (several > 300 && dropped > 300)); /* all of it was put to the test */
}

static const CU_TestInfo tests[] = {{"against all partitions", against_all}, CU_TEST_INFO_NULL};
UNIT_SUITE("phases of short series", tests);
