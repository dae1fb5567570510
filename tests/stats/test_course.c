/* SPDX-License-Identifier: MIT */
/* Trends and phases of short series without scatter, by hand: what is a straight line is a trend, what is two levels
 * are phases of four points and more, and neither is anything within the margin. */
#include "stats/difference.h"
#include "tests/support/unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define LENGTH(a) (sizeof(a) / sizeof(*(a)))

enum { MOST = 24 };

/* "0123": a digit is a tenth. */
static size_t tenths(const char *digits, struct td_weighted *out)
{
    const size_t n = strlen(digits);

    CU_ASSERT_FATAL(n <= MOST);
    for (size_t i = 0; i < n; i++)
        out[i] = (struct td_weighted){(digits[i] - '0') / 10.0, 1};
    return n;
}

static void by_hand(void)
{
    static const struct {
        const char *digits;
        double margin;
        bool trend;
        size_t change;
        double before, after; /* NAN: it is nothing */
    } rows[] = {
        {"0123456789", 0.01, true, 0, 0, 0.9},
        {"9876543210", 0.01, true, 0, 0.9, 0},
        {"0123456789", 0.999, true, 0, 0, 0.9}, /* ten points a tenth apart */
        {"0123456789", 1.001, false, 0, NAN, NAN},
        {"9876543210", 1.001, false, 0, NAN, NAN},
        {"11113333", 0.01, false, 4, 0.1, 0.3},
        {"33331111", 0.01, false, 4, 0.3, 0.1},
        {"11113333", 0.1999, false, 4, 0.1, 0.3},
        {"11113333", 0.2001, false, 0, NAN, NAN},
        {"111113333333", 0.01, false, 5, 0.1, 0.3},
        {"111111113333", 0.01, false, 8, 0.1, 0.3},
        {"11111111122222222222", 0.01, false, 9, 0.1, 0.2},
        {"1111333", 0.01, false, 0, NAN, NAN}, /* too short */
        {"111", 0.01, false, 0, NAN, NAN},
        {"22222222", 0.01, false, 0, NAN, NAN},
        /* three points are no phase; the line's slope is 1.5 / 42, its squares 0.0214, those around four and four 0.03
         */
        {"11133333", 0.01, true, 0, 0.1, 0.35},
        {"12121212121212121212", 0.001, false, 0, NAN, NAN},
    };
    struct td_weighted p[MOST];

    for (size_t i = 0; td_chance_available() && i < LENGTH(rows); i++) {
        struct td_course c = {.side = 7, .trend = true, .change = 9};
        const size_t n = tenths(rows[i].digits, p);

        CU_ASSERT_FATAL(!td_course_of(p, n, rows[i].margin, NULL, &c));
        if (c.trend != rows[i].trend || c.change != rows[i].change)
            printf("\n    %s: %d, %zu", rows[i].digits, c.trend, c.change);
        CU_ASSERT(c.trend == rows[i].trend && c.change == rows[i].change && c.side == 7);
        CU_ASSERT(isnan(rows[i].before) ||
                  (fabs(c.before - rows[i].before) < 1e-12 && fabs(c.after - rows[i].after) < 1e-12));
    }
}

/* A line of 24 points with these rests, whose sum is 0, also as multiplied by their distances from the middle: what is
 * left of the line is what they are. */
static bool is_trend(const int *rest, double slope)
{
    struct td_weighted p[MOST];
    struct td_course c = {.side = 7};

    for (size_t i = 0; i < MOST; i++)
        p[i] = (struct td_weighted){rest[i] + slope * (double)i, 1};
    CU_ASSERT_FATAL(!td_course_of(p, MOST, 0.01, NULL, &c));
    CU_ASSERT_EQUAL(c.change, 0);
    return c.trend;
}

/* The rests' neighbours are alike by (19 / 44 * 24 + 1) / 20 = 0.5682: their products add up to 19, their squares to
 * 44, and the rest is Kendall's correction. So that 24 points tell as much as 24 / 3.6316 that are not alike, 1.5682 /
 * 0.4318, which leaves 4.609 degrees of freedom; of these 3.2705 errors are beyond chance, 1 in 40. The error of the
 * slope is sqrt(44 / 22 * 3.6316 / 1150), as the squared distances from the middle are (24 * 24 - 1) * 24 / 12 = 1150:
 * the least slope is 0.2599. */
static void alike_rests(void)
{
    static const int rest[MOST] = {-2, -2, -2, 2, 2, 0, 0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0, 0, 2, 2, -2, -2, -2};

    if (!td_chance_available())
        return;
    CU_ASSERT_FALSE(is_trend(rest, 0.258));
    CU_ASSERT(is_trend(rest, 0.2615));
    CU_ASSERT_FALSE(is_trend(rest, -0.258));
    CU_ASSERT(is_trend(rest, -0.2615));
}

/* Neighbours are not alike here, so that 24 points are as many, with 22 degrees of freedom, of which 2.4055 errors are
 * beyond chance; the error is sqrt(12 / 22 / 1150): 0.05239. */
static void rests_that_are_not(void)
{
    static const int rest[MOST] = {-2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, -2};

    if (!td_chance_available())
        return;
    CU_ASSERT_FALSE(is_trend(rest, 0.0521));
    CU_ASSERT(is_trend(rest, 0.0527));
    CU_ASSERT_FALSE(is_trend(rest, -0.0521));
    CU_ASSERT(is_trend(rest, -0.0527));
}

static const CU_TestInfo tests[] = {{"by hand", by_hand},
                                    {"rests that are alike", alike_rests},
                                    {"rests that are not", rests_that_are_not},
                                    CU_TEST_INFO_NULL};
UNIT_SUITE("courses of series", tests);
