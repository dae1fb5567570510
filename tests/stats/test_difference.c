/* SPDX-License-Identifier: MIT */
/* The difference between two sides before it is judged, and the calls when it is: numbers by hand. Student's t with one
 * degree of freedom is a Cauchy distribution: further from 0 than tan(pi / 2 (1 - p)) with probability p. */
#include "stats/difference.h"
#include "tests/support/unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define LENGTH(a) (sizeof(a) / sizeof(*(a)))

static void near(double a, double b)
{
    if (!(fabs(a - b) <= 1e-9 * fmax(1, fabs(b))))
        printf("\n    %.12g, wanted %.12g", a, b);
    CU_ASSERT(fabs(a - b) <= 1e-9 * fmax(1, fabs(b)));
}

static struct td_side_metric side(const struct td_weighted *p, size_t n, double width)
{
    return (struct td_side_metric){.point = p,
                                   .n = n,
                                   .value = (double)NAN,
                                   .low = (double)NAN,
                                   .high = (double)NAN,
                                   .bounds = TD_BOUNDS_NONE,
                                   .width = width};
}

static struct td_difference difference(const struct td_side_metric *a, const struct td_side_metric *b, bool alike,
                                       bool paired)
{
    struct td_difference d = {.share = false};

    CU_ASSERT_EQUAL(td_difference_of(a, b, alike, paired, NULL, &d), 0);
    return d;
}

/* One value a side: the bounds of the difference are what the sides' bounds can be apart; likely ones are 1.959964
 * errors. */
static void one_value(void)
{
    struct td_side_metric a = side(NULL, 0, NAN), b = a;
    struct td_difference d;

    a.value = 0.5, a.low = 0.25, a.high = 0.625, a.bounds = TD_BOUNDS_SOUND;
    b.value = 0.75, b.low = 0.5, b.high = 0.9375, b.bounds = TD_BOUNDS_SOUND;
    d = difference(&a, &b, true, false);
    CU_ASSERT(d.basis == TD_BASIS_SOUND && d.diff.value == 0.25 && d.a.low == 0.25 && d.a.high == 0.625 &&
              d.b.low == 0.5 && d.b.high == 0.9375);
    /* from 0.5 - 0.625 to 0.9375 - 0.25 */
    CU_ASSERT(d.fixed_low == 0.375 && d.fixed_high == 0.4375 && d.error_low == 0 && d.error_high == 0);
    for (unsigned i = 0; i < 2; i++) {
        a.bounds = i ? TD_BOUNDS_SOUND : TD_BOUNDS_LIKELY;
        b.bounds = i ? TD_BOUNDS_LIKELY : TD_BOUNDS_SOUND;
        d = difference(&a, &b, true, false);
        CU_ASSERT(d.basis == TD_BASIS_LIKELY && d.fixed_low == 0 && d.fixed_high == 0 && d.degrees == 1e6 &&
                  d.degrees_a == 1e6 && d.degrees_b == 1e6);
        near(d.error_low, 0.375 / 1.959964);
        near(d.error_high, 0.4375 / 1.959964);
    }
    a.bounds = TD_BOUNDS_NONE;
    d = difference(&a, &b, true, false);
    CU_ASSERT(d.basis == TD_BASIS_NONE && d.diff.value == 0.25);
    a.bounds = TD_BOUNDS_LIKELY;
    b.bounds = TD_BOUNDS_NONE;
    CU_ASSERT_EQUAL(difference(&a, &b, true, false).basis, TD_BASIS_NONE);
}

/* Runs of 1, 2, 3 and of 10, 12, 14, 16: means 2 and 13, variances 1 and 20 / 3, errors of the means 1 / 3 and 5 / 3
 * squared. Their difference has the variance 2, and (1/3 + 5/3)^2 / ((1/3)^2 / 2 + (5/3)^2 / 3) = 4 / (1/18 + 25/27) =
 * 216 / 53 degrees. */
