/* SPDX-License-Identifier: MIT */
/* How well a mean is known from values that follow each other: series of 1 and -1, by hand. */
#include "stats/bootstrap.h"
#include "tests/support/unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define LENGTH(a) (sizeof(a) / sizeof(*(a)))

enum { MOST = 64 };

static void near(double a, double b)
{
    if (!(fabs(a - b) <= 1e-5 * fmax(1, fabs(b))))
        printf("\n    %.9g, wanted %.9g", a, b);
    CU_ASSERT(fabs(a - b) <= 1e-5 * fmax(1, fabs(b)));
}

/* "++--" */
static size_t points(const char *signs, struct td_weighted *out)
{
    const size_t n = strlen(signs);

    CU_ASSERT_FATAL(n <= MOST);
    for (size_t i = 0; i < n; i++)
        out[i] = (struct td_weighted){signs[i] == '+' ? 1 : -1, 1};
    return n;
}

#define HALVES "++++++++++++++++----------------"

/* The sum of the products of neighbours and 1, over n - 4: of 8 in turn (-7 + 1) / 4, of ++-- four times (1 + 1) / 12,
 * of two halves of 8 (13 + 1) / 12, which is more than 0.98. */
static void neighbours(void)
{
    static const struct {
        const char *signs;
        double value;
    } rows[] = {
        {"+-+-+-+-", -1.5},
        {"++--++--++--++--", 1.0 / 6},
        {"++++++++--------", 0.98},
    };
    struct td_weighted p[MOST];

    for (size_t i = 0; i < LENGTH(rows); i++)
        near(td_neighbours(p, points(rows[i].signs, p)), rows[i].value);
    near(td_neighbours(p, points("+-+-+-+", p)), 0.98); /* too few, however they look */
    near(td_neighbours(p, points("+++++++", p)), 0.98);
    /* a node that never changes says nothing of those that do */
    CU_ASSERT(isnan(td_neighbours(p, points("++++++++", p))));
}

/* A series of 8 with blocks of 2 on average. The products k steps apart, at the end continued at the beginning, are 4,
 * 0, -4, -8, -4, 0, 4 for k = 1 to 7, so that the variance of the sum of a resample is 8 + 2 (1/2 7/8 4 - 1/8 5/8 4 -
 * 1/16 4/8 8 - 1/32 3/8 4 + 1/128 1/8 4) = 10.2890625. It is of 8 / 2 - 1 = 3 degrees. */
static void blocks(void)
{
    static const double of_mean = 0.40095682; /* sqrt(10.2890625) / 8 */
    static const struct {
        double neighbours, block, error, degrees;
    } rows[] = {
        /* times sqrt(4 / 3) */
        {0, 2, 0.46298506, 3},
        /* neighbours of 0.5 tell as much as 8 / 3 points; cut off: 3 over that of 0.25, 5 / 3: times sqrt(1.8 (8/3) /
           (5/3)) */
        {0.5, 2, 0.68044269, 5.0 / 3},
        /* 8 / 9 points have no degree of freedom but a quarter; 9 over that of 0.4, 7 / 3: times sqrt(27 / 7 x 5)
           = 4.39155 */
        {0.8, 2, 1.76082331, 0.25},
        /* single points: sqrt(8) / 8 sqrt(8 / 7), for which 0.5 makes sqrt(3) of it */
        {0, 1, 0.37796447, 7},
        {0, 0, 0.37796447, 7},
        {0.5, 1, 0.77459667, 5.0 / 3},
    };
    struct td_weighted p[MOST];
    const size_t n = points("++++----", p);
    struct td_estimate e;

    near(of_mean, sqrt(10.2890625) / 8);
    for (size_t i = 0; i < LENGTH(rows); i++) {
        td_bootstrap(p, n, (struct td_dependence){rows[i].neighbours, rows[i].block}, NULL, &e);
        near(e.error, rows[i].error);
        near(e.degrees, rows[i].degrees);
        near(e.deviation, sqrt(8.0 / 7));
        CU_ASSERT_EQUAL(e.mean, 0);
    }
    td_bootstrap(p, 1, (struct td_dependence){0, 0}, NULL, &e);
    CU_ASSERT(e.mean == 1 && isnan(e.error) && isnan(e.deviation) && e.degrees == 0.25);
    /* series in turn are more even than chance: that is not trusted, and each point counts alone */
    td_bootstrap(p, points("+-+-+-+-", p), (struct td_dependence){0, 4}, NULL, &e);
    near(e.error, 0.37796447);
}

