/* SPDX-License-Identifier: MIT */
/* Mean, deviation and median against sums of whole numbers, which are exact. */
#include "stats/mean.h"

#include "tests/support/unit.h"

#include <math.h>
#include <stdlib.h>

enum { MOST = 1000 };

static void near(double a, double b, double relative)
{
    CU_ASSERT(fabs(a - b) <= relative * fabs(b));
}

/* n numbers from low on: the sums of n^2 (x - mean)^2 are whole. */
static void by_whole_numbers(struct unit_random *random, uint64_t low, uint64_t range, unsigned n)
{
    uint64_t value[MOST], sum = 0;
    struct td_spread sample;
    struct td_mean mean = {0};
    double squares = 0;

    for (unsigned i = 0; i < n; i++) {
        value[i] = unit_random_below(random, range);
        sum += value[i];
    }
    for (unsigned i = 0; i < n; i++) {
        const int64_t off = (int64_t)(n * value[i]) - (int64_t)sum;

        squares += (double)(off * off); /* below 2^62 */
        value[i] += low;
        td_mean_add(&mean, (double)value[i]);
    }
    CU_ASSERT_EQUAL(mean.n, n);
    near(mean.mean, (double)low + (double)sum / n, 1e-14);
    near(td_mean_deviation(&mean), sqrt(squares / n / n / (n - 1)), 1e-9);
    td_spread_of(value, n, &sample);
    CU_ASSERT(sample.mean == mean.mean || fabs(sample.mean - mean.mean) < 1e-14 * mean.mean);
    near(sample.deviation, td_mean_deviation(&mean), 1e-9);
}

static void series(void)
{
    struct unit_random random = {1};

    for (unsigned long i = 0; i < unit_rounds(2000); i++) {
        unsigned n = 2 + (unsigned)unit_random_below(&random, MOST - 1);

        by_whole_numbers(&random, 0, 1000000, n);
        by_whole_numbers(&random, 1000000000, 1000000, n); /* large numbers that differ little */
    }
}

static void known(void)
{
    /* NIST StRD, NumAcc1: mean 10000002, deviation 1 */
    struct td_mean mean = {0};

    CU_ASSERT(isnan(td_mean_deviation(&mean)));
    td_mean_add(&mean, 10000001);
    CU_ASSERT(mean.mean == 10000001 && isnan(td_mean_deviation(&mean)));
    td_mean_add(&mean, 10000003);
    td_mean_add(&mean, 10000002);
    CU_ASSERT(mean.mean == 10000002 && td_mean_deviation(&mean) == 1);
}

/* The half width is t times the deviation of the mean; t of 7 and more degrees is a series, which is below 0.0008 off
 * the tables (NIST/SEMATECH e-Handbook, 1.3.6.7.2). */
static void errors(void)
{
    static const struct {
        unsigned degrees;
        double t, off;
    } rows[] = {
        {2, 4.303, 0.0001},  {3, 3.182, 0.0001},   {6, 2.447, 0.0001},   {7, 2.3646, 0.0008},  {8, 2.3060, 0.0005},
        {9, 2.2622, 0.0004}, {10, 2.2281, 0.0002}, {20, 2.0860, 0.0001}, {30, 2.0423, 0.0001}, {100, 1.9840, 0.0001},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const unsigned n = rows[i].degrees + 1;
        struct td_mean mean = {0};

        for (unsigned k = 0; k < n; k++)
            td_mean_add(&mean, k); /* the squares of 0 to n - 1 are n (n^2 - 1) / 12 off their mean */
        CU_ASSERT_DOUBLE_EQUAL(td_mean_error(&mean) / sqrt((double)(n + 1) / 12), rows[i].t, rows[i].off);
        if (rows[i].degrees > 6)
            CU_ASSERT(td_mean_error(&mean) / sqrt((double)(n + 1) / 12) < rows[i].t + 0.00005);
    }
}

/* Two values show nothing of how far their mean may be off. */
static void too_few(void)
{
    struct td_mean mean = {0};

    for (unsigned i = 0; i < 3; i++) {
        CU_ASSERT(isnan(td_mean_error(&mean)));
        td_mean_add(&mean, i);
    }
    CU_ASSERT_DOUBLE_EQUAL(td_mean_error(&mean), 4.303 / sqrt(3), 1e-3);
}

static void samples(void)
{
    uint64_t odd[] = {9, 1, 5}, even[] = {4, 1, 9, 2}, one[] = {7};
    struct td_spread s;

    td_spread_of(odd, 3, &s);
    CU_ASSERT(s.min == 1 && s.median == 5 && s.max == 9 && s.mean == 5 && s.deviation == 4);
    td_spread_of(even, 4, &s);
    CU_ASSERT(s.min == 1 && s.median == 3 && s.max == 9 && s.mean == 4);
    td_spread_of(one, 1, &s);
    CU_ASSERT(s.min == 7 && s.median == 7 && s.max == 7 && s.mean == 7 && isnan(s.deviation));
    td_spread_of(one, 0, &s);
    CU_ASSERT(isnan(s.min) && isnan(s.median) && isnan(s.max) && isnan(s.mean) && isnan(s.deviation));
}

static const CU_TestInfo tests[] = {
    {"series of whole numbers", series}, {"known ones", known}, {"errors", errors},
    {"too few for an error", too_few},   {"samples", samples},  CU_TEST_INFO_NULL,
};
UNIT_SUITE("mean", tests);