static void runs(void)
{
    static const struct td_weighted p[] = {{1, 1}, {2, 1}, {3, 1}}, q[] = {{10, 1}, {12, 1}, {14, 1}, {16, 1}};
    struct td_side_metric a = side(p, 3, 0), b = side(q, 4, 0);
    struct td_difference d = difference(&a, &b, true, false);

    CU_ASSERT(d.basis == TD_BASIS_RUNS && d.na == 3 && d.nb == 4 && d.diff.value == 11 && !d.unbounded);
    near(d.error_a, sqrt(1.0 / 3));
    near(d.error_b, sqrt(5.0 / 3));
    near(d.error_low, sqrt(2));
    near(d.error_high, sqrt(2));
    near(d.degrees_a, 2);
    near(d.degrees_b, 3);
    near(d.degrees, 216.0 / 53);
    /* two runs have a scatter of their own: of 10 and 12 the variance is 2, the error of the mean 1 squared, and
     * (1/3 + 1)^2 / ((1/3)^2 / 2 + 1) = 32 / 19 */
    b.n = 2;
    d = difference(&a, &b, true, false);
    near(d.error_low, sqrt(4.0 / 3));
    near(d.degrees, 32.0 / 19);
    d = difference(&b, &a, true, false);
    near(d.degrees, 32.0 / 19);
    b.n = 4;
    /* a side of one run scatters as the other does: its error is their deviation */
    a.n = 1;
    d = difference(&a, &b, true, false);
    near(d.error_a, sqrt(20.0 / 3));
    near(d.degrees, 3);
    near(d.error_low, sqrt(20.0 / 3 + 5.0 / 3));
    a.n = 3;
    b.n = 1;
    d = difference(&a, &b, true, false);
    near(d.error_b, 1);
    near(d.degrees, 2);
    near(d.error_low, sqrt(1 + 1.0 / 3));
    /* two runs in all are values, and have no bounds */
    a.n = 1;
    CU_ASSERT_EQUAL(difference(&a, &b, true, false).basis, TD_BASIS_NONE);
    b.n = 0;
    a.n = 3;
    CU_ASSERT_EQUAL(difference(&a, &b, true, false).basis, TD_BASIS_NONE);
}

/* Pairs: 3, 5 and 4 more. Mean 4, deviation 1, and what drifted from 0 to 200 has no part in it. */
static void pairs(void)
{
    static const struct td_weighted p[] = {{0, 1}, {100, 1}, {200, 1}}, q[] = {{3, 1}, {105, 1}, {204, 1}, {0, 1}};
    struct td_side_metric a = side(p, 3, 0), b = side(q, 3, 0);
    struct td_difference d = difference(&a, &b, true, true);

    CU_ASSERT(d.basis == TD_BASIS_PAIRS && d.diff.value == 4);
    near(d.error_low, 1 / sqrt(3));
    near(d.error_high, 1 / sqrt(3));
    near(d.degrees, 2);
    near(d.error_a, 100 / sqrt(3));
    CU_ASSERT_EQUAL(difference(&a, &b, true, false).basis, TD_BASIS_RUNS);
    b.n = 4;
    CU_ASSERT_EQUAL(difference(&a, &b, true, true).basis, TD_BASIS_RUNS);
}

/* What the points' own bounds add, of half widths 2 and 3: 5 where the sides were measured in different ways; else the
 * difference of 1 and twice what is left of 2, exp(-2 pi^2 (deviation / width)^2) of the side with more. Deviations are
 * 1 and 6: 1 / 2 leaves exp(-pi^2 / 2). */
