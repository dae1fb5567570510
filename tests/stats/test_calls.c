/* SPDX-License-Identifier: MIT */
/* Bounds and calls of rows that are made here, all by hand: Holm's levels, which end of an interval decides, and the
 * limits of shares. */
#include "stats/chance.h"
#include "stats/comparison.h"
#include "tests/support/unit.h"

#include <math.h>

enum { MOST = 4 };

#define LENGTH(a) (sizeof(a) / sizeof(*(a)))
#define NEAR(given, wanted) CU_ASSERT_DOUBLE_EQUAL(given, wanted, 1e-9)

/* Student's t of two degrees of freedom: |t| is above x with probability 1 - x / sqrt(2 + x^2) = p, so that
 * x = (1 - p) sqrt(2 / (1 - (1 - p)^2)). */
static double two(double p)
{
    return (1 - p) * sqrt(2 / (1 - (1 - p) * (1 - p)));
}

/* Of one degree, Cauchy's: x = tan((1 - p) pi / 2). */
static double one(double p)
{
    return tan((1 - p) * acos(-1) / 2);
}

static void judge(struct td_difference *row, size_t n, double margin, size_t family)
{
    struct td_comparison c = {.set = {.margin = margin, .confidence = 0.95}, .row = row, .n = n, .family = 77};

    CU_ASSERT_EQUAL_FATAL(td_comparison_judge(&c), 0);
    CU_ASSERT_EQUAL(c.family, family);
}

/* ---- calls of sound bounds -------------------------------------------------------- */

static void calls(void)
{
    static const double little = 1.0 / 1024;
    static const struct {
        double value, below, above;
        enum td_difference_call call;
    } shares[] =
        {
            /* the margin is an eighth */
            {0.25, 0.125, 0.125, TD_CALL_MORE},
            {0.125, 0.125, 0, TD_CALL_SAME},
            {0.125, 0.125, 0.125, TD_CALL_UNKNOWN},
            {0.125, 0.125 - little, 0.125, TD_CALL_MORE},
            {0.125, 0.25, 0, TD_CALL_SAME},
            {0.125, 0.25, little, TD_CALL_UNKNOWN},
            {0.125, 0.25 + little, 0, TD_CALL_UNKNOWN},
            {0.0625, 0.03125, 0.03125, TD_CALL_SAME},
            {0.0625, 0.03125, 0.125, TD_CALL_MORE},
            {0, 0, 0, TD_CALL_SAME},
            {0, 0.25, 0.25, TD_CALL_UNKNOWN},
            {-0.25, 0.125, 0.125, TD_CALL_LESS},
            {-0.125, 0, 0.125, TD_CALL_SAME},
            {-0.125, 0.125, 0.125, TD_CALL_UNKNOWN},
            {-0.125, 0.125, 0.125 - little, TD_CALL_LESS},
            {-0.0625, 0.125, 0.03125, TD_CALL_LESS},
        },
      others[] = {
          /* of a = -2, that is a quarter */
          {0.25, 0, 0, TD_CALL_SAME},           {0.25 + little, 0, 0, TD_CALL_MORE},    {-0.25, 0, 0, TD_CALL_SAME},
          {-0.25 - little, 0, 0, TD_CALL_LESS}, {0.25 + little, 1, 1, TD_CALL_UNKNOWN}, {0, 0.25, 0.25, TD_CALL_SAME},
      };

    for (size_t i = 0; i < LENGTH(shares) + LENGTH(others); i++) {
        const bool share = i < LENGTH(shares);
        const size_t at = share ? i : i - LENGTH(shares);
        struct td_difference row = {
            .share = share,
            .a = {-2, -2, -2},
            .diff.value = share ? shares[at].value : others[at].value,
            .basis = TD_BASIS_SOUND,
            .fixed_low = share ? shares[at].below : others[at].below,
            .fixed_high = share ? shares[at].above : others[at].above,
            .error_a = 1, /* which are of no row with sound bounds */
            .error_b = 1,
            .degrees_a = 2,
            .degrees_b = 2,
        };

        judge(&row, 1, 0.125, 0);
        CU_ASSERT_EQUAL(row.call, share ? shares[at].call : others[at].call);
        CU_ASSERT_EQUAL(row.diff.low, row.diff.value - row.fixed_low);
        CU_ASSERT_EQUAL(row.diff.high, row.diff.value + row.fixed_high);
        CU_ASSERT(row.a.low == -2 && row.a.high == -2 && row.alpha == 0);
    }
}

