/* SPDX-License-Identifier: MIT */
/* Whether samples tell a place from others, from counts of them; which distances they had: numbers by hand. */
#include "stats/distances.h"
#include "stats/smear.h"
#include "tests/support/unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define LENGTH(a) (sizeof(a) / sizeof(*(a)))

static struct td_smear smear(uint64_t triples, uint64_t returns, uint64_t pure, uint64_t began, uint64_t intervals,
                             uint64_t all)
{
    const struct td_deltas d = {.intervals = all};
    struct td_stays stays = {.pure = {.n = pure}, .triples = triples, .returns = returns};
    const struct td_delta_place p = {.intervals = intervals, .began = began, .stays = &stays};
    struct td_smear out;

    memset(&out, 0xff, sizeof(out));
    td_smear_of(&d, &p, &out);
    return out;
}

/* A place is told from others by 8 pure deltas, where (returns + 2) / (triples + 3) is an eighth and less. Where more
 * than an eighth of the triples return, and at least 3, or where of 50 deltas fewer than 8 are pure, it is smeared.
 * Else there are few samples: 13 / 8 / (triples / 8 - returns) times as many may do, and 8 / pure times. */
static void statuses(void)
{
    static const struct {
        uint64_t triples, returns, pure, began;
        enum td_place_status status;
        uint64_t needed;
    } rows[] = {
        {13, 0, 8, 10, TD_PLACE_OK, 0},
        {12, 0, 10, 10, TD_PLACE_FEW_SAMPLES, 109},
        {21, 1, 8, 10, TD_PLACE_OK, 0},
        {20, 1, 8, 10, TD_PLACE_FEW_SAMPLES, 109},
        {13, 0, 7, 10, TD_PLACE_FEW_SAMPLES, 115},
        {100, 0, 7, 10, TD_PLACE_FEW_SAMPLES, 115},
        {12, 0, 4, 10, TD_PLACE_FEW_SAMPLES, 200},
        {12, 0, 0, 10, TD_PLACE_FEW_SAMPLES, 0},
        {16, 2, 10, 20, TD_PLACE_FEW_SAMPLES, 0},
        {17, 2, 10, 20, TD_PLACE_FEW_SAMPLES, 1300},
        {4, 2, 10, 20, TD_PLACE_FEW_SAMPLES, 0},
        {23, 3, 10, 30, TD_PLACE_SMEARED, 0},
        {24, 3, 10, 30, TD_PLACE_FEW_SAMPLES, 0},
        {25, 3, 10, 30, TD_PLACE_FEW_SAMPLES, 1300},
        {0, 0, 7, 49, TD_PLACE_FEW_SAMPLES, 0},
        {0, 0, 7, 50, TD_PLACE_SMEARED, 0},
        {0, 0, 8, 50, TD_PLACE_FEW_SAMPLES, 0},
    };

    for (size_t i = 0; i < LENGTH(rows); i++) {
        const struct td_smear s = smear(rows[i].triples, rows[i].returns, rows[i].pure, rows[i].began, 100, 1000);

        if (s.status != rows[i].status || s.needed != rows[i].needed)
            printf("\n    case %zu: %d, %lu needed", i, (int)s.status, (unsigned long)s.needed);
        CU_ASSERT(s.status == rows[i].status && s.needed == rows[i].needed);
        CU_ASSERT_EQUAL(s.stay, (double)rows[i].pure / (double)rows[i].began);
        CU_ASSERT(s.status == TD_PLACE_SMEARED || (isnan(s.rate) && !s.at_least));
        CU_ASSERT_FALSE(s.pairs);
    }
    CU_ASSERT(isnan(smear(0, 0, 0, 0, 0, 0).stay));
    CU_ASSERT_PTR_NULL(td_place_status_name(TD_PLACE_OK));
    CU_ASSERT_PTR_NULL(td_place_status_name(TD_PLACE_SMEARED + 1));
    CU_ASSERT_STRING_EQUAL(td_place_status_name(TD_PLACE_FEW_SAMPLES), "few_samples");
    CU_ASSERT_STRING_EQUAL(td_place_status_name(TD_PLACE_SMEARED), "smeared");
}

