/* SPDX-License-Identifier: MIT */
/* Interval arithmetic: wherever the operands really are inside their ranges,
 * the result is inside the result's range. */
#include "core/formula/range.h"
#include "tests/support/unit.h"

#include <math.h>
#include <stdio.h>

typedef struct td_range binary(struct td_range, struct td_range);
typedef double pointwise(double, double);

struct operation {
    const char *name;
    binary *of_ranges;
    pointwise *of_points;
    bool divides; /* by the second operand */
};

static double add(double a, double b)
{
    return a + b;
}

static double sub(double a, double b)
{
    return a - b;
}

static double mul(double a, double b)
{
    return a * b;
}

static double quotient(double a, double b)
{
    return a / b;
}

static double lesser(double a, double b)
{
    return fmin(a, b);
}

static const struct operation operations[] = {
    {"add", td_range_add, add, false},     {"sub", td_range_sub, sub, false},    {"mul", td_range_mul, mul, false},
    {"div", td_range_div, quotient, true}, {"min", td_range_min, lesser, false},
};

static void assert_range(struct td_range r, double low, double value, double high)
{
    CU_ASSERT_EQUAL(r.low, low);
    CU_ASSERT_EQUAL(r.value, value);
    CU_ASSERT_EQUAL(r.high, high);
}

static bool ordered(struct td_range r)
{
    return r.low <= r.value && r.value <= r.high;
}

static bool holds(struct td_range r, double x)
{
    return r.low <= x && x <= r.high;
}

static double between(struct unit_random *r, double low, double high)
{
    double x = low + unit_random_ratio(r) * (high - low);

    return fmin(fmax(x, low), high);
}

/* Of either sign, and of many magnitudes; some are exact and some touch 0. */
static struct td_range random_range(struct unit_random *r, bool positive)
{
    double magnitude = ldexp(1, (int)unit_random_below(r, 60) - 10);
    double low = magnitude * between(r, positive ? 0 : -1, 1), high = low + magnitude * unit_random_ratio(r);
    double value;

    switch (unit_random_below(r, 8)) {
    case 0: high = low; break;
    case 1: low = fmin(low, 0), high = fmax(high, 0); break;
    case 2: low = 0, high = fabs(high); break;
    }
    value = between(r, low, high);
    return (struct td_range){low, value, high};
}

/* A point in a range, which half of the time is an end. */
static double random_point(struct unit_random *r, struct td_range a)
{
    switch (unit_random_below(r, 4)) {
    case 0: return a.low;
    case 1: return a.high;
    default: return between(r, a.low, a.high);
    }
}

/* Rounding is monotonic, so this needs no tolerance. */
static void contains_points(void)
{
    struct unit_random r = {.state = 1};
    unsigned long bad = 0, infinite = 0, rounds = unit_rounds(200000);

    for (unsigned long n = 0; n < rounds; n++) {
        const struct operation *op = &operations[n % (sizeof(operations) / sizeof(*operations))];
        struct td_range a = random_range(&r, false), b = random_range(&r, false), c;

        if (op->divides && b.value == 0)
            continue;
        c = op->of_ranges(a, b);
        bad += !ordered(c) || c.value != op->of_points(a.value, b.value);
        infinite += isinf(c.high) != 0;
        for (int i = 0; i < 8; i++) {
            double x = random_point(&r, a), y = random_point(&r, b);

            if (!(op->divides && y == 0) && !holds(c, op->of_points(x, y)) && !bad++)
                fprintf(stderr, "%s: %a %a is outside %a..%a\n", op->name, x, y, c.low, c.high);
        }
    }
    CU_ASSERT_EQUAL(bad, 0);
    CU_ASSERT_TRUE(infinite > 0 && infinite < rounds / 5);
}

/* Some points reach the ends: no wider than needed. */
static void ends_are_tight(void)
{
    struct unit_random r = {.state = 2};
    unsigned long bad = 0;

    for (unsigned long n = 0; n < unit_rounds(50000); n++) {
        const struct operation *op = &operations[n % (sizeof(operations) / sizeof(*operations))];
        struct td_range a = random_range(&r, false), b = random_range(&r, false), c;
        double low = HUGE_VAL, high = -HUGE_VAL;

        if (op->divides && holds(b, 0))
            continue;
        c = op->of_ranges(a, b);
        for (unsigned corner = 0; corner < 4; corner++) {
            double x = op->of_points(corner & 1 ? a.high : a.low, corner & 2 ? b.high : b.low);

            low = fmin(low, x), high = fmax(high, x);
        }
        bad += c.low != low || c.high != high;
    }
    CU_ASSERT_EQUAL(bad, 0);
}

