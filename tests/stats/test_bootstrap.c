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

/* ---- other numbers: worked out in exact fractions from the papers' formulas, outside of this program -------- */

/* "314": a digit is a value. */
static size_t numbers(const char *digits, struct td_weighted *out)
{
    const size_t n = strlen(digits);

    CU_ASSERT_FATAL(n <= MOST);
    for (size_t i = 0; i < n; i++)
        out[i] = (struct td_weighted){digits[i] - '0', 1};
    return n;
}

/* Lags are distinct from 0 until five in a row are not, among sqrt(n) + 5 of them: each row has another last one, or
 * would have it with four in a row, six, or one lag less or more. Blocks are at least 1 and at most a third of it all.
 */
static void lengths(void)
{
    static const struct {
        const char *digits;
        double neighbours, dependent, block; /* dependent: the same where it is more than 2.6 / sqrt(n) */
    } rows[] = {
        {"233433233", 0.192308, 0, 3},
        {"677452111", 0.98, 0.98, 1.443904}, /* 1.43444 */
        {"756445466", 0.232558, 0, 1},
        {"784683483481", -0.395, 0, 1},
        {"574662143467", 0.598269, 0, 4},
        {"6542432447557352", 0.217949, 0, 1},
        {"3757664332121233553223543552569976768885", 0.834643, 0.834643, 3.929166},
        {"3454634676440168652103644023378625687887", 0.652171, 0.652171, 2.237432},
        {"5625936725744633703625945732516742505624", -0.218014, 0, 3.687471},
        {"3367320356433027786103887324546632358864", 0.598799, 0.598799, 13.333333},
        {"5646914424423624447615616713947522724762", -0.182285, 0, 13.333333},
        {"7634724855633726714715613647744737715932", -0.243095, 0, 13.333333}, /* a spectrum below 0 */
    };
    struct td_weighted p[MOST];

    for (size_t i = 0; i < LENGTH(rows); i++) {
        const size_t n = numbers(rows[i].digits, p);
        const struct td_dependence d = td_dependence_of(p, n, 0);

        near(td_neighbours(p, n), rows[i].neighbours);
        near(d.neighbours, rows[i].dependent);
        near(d.block, rows[i].block);
    }
    for (size_t n = 6; n <= 16; n += 5) { /* points that do not scatter; 6 are too few to show anything */
        const struct td_dependence d = td_dependence_of(p, numbers(&"2222222222222222"[16 - n], p), 0);

        CU_ASSERT(d.block == 1 && d.neighbours == 0);
        CU_ASSERT(n < 8 || isnan(td_neighbours(p, n)));
    }
}

/* Ten values of different weights. The variance of a resample's sum is that of all its pairs of points, k steps apart,
 * which are of one block with probability (1 - 1 / block)^k; single points set the least. */
static void values_and_weights(void)
{
    static const double jumps[] = {2, 7, 3, 9, 4, 8, 1, 6, 5, 10}, rises[] = {1, 2, 4, 3, 6, 5, 8, 9, 7, 10},
                        weight[] = {1, 2, 3, 1, 2, 3, 1, 2, 3, 2};
    static const struct {
        const double *value;
        double neighbours, block, error, degrees;
    } rows[] = {
        {jumps, 0, 1, 0.844820823, 9},     {jumps, 0, 3, 0.844820823, 7.0 / 3},  {jumps, 0.25, 3, 1.09065899, 7.0 / 3},
        {jumps, 0.25, 1, 1.13344607, 5},   {jumps, 0.25, 4, 1.09065899, 1.5},    {rises, 0, 1, 0.838219011, 9},
        {rises, 0, 2.5, 1.04536499, 3},    {rises, 0, 3, 1.05889492, 7.0 / 3},   {rises, 0.25, 3, 1.15534907, 7.0 / 3},
        {rises, 0.25, 4, 1.15401247, 1.5}, {rises, 0.5, 2, 1.46361082, 7.0 / 3},
    };

    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct td_weighted p[LENGTH(weight)];
        struct td_estimate e;

        for (size_t k = 0; k < LENGTH(weight); k++)
            p[k] = (struct td_weighted){rows[i].value[k], weight[k]};
        td_bootstrap(p, LENGTH(weight), (struct td_dependence){rows[i].neighbours, rows[i].block}, NULL, &e);
        near(e.mean, 5.7);
        near(e.error, rows[i].error);
        near(e.degrees, rows[i].degrees);
        near(e.deviation, 3.02765035);
    }
}

/* The deviation of 1,000 resamples, made again from the same random numbers: a point is drawn anew in one of block
 * cases, the first always, and else follows the one before. */
static double resampled(const struct td_weighted *p, size_t n, double block, struct td_chance *chance)
{
    double mean[TD_RESAMPLES], all = 0, squares = 0;

    for (size_t r = 0; r < TD_RESAMPLES; r++) {
        double sum = 0, weights = 0;
        size_t at = 0;

        for (size_t i = 0; i < n; i++) {
            const bool stays = block > 1 && i > 0 && td_chance_ratio(chance) >= 1 / block;

            at = stays ? (at == n - 1 ? 0 : at + 1) : td_chance_below(chance, n);
            sum += p[at].weight * p[at].value;
            weights += p[at].weight;
        }
        mean[r] = sum / weights;
        all += mean[r] / TD_RESAMPLES;
    }
    for (size_t r = 0; r < TD_RESAMPLES; r++)
        squares += pow(mean[r] - all, 2);
    return sqrt(squares / (TD_RESAMPLES - 1));
}

static void chance_again(void)
{
    static const double blocks[] = {1, 1.25, 2.5, 4};
    unsigned counted = 0;

    for (size_t i = 0; td_chance_available() && i < LENGTH(blocks); i++)
        for (unsigned long seed = 1; seed <= 4; seed++) {
            struct td_chance *one = td_chance_new(seed), *other = td_chance_new(seed);
            struct td_weighted p[MOST];
            const size_t n = numbers("1123354679867899", p);
            const struct td_dependence d = {0, blocks[i]};
            struct td_estimate drawn, all;
            double degrees = (double)n / blocks[i] - 1, error;

            CU_ASSERT_FATAL(one && other);
            for (size_t k = 0; k < n; k++)
                p[k].weight = 1 + (double)(k % 3);
            td_bootstrap(p, n, (struct td_dependence){0, 1}, NULL, &all); /* no less than that of single points */
            td_bootstrap(p, n, d, one, &drawn);
            error = resampled(p, n, blocks[i], other) * sqrt((degrees + 1) / degrees);
            CU_ASSERT_DOUBLE_EQUAL(drawn.error, fmax(error, all.error), 1e-12);
            counted += error > all.error;
            td_chance_free(one);
            td_chance_free(other);
        }
    CU_ASSERT(!td_chance_available() || counted >= 12);
}

static const CU_TestInfo tests[] = {
    {"neighbours", neighbours},
    {"blocks", blocks},
    {"weights", weights},
    {"by chance", by_chance},
    {"more by chance", more_by_chance},
    {"dependence", dependence},
    {"lengths of blocks", lengths},
    {"values and weights", values_and_weights},
    {"the same random numbers", chance_again},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("bootstrap", tests);