/* (returns + 1 + 1.645 sqrt(returns + 1)) / (triples + 2), at most all. */
static void elsewhere(void)
{
    CU_ASSERT_DOUBLE_EQUAL(smear(13, 0, 8, 10, 1, 1).elsewhere, 2.645 / 15, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(smear(30, 3, 8, 10, 1, 1).elsewhere, 7.29 / 32, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(smear(98, 8, 8, 10, 1, 1).elsewhere, 13.935 / 100, 1e-12);
    CU_ASSERT_EQUAL(smear(4, 3, 8, 10, 1, 1).elsewhere, 1); /* 7.29 / 6 */
}

/* The triples of one thread decide if they show less elsewhere than all of them. Where others had a share o of the pure
 * deltas, o + (1 - o) (returns + 2) / (triples + 3) may be an eighth. Pure deltas have 1000 slots in all. */
static void one_thread(void)
{
    static const struct {
        uint64_t triples, returns, own_triples, own_returns;
        double own; /* of 1000 */
        enum td_place_status status;
        double elsewhere;
        uint64_t needed;
    } rows[] = {
        /* all of them return too often; 2 of 103 own ones may */
        {150, 50, 100, 0, 1000, TD_PLACE_OK, 2.645 / 102, 0},
        /* 4 % are elsewhere: 0.04 + 0.96 * 2.645 / 102; from 0.04 + 0.96 * 2 / 23 on it is an eighth: 0.1235 */
        {150, 50, 100, 0, 960, TD_PLACE_OK, 0.04 + 0.96 * 2.645 / 102, 0},
        {150, 50, 20, 0, 960, TD_PLACE_OK, 0.04 + 0.96 * 2.645 / 22, 0},
        /* 0.04 + 0.96 * 2 / 22 is 0.1273; of each 100 intervals (2 - 3 s) / 19 s more are needed, s = 0.085 / 0.96 */
        {150, 50, 19, 0, 960, TD_PLACE_FEW_SAMPLES, 0.04 + 0.96 * 2.645 / 21, 104},
        /* an eighth is elsewhere: whatever the own ones do; 13 of 100 are, and none may return */
        {150, 50, 1000, 0, 870, TD_PLACE_FEW_SAMPLES, 0.13 + 0.87 * 2.645 / 1002, 0},
        {150, 50, 1000, 3, 870, TD_PLACE_SMEARED, 0.13 + 0.87 * 7.29 / 1002, 0},
        /* nothing is known of them, or no three samples are of one thread */
        {150, 50, 0, 0, 0, TD_PLACE_SMEARED, (51 + 1.645 * 7.14142842854285) / 152, 0},
        {150, 50, 0, 0, 1000, TD_PLACE_SMEARED, (51 + 1.645 * 7.14142842854285) / 152, 0},
        {20, 18, 0, 0, 1000, TD_PLACE_SMEARED, 1, 0},
        /* they return themselves: all of them say more */
        {150, 10, 20, 10, 1000, TD_PLACE_OK, (11 + 1.645 * 3.3166247903554) / 152, 0},
        /* one is enough to go by: 13 / 8 / (1 / 8) times as many are needed */
        {20, 18, 1, 0, 1000, TD_PLACE_FEW_SAMPLES, 2.645 / 3, 1300},
        /* both show a quarter, 2 of 8 and 3 of 12: all of them say more */
        {9, 1, 5, 0, 1000, TD_PLACE_FEW_SAMPLES, (2 + 1.645 * 1.4142135623731) / 11, 1300},
    };

    for (size_t i = 0; i < LENGTH(rows); i++) {
        const struct td_deltas d = {.intervals = 1000};
        struct td_stays stays = {.pure = {.n = 60, .slots = 1000},
                                 .own = rows[i].own,
                                 .triples = rows[i].triples,
                                 .returns = rows[i].returns,
                                 .own_triples = rows[i].own_triples,
                                 .own_returns = rows[i].own_returns};
        const struct td_delta_place p = {.intervals = 100, .began = 100, .stays = &stays};
        struct td_smear s;

        td_smear_of(&d, &p, &s);
        if (s.status != rows[i].status || s.needed != rows[i].needed || fabs(s.elsewhere - rows[i].elsewhere) > 1e-9)
            printf("\n    case %zu: %d, %.12g, %lu needed", i, (int)s.status, s.elsewhere, (unsigned long)s.needed);
        CU_ASSERT(s.status == rows[i].status && s.needed == rows[i].needed);
        CU_ASSERT_DOUBLE_EQUAL(s.elsewhere, rows[i].elsewhere, 1e-9);
    }
}

/* Where pure deltas have no slots, all of these may have been others'; half a slot is as good as many. */
static void slots_of_one_thread(void)
{
    static const struct {
        double slots, own, elsewhere;
    } rows[] = {
        {0, 0, (51 + 1.645 * 7.14142842854285) / 152},
        {0.5, 0.5, 2.645 / 102},
        {0.5, 0.48, 0.04 + 0.96 * 2.645 / 102},
        {1, 1.5, 2.645 / 102}, /* not more than all of it */
    };

    for (size_t i = 0; i < LENGTH(rows); i++) {
        const struct td_deltas d = {.intervals = 1000};
        struct td_stays stays = {.pure = {.n = 60, .slots = rows[i].slots},
                                 .own = rows[i].own,
                                 .triples = 150,
                                 .returns = 50,
                                 .own_triples = 100};
        const struct td_delta_place p = {.intervals = 100, .began = 100, .stays = &stays};
        struct td_smear s;

        td_smear_of(&d, &p, &s);
        CU_ASSERT_DOUBLE_EQUAL(s.elsewhere, rows[i].elsewhere, 1e-9);
    }
}

/* Of 100 deltas of a thread that goes on, 10 came from elsewhere. Of 20 of pre-empted threads that are back, 6 are 0.2
 * more, and 2.33 deviations 2.33 sqrt(2/15 13/15 (1/100 + 1/20)) = 0.1940; 5 are 0.15 more, which is less than 2.33
 * sqrt(1/8 7/8 0.06) = 0.1888. Three at least have to be elsewhere.
 * Of 20 and 20, 8 are 0.3 more than 2, less than 2.33 sqrt(1/4 3/4 (1/20 + 1/20)) = 0.3190, and 9 are 0.35 more than 2,
 * more than 2.33 sqrt(0.275 0.725 (1/20 + 1/20)) = 0.3290. */
static void in_step(void)
{
    static const struct {
        struct td_entries going_on, back;
        enum td_place_status status;
    } rows[] = {
        {{100, 10}, {20, 6}, TD_PLACE_SMEARED}, {{100, 10}, {20, 5}, TD_PLACE_OK}, {{1000, 0}, {2, 2}, TD_PLACE_OK},
        {{1000, 0}, {3, 3}, TD_PLACE_SMEARED},  {{0, 0}, {9, 9}, TD_PLACE_OK},     {{100, 90}, {20, 6}, TD_PLACE_OK},
        {{100, 0}, {0, 0}, TD_PLACE_OK},        {{9, 9}, {9, 9}, TD_PLACE_OK},     {{20, 2}, {20, 8}, TD_PLACE_OK},
        {{20, 2}, {20, 9}, TD_PLACE_SMEARED},
    };

    for (size_t i = 0; i < LENGTH(rows); i++) {
        const struct td_deltas d = {.intervals = 1000};
        struct td_stays stays = {.pure = {.n = 60}, .triples = 100, .going_on = rows[i].going_on, .back = rows[i].back};
        const struct td_delta_place p = {.intervals = 100, .began = 100, .stays = &stays};
        struct td_smear s;

        td_smear_of(&d, &p, &s);
        if (s.status != rows[i].status)
            printf("\n    case %zu: %d", i, (int)s.status);
        CU_ASSERT_EQUAL(s.status, rows[i].status);
    }
}

/* The rate then is by those that are back: 8 of 20 stay, fewer than the half that do so by chance, of which the error
 * is 2 sqrt(1/4 / 100) / 0.5 = 0.2: ln(0.2) / ln(0.589578) is 3.0462, as below; by those that go on it would be 2. */
static void rate_in_step(void)
{
    const struct td_deltas d = {.intervals = 100};
    struct td_stays stays = {.pure = {.n = 90}, .triples = 100, .going_on = {100, 10}, .back = {20, 12}};
    const struct td_delta_place p = {.intervals = 50, .began = 100, .stays = &stays};
    struct td_smear s;

    td_smear_of(&d, &p, &s);
    CU_ASSERT(s.status == TD_PLACE_SMEARED && s.at_least && s.stay == 0.9);
    CU_ASSERT_DOUBLE_EQUAL(s.rate, 3.0462, 1e-4);
    /* a fifth of the time, and 11 of 25 stay: (0.44 - 0.2) / 0.8 = 0.3, more than chance, 0.1 */
    stays.back = (struct td_entries){25, 14};
    td_smear_of(&d, &(struct td_delta_place){.intervals = 20, .began = 100, .stays = &stays}, &s);
    CU_ASSERT(s.status == TD_PLACE_SMEARED && !s.at_least);
    CU_ASSERT_DOUBLE_EQUAL(s.rate, log(0.3) / log(0.574322), 1e-4);
}

/* A place with half of the time. Half as many triples as may would return at the dependence (1 - k) / (1 + k), k =
 * sqrt(1 / 8 / (2 - 1 / 8)) = 0.258199: 0.589578, of which the logarithm is -0.528348. Of 80 that begin there, 50 stay:
 * a dependence of (0.625 - 0.5) / 0.5 = 0.25, more than chance, 2 sqrt(1/4 / 80) / 0.5 = 0.2236; so the distance must
 * be ln(0.25) / ln(0.589578) = 2.6239 times shorter. */
static void rates(void)
{
    const double want = (1 - sqrt(1.0 / 15)) / (1 + sqrt(1.0 / 15));
    static const struct {
        uint64_t pure, began, intervals;
        double rate;
        bool at_least;
    } rows[] = {
        {50, 80, 50, 2.6239, false}, {50, 100, 50, 3.0462, true} /* chance: 0.2 */,
        {90, 100, 50, 2, false},     {45, 80, 50, 2.8350, true} /* 0.2236 */,
        {50, 80, 100, NAN, false},   {50, 80, 95, NAN, false},
        {50, 80, 0, NAN, false},     {50, 0, 50, NAN, false}, /* none begins there */
        {12, 16, 50, 2, false}, /* as much as chance, 1/2 */
    };
    struct td_smear s = smear(20, 10, 50, 80, 0, 0);

    CU_ASSERT(s.status == TD_PLACE_SMEARED && isnan(s.rate)); /* no time is known */
    for (size_t i = 0; i < LENGTH(rows); i++) {
        s = smear(20, 10, rows[i].pure, rows[i].began, rows[i].intervals, 100);
        CU_ASSERT_EQUAL(s.status, TD_PLACE_SMEARED);
        if (isnan(rows[i].rate) ? !isnan(s.rate) : !(fabs(s.rate - rows[i].rate) < 1e-3))
            printf("\n    case %zu: %g", i, s.rate);
        CU_ASSERT(isnan(rows[i].rate) ? isnan(s.rate) : fabs(s.rate - rows[i].rate) < 1e-3);
        CU_ASSERT(isnan(rows[i].rate) || s.at_least == rows[i].at_least);
    }
    CU_ASSERT_DOUBLE_EQUAL(smear(20, 10, 50, 80, 50, 100).rate, log(0.25) / log(want), 1e-9);
    /* a fifth of the time: s = 0.4, want (0.4 - 0.0516398) / (0.4 + 0.2065591) = 0.574322; 40 of 100 stay: (0.4 - 0.2)
     * / 0.8 = 0.25 */
    CU_ASSERT_DOUBLE_EQUAL(smear(20, 10, 40, 100, 20, 100).rate, log(0.25) / log(0.574322), 1e-4);
    /* its chance is 2 x 0.4 / 10 / 0.8 = 0.1, below which nothing is seen */
    CU_ASSERT_DOUBLE_EQUAL(smear(20, 10, 25, 100, 20, 100).rate, log(0.1) / log(0.574322), 1e-4);
    CU_ASSERT_TRUE(smear(20, 10, 25, 100, 20, 100).at_least);
}

/* ---- distances ------------------------------------------------------------------ */

/* Steps of 100: the median is the beginning of the step with which more than half are passed. */
static void distances(void)
{
    static const struct {
        uint64_t more, least, most, median;
    } rows[] = {
        {250, 250, 250, 200}, {199, 199, 250, 200}, {0, 0, 250, 100},   {500, 0, 500, 200},
        {299, 0, 500, 200},   {300, 0, 500, 200},   {300, 0, 500, 200}, {300, 0, 500, 300},
    };
    struct td_distances d = {.n = 0};

    CU_ASSERT_EQUAL(td_distances_median(&d), 0);
    for (size_t i = 0; i < LENGTH(rows); i++) {
        td_distances_add(&d, TD_PAIR_LEAST + rows[i].more);
        CU_ASSERT(d.n == i + 1 && d.least == TD_PAIR_LEAST + rows[i].least && d.most == TD_PAIR_LEAST + rows[i].most);
        CU_ASSERT_EQUAL(td_distances_median(&d), TD_PAIR_LEAST + rows[i].median);
    }
    memset(&d, 0, sizeof(d));
    td_distances_add(&d, TD_PAIR_LEAST);
    td_distances_add(&d, TD_PAIR_MOST);
    /* one of two is not more than half */
    CU_ASSERT_EQUAL(td_distances_median(&d), TD_PAIR_LEAST + (TD_PAIR_MOST - TD_PAIR_LEAST) / 100 * 100);
    td_distances_add(&d, TD_PAIR_LEAST + 99);
    CU_ASSERT_EQUAL(td_distances_median(&d), TD_PAIR_LEAST);
}

static const CU_TestInfo tests[] = {
    {"statuses", statuses},
    {"elsewhere", elsewhere},
    {"triples of one thread", one_thread},
    {"slots of one thread", slots_of_one_thread},
    {"rates", rates},
    {"distances of pairs", distances},
    {"in step", in_step},
    {"the rate in step", rate_in_step},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("smeared places", tests);
