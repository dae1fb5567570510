/* SPDX-License-Identifier: MIT */
/* Likely bounds: values derived by hand, and simulated programs whose truth must be
 * inside in at least 95 of 100 runs. All tables: tests/bench/likely.c. */
#include "core/bounds/likely.h"
#include "tests/support/likely_sim.h"
#include "tests/support/unit.h"

#include <math.h>
#include <stdio.h>

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/* ---- by hand ------------------------------------------------------------------ */

static const struct td_likely_group half = {.windows = {1250, 2500}, .uneven = 1};

static struct td_likely_ask share_ask(double value, const struct td_likely_group *groups, size_t n)
{
    return (struct td_likely_ask){
        .value = value, .low = NAN, .high = NAN, .least = 0, .most = 1, .groups = groups, .ngroups = n};
}

static void assert_bounds(const struct td_likely_ask *ask, double low, double high)
{
    double l, h;

    CU_ASSERT_EQUAL(td_likely_bounds(ask, &l, &h), TD_LIKELY_GIVEN);
    CU_ASSERT_DOUBLE_EQUAL(l, low, 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(h, high, 1e-6);
}

static double half_width(const struct td_likely_ask *ask)
{
    double low, high;

    CU_ASSERT_EQUAL(td_likely_bounds(ask, &low, &high), TD_LIKELY_GIVEN);
    return (high - low) / 2;
}

static void assert_none(const struct td_likely_ask *ask, enum td_likely_why why)
{
    double low, high;

    CU_ASSERT_EQUAL(td_likely_bounds(ask, &low, &high), why);
    CU_ASSERT(isnan(low) && isnan(high));
}

static void assert_windows(struct td_likely_times t, double seen, double all)
{
    struct td_likely_windows w;

    CU_ASSERT_EQUAL(td_likely_windows(&t, &w), TD_LIKELY_GIVEN);
    CU_ASSERT_DOUBLE_EQUAL(w.seen, seen, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(w.all, all, 1e-9);
}

/* What was seen all the time has no error, whether the metric has limits or not, and in however few windows. */
static void all_was_seen(void)
{
    const struct td_likely_group g[] = {{.windows = {1, 1}, .uneven = 1.5, .pull = 1},
                                        {.windows = {3, 2}, .uneven = 1.5, .pull = NAN}};
    struct td_likely_ask ask = share_ask(0.5, g, 2);

    assert_bounds(&ask, 0.5, 0.5);
    ask.least = -HUGE_VAL, ask.most = HUGE_VAL;
    assert_bounds(&ask, 0.5, 0.5);
    ask.low = 0.4, ask.high = 0.7;
    assert_bounds(&ask, 0.4, 0.7);
    ask.ngroups = 0;
    assert_bounds(&ask, 0.4, 0.7);
}

static void windows_of_one_cpu(void)
{
    struct td_likely_times t = {.running = 80e9, .enabled = 160e9, .cpus = 16, .interval = 4e6};
    struct td_likely_windows w;

    assert_windows(t, 1250, 2500); /* 10 s in 4 ms */
    t.cpus = 0, t.elapsed = 10e9; /* so there were 16 */
    assert_windows(t, 1250, 2500);
    t.running = 1e9, t.enabled = 2e9; /* a task that slept for 8 s */
    assert_windows(t, 250, 500);
    t.running = 3e9; /* more than all: none was missed */
    assert_windows(t, 500, 500);
    t.elapsed = 0;
    CU_ASSERT_EQUAL(td_likely_windows(&t, &w), TD_LIKELY_NO_CPUS);
    CU_ASSERT(isnan(w.seen) && isnan(w.all));
    t.cpus = 1, t.running = NAN;
    CU_ASSERT_EQUAL(td_likely_windows(&t, &w), TD_LIKELY_NO_COVERAGE);
    t.running = 1, t.enabled = 0;
    CU_ASSERT_EQUAL(td_likely_windows(&t, &w), TD_LIKELY_NO_COVERAGE);
}

/* The roots p of (p - x)^2 = 2.2^2 p (1 - p) / n, n = seen / (1 - seen / all), x half a
 * step (1 / n, or 1 / all if that is more) away from the share. */
static void share_of_one_group(void)
{
    const struct td_likely_group few = {.windows = {100, 200}, .uneven = 1};
    struct td_likely_ask ask = share_ask(0.5, &half, 1);

    assert_bounds(&ask, 0.477822, 0.522178); /* n = 2500, x = 0.4998 and 0.5002 */
    ask = share_ask(0, &few, 1);
    assert_bounds(&ask, 0, 0.028294); /* n = 200, x = 0.0025 */
    ask = share_ask(1, &few, 1);
    assert_bounds(&ask, 1 - 0.028294, 1);
    /* on a scale from 0 to 4, four times as wide */
    ask = share_ask(2, &half, 1);
    ask.most = 4;
    assert_bounds(&ask, 4 * 0.47782165, 4 * 0.52217835);
}

/* A formula that does not clamp sometimes gives -0.02 instead of 0: then the limits are
 * -0.05..1.01 (0.01 of slack, and twice the 0.02 below 0). */
static void beyond_the_limits(void)
{
    const struct td_likely_group few = {.windows = {100, 200}, .uneven = 1};
    struct td_likely_ask ask = share_ask(-0.02, &few, 1), same;
    double low, high, l, h;

    ask.slack = 0.01;
    CU_ASSERT_EQUAL(td_likely_bounds(&ask, &low, &high), TD_LIKELY_GIVEN);
    same = share_ask(-0.02, &few, 1);
    same.least = -0.05, same.most = 1.01;
    CU_ASSERT_EQUAL(td_likely_bounds(&same, &l, &h), TD_LIKELY_GIVEN);
    CU_ASSERT_DOUBLE_EQUAL(low, l, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(high, h, 1e-12);
    CU_ASSERT(low < -0.02 && low > -0.05);
}

/* Two groups of the same windows, 100 of 200, on each of which the metric depends by 0.5:
 * own variance 1 / 50 (sums), so n = 50 and x = 0.2 -+ 0.01; beyond it, 0.25 - 0.16 each,
 * 0.0018 in all, 2.2 times the root of which is 0.09334. Roots 0.097646 and 0.359275. */
static void several_groups(void)
{
    struct td_likely_group two[2] = {{.windows = {100, 200}, .uneven = 1, .pull = 0.5},
                                     {.windows = {100, 200}, .uneven = 1, .pull = 0.5}};
    struct td_likely_ask ask = share_ask(0.2, two, 2);

    assert_bounds(&ask, 0.061478, 0.384609);
    two[1].windows.seen = 200; /* not multiplexed: no error of its own, and a smaller one of the other */
    two[0].pull = 0.2; /* no more than the share itself: n = 200, x = 0.2 -+ 0.0025 */
    assert_bounds(&ask, 0.143036, 0.271700);
    /* 0.9: as if in every second window, 0.25, and 0.09 beyond 0.16; 2: four times that, 0.84
     * (2.2 * sqrt(0.09 * 0.5 / 100) = 0.046669, 2.2 * sqrt(0.84 * 0.5 / 100) = 0.142576) */
    two[0].pull = 0.9;
    assert_bounds(&ask, 0.2 - sqrt(0.056964 * 0.056964 + 0.046669 * 0.046669),
                  0.2 + sqrt(0.071700 * 0.071700 + 0.046669 * 0.046669));
    two[0].pull = 2;
    assert_bounds(&ask, 0.2 - sqrt(0.056964 * 0.056964 + 0.142576 * 0.142576),
                  0.2 + sqrt(0.071700 * 0.071700 + 0.142576 * 0.142576));
    two[0].pull = NAN;
    assert_none(&ask, TD_LIKELY_NO_LIMITS);
}

static void what_is_not_said(void)
{
    struct td_likely_group g = {.windows = {8, 80}, .uneven = 1};
    struct td_likely_ask ask = share_ask(0.5, &g, 1);

    CU_ASSERT(half_width(&ask) < 0.5);
    g.windows.seen = 7.99;
    assert_none(&ask, TD_LIKELY_FEW_WINDOWS);
    g.windows.seen = 79, g.uneven = 10; /* worth no more than 8 at full weight */
    assert_none(&ask, TD_LIKELY_FEW_WINDOWS);
    g.windows.seen = NAN;
    assert_none(&ask, TD_LIKELY_NO_COVERAGE);
    g.windows.seen = -1;
    assert_none(&ask, TD_LIKELY_NO_COVERAGE);
    g.windows = (struct td_likely_windows){0, 0};
    assert_none(&ask, TD_LIKELY_NO_COVERAGE);
    g.windows = (struct td_likely_windows){8, NAN};
    assert_none(&ask, TD_LIKELY_NO_COVERAGE);
    g = half;
    ask.most = HUGE_VAL;
    assert_none(&ask, TD_LIKELY_NO_LIMITS);
    ask = share_ask(NAN, &g, 1);
    assert_none(&ask, TD_LIKELY_NO_LIMITS);
    for (enum td_likely_why why = TD_LIKELY_FEW_WINDOWS; why <= TD_LIKELY_MANY_SWITCHES; why++)
        CU_ASSERT_PTR_NOT_NULL(td_likely_name(why));
    CU_ASSERT_PTR_NULL(td_likely_name(TD_LIKELY_GIVEN));
}

static void likely_contains_sound(void)
{
    const struct td_likely_group all = {.windows = {3, 3}, .uneven = 1};
    struct td_likely_ask ask = share_ask(0.5, &half, 1);

    ask.low = 0.4, ask.high = 0.7;
    assert_bounds(&ask, 0.4 - (0.5 - 0.477822), 0.7 + (0.522178 - 0.5));
    ask.groups = &all; /* not multiplexed: the number of windows does not matter */
    assert_bounds(&ask, 0.4, 0.7);
    ask.low = ask.high = NAN;
    assert_bounds(&ask, 0.5, 0.5);
}

/* 8 intervals move the metric up and down by a, alternating: Student's t of 7 degrees (2.3646)
 * times sqrt(8 a^2 * 8 / 7), and 3 (1 - 1/2) / 1250 for what may have been missed. */
static void spread_of_intervals(void)
{
    double parts[16];
    struct td_likely_ask ask = share_ask(0.5, &half, 1);
    const double a = 0.001, rare = 3 * 0.5 / 1250;

    for (size_t i = 0; i < 16; i++)
        parts[i] = i % 2 ? a : -a;
    ask.parts = parts, ask.nparts = 8;
    CU_ASSERT_DOUBLE_EQUAL(half_width(&ask), 2.3646 * sqrt(8 * a * a * 8 / 7) + rare, 1e-5);
    /* no limits: the range of the intervals' values, 8 * 2 a, is taken as the program's */
    ask.least = -HUGE_VAL, ask.most = HUGE_VAL;
    CU_ASSERT_DOUBLE_EQUAL(half_width(&ask), 2.3646 * sqrt(8 * a * a * 8 / 7) + rare * 16 * a, 1e-5);
    /* + + - - + + ...: pairs of them differ more than single ones suggest (t of 15: 2.1314) */
    for (size_t i = 0; i < 16; i++)
        parts[i] = i / 2 % 2 ? a : -a;
    ask = share_ask(0.5, &half, 1);
    ask.parts = parts, ask.nparts = 16;
    CU_ASSERT(2.3646 * sqrt(32 * a * a * 8 / 7) > 2.1314 * sqrt(16 * a * a * 16 / 15));
    CU_ASSERT_DOUBLE_EQUAL(half_width(&ask), 2.3646 * sqrt(32 * a * a * 8 / 7) + rare, 1e-5);
    /* wider than the windows allow: the windows' bound is used; too few: they are ignored */
    parts[0] = 0.5;
    CU_ASSERT_DOUBLE_EQUAL(half_width(&ask), (0.522178 - 0.477822) / 2, 1e-6);
    ask.nparts = 7;
    CU_ASSERT_DOUBLE_EQUAL(half_width(&ask), (0.522178 - 0.477822) / 2, 1e-6);
}

/* 1,000 intervals are joined to 64, and these in pairs to 8: the error of their sum is
 * that of 1,000 uniformly distributed numbers, 1e-4 * sqrt(1000 / 12), times at least 1.96
 * and, since the widest of four estimates is used, about a third more. */
static void many_intervals(void)
{
    static double parts[1000];
    struct td_likely_ask ask = share_ask(0.5, &half, 1);
    struct unit_random r = {UINT64_C(88172645463325252)};
    const double error = 1e-4 * sqrt(1000 / 12.0);
    double sum = 0;

    ask.parts = parts, ask.nparts = COUNT(parts);
    for (unsigned n = 0; n < 100; n++) {
        for (size_t i = 0; i < COUNT(parts); i++)
            parts[i] = 1e-4 * (unit_random_ratio(&r) - 0.5);
        sum += half_width(&ask) - 3 * 0.5 / 1250;
    }
    CU_ASSERT(sum / 100 > 1.1 * 1.96 * error && sum / 100 < 1.5 * 1.96 * error);
}

/* Intervals that do not differ leave the rare phase alone: 3 of 2,500 windows, of which one counts for twice the mean,
 * and half of them unseen; 3 * 0.5 * 2 / 2500 = 0.0012. */
static void uneven_intervals(void)
{
    static const double parts[8] = {0};
    const struct td_likely_group uneven = {.windows = {2500, 5000}, .uneven = 2};
    struct td_likely_ask ask = share_ask(0.5, &uneven, 1);

    ask.parts = parts, ask.nparts = COUNT(parts);
    CU_ASSERT_DOUBLE_EQUAL(half_width(&ask), 0.0012, 1e-12);
}

static void pull(void)
{
    CU_ASSERT_DOUBLE_EQUAL(td_likely_pull(0.2, 0.25, 0.16), 0.5, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(td_likely_pull(0.2, 0.2, 0.1), 1, 1e-12);
    CU_ASSERT(isnan(td_likely_pull(0.2, NAN, 0.1)));
    CU_ASSERT(isinf(td_likely_pull(0.2, 0.3, -HUGE_VAL)));
}

/* Fair windows: a mean square of at most 2.2 * 2 / windows. */
static void steps(void)
{
    double apart[16];

    for (size_t i = 0; i < 16; i++)
        apart[i] = i % 2 ? 0.2 : -0.2;
    CU_ASSERT_FALSE(td_likely_in_step(apart, 16, 100)); /* 0.04 < 0.044 */
    CU_ASSERT_TRUE(td_likely_in_step(apart, 16, 120)); /* 0.04 > 0.0367 */
    CU_ASSERT_FALSE(td_likely_in_step(apart, 7, 120));
    for (size_t i = 0; i < 16; i++)
        apart[i] = 0.02 + (i % 2 ? 0.001 : -0.001);
    CU_ASSERT_TRUE(td_likely_in_step(apart, 16, 100)); /* the same in all parts */
    for (size_t i = 0; i < 16; i++)
        apart[i] /= 4;
    CU_ASSERT_FALSE(td_likely_in_step(apart, 16, 100)); /* but too small to matter */
    for (size_t i = 0; i < 16; i++)
        apart[i] = i < 8 ? 0.15 : -0.15; /* a slow beat */
    CU_ASSERT_TRUE(td_likely_in_step(apart, 16, 100));
}

/* Every second pair of the intervals goes the other way. */
static bool in_step_by_pairs(double by)
{
    double apart[8];

    for (size_t i = 0; i < 8; i++)
        apart[i] = i % 4 < 2 ? by : -by;
    return td_likely_in_step(apart, 8, 100);
}

static bool in_step_around(double mean, double by)
{
    double apart[8];

    for (size_t i = 0; i < 8; i++)
        apart[i] = mean + (i % 2 ? by : -by);
    return td_likely_in_step(apart, 8, 100);
}

/* The limits of the three questions, with 100 windows. */
static void edges_of_steps(void)
{
    /* 8 intervals: 2.2 * 2 / 100 = 0.044 = 0.20976^2 */
    CU_ASSERT_FALSE(in_step_around(0, 0.2097));
    CU_ASSERT_TRUE(in_step_around(0, 0.2098));
    /* their 4 pairs, of 200 windows: 3.5 * 2 / 200 = 0.035 = 0.18708^2 */
    CU_ASSERT_FALSE(in_step_by_pairs(0.1870));
    CU_ASSERT_TRUE(in_step_by_pairs(0.1871));
    /* the mean: twice 2.3646 (Student's t of 7) * by / sqrt(7) = 1.7875 * by: 0.05 = 1.7875 * 0.02797 */
    CU_ASSERT_TRUE(in_step_around(0.05, 0.0279));
    CU_ASSERT_FALSE(in_step_around(0.05, 0.0281));
    CU_ASSERT_TRUE(in_step_around(-0.05, 0.0279));
    /* and not below 0.01 */
    CU_ASSERT_TRUE(in_step_around(0.0101, 0.001));
    CU_ASSERT_FALSE(in_step_around(0.0099, 0.001));
}

static void restores(void)
{
    double slots;

    CU_ASSERT_EQUAL(td_likely_restored(0, 1e9, 1e9, &slots), TD_LIKELY_GIVEN);
    CU_ASSERT_EQUAL(slots, 0);
    /* 10 / 2 + 1.96 / sqrt(12) * sqrt(10) units of 1/255 */
    CU_ASSERT_EQUAL(td_likely_restored(10, 1e9, 1e9, &slots), TD_LIKELY_GIVEN);
    CU_ASSERT_DOUBLE_EQUAL(slots, 1e9 * (5 + 0.5658 * 3.1623) / 255, 1e5);
    /* what the register held before this interval is included */
    CU_ASSERT_EQUAL(td_likely_restored(10, 3e9, 1e9, &slots), TD_LIKELY_GIVEN);
    CU_ASSERT_DOUBLE_EQUAL(slots, 3e9 * (5 + 0.5658 * 3.1623) / 255, 3e5);
    CU_ASSERT_EQUAL(td_likely_restored(10, 4e9, 1e9, &slots), TD_LIKELY_MANY_SWITCHES);
    CU_ASSERT_EQUAL(td_likely_restored(43, 1e9, 1e9, &slots), TD_LIKELY_GIVEN);
    CU_ASSERT_EQUAL(td_likely_restored(44, 1e9, 1e9, &slots), TD_LIKELY_MANY_SWITCHES);
    CU_ASSERT_EQUAL(td_likely_restored(NAN, 1e9, 1e9, &slots), TD_LIKELY_NO_SWITCHES);
    CU_ASSERT(isnan(slots));
}

/* 0.04 <= 0.05; 0.1 and 0.01; 0.5^4 = 0.0625 and 0.5^5 = 0.031; 0.9^28 = 0.052 and 0.9^29 = 0.047 */
static void reads(void)
{
    CU_ASSERT_EQUAL(td_likely_reads(1), 1);
    CU_ASSERT_EQUAL(td_likely_reads(0.96), 1);
    CU_ASSERT_EQUAL(td_likely_reads(0.9), 2);
    CU_ASSERT_EQUAL(td_likely_reads(0.5), 5);
    CU_ASSERT_EQUAL(td_likely_reads(0.1), 29);
    CU_ASSERT_EQUAL(td_likely_reads(0.003), 998); /* ln 0.05 / ln 0.997 = 997.07 */
    CU_ASSERT_EQUAL(td_likely_reads(0.0029), 0);
    CU_ASSERT_EQUAL(td_likely_reads(1e-300), 0);
    CU_ASSERT_EQUAL(td_likely_reads(0), 0);
    CU_ASSERT_EQUAL(td_likely_reads(NAN), 0);
}

/* ---- by hand, with other limits and weights --------------------------------------------------------- */

/* The roots of (p - x)^2 = 2.2^2 p (1 - p) / n for the share x of the scale, half a step to either side, and beyond it
 * 2.2 deviations of what the groups' differences vary more: worked out by the quadratic's formula, outside of this
 * program. Variances of groups add up, or, where most was seen, the squares of the sum of their deviations are less. */
static void other_scales(void)
{
    static const struct {
        double value, least, most, slack;
        struct td_likely_group groups[2];
        size_t n;
        double low, high;
    } rows[] = {
        {0, -1, 1, 0, {{{1250, 2500}, 1, 0}}, 1, -0.044356693, 0.044356693},
        {-0.4, -1, 1, 0, {{{100, 1000}, 1, 1}, {{100, 1000}, 1, 1}}, 2, -0.683816454, -0.046965183},
        {0.2, -1, 1, 0, {{{160, 200}, 1, 1.5}, {{160, 200}, 1, 1.2}}, 2, 0.036569441, 0.353862731},
        {0.2, -1, 1, 0.1, {{{160, 200}, 2, 1.5}, {{100, 300}, 2, 3.2}}, 2, -0.546157474, 0.918957115},
        {0.2, 0, 1, 0, {{{100, 150}, 2, 0.9}, {{300, 500}, 2, 1.5}}, 2, -0.036689821, 0.461836234},
        {0.3, 0, 1, 0, {{{100, 150}, 2, 2.5}, {{300, 500}, 2, 0.1}}, 2, -0.029781593, 0.643587743},
        {1.1, 0, 1, 0.01, {{{100, 200}, 1, 0}}, 1, 1.029577719, 1.145514530},
        {0.5, 0, 1, 0, {{{60, 80}, 1, 0.2}, {{50, 50}, 1, 0.9}}, 2, 0.423579553, 0.576420447},
    };

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct td_likely_ask ask = share_ask(rows[i].value, rows[i].groups, rows[i].n);
        double low, high;

        ask.least = rows[i].least, ask.most = rows[i].most, ask.slack = rows[i].slack;
        CU_ASSERT_EQUAL(td_likely_bounds(&ask, &low, &high), TD_LIKELY_GIVEN);
        if (!(fabs(low - rows[i].low) < 1e-8 && fabs(high - rows[i].high) < 1e-8))
            printf("\n    row %zu: %.9f, %.9f", i, low, high);
        CU_ASSERT_DOUBLE_EQUAL(low, rows[i].low, 1e-8);
        CU_ASSERT_DOUBLE_EQUAL(high, rows[i].high, 1e-8);
    }
}

/* Without limits, of a group that was seen in half of 1,000 windows: t by the series of Abramowitz and Stegun, 26.7.5,
 * times the root of the squares times n / (n - 1), the most of all ways to join pairs (of 17 the last one joins the
 * pair before it; 100 are joined to 64), and 3 / 1,000 of n times what the intervals differ by at most. */
static void joined_intervals(void)
{
    static const struct td_likely_group group = {.windows = {500, 1000}, .uneven = 1};
    static const double wild[17] = {1, 2, -1, 3, -2, -4, 2, 1, 1, -3, -2, 2, 4, -1, -3, -1, 6},
                        slow[17] = {1, 1, 1, 1, -1, -1, -1, -1, 1, 1, 1, 1, -1, -1, -1, -1, 5},
                        few[8] = {2, 9, 4, 6, 1, 8, 3, 7};
    double many[100];
    struct td_likely_ask ask = share_ask(0.5, &group, 1);

    ask.least = -HUGE_VAL, ask.most = HUGE_VAL;
    ask.parts = wild, ask.nparts = 17; /* 17 single ones; 10 from the least to the greatest */
    CU_ASSERT_DOUBLE_EQUAL(half_width(&ask), 23.889838016 + 0.003 * 17 * 10, 1e-8);
    ask.parts = slow; /* 8 pairs; 6 */
    CU_ASSERT_DOUBLE_EQUAL(half_width(&ask), 14.708459267 + 0.003 * 17 * 6, 1e-8);
    ask.parts = few, ask.nparts = 8; /* 8 */
    CU_ASSERT_DOUBLE_EQUAL(half_width(&ask), 19.575062410 + 0.003 * 8 * 8, 1e-8);
    for (int i = 0; i < 100; i++)
        many[i] = (7 * i * i + 3 * i) % 11 - 5;
    ask.parts = many, ask.nparts = 100;
    CU_ASSERT_DOUBLE_EQUAL(half_width(&ask), 36.198489982 + 0.003 * 64 * 11, 1e-8);
    ask.parts = few, ask.nparts = 8;
    ask.least = -1000, ask.most = 3000;
    CU_ASSERT_DOUBLE_EQUAL(half_width(&ask), 19.575062410 + 0.003 * 4000, 1e-8);
}

/* 128 intervals are joined to 64, which have twice the windows each: 2.2 * 2 / 200 = 0.14832^2. Of 100 to 64 a sum is
 * of one or two. */
static void steps_of_joined(void)
{
    double apart[128];

    for (size_t i = 0; i < 128; i++)
        apart[i] = i % 4 < 2 ? 0.1483 : -0.1483;
    CU_ASSERT_FALSE(td_likely_in_step(apart, 128, 100));
    for (size_t i = 0; i < 128; i++)
        apart[i] = i % 4 < 2 ? 0.1484 : -0.1484;
    CU_ASSERT_TRUE(td_likely_in_step(apart, 128, 100));
    CU_ASSERT_FALSE(td_likely_in_step(apart, 128, 0));
    CU_ASSERT_FALSE(td_likely_in_step(apart, 128, NAN));
}

/* Times of which one is 0. */
static void edges_of_windows(void)
{
    struct td_likely_times t = {.running = 0, .enabled = 2e9, .cpus = 2, .interval = 4e6};
    struct td_likely_windows w;

    assert_windows(t, 0, 250); /* nothing was seen of 1 s in 4 ms */
    t.interval = 0;
    CU_ASSERT_EQUAL(td_likely_windows(&t, &w), TD_LIKELY_NO_COVERAGE);
    t.interval = 4e6, t.running = -1;
    CU_ASSERT_EQUAL(td_likely_windows(&t, &w), TD_LIKELY_NO_COVERAGE);
    t.running = 1e9, t.cpus = 0, t.elapsed = 4e9; /* half a CPU's time: it was one */
    assert_windows(t, 250, 500);
    t.cpus = -1;
    assert_windows(t, 250, 500);
}

/* Half a window, of which all was seen, a half, or of which none is known to have been. */
static void part_of_a_window(void)
{
    const struct td_likely_group all = {.windows = {0.5, 0.5}, .uneven = 1},
                                 part = {.windows = {0.25, 0.5}, .uneven = 1},
                                 none = {.windows = {0.5, 0}, .uneven = 1};
    struct td_likely_ask ask = {.value = 0.3, .low = 0.3, .high = 0.3, .most = 1, .groups = &all, .ngroups = 1};

    assert_bounds(&ask, 0.3, 0.3);
    ask.groups = &part;
    assert_none(&ask, TD_LIKELY_FEW_WINDOWS);
    ask.groups = &none;
    assert_none(&ask, TD_LIKELY_NO_COVERAGE);
}

/* A quarter and less may be the rounding of the register's fields. */
static void sums_off(void)
{
    CU_ASSERT_EQUAL(td_likely_sum_off(1000, 1000), 0);
    CU_ASSERT_DOUBLE_EQUAL(td_likely_sum_off(1100, 1000), 0.1, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(td_likely_sum_off(900, 1000), 0.1, 1e-12);
    CU_ASSERT_EQUAL(td_likely_sum_off(1250, 1000), 0.25);
    CU_ASSERT_EQUAL(td_likely_sum_off(750, 1000), 0.25);
    CU_ASSERT_EQUAL(td_likely_sum_off(1251, 1000), HUGE_VAL);
    CU_ASSERT_EQUAL(td_likely_sum_off(749, 1000), HUGE_VAL);
}

/* 10 switches: 10 / 2 + 1.96 / sqrt(12) * sqrt(10) = 0.57 * 3.16227766 + 5 = 6.802498266 units of 1 / 255. */
static void restores_exactly(void)
{
    double slots;

    CU_ASSERT_EQUAL(td_likely_restored(10, 2550, 25500, &slots), TD_LIKELY_GIVEN);
    CU_ASSERT_DOUBLE_EQUAL(slots, 68.02498266, 1e-6);
    CU_ASSERT_EQUAL(td_likely_restored(-1, 2550, 25500, &slots), TD_LIKELY_NO_SWITCHES);
    /* a tenth of the slots is the most */
    CU_ASSERT_EQUAL(td_likely_restored(10, 2550, 680.25, &slots), TD_LIKELY_GIVEN);
    CU_ASSERT_EQUAL(td_likely_restored(10, 2550, 680.24, &slots), TD_LIKELY_MANY_SWITCHES);
}

static void names(void)
{
    static const char *const all[] = {NULL,      "few_windows", "coverage_unknown", "cpus_unknown",
                                      "in_step", "no_limits",   "switches_unknown", "many_switches"};
    static const enum td_likely_why why[] = {
        TD_LIKELY_GIVEN,   TD_LIKELY_FEW_WINDOWS, TD_LIKELY_NO_COVERAGE, TD_LIKELY_NO_CPUS,
        TD_LIKELY_IN_STEP, TD_LIKELY_NO_LIMITS,   TD_LIKELY_NO_SWITCHES, TD_LIKELY_MANY_SWITCHES,
    };

    for (size_t i = 1; i < COUNT(all); i++)
        CU_ASSERT_STRING_EQUAL(td_likely_name(why[i]), all[i]);
}

/* ---- by simulation ------------------------------------------------------------ */

static const struct likely_program steady = {"steady", LIKELY_STEADY, 0, 0, 0, 0.2};
static const struct likely_program all_or_nothing = {"all or nothing in each window", LIKELY_WINDOWS, 0, 0, 0, 0};
static const struct likely_program drifts = {"drifts", LIKELY_DRIFT, 0, 0, 0, 0};
static const struct likely_program once = {"changes once", LIKELY_ONCE, 0, 0, 0, 0};
static const struct likely_program shortest = {"phases below 1/4 rotation", LIKELY_RANDOM, 0.02, 0.25, 0, 0};
static const struct likely_program middle = {"phases of 1/4 to 8", LIKELY_RANDOM, 0.25, 8, 0, 0};
static const struct likely_program longest = {"phases of 8 to 100", LIKELY_RANDOM, 8, 100, 0, 0};
static const struct likely_program quick = {"a rhythm of 1/8 to 1/4", LIKELY_RHYTHM, 0.125, 0.25, 0, 0};
static const struct likely_program slow = {"a rhythm of 8 to 16", LIKELY_RHYTHM, 8, 16, 0, 0};
static const struct likely_program locked = {"a rhythm of 1/2, locked", LIKELY_RHYTHM, 0.5, 0.5, 0, 0};

static double percent(unsigned long part, unsigned long all)
{
    return all ? 100.0 * (double)part / (double)all : 100;
}

/* 95 of 100, less three standard deviations for that many runs. */
static double least_percent(unsigned long runs)
{
    return 95 - 300 * sqrt(0.95 * 0.05 / (double)runs);
}

static void assert_inside(const char *name, const struct likely_cell *c)
{
    double inside = percent(c->inside, c->given);

    if (inside < least_percent(c->given)) {
        printf("%s: inside %.1f %% of %lu\n", name, inside, c->given);
        CU_FAIL("the truth is outside too often");
    }
}

/* Less than 5 of 100 names are wrong. */
static void assert_names(const char *name, const struct likely_cell *c)
{
    const bool good = 20 * c->wrong <= c->ahead && 20 * c->misled <= c->clear;

    if (!good)
        printf("%s: wrong %lu of %lu, %lu of %lu clear ones\n", name, c->wrong, c->ahead, c->misled, c->clear);
    CU_ASSERT(good);
}

static struct likely_cell simulate(struct likely_case c, uint64_t seed)
{
    struct likely_cell cell = {0};

    c.intervals = c.intervals ? c.intervals : 1;
    c.formula = c.formula ? c.formula : likely_formulas;
    likely_run(&c, unit_rounds(1000), &seed, &cell);
    assert_inside(c.program->name, &cell);
    return cell;
}

static void programs(void)
{
    static const struct likely_case cases[] = {
        {.program = &all_or_nothing, .share = 0.3, .turns = 4, .seen = 1, .windows = 125},
        {.program = &all_or_nothing, .share = 0.02, .turns = 10, .seen = 1, .windows = 625},
        {.program = &all_or_nothing, .share = 0.5, .turns = 4, .seen = 3, .windows = 125},
        {.program = &all_or_nothing, .share = 0.5, .turns = 10, .seen = 1, .windows = 8},
        {.program = &steady, .share = 0.9, .turns = 2, .seen = 1, .windows = 25},
        {.program = &drifts, .share = 0.5, .turns = 3, .seen = 1, .windows = 25},
        {.program = &once, .share = 0.5, .turns = 10, .seen = 1, .windows = 8},
        {.program = &shortest, .share = 0.5, .turns = 10, .seen = 1, .windows = 125},
        {.program = &middle, .share = 0.1, .turns = 4, .seen = 1, .windows = 125},
        {.program = &middle, .share = 0.5, .turns = 10, .seen = 9, .windows = 125},
        {.program = &longest, .share = 0.3, .turns = 2, .seen = 1, .windows = 625},
        {.program = &quick, .share = 0.5, .turns = 10, .seen = 1, .windows = 25},
        {.program = &quick, .share = 0.5, .turns = 10, .seen = 9, .windows = 125},
        {.program = &slow, .share = 0.02, .turns = 4, .seen = 1, .windows = 625},
        /* most often seen in none of the intervals */
        {.program = &all_or_nothing, .share = 0.005, .turns = 4, .seen = 1, .windows = 100, .intervals = 10},
    };

    for (size_t i = 0; i < COUNT(cases); i++)
        CU_ASSERT_EQUAL(simulate(cases[i], 100 + i).given, unit_rounds(1000));
}

/* If windows vary as much as possible, bounds are hardly wider than necessary:
 * 2.2 standard deviations, and steps of windows. */
static void as_narrow_as_can_be(void)
{
    const struct likely_case c = {.program = &all_or_nothing, .share = 0.3, .turns = 2, .seen = 1, .windows = 500};
    struct likely_cell cell = simulate(c, 7);
    double error = sqrt(cell.square / (double)cell.given), width = cell.width / (double)cell.given;

    /* sqrt(0.3 * 0.7 / 500 / 2) = 0.0145 */
    CU_ASSERT_DOUBLE_EQUAL(width, 2.2 * 0.0145 + 0.0005, 0.001);
    if (cell.given >= 1000)
        CU_ASSERT_DOUBLE_EQUAL(error, 0.0145, 0.0015);
}

static void cpus_weights_and_sleep(void)
{
    struct likely_case c = {.program = &all_or_nothing, .share = 0.3, .turns = 2, .seen = 1, .windows = 200};

    c.cpus = 64; /* all do the same: no more information than from one */
    CU_ASSERT_DOUBLE_EQUAL(simulate(c, 11).width / (double)unit_rounds(1000), 0.05, 0.01);
    c.cpus = 8, c.apart = true;
    simulate(c, 12);
    c.cpus = 0, c.apart = false, c.idle = 0.9, c.share = 0.05;
    simulate(c, 13);
    c.idle = 0, c.burst = 0.25, c.share = 0.5;
    simulate(c, 14);
}

static void intervals(void)
{
    static const struct likely_program *const of[] = {&steady, &all_or_nothing, &drifts, &once, &shortest,
                                                      &middle, &longest,        &quick,  &slow};

    for (size_t i = 0; i < COUNT(of); i++) {
        struct likely_case c = {.program = of[i], .share = 0.3, .turns = 4, .seen = 1, .windows = 620}, with = c;
        struct likely_cell cell, narrower;

        with.intervals = 10, with.witness = true;
        cell = simulate(c, 200 + i);
        narrower = simulate(with, 200 + i);
        CU_ASSERT(narrower.width < 1.01 * cell.width);
        /* hardly anything is mistaken for resonance */
        CU_ASSERT(percent(narrower.given, narrower.runs) >= least_percent(narrower.runs));
        if (of[i] == &steady) /* nine standard errors of 0.2 / sqrt(620), not 2.2 of 0.46 / sqrt(620) */
            CU_ASSERT(narrower.width < 0.7 * cell.width);
    }
}

static void resonance(void)
{
    struct likely_case c = {
        .program = &locked,
        .formula = likely_formulas,
        .share = 0.5,
        .turns = 4,
        .seen = 1,
        .windows = 300,
        .intervals = 30,
        .witness = true,
    };
    struct likely_cell cell = {0};
    uint64_t seed = 300;

    likely_run(&c, unit_rounds(1000), &seed, &cell);
    CU_ASSERT(percent(cell.given, cell.runs) < 15);
}

static void formulas(void)
{
    static const struct likely_program *const of[] = {&all_or_nothing, &middle};

    for (size_t f = 0; f < likely_nformulas; f++)
        for (size_t i = 0; i < COUNT(of); i++) {
            struct likely_case c = {
                .program = of[i], .formula = &likely_formulas[f], .turns = 5, .seen = 1, .windows = 100};

            simulate(c, 400 + 10 * f + i);
            c.intervals = 12;
            simulate(c, 400 + 10 * f + i);
        }
}

static void tasks(void)
{
    static const unsigned switches[] = {1, 5, 20, 40};
    unsigned long ahead = 0;

    for (size_t t = 0; t < likely_ntasks; t++)
        for (size_t i = 0; i < 2 * COUNT(switches); i++) {
            struct likely_cell cell = {0};
            uint64_t seed = 500 + 10 * t + i;

            likely_restore_run(&likely_tasks[t], switches[i / 2], i % 2, unit_rounds(1000), &seed, &cell);
            CU_ASSERT_EQUAL(cell.given, cell.runs);
            CU_ASSERT_EQUAL(cell.escaped, 0);
            assert_inside(likely_tasks[t].name, &cell);
            assert_names(likely_tasks[t].name, &cell);
            ahead += cell.ahead;
        }
    CU_ASSERT(ahead > unit_rounds(1000));
}

static void tasks_read_now_and_then(void)
{
    static const double busy[] = {1, 0.9, 0.5}, given[] = {100, 75, 5}; /* given in at least so many % */

    for (size_t t = 0; t < likely_ntasks; t++)
        for (size_t i = 0; i < 2 * COUNT(busy); i++) {
            struct likely_cell cell = {0};
            uint64_t seed = 600 + 10 * t + i;

            likely_reads_run(&likely_tasks[t], 3, i % 2, busy[i / 2], unit_rounds(100), &seed, &cell);
            CU_ASSERT(percent(cell.given, cell.runs) >= given[i / 2]);
            assert_inside(likely_tasks[t].name, &cell);
        }
}

/* Bounds, and names, by how far the counts of a register are off the slots, however hardware rounds (but of two phases
 * with 1,000 switches, rounded to the nearest unit): where it is not known how often they were written back, up to
 * 1,000 times; where it is known to be seldom, by no more than they are off. */
static void tasks_by_their_sum(void)
{
    static const struct {
        unsigned switches;
        double least;
    } rows[] = {
        {5, TD_LIKELY_SUM_FINE},   {20, TD_LIKELY_SUM_FINE},   {50, TD_LIKELY_SUM_FINE},
        {20, TD_LIKELY_SUM_LEAST}, {200, TD_LIKELY_SUM_LEAST}, {TD_LIKELY_SUM_SWITCHES, TD_LIKELY_SUM_LEAST},
    };
    unsigned long ahead = 0, clear = 0;
    double given = 0;

    for (size_t t = 0; t < likely_ntasks; t++)
        for (size_t i = 0; i < 3 * COUNT(rows); i++) {
            const enum likely_rounding rounding = (enum likely_rounding)(i % 3);
            struct likely_cell cell = {0};
            uint64_t seed = 700 + 10 * t + i;

            if (rounding == LIKELY_NEAREST && likely_tasks[t].work == LIKELY_HALVES && rows[i / 3].switches > 200)
                continue;
            likely_off_run(&likely_tasks[t], rows[i / 3].switches, rounding, rows[i / 3].least, unit_rounds(200), &seed,
                           &cell);
            given += percent(cell.given, cell.runs);
            ahead += cell.ahead;
            clear += cell.clear;
            assert_names(likely_tasks[t].name, &cell);
            if (cell.given)
                assert_inside(likely_tasks[t].name, &cell);
        }
    CU_ASSERT(given > 10 * 100); /* of most kinds of runs nearly all have bounds */
    CU_ASSERT(ahead > unit_rounds(200) && clear > 20 * unit_rounds(200));
}

/* By hand: 0.9 and 1.1 of 1000 slots are off by 0.1, a quarter is the most. */
static void sums_that_are_off(void)
{
    CU_ASSERT_DOUBLE_EQUAL(td_likely_sum_off(1100, 1000), 0.1, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(td_likely_sum_off(900, 1000), 0.1, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(td_likely_sum_off(1250, 1000), 0.25, 1e-12);
    CU_ASSERT(isinf(td_likely_sum_off(1251, 1000)) && isinf(td_likely_sum_off(749, 1000)));
}

static CU_TestInfo tests[] = {
    {"all was seen", all_was_seen},
    {"other scales", other_scales},
    {"joined intervals", joined_intervals},
    {"steps of joined intervals", steps_of_joined},
    {"edges of windows", edges_of_windows},
    {"part of a window", part_of_a_window},
    {"sums off", sums_off},
    {"restores exactly", restores_exactly},
    {"names of reasons", names},
    {"windows of one CPU", windows_of_one_cpu},
    {"a share of one group", share_of_one_group},
    {"beyond the limits", beyond_the_limits},
    {"several groups", several_groups},
    {"what is not said", what_is_not_said},
    {"likely bounds contain sound ones", likely_contains_sound},
    {"the spread of intervals", spread_of_intervals},
    {"many intervals", many_intervals},
    {"the pull of a group", pull},
    {"a program in step", steps},
    {"the edges of being in step", edges_of_steps},
    {"uneven windows of intervals", uneven_intervals},
    {"restores of the metrics register", restores},
    {"reads that begin anew", reads},
    {"simulated programs", programs},
    {"as narrow as can be", as_narrow_as_can_be},
    {"CPUs, weights and sleep", cpus_weights_and_sleep},
    {"intervals", intervals},
    {"resonance", resonance},
    {"formulas", formulas},
    {"tasks", tasks},
    {"tasks, read now and then", tasks_read_now_and_then},
    {"sums that are off", sums_that_are_off},
    {"tasks, by how far their sum is off", tasks_by_their_sum},
    CU_TEST_INFO_NULL,
};

UNIT_SUITE("likely bounds", tests);