static void without_bounds(void)
{
    struct td_difference row = {.share = true,
                                .a = {0.25, 0.25, 0.25},
                                .diff = {0.5, 0, 1},
                                .basis = TD_BASIS_NONE,
                                .error_a = 1,
                                .degrees_a = 2};

    judge(&row, 1, 0.125, 0);
    CU_ASSERT(isnan(row.diff.low) && isnan(row.diff.high) && row.alpha == 0);
    CU_ASSERT_EQUAL(row.call, TD_CALL_UNKNOWN);
    CU_ASSERT(row.a.low == 0.25 && row.a.high == 0.25);
}

/* ---- limits of shares ---------------------------------------------------------------- */

/* Two shares differ by no more than the whole, unless they are beyond it themselves. */
static void limits(void)
{
    static const struct {
        double value, below, above, low, high;
    } rows[] = {
        {0.75, 3, 3, -1, 1},    {1.5, 3, 3, -1, 1.5},           {-1.5, 3, 3, -1.5, 1},
        {0.5, 1.5, 0.5, -1, 1}, {0.5, 1.25, 0.25, -0.75, 0.75}, {-0.5, 0.25, 1.25, -0.75, 0.75},
    };

    for (size_t i = 0; i < LENGTH(rows); i++)
        for (int share = 0; share < 2; share++) {
            struct td_difference row = {.share = share,
                                        .diff.value = rows[i].value,
                                        .basis = TD_BASIS_SOUND,
                                        .fixed_low = rows[i].below,
                                        .fixed_high = rows[i].above};

            judge(&row, 1, 0.125, 0);
            CU_ASSERT_EQUAL(row.diff.low, share ? rows[i].low : rows[i].value - rows[i].below);
            CU_ASSERT_EQUAL(row.diff.high, share ? rows[i].high : rows[i].value + rows[i].above);
        }
}

/* The sides' own bounds: their error times t of their own degrees, and shares between 0 and 1, or where they are. */
static void sides(void)
{
    static const struct {
        bool share;
        double a, b, error;
        double low_a, high_a, low_b, high_b; /* NAN: the value and t times the error */
    } rows[] = {
        {false, 0.25, 0.75, 0.5, NAN, NAN, NAN, NAN},    {true, 0.25, 0.75, 0.5, 0, 1, 0, 1},
        {true, 1.25, -0.25, 0.5, NAN, 1.25, -0.25, NAN}, {true, -0.25, 1.25, 0.5, -0.25, NAN, NAN, 1.25},
        {true, 0.5, 0.5, 0.015625, NAN, NAN, NAN, NAN},  {true, 0.25, 0.75, 0, 0.25, 0.25, 0.75, 0.75},
    };

    for (size_t i = 0; i < LENGTH(rows); i++) {
        const double a = rows[i].a, b = rows[i].b, by_a = two(0.05) * rows[i].error, by_b = one(0.05) * rows[i].error;
        struct td_difference row = {.share = rows[i].share,
                                    .a = {a, a, a},
                                    .b = {b, b, b},
                                    .diff.value = b - a,
                                    .basis = TD_BASIS_LIKELY,
                                    .error_a = rows[i].error,
                                    .error_b = rows[i].error,
                                    .degrees_a = 2,
                                    .degrees_b = 1};
        /* t is 4.3 and 12.7: a share's bound that is the value and t times the error is limited where that is beyond */
        const double least = rows[i].share ? 0 : -HUGE_VAL, most = rows[i].share ? 1 : HUGE_VAL;

        judge(&row, 1, 0.125, 1);
        NEAR(row.a.low, isnan(rows[i].low_a) ? fmax(a - by_a, least) : rows[i].low_a);
        NEAR(row.a.high, isnan(rows[i].high_a) ? fmin(a + by_a, most) : rows[i].high_a);
        NEAR(row.b.low, isnan(rows[i].low_b) ? fmax(b - by_b, least) : rows[i].low_b);
        NEAR(row.b.high, isnan(rows[i].high_b) ? fmin(b + by_b, most) : rows[i].high_b);
    }
}

/* ---- Holm's levels -------------------------------------------------------------------- */

/* A row whose interval's nearer end is so many standard errors from 0: 0.1 above, 0.3 below its value. */
static struct td_difference at(double t)
{
    struct td_difference row = {.basis = TD_BASIS_RUNS, .degrees = 2, .error_low = 0.3, .error_high = 0.1};

    row.fixed_low = 0.5;
    row.fixed_high = 0.25;
    row.diff.value = t > 0 ? 0.3 * t + 0.5 : 0.1 * t - 0.25;
    return row;
}

/* Probabilities of two degrees of freedom beyond t: 10: 0.0099, 8: 0.0153, 7.5: 0.0173, 7: 0.0198, 6: 0.0267, 5:
 * 0.0378, 4: 0.0572. Levels of three rows: 0.05 / 3 = 0.0167, 0.05 / 2 = 0.025, 0.05. */