static void own_bounds(void)
{
    static const struct td_weighted p[] = {{1, 1}, {2, 1}, {3, 1}}, q[] = {{10, 1}, {16, 1}, {22, 1}},
                                    still[] = {{5, 1}, {5, 1}, {5, 1}}, other[] = {{6, 1}, {6, 1}, {6, 1}};
    const double left = exp(-M_PI * M_PI / 2);
    struct td_side_metric a = side(p, 3, 2), b = side(q, 3, 3);
    struct td_difference d = difference(&a, &b, false, false);

    CU_ASSERT(d.fixed_low == 5 && d.fixed_high == 5);
    CU_ASSERT(d.a.low == 0 && d.a.value == 2 && d.a.high == 4 && d.b.low == 13 && d.b.value == 16 && d.b.high == 19);
    d = difference(&a, &b, true, false);
    near(d.fixed_low, 1 + 2 * 2 * left);
    near(d.fixed_high, 1 + 2 * 2 * left);
    d = difference(&b, &a, true, false);
    near(d.fixed_low, 1 + 2 * 2 * left);
    a.width = (double)NAN; /* none: only the scatter is known */
    d = difference(&a, &b, true, false);
    CU_ASSERT(d.fixed_low == 3 && d.unbounded && d.basis == TD_BASIS_RUNS && d.a.low == 2 && d.a.high == 2);
    d = difference(&b, &a, true, false);
    CU_ASSERT(d.fixed_low == 3 && d.unbounded);
    /* a value with bounds has these */
    a.bounds = TD_BOUNDS_SOUND, a.value = 2, a.low = 1.5, a.high = 2.75;
    d = difference(&a, &b, true, false);
    CU_ASSERT(d.a.low == 1.5 && d.a.high == 2.75);
    /* points that do not scatter: nothing of the rounding averages out; without bounds they show nothing but that they
     * are equal */
    a = side(still, 3, 0.25);
    b = side(other, 3, 0.5);
    d = difference(&a, &b, true, false);
    CU_ASSERT(d.basis == TD_BASIS_RUNS && d.error_low == 0 && d.fixed_low == 0.25 + 2 * 0.25 && d.degrees == 2);
    a.width = (double)NAN;
    CU_ASSERT_EQUAL(difference(&a, &b, true, false).basis, TD_BASIS_NONE);
    CU_ASSERT_EQUAL(difference(&b, &a, true, false).basis, TD_BASIS_NONE);
    CU_ASSERT_EQUAL(difference(&a, &b, true, true).basis, TD_BASIS_NONE);
    CU_ASSERT_EQUAL(difference(&a, &a, true, false).basis, TD_BASIS_RUNS);
}

/* A series' value is that of its counts; without one, its mean: 2 and 6 with the weights 1 and 3 give 5. Weighted, they
 * are 3 off: independent points of that kind have the error sqrt(3^2 + 3^2) / (1 + 3) times sqrt(2 / 1). */
static void series(void)
{
    static const struct td_weighted p[] = {{2, 1}, {6, 3}};
    struct td_side_metric a = side(p, 2, 0), b = a;
    struct td_difference d;

    a.series = b.series = true;
    b.value = 7;
    d = difference(&a, &b, true, true); /* no pairs: these are of runs */
    CU_ASSERT(d.basis == TD_BASIS_INTERVALS && d.a.value == 5 && d.b.value == 7 && d.diff.value == 2);
    near(d.error_a, sqrt(18) / 4 * sqrt(2));
    a.n = 1;
    CU_ASSERT_EQUAL(difference(&a, &b, true, false).basis, TD_BASIS_NONE);
    a.n = 2;
    b.n = 1;
    CU_ASSERT_EQUAL(difference(&a, &b, true, false).basis, TD_BASIS_NONE);
    b.n = 2;
    b.series = false; /* a series and runs */
    CU_ASSERT_EQUAL(difference(&a, &b, true, false).basis, TD_BASIS_NONE);
}

/* ---- judged --------------------------------------------------------------------- */

static void judge(struct td_difference *row, size_t n, double margin)
{
    struct td_comparison c = {.set = {.margin = margin, .confidence = 0.9}, .row = row, .n = n};
    size_t family = 0;

    for (size_t i = 0; i < n; i++)
        family += row[i].basis > TD_BASIS_SOUND;
    CU_ASSERT_EQUAL(td_comparison_judge(&c), 0);
    CU_ASSERT_EQUAL(c.family, family);
}

