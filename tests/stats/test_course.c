/* SPDX-License-Identifier: MIT */
/* Trends and phases of short series without scatter, by hand: what is a straight line is a trend, what is two levels
 * are phases of four points and more, and neither is anything within the margin. */
#include "stats/difference.h"
#include "tests/support/memory.h"
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

/* Levels of 1000 and 1010 whose points are 0 and 1 more in turn, with the weights 3 and 1: means of 0.25 more, around
 * which the squares are 2.5 in all. The line through them leaves 48. The errors are sqrt(4 x 0.75^2 x 4 / 3) / 8 each,
 * of which 10 is 32.7, with 3 degrees of freedom. */
static void weights(void)
{
    struct td_weighted p[8];
    struct td_course c = {.side = 7};

    for (size_t i = 0; i < LENGTH(p); i++)
        p[i] = (struct td_weighted){(i < 4 ? 1000 : 1010) + (double)(i % 2), i % 2 ? 1 : 3};
    if (!td_chance_available())
        return;
    CU_ASSERT_FATAL(!td_course_of(p, LENGTH(p), 0.01, NULL, &c));
    CU_ASSERT(!c.trend && c.change == 4 && c.before == 1000.25 && c.after == 1010.25);
}

/* Phases whose means differ by no more than chance, so that there is none, but where they were looked for shows in what
 * is before and after. */
static void no_phases(void)
{
    static const struct {
        double p[12];
        size_t n;
        double before, after;
    } rows[] = {
        /* the first point counts: after four the sum is 4 off the mean, 2, after eight it is not off at all */
        {{9, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2}, 12, 3, 1.5},
        /* of two that are as clear the first */
        {{1, 1, 1, 1, 4, 4, 4, 4, 1, 1, 1, 1}, 12, 1, 2.5},
        /* 2 is 3.46 errors of sqrt(4 x 4 / 3) / 4, a chance of 0.04 with 3 degrees of freedom, which 8 points have
           eight times; the line leaves 4.29, the phases 4 */
        {{0, 2, 0, 2, 3, 3, 3, 3}, 8, 1, 3},
        {{1000, 1002, 1000, 1002, 1003, 1003, 1003, 1003}, 8, 1001, 1003}, /* how far from 0 it is is nothing */
    };

    for (size_t i = 0; td_chance_available() && i < LENGTH(rows); i++) {
        struct td_weighted p[12];
        struct td_course c = {.side = 7};

        for (size_t k = 0; k < rows[i].n; k++)
            p[k] = (struct td_weighted){rows[i].p[k], 1};
        CU_ASSERT_FATAL(!td_course_of(p, rows[i].n, 0.01, NULL, &c));
        if (c.trend || c.change || c.before != rows[i].before || c.after != rows[i].after)
            printf("\n    case %zu: %d, %zu, %g to %g", i, c.trend, c.change, c.before, c.after);
        CU_ASSERT(!c.trend && !c.change && c.before == rows[i].before && c.after == rows[i].after);
    }
}

/* As much as the margin is no more: a line that rises by 8 in all, levels that are 2 apart. */
static void margins(void)
{
    static const struct {
        double p[8], margin;
        bool trend;
        size_t change;
    } rows[] = {
        {{0, 1, 2, 3, 4, 5, 6, 7}, 8, false, 0},
        {{0, 1, 2, 3, 4, 5, 6, 7}, 7.875, true, 0},
        {{1, 1, 1, 1, 3, 3, 3, 3}, 2, false, 0},
        {{1, 1, 1, 1, 3, 3, 3, 3}, 1.875, false, 4},
    };

    for (size_t i = 0; td_chance_available() && i < LENGTH(rows); i++) {
        struct td_weighted p[8];
        struct td_course c = {.side = 7};

        for (size_t k = 0; k < LENGTH(p); k++)
            p[k] = (struct td_weighted){rows[i].p[k], 1};
        CU_ASSERT_FATAL(!td_course_of(p, LENGTH(p), rows[i].margin, NULL, &c));
        CU_ASSERT(c.trend == rows[i].trend && c.change == rows[i].change);
    }
}

static int course_of(void *ctx)
{
    struct td_weighted p[MOST];
    struct td_course c = {.side = 7};

    return td_course_of(p, tenths(ctx, p), 0.01, NULL, &c);
}

/* Without room for deviations nothing is known of neighbours, but without the line's rests there is no answer. */
static void without_memory(void)
{
    char digits[] = "11111111122222222222";

    if (td_chance_available())
        CU_ASSERT(memory_each(course_of, digits, 1, true) > 2);
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
 * the least slope is 0.25991. */
static void alike_rests(void)
{
    static const int rest[MOST] = {-2, -2, -2, 2, 2, 0, 0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0, 0, 2, 2, -2, -2, -2};

    if (!td_chance_available())
        return;
    CU_ASSERT_FALSE(is_trend(rest, 0.2597));
    CU_ASSERT(is_trend(rest, 0.2601));
    CU_ASSERT_FALSE(is_trend(rest, -0.2597));
    CU_ASSERT(is_trend(rest, -0.2601));
}

/* Neighbours are not alike here, so that 24 points are as many, with 22 degrees of freedom, of which 2.4055 errors are
 * beyond chance; the error is sqrt(12 / 22 / 1150): 0.052388. */
static void rests_that_are_not(void)
{
    static const int rest[MOST] = {-2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, -2};

    if (!td_chance_available())
        return;
    CU_ASSERT_FALSE(is_trend(rest, 0.05235));
    CU_ASSERT(is_trend(rest, 0.05242));
    CU_ASSERT_FALSE(is_trend(rest, -0.05235));
    CU_ASSERT(is_trend(rest, -0.05242));
}

static const CU_TestInfo tests[] = {{"by hand", by_hand},
                                    {"weights", weights},
                                    {"no phases", no_phases},
                                    {"margins", margins},
                                    {"without memory", without_memory},
                                    {"rests that are alike", alike_rests},
                                    {"rests that are not", rests_that_are_not},
                                    CU_TEST_INFO_NULL};
UNIT_SUITE("courses of series", tests);
