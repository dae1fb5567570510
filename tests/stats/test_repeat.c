/* SPDX-License-Identifier: MIT */
/* Bounds of means over runs, by simulation: how often they hold what the mean of all runs would be. */
#include "stats/repeat.h"
#include "tests/support/chance.h"

#include <math.h>
#include <stdio.h>

static const double truth = 0.3, spread = 0.02, unit = 1 / 255.0;

static void add(struct td_repeat_metric *m, double low, double value, double high)
{
    td_mean_add(&m->mean, value);
    td_mean_add(&m->low, low);
    td_mean_add(&m->high, high);
}

static const struct td_repeat_metric nothing = {.sound = true};

/* What a run may show of its true share. */
enum measured { EXACT, TRUNCATED, LOWEST, HIGHEST };

static void run(struct td_repeat_metric *m, enum measured how, struct unit_random *random)
{
    const double share = truth + spread * chance_normal(random);
    const double off = how == TRUNCATED ? fmod(share, unit) : how == EXACT ? 0 : unit;

    if (how == HIGHEST)
        add(m, share, share + off, share + off);
    else
        add(m, share - off, share - off, how == EXACT ? share : share - off + unit);
}

/* In how many of 100 cases the truth is within the bounds of the mean of n runs. */
static double coverage(unsigned n, enum measured how, unsigned long cases)
{
    struct unit_random random = {n};
    unsigned long held = 0;

    for (unsigned long i = 0; i < cases; i++) {
        struct td_repeat_metric m = nothing;
        double low, high;

        for (unsigned k = 0; k < n; k++)
            run(&m, how, &random);
        held += td_repeat_bounds(&m, &low, &high) == TD_BOUNDS_LIKELY && low <= truth && truth <= high;
    }
    return 100 * (double)held / (double)cases;
}

/* 95 % of exact shares, neither less nor, which would be idle, more: sqrt(0.95 * 0.05 / n) is what
 * chance leaves open, of which three. More where a run's own bounds have a width, wherever in them its value is. */
static void coverages(void)
{
    static const unsigned runs[] = {3, 4, 5, 8, 20};
    const unsigned long cases = unit_rounds(10000) < 2000 ? 2000 : unit_rounds(10000);
    const double open = 300 * sqrt(0.95 * 0.05 / (double)cases);

    for (size_t i = 0; i < sizeof(runs) / sizeof(*runs); i++) {
        CU_ASSERT_DOUBLE_EQUAL(coverage(runs[i], EXACT, cases), 95, open);
        for (enum measured how = TRUNCATED; how <= HIGHEST; how++)
            CU_ASSERT(coverage(runs[i], how, cases) >= 95 - open);
    }
}

/* NIST/SEMATECH e-Handbook, 1.3.6.7.2. Numbers of a deviation of 1 to the left and right of 0 tell it. */
static void quantiles(void)
{
    static const struct {
        unsigned n; /* even */
        double t;
    } of[] = {{4, 3.182}, {6, 2.571}, {8, 2.365}, {10, 2.262}, {20, 2.093}, {100, 1.984}};

    for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++) {
        struct td_mean mean = {0};

        for (unsigned k = 0; k < of[i].n; k++)
            td_mean_add(&mean, k % 2 ? 1 : -1);
        CU_ASSERT_DOUBLE_EQUAL(td_mean_error(&mean) * sqrt(of[i].n - 1.0), of[i].t, 0.0006 + 0.001 * (of[i].n == 8));
    }
}

