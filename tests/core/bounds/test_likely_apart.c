/* SPDX-License-Identifier: MIT */
/* Likely bounds of what was counted in different runs: simulated commands whose runs differ at random, and whose groups
 * of events each had runs of their own. The truth, which is the metric of the mean counts, must be inside in at least
 * 95 of 100 cases. */
#include "core/bounds/likely.h"
#include "tests/support/chance.h"
#include "tests/support/random.h"
#include "tests/support/unit.h"

#include <math.h>
#include <stdio.h>

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

enum { GROUPS = 3, ROUNDS_MAX = 20 };

/* How the counts of one run differ from those of another, relative to the mean. */
static double scatter_normal(struct unit_random *r)
{
    return 1 + 0.05 * chance_normal(r);
}

static double scatter_wide(struct unit_random *r)
{
    return exp(0.3 * chance_normal(r)) / exp(0.045);
}

static double scatter_even(struct unit_random *r)
{
    return 0.7 + 0.6 * unit_random_ratio(r);
}

struct runs {
    double counted[GROUPS][ROUNDS_MAX][2]; /* a count and the slots beside it */
    unsigned rounds;
};

static void draw(struct runs *x, unsigned rounds, double (*scatter)(struct unit_random *), struct unit_random *r)
{
    static const double mean[GROUPS][2] = {{300, 1000}, {450, 1000}, {80, 1000}};

    x->rounds = rounds;
    for (unsigned g = 0; g < GROUPS; g++)
        for (unsigned i = 0; i < rounds; i++) {
            const double longer = scatter(r); /* the whole run, and its slots by part of that */

            x->counted[g][i][0] = mean[g][0] * longer * scatter(r);
            x->counted[g][i][1] = mean[g][1] * longer;
        }
}

/* The mean of a count, or of the slots beside it, without one of its runs. */
static double mean(const struct runs *x, unsigned g, unsigned what, unsigned without)
{
    double sum = 0;

    for (unsigned i = 0; i < x->rounds; i++)
        sum += without == g * x->rounds + i ? 0 : x->counted[g][i][what];
    return sum / (x->rounds - (without / x->rounds == g));
}

/* Of three groups, as bad_speculation of what is issued, retired and recovered; of two, a ratio. */
static double three(const struct runs *x, unsigned without)
{
    return (mean(x, 1, 0, without) - mean(x, 0, 0, without) + mean(x, 2, 0, without)) / mean(x, 0, 1, without);
}

static double two(const struct runs *x, unsigned without)
{
    return mean(x, 2, 0, without) / mean(x, 1, 1, without);
}

static bool is_inside(const struct runs *x, double (*metric)(const struct runs *, unsigned), double truth)
{
    double parts[GROUPS * ROUNDS_MAX], low, high;
    struct td_likely_apart ask = {
        .low = NAN, .high = NAN, .parts = parts, .nparts = GROUPS * x->rounds, .times = x->rounds};

    ask.value = metric(x, UINT32_MAX);
    for (unsigned i = 0; i < ask.nparts; i++) /* as they ran: group after group in each round */
        parts[i] = ask.value - metric(x, i % GROUPS * x->rounds + i / GROUPS);
    CU_ASSERT_EQUAL(td_likely_apart(&ask, &low, &high), TD_LIKELY_GIVEN);
    return low <= truth && truth <= high;
}

static void simulated_runs(void)
{
    static double (*const scatters[])(struct unit_random *) = {scatter_normal, scatter_wide, scatter_even};
    static const unsigned rounds[] = {8, 12, 20};
    struct unit_random r = {4711};

    for (size_t c = 0; c < COUNT(scatters) * COUNT(rounds); c++) {
        const unsigned long cases = unit_rounds(1000);
        unsigned long inside[2] = {0, 0};
        struct runs x;

        for (unsigned long i = 0; i < cases; i++) {
            draw(&x, rounds[c % COUNT(rounds)], scatters[c / COUNT(rounds)], &r);
            inside[0] += is_inside(&x, three, 0.23);
            inside[1] += is_inside(&x, two, 0.08);
        }
        for (size_t m = 0; m < COUNT(inside); m++) {
            const double percent = 100.0 * (double)inside[m] / (double)cases;

            if (percent < 95 - chance_open(95, cases)) {
                printf("case %zu, metric %zu: inside %.1f %% of %lu\n", c, m, percent, cases);
                CU_FAIL("the truth is outside too often");
            }
        }
    }
}

/* Eight runs, each a hundredth off: t of 7 degrees is 2.3646, and the spread is that of all eight. */
static void by_hand(void)
{
    static const double parts[] = {0.01, -0.01, 0.01, -0.01, 0.01, -0.01, 0.01, -0.01,
                                   0.01, -0.01, 0.01, -0.01, 0.01, -0.01, 0.01, -0.01};
    struct td_likely_apart ask = {.value = 0.5, .low = NAN, .high = NAN, .parts = parts, .nparts = 8, .times = 8};
    double low, high;

    /* squares 8 * 0.0001, * 8 / 7, root 0.030237, * 2.3646 */
    CU_ASSERT_EQUAL(td_likely_apart(&ask, &low, &high), TD_LIKELY_GIVEN);
    CU_ASSERT_DOUBLE_EQUAL(high - 0.5, 0.0715, 1e-3);
    CU_ASSERT_DOUBLE_EQUAL(0.5 - low, 0.0715, 1e-3);
    ask.nparts = 16; /* of two groups: squares 16 * 0.0001, * 16 / 15, root 0.041312; still of 7 degrees */
    CU_ASSERT_EQUAL(td_likely_apart(&ask, &low, &high), TD_LIKELY_GIVEN);
    CU_ASSERT_DOUBLE_EQUAL(high - 0.5, 0.0977, 1e-3);
    ask.nparts = 8;
    ask.low = 0.4; /* what the counts themselves leave open comes on top */
    CU_ASSERT_EQUAL(td_likely_apart(&ask, &low, &high), TD_LIKELY_GIVEN);
    CU_ASSERT_DOUBLE_EQUAL(0.4 - low, 0.0715, 1e-3);
    ask.times = 7;
    CU_ASSERT_EQUAL(td_likely_apart(&ask, &low, &high), TD_LIKELY_NO_LIMITS);
    CU_ASSERT(isnan(low) && isnan(high));
    ask.times = 8;
    ask.nparts = 7;
    CU_ASSERT_EQUAL(td_likely_apart(&ask, &low, &high), TD_LIKELY_NO_LIMITS);
}

static CU_TestInfo tests[] = {
    {"by hand", by_hand},
    {"simulated runs", simulated_runs},
    CU_TEST_INFO_NULL,
};

UNIT_SUITE("likely bounds of runs", tests);