/* Values 1 and 3 with the weights 3 and 1: mean 1.5, of which they are 3 (-0.5) and 1.5 off: sqrt(2 x 1.5^2 x 2 / 1)
 * / 4. */
static void weights(void)
{
    static const struct td_weighted p[] = {{1, 3}, {3, 1}};
    struct td_estimate e;

    td_bootstrap(p, 2, (struct td_dependence){0, 0}, NULL, &e);
    CU_ASSERT_EQUAL(e.mean, 1.5);
    near(e.error, 0.75);
    near(e.degrees, 1);
}

/* Resampling by chance gives the same within its own error: the deviation of 1,000 is known to one part in sqrt(2,000),
 * and four of these are allowed. */
static void by_chance(void)
{
    static const double blocks[] = {0, 2, 4};
    struct td_weighted p[MOST];
    const size_t n = points(HALVES, p);
    struct td_chance *chance = td_chance_available() ? td_chance_new(1) : NULL;
    struct td_estimate all, some;

    for (size_t i = 0; chance && i < LENGTH(blocks); i++) {
        td_bootstrap(p, n, (struct td_dependence){0, blocks[i]}, NULL, &all);
        td_bootstrap(p, n, (struct td_dependence){0, blocks[i]}, chance, &some);
        CU_ASSERT(some.mean == all.mean && some.degrees == all.degrees && some.deviation == all.deviation);
        CU_ASSERT(fabs(some.error / all.error - 1) < 4 / sqrt(2000));
    }
    td_chance_free(chance);
}

/* What chance shows of single points counts where it is more than they show by themselves: in about half of the cases,
 * by up to its own error. */
static void more_by_chance(void)
{
    struct td_weighted p[MOST];
    const size_t n = points(HALVES, p);
    struct td_chance *chance = td_chance_available() ? td_chance_new(1) : NULL;
    struct td_estimate all, some;
    unsigned more = 0;

    td_bootstrap(p, n, (struct td_dependence){0, 0}, NULL, &all);
    for (size_t i = 0; chance && i < 40; i++) {
        td_bootstrap(p, n, (struct td_dependence){0, 0}, chance, &some);
        more += some.error > all.error * (1 + 0.1 / sqrt(2000));
        CU_ASSERT(some.error >= all.error * (1 - 1e-12) && some.error < all.error * (1 + 4 / sqrt(2000)));
    }
    if (chance)
        CU_ASSERT(more > 8 && more < 32);
    td_chance_free(chance);
}

/* Two halves of 16: the products k steps apart are 32 - 3 k, of 32. Those up to k = 6 (14 / 32 = 0.4375) are distinct
 * from 0, which is 2 sqrt(log10(32) / 32) = 0.4338; the window is twice that. So the spectrum is 1 + 2 (129 / 32 + (5/6
 * 11 + 4/6 8 + 3/6 5 + 2/6 2 - 1/6) / 32) = 10.15625, its slope 2 (399 / 32 + (7 5/6 11 + 8 4/6 8 + 9 3/6 5 + 10 2/6 2
 * - 11/6) / 32) = 33.322917, and the length cbrt(32 (33.322917 / 10.15625)^2) = 7.0099. */
static void dependence(void)
{
    static const struct {
        const char *signs;
        double common, neighbours, block;
    } rows[] = {
        {HALVES, 0, 0.98, 7.0099},
        {HALVES, 0.99, 0.99, 7.0099},
        /* what chance shows, less than 2.6 / sqrt(16), is none; but what was measured along counts */
        {"++--++--++--++--", 0, 0, 0},
        {"++--++--++--++--", 0.3, 0.3, 0},
        {"++--++--++--++--", -1, 0, 0},
        {"++--++--++--++--", NAN, 0, 0},
        /* of 8 points 0.625 and less is not distinct from 0, 0.672 */
        {"++++----", 0, 0.98, 1},
        {"+++---", 0.5, 0.5, 1},
    };
    struct td_weighted p[MOST];

    for (size_t i = 0; i < LENGTH(rows); i++) {
        const struct td_dependence d = td_dependence_of(p, points(rows[i].signs, p), rows[i].common);

        near(d.neighbours, rows[i].neighbours);
        if (rows[i].block > 0)
            CU_ASSERT_DOUBLE_EQUAL(d.block, rows[i].block, 2e-4);
    }
}

static const CU_TestInfo tests[] = {
    {"neighbours", neighbours},         {"blocks", blocks},         {"weights", weights}, {"by chance", by_chance},
    {"more by chance", more_by_chance}, {"dependence", dependence}, CU_TEST_INFO_NULL,
};
UNIT_SUITE("bootstrap", tests);