static void exact_and_count(void)
{
    assert_range(td_range_exact(-3.5), -3.5, -3.5, -3.5);
    assert_range(td_range_exact(0), 0, 0, 0);
    assert_range(td_range_count(100, 10), 90, 100, 110);
    assert_range(td_range_count(100, 0), 100, 100, 100);
    assert_range(td_range_count(5, 10), 0, 5, 15); /* no category took fewer than no slots */
    assert_range(td_range_count(0, 10), 0, 0, 10);
    assert_range(td_range_count(-4, 10), -4, -4, 6); /* low may not exceed value */
    assert_range(td_range_count(-40, 10), -40, -40, -30);
}

static void by_hand(void)
{
    const struct td_range a = {-2, 1, 3}, b = {-5, -4, 7}, p = {2, 4, 5}, n = {-4, -2, -1};

    assert_range(td_range_add(a, b), -7, -3, 10);
    assert_range(td_range_sub(a, b), -9, 5, 8);
    assert_range(td_range_mul(a, b), -15, -4, 21);
    assert_range(td_range_mul(a, n), -12, -2, 8);
    assert_range(td_range_mul(n, n), 1, 4, 16);
    assert_range(td_range_div(a, p), -1, 0.25, 1.5);
    assert_range(td_range_div(p, n), -5, -2, -0.5);
    assert_range(td_range_div(a, n), -3, -0.5, 2);
    assert_range(td_range_max0(a), 0, 1, 3);
    assert_range(td_range_max0(b), 0, 0, 7);
    assert_range(td_range_max0(n), 0, 0, 0);
    assert_range(td_range_max0(p), 2, 4, 5);
    assert_range(td_range_min(a, b), -5, -4, 3);
    assert_range(td_range_min(p, a), -2, 1, 3);
}

static void division_by_zero(void)
{
    const struct td_range one = {1, 1, 1};

    assert_range(td_range_div(one, (struct td_range){-1, 2, 4}), -HUGE_VAL, 0.5, HUGE_VAL);
    assert_range(td_range_div(one, (struct td_range){0, 2, 4}), -HUGE_VAL, 0.5, HUGE_VAL);
    assert_range(td_range_div(one, (struct td_range){-4, -2, 0}), -HUGE_VAL, -0.5, HUGE_VAL);
    assert_range(td_range_div(one, (struct td_range){-4, -2, -0.5}), -2, -0.5, -0.25);
    assert_range(td_range_div(td_range_exact(0), (struct td_range){0, 2, 4}), -HUGE_VAL, 0, HUGE_VAL);
}

/* x / (x + rest) uses the same x twice: rounded twice, it is monotonic only to 1 ulp. */
static bool share_holds(struct td_range c, double x, double rest)
{
    double share = x / (x + rest), ulps = 4 * share * 0x1p-53;

    return x + rest <= 0 || (c.low <= share + ulps && share - ulps <= c.high);
}

static void share_contains_points(void)
{
    struct unit_random r = {.state = 3};
    unsigned long bad = 0;

    for (unsigned long n = 0; n < unit_rounds(100000); n++) {
        struct td_range x = random_range(&r, true), rest = random_range(&r, true), c;

        if (x.low < 0 || rest.low < 0 || x.value + rest.value <= 0)
            continue;
        c = td_range_share(x, rest);
        bad += !share_holds(c, x.value, rest.value) || c.value != x.value / (x.value + rest.value);
        bad += !(c.low >= 0 && c.high <= 1);
        for (int i = 0; i < 8; i++)
            bad += !share_holds(c, random_point(&r, x), random_point(&r, rest));
        bad += x.low + rest.high > 0 && c.low != x.low / (x.low + rest.high);
        bad += x.high + rest.low > 0 && c.high != x.high / (x.high + rest.low);
    }
    CU_ASSERT_EQUAL(bad, 0);
}

static void share_by_hand(void)
{
    const struct td_range nothing = td_range_exact(0);

    assert_range(td_range_share((struct td_range){1, 2, 3}, (struct td_range){5, 6, 7}), 0.125, 0.25, 0.375);
    assert_range(td_range_share(td_range_exact(1), td_range_exact(3)), 0.25, 0.25, 0.25);
    assert_range(td_range_share(nothing, (struct td_range){0, 3, 5}), 0, 0, 0);
    assert_range(td_range_share((struct td_range){0, 3, 5}, nothing), 0, 1, 1);
    assert_range(td_range_share((struct td_range){0, 0, 1}, (struct td_range){1, 3, 5}), 0, 0, 0.5);
    assert_range(td_range_share((struct td_range){0, 1, 4}, (struct td_range){0, 1, 4}), 0, 0.5, 1);
    assert_range(td_range_share((struct td_range){-1, 2, 3}, (struct td_range){5, 6, 7}), -HUGE_VAL, 0.25, HUGE_VAL);
    assert_range(td_range_share((struct td_range){1, 2, 3}, (struct td_range){-1, 6, 7}), -HUGE_VAL, 0.25, HUGE_VAL);
    assert_range(td_range_share((struct td_range){-2, -2, 3}, (struct td_range){5, 6, 7}), -HUGE_VAL, -0.5, HUGE_VAL);
}