/* Sound differences from low to high of a value a; a margin of 1 / 8: of shares itself, of others times a. */
static void calls(void)
{
    static const struct {
        bool share;
        double a, low, high;
        enum td_difference_call call;
    } rows[] = {
        {true, 9, -0.125, 0.125, TD_CALL_SAME},     {true, 9, -0.1875, 0.125, TD_CALL_UNKNOWN},
        {true, 9, -0.125, 0.1875, TD_CALL_UNKNOWN}, {true, 9, 0.0625, 0.1875, TD_CALL_MORE},
        {true, 9, -0.1875, -0.0625, TD_CALL_LESS},  {true, 9, 0, 0.1875, TD_CALL_UNKNOWN},
        {true, 9, -0.1875, 0, TD_CALL_UNKNOWN},     {true, 9, 0.0625, 0.125, TD_CALL_SAME},
        {false, 2, -0.25, 0.25, TD_CALL_SAME},      {false, 2, -0.25, 0.3125, TD_CALL_UNKNOWN},
        {false, -2, -0.25, 0.25, TD_CALL_SAME},     {false, 0, 0, 0, TD_CALL_SAME},
    };

    for (size_t i = 0; i < LENGTH(rows); i++) {
        const double middle = (rows[i].low + rows[i].high) / 2, half = (rows[i].high - rows[i].low) / 2;
        struct td_difference d = {.basis = TD_BASIS_SOUND,
                                  .share = rows[i].share,
                                  .a = {rows[i].a, 0, 0},
                                  .diff = {middle, 0, 0},
                                  .fixed_low = half,
                                  .fixed_high = half};

        judge(&d, 1, 0.125);
        CU_ASSERT(d.diff.low == rows[i].low && d.diff.high == rows[i].high && d.alpha == 0);
        if (d.call != rows[i].call)
            printf("\n    case %zu", i);
        CU_ASSERT_EQUAL(d.call, rows[i].call);
        d.basis = TD_BASIS_NONE;
        judge(&d, 1, 0.125);
        CU_ASSERT(isnan(d.diff.low) && isnan(d.diff.high) && d.call == TD_CALL_UNKNOWN);
    }
}

/* An end that is not known is none, whichever of the two. */
static void one_end(void)
{
    for (unsigned i = 0; i < 2; i++) {
        struct td_difference d = {.basis = TD_BASIS_SOUND,
                                  .diff = {5, 0, 0},
                                  .fixed_low = i ? 1 : (double)NAN,
                                  .fixed_high = i ? (double)NAN : 1};

        judge(&d, 1, 0);
        CU_ASSERT_EQUAL(d.call, TD_CALL_UNKNOWN);
    }
}

/* How far one with the probability p is. */
static double cauchy(double p)
{
    return tan(M_PI / 2 * (1 - p));
}

/* A row that looks as different as by chance with probability p: an error of 1, beyond what is fixed. */
static struct td_difference row_of(double p, bool more)
{
    return (struct td_difference){
        .basis = TD_BASIS_RUNS,
        .diff = {(more ? 1 : -1) * (cauchy(p) + 0.5), 0, 0},
        .degrees = 1,
        .degrees_a = 1,
        .degrees_b = 1,
        .fixed_low = more ? 0.5 : 7,
        .fixed_high = more ? 7 : 0.5,
        .error_low = more ? 1 : 9,
        .error_high = more ? 9 : 1,
        .error_a = 2,
        .error_b = 3,
    };
}

/* Three rows with a chance of 0.1 to be wrong in all: the clearest is held against 0.1 / 3, the next against 0.1 / 2,
 * the last against 0.1; after the first that shows nothing, all against its own. */