/* 0.2, 0.3, 0.4: deviation 0.1, and 4.303 * 0.1 / sqrt(3) = 0.2484. */
static void by_hand(void)
{
    struct td_repeat_metric m = nothing;
    double low, high;

    CU_ASSERT(td_repeat_bounds(&m, &low, &high) == TD_BOUNDS_NONE && isnan(low) && isnan(high));
    add(&m, 0.19, 0.2, 0.23);
    CU_ASSERT(td_repeat_bounds(&m, &low, &high) == TD_BOUNDS_SOUND && low == 0.19 && high == 0.23);
    add(&m, 0.29, 0.3, 0.33);
    CU_ASSERT_EQUAL(td_repeat_bounds(&m, &low, &high), TD_BOUNDS_SOUND);
    CU_ASSERT_DOUBLE_EQUAL(low, 0.24, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(high, 0.28, 1e-12);
    add(&m, 0.39, 0.4, 0.43);
    CU_ASSERT_EQUAL(td_repeat_bounds(&m, &low, &high), TD_BOUNDS_LIKELY);
    CU_ASSERT_DOUBLE_EQUAL(low, 0.29 - 0.2484, 1e-4);
    CU_ASSERT_DOUBLE_EQUAL(high, 0.33 + 0.2484, 1e-4);
    m.sound = false;
    m.mean.n = m.low.n = m.high.n = 2;
    CU_ASSERT_EQUAL(td_repeat_bounds(&m, &low, &high), TD_BOUNDS_LIKELY); /* as those of its runs are */
}

/* A share ends at 0 and 1, a number does not; a run without bounds leaves the mean without. */
static void ends(void)
{
    struct td_repeat_metric share = nothing, number = nothing;
    double low, high;

    number.unit = (char[]){"per cycle"};
    for (int i = 0; i < 3; i++) {
        add(&share, i / 2.0, i / 2.0, i / 2.0);
        add(&number, i / 2.0, i / 2.0, i / 2.0);
    }
    td_repeat_bounds(&share, &low, &high);
    CU_ASSERT(low == 0 && high == 1);
    td_repeat_bounds(&number, &low, &high);
    CU_ASSERT(low < -0.7 && high > 1.7); /* 0.5 give or take 4.303 * 0.5 / sqrt(3) */
    td_mean_add(&share.mean, 0.5);
    CU_ASSERT(td_repeat_bounds(&share, &low, &high) == TD_BOUNDS_NONE && isnan(low) && isnan(high));
}

/* In how many of 100 cases the truth is within, where runs end as soon as the bounds are so narrow; and never before
 * the eighth. */
static double coverage_until(double within, unsigned long cases)
{
    struct unit_random random = {(unsigned long)(within * 1e6)};
    unsigned long held = 0;

    for (unsigned long i = 0; i < cases; i++) {
        struct td_repeat_metric m = nothing;
        const struct td_repeat runs = {.metric = &m, .n = 1, .until = true};
        struct td_repeat_width worst;
        double low, high;
        unsigned n = 0;

        m.name = (char[]){"retiring"};
        m.until = true;
        do
            run(&m, EXACT, &random);
        while (!td_repeat_known(&runs, within, &worst) && ++n < 200);
        CU_ASSERT(m.mean.n >= TD_REPEAT_LEAST);
        td_repeat_bounds(&m, &low, &high);
        CU_ASSERT(n == 200 || (high - truth <= 2 * within + 1 && high - low <= 2 * within * (1 + 1e-12)));
        held += low <= truth && truth <= high;
    }
    return 100 * (double)held / (double)cases;
}

static void untils(void)
{
    static const double within[] = {0.02, 0.014, 0.01, 0.008, 0.005};
    const unsigned long cases = unit_rounds(10000) < 2000 ? 2000 : unit_rounds(10000);
    const double open = 300 * sqrt(0.95 * 0.05 / (double)cases);

    for (size_t i = 0; i < sizeof(within) / sizeof(*within); i++)
        CU_ASSERT(coverage_until(within[i], cases) >= 95 - open);
}

/* 8 runs of deviation d: 2.365 * 1.1 * d / sqrt(8) each way, so that k times as near takes k * k times as many. */
static void runs_needed(void)
{
    struct td_repeat_metric m = nothing;
    const struct td_repeat runs = {.metric = &m, .n = 1, .until = true};
    struct td_repeat_width worst;

    CU_ASSERT(!td_repeat_known(&(struct td_repeat){.n = 0}, 0.01, &worst) && !worst.name);
    m.name = (char[]){"retiring"};
    m.until = true;
    for (int i = 0; i < 8; i++)
        add(&m, 0.3 + i % 2 * 0.02, 0.3 + i % 2 * 0.02, 0.3 + i % 2 * 0.02);
    CU_ASSERT(!td_repeat_known(&runs, 0.001, &worst));
    CU_ASSERT_STRING_EQUAL(worst.name, "retiring");
    CU_ASSERT_DOUBLE_EQUAL(worst.off, 2.365 * 1.1 * 0.01 * sqrt(8.0 / 7) / sqrt(8), 1e-5);
    CU_ASSERT_DOUBLE_EQUAL(worst.runs, 8 * pow(worst.off / 0.001, 2), 1);
    CU_ASSERT(td_repeat_known(&runs, worst.off * 1.001, &worst));
    m.mean.n = m.low.n = m.high.n = 7;
    CU_ASSERT(!td_repeat_known(&runs, 1, &worst));
    m = nothing; /* only what is beyond the runs' own bounds, 0.01 each way, becomes less */
    m.name = (char[]){"retiring"};
    for (int i = 0; i < 8; i++)
        add(&m, 0.29 + i % 2 * 0.02, 0.3 + i % 2 * 0.02, 0.31 + i % 2 * 0.02);
    CU_ASSERT(!td_repeat_known(&runs, 0.012, &worst));
    CU_ASSERT_DOUBLE_EQUAL(worst.off, 0.01 + 2.365 * 0.01 * sqrt(8.0 / 7) / sqrt(8), 1e-5);
    CU_ASSERT_DOUBLE_EQUAL(worst.runs, 8 * pow((worst.off - 0.01) / 0.002, 2), 1);
    m = nothing; /* what a run alone leaves open stays */
    m.name = (char[]){"retiring"};
    for (int i = 0; i < 8; i++)
        add(&m, 0.2, 0.3, 0.4);
    CU_ASSERT(!td_repeat_known(&runs, 0.05, &worst) && isinf(worst.runs));
}

/* The widest share is named, wherever it stands, and no number of another unit; of runs that do not scatter at all, the
 * first. */
static void widest(void)
{
    static const double scatters[] = {0.01, 0.03, 0.02, 5};
    char names[][2] = {"a", "b", "c", "d"}, per_cycle[] = "per cycle";
    struct td_repeat_metric m[4] = {nothing, nothing, nothing, nothing};
    struct td_repeat runs = {.metric = m, .n = 4, .until = true};
    struct td_repeat_width worst;

    m[3].unit = per_cycle;
    for (size_t i = 0; i < 4; i++) {
        m[i].name = names[i];
        m[i].until = true;
        for (int k = 0; k < 8; k++) {
            const double x = 0.4 + (k % 2 ? scatters[i] : -scatters[i]);

            add(&m[i], x, x, x);
        }
    }
    CU_ASSERT(!td_repeat_known(&runs, 0.01, &worst));
    CU_ASSERT_STRING_EQUAL(worst.name, "b");
    CU_ASSERT_DOUBLE_EQUAL(worst.off, 2.365 * 1.1 * 0.03 * sqrt(8.0 / 7) / sqrt(8), 1e-4);
    for (size_t i = 0; i < 3; i++) {
        m[i] = nothing;
        m[i].name = names[i];
        for (int k = 0; k < 8; k++)
            add(&m[i], 0.25, 0.25, 0.25);
    }
    CU_ASSERT(td_repeat_known(&runs, 0, &worst) && worst.off == 0);
    CU_ASSERT_STRING_EQUAL(worst.name, "a");
}

static const CU_TestInfo tests[] = {
    {"coverage of means", coverages},
    {"coverage of runs until bounds are narrow", untils},
    {"how many runs would do", runs_needed},
    {"the widest share", widest},
    {"quantiles", quantiles},
    {"means by hand", by_hand},
    {"ends", ends},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("repeat", tests);