static void levels(void)
{
    static const double third = 0.05 / 3, half = 0.05 / 2, whole = 0.05;
    static const struct {
        size_t n;
        double t[MOST], alpha[MOST];
    } all[] = {
        {1, {5}, {whole}},
        {1, {-5}, {whole}},
        {1, {4}, {whole}},
        {2, {10, 5}, {half, whole}},
        {2, {5, 10}, {whole, half}},
        {2, {-5, -10}, {whole, half}},
        {2, {5, 6}, {half, half}}, /* the clearer does not show anything: 0.0267 is above 0.025 */
        {2, {7, 4}, {half, whole}},
        {2, {7, 7}, {half, whole}}, /* of two that are alike the first comes first */
        {3, {10, 7, 5}, {third, half, whole}},
        {3, {5, 7, 10}, {whole, half, third}},
        {3, {7, -10, 5}, {half, third, whole}},
        {3, {8, 7, 5}, {third, half, whole}},
        {3, {7.5, 7, 5}, {third, third, third}},
        {3, {10, 6, 5}, {third, half, half}},
        {3, {0, 10, 7}, {whole, third, half}},
        {3, {-0.5, 10, 7}, {whole, third, half}},
    };

    for (size_t i = 0; i < LENGTH(all); i++) {
        struct td_difference row[MOST];

        for (size_t k = 0; k < all[i].n; k++)
            row[k] = at(all[i].t[k]);
        judge(row, all[i].n, 0.125, all[i].n);
        for (size_t k = 0; k < all[i].n; k++) {
            const double t = two(all[i].alpha[k]);

            NEAR(row[k].alpha, all[i].alpha[k]);
            NEAR(row[k].diff.low, row[k].diff.value - 0.5 - 0.3 * t);
            NEAR(row[k].diff.high, row[k].diff.value + 0.25 + 0.1 * t);
        }
    }
}

/* An end without an error is certain: beyond 0 it shows the difference, at 0 or before it shows none. The other row's
 * 0.0267 is below 0.05, and not below 0.025. */
static void certain_ends(void)
{
    static const struct {
        double value, below, above, alpha, others;
    } all[] = {
        {0.5, 0.25, 0, 0.025, 0.05},     {0.5, 0.5, 0, 0.025, 0.025},    {0.5, 0.75, 0, 0.025, 0.025},
        {-0.5, 0, 0.25, 0.025, 0.05},    {-0.5, 0, 0.5, 0.025, 0.025},   {-0.5, 0, 0.75, 0.025, 0.025},
        {-0.5, 0.75, 0.25, 0.025, 0.05}, {0.5, 0.25, 0.75, 0.025, 0.05}, {0, 0, 0, 0.025, 0.025},
    };

    for (size_t i = 0; i < LENGTH(all); i++) {
        struct td_difference row[2] = {{.basis = TD_BASIS_INTERVALS,
                                        .diff.value = all[i].value,
                                        .degrees = 2,
                                        .fixed_low = all[i].below,
                                        .fixed_high = all[i].above},
                                       at(6)};

        judge(row, 2, 0.125, 2);
        NEAR(row[0].alpha, all[i].alpha);
        NEAR(row[1].alpha, all[i].others);
        CU_ASSERT_EQUAL(row[0].diff.low, all[i].value - all[i].below);
        CU_ASSERT_EQUAL(row[0].diff.high, all[i].value + all[i].above);
    }
}

/* Rows with sound bounds, or none, do not belong to the family. */
static void family(void)
{
    struct td_difference row[MOST] = {at(5), at(10), at(10), at(10)};

    row[1].basis = TD_BASIS_SOUND;
    row[1].error_low = row[1].error_high = 0;
    row[2].basis = TD_BASIS_NONE;
    row[3].basis = TD_BASIS_LIKELY;
    judge(row, MOST, 0.125, 2);
    NEAR(row[0].alpha, 0.05);
    NEAR(row[3].alpha, 0.025);
    CU_ASSERT(row[1].alpha == 0 && row[2].alpha == 0);
}

#define WITH_CHANCE(name) \
    static void name##_by_chance(void) \
    { \
        if (td_chance_available()) \
            name(); \
    }
WITH_CHANCE(sides)
WITH_CHANCE(levels)
WITH_CHANCE(certain_ends)
WITH_CHANCE(family)

static const CU_TestInfo tests[] = {
    {"calls", calls},
    {"without bounds", without_bounds},
    {"limits", limits},
    {"sides", sides_by_chance},
    {"levels", levels_by_chance},
    {"certain ends", certain_ends_by_chance},
    {"family", family_by_chance},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("calls", tests);