static void holm(void)
{
    static const struct {
        double p[3], alpha[3];
        bool shown[3];
    } rows[] = {
        {{0.03, 0.04, 0.09}, {0.1 / 3, 0.05, 0.1}, {true, true, true}},
        {{0.09, 0.04, 0.03}, {0.1, 0.05, 0.1 / 3}, {true, true, true}},
        {{0.034, 0.04, 0.09}, {0.1 / 3, 0.1 / 3, 0.1 / 3}, {false, false, false}},
        {{0.03, 0.051, 0.09}, {0.1 / 3, 0.05, 0.05}, {true, false, false}},
        {{0.03, 0.049, 0.11}, {0.1 / 3, 0.05, 0.1}, {true, true, false}},
        {{0.01, 0.9, 0.06}, {0.1 / 3, 0.05, 0.05}, {true, false, false}},
    };

    for (size_t i = 0; td_chance_available() && i < LENGTH(rows); i++)
        for (unsigned more = 0; more < 2; more++) {
            struct td_difference d[4];

            for (size_t k = 0; k < 3; k++)
                d[k] = row_of(rows[i].p[k], more);
            d[3] = (struct td_difference){.basis = TD_BASIS_NONE};
            judge(d, 4, 0);
            for (size_t k = 0; k < 3; k++) {
                near(d[k].alpha, rows[i].alpha[k]);
                near(d[k].diff.low, d[k].diff.value - d[k].fixed_low - cauchy(rows[i].alpha[k]) * d[k].error_low);
                near(d[k].diff.high, d[k].diff.value + d[k].fixed_high + cauchy(rows[i].alpha[k]) * d[k].error_high);
                near(d[k].a.high, 2 * cauchy(rows[i].alpha[k]));
                near(d[k].a.low, -2 * cauchy(rows[i].alpha[k]));
                near(d[k].b.high, 3 * cauchy(rows[i].alpha[k]));
                CU_ASSERT_EQUAL(d[k].call, !rows[i].shown[k] ? TD_CALL_UNKNOWN : more ? TD_CALL_MORE : TD_CALL_LESS);
            }
        }
    if (!td_chance_available())
        unit_skip("built without the GNU Scientific Library");
}

/* Shares are from 0 to 1, or as far as they were measured beyond; differences from -1 to 1 likewise. */
static void limits(void)
{
    static const struct {
        double a, b, low, high, a_low, a_high;
    } rows[] = {{0.5, 0.25, -1, 1, 0, 1}, {-0.5, 1.5, -1, 2, -0.5, 1}, {1.5, -0.5, -2, 1, 0, 1.5}};

    for (size_t i = 0; td_chance_available() && i < LENGTH(rows); i++) {
        struct td_difference d = {.basis = TD_BASIS_RUNS,
                                  .share = true,
                                  .a = {rows[i].a, rows[i].a, rows[i].a},
                                  .b = {rows[i].b, rows[i].b, rows[i].b},
                                  .diff = {rows[i].b - rows[i].a, 0, 0},
                                  .error_a = 100,
                                  .error_b = 100,
                                  .error_low = 100,
                                  .error_high = 100,
                                  .degrees = 1,
                                  .degrees_a = 1,
                                  .degrees_b = 1};

        judge(&d, 1, 0);
        CU_ASSERT(d.diff.low == rows[i].low && d.diff.high == rows[i].high && d.a.low == rows[i].a_low &&
                  d.a.high == rows[i].a_high);
        CU_ASSERT(d.b.low == fmin(0, rows[i].b) && d.b.high == fmax(1, rows[i].b));
        d.share = false;
        d.a.low = d.a.high = rows[i].a;
        judge(&d, 1, 0);
        CU_ASSERT(d.diff.low < -100 && d.diff.high > 100 && d.a.low < -100 && d.a.high > 100);
    }
}

static const CU_TestInfo tests[] = {
    {"one value a side", one_value},
    {"runs", runs},
    {"pairs of runs", pairs},
    {"the points' own bounds", own_bounds},
    {"series", series},
    {"calls", calls},
    {"one end alone", one_end},
    {"Holm's method", holm},
    {"limits of shares", limits},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("differences", tests);