/* The naive quotient uses one end of x above the line and the other below it. */
static void share_is_narrower(void)
{
    const struct td_range x = {40, 50, 60}, rest = {40, 50, 60};
    struct td_range naive = td_range_div(x, td_range_add(x, rest)), c = td_range_share(x, rest);

    assert_range(c, 0.4, 0.5, 0.6);
    CU_ASSERT_TRUE(naive.low < 0.34 && naive.high > 0.74);
}

static void when_decided_or_open(void)
{
    const struct td_range x = {1, 2, 3}, y = {10, 20, 30};
    const struct td_range below = {0, 1, 2}, above = {3, 4, 5}, across = {1, 3.5, 4}, touching = {2, 3, 4};

    assert_range(td_range_when(above, below, x, y), 1, 2, 3);
    assert_range(td_range_when(below, above, x, y), 10, 20, 30);
    assert_range(td_range_when(across, above, x, y), 1, 20, 30);
    assert_range(td_range_when(above, across, x, y), 1, 2, 30);
    assert_range(td_range_when(above, across, y, x), 1, 20, 30);
    /* below is at most 2, touching at least 2: never greater */
    assert_range(td_range_when(below, touching, x, y), 10, 20, 30);
    /* touching may be 2 like below: greater or not */
    assert_range(td_range_when(touching, below, x, y), 1, 2, 30);
    assert_range(td_range_when(below, below, x, y), 1, 20, 30);
    assert_range(td_range_when(td_range_exact(2), td_range_exact(2), x, y), 10, 20, 30);
}

static void when_contains_points(void)
{
    struct unit_random r = {.state = 4};
    unsigned long bad = 0, open = 0, rounds = unit_rounds(50000);

    for (unsigned long n = 0; n < rounds; n++) {
        struct td_range a = random_range(&r, false), b = random_range(&r, false);
        struct td_range x = random_range(&r, false), y = random_range(&r, false), c = td_range_when(a, b, x, y);
        const struct td_range *chosen = a.value > b.value ? &x : &y;

        bad += !ordered(c) || c.value != chosen->value;
        open += c.low != chosen->low || c.high != chosen->high;
        for (int i = 0; i < 8; i++)
            bad += !holds(c, random_point(&r, a) > random_point(&r, b) ? random_point(&r, x) : random_point(&r, y));
    }
    CU_ASSERT_EQUAL(bad, 0);
    CU_ASSERT_TRUE(open > rounds / 100 && open < rounds);
}

static void max0_contains_points(void)
{
    struct unit_random r = {.state = 5};
    unsigned long bad = 0;

    for (unsigned long n = 0; n < unit_rounds(20000); n++) {
        struct td_range a = random_range(&r, false), c = td_range_max0(a);

        bad += !ordered(c) || c.low < 0;
        bad += !holds(c, fmax(0, random_point(&r, a)));
    }
    CU_ASSERT_EQUAL(bad, 0);
}

/* A quotient without bounds must not become finite again. */
static void infinite_stays_infinite(void)
{
    const struct td_range open = td_range_div(td_range_exact(1), (struct td_range){-1, 2, 3}), some = {1, 2, 3};

    assert_range(td_range_add(open, some), -HUGE_VAL, 2.5, HUGE_VAL);
    assert_range(td_range_sub(some, open), -HUGE_VAL, 1.5, HUGE_VAL);
    assert_range(td_range_mul(open, some), -HUGE_VAL, 1, HUGE_VAL);
    assert_range(td_range_sub(open, open), -HUGE_VAL, 0, HUGE_VAL);
    assert_range(td_range_max0(open), 0, 0.5, HUGE_VAL);
    CU_ASSERT_FALSE(isfinite(td_range_mul(open, (struct td_range){0, 1, 2}).high));
    CU_ASSERT_FALSE(isfinite(td_range_mul((struct td_range){-2, -1, 0}, open).low));
}

static const CU_TestInfo tests[] = {
    {"exact numbers and counts", exact_and_count},
    {"operations by hand", by_hand},
    {"results hold all points", contains_points},
    {"ends are reached", ends_are_tight},
    {"division by a range through 0", division_by_zero},
    {"share by hand", share_by_hand},
    {"share holds all points", share_contains_points},
    {"share is narrower than the quotient", share_is_narrower},
    {"max0 holds all points", max0_contains_points},
    {"when: decided, open", when_decided_or_open},
    {"when holds all points", when_contains_points},
    {"no bound stays no bound", infinite_stays_infinite},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("range", tests);
