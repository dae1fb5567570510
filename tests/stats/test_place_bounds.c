/* SPDX-License-Identifier: MIT */
/* Bounds of a place's metric where groups of events take turns, by hand: Student's t of 7 degrees of freedom leaves out
 * 5 of 100 cases beyond 2.364624, of 1e6 degrees 1 of 100 beyond 2.575834. */
#include "stats/place_bounds.h"
#include "tests/support/chance.h"
#include "tests/support/memory.h"

#include <math.h>

enum { POINTS = 16 };

/* Pure deltas of a place, each a chunk of its own; so many more deltas that end there are not pure. */
struct place {
    double chunk[POINTS][2]; /* the sum of weighted values, and the weight */
    struct td_stays stays;
    struct td_delta_place p;
    struct td_deltas all;
    double most;
    uint32_t column; /* of the metric, and 1 */
};

static void make(struct place *x, const double (*point)[2], size_t n, uint64_t impure)
{
    *x = (struct place){.most = 12, .column = 1};
    for (size_t i = 0; i < n; i++)
        x->chunk[i][0] = point[i][0] * point[i][1], x->chunk[i][1] = point[i][1];
    x->stays =
        (struct td_stays){.pure = {.n = n, .sum = x->chunk[0], .columns = 1, .weights = 1, .chunks = n, .each = 1}};
    x->p = (struct td_delta_place){.intervals = n + impure, .began = n, .stays = &x->stays};
    x->all = (struct td_deltas){.metrics = 1, .columns = 1, .column = &x->column, .most = &x->most, .turns = true};
}

/* How far the bounds are from those of the counts, 10 and 11. */
static void reach(const struct place *x, double elsewhere, double confidence, struct td_whole w, double *below,
                  double *above)
{
    const struct td_smear smear = {.elsewhere = elsewhere};
    struct td_chance *chance = td_chance_new(1);
    double low, high;

    CU_ASSERT_FATAL(chance != NULL);
    CU_ASSERT_EQUAL(td_place_bounds(&x->all, &x->p, 0, &smear, &w, confidence, chance, &low, &high), 0);
    *below = w.low - low;
    *above = high - w.high;
    td_chance_free(chance);
}

/* Values and weights of 16 points that lie in pairs around 10 and 11: (10.3 + 3 * 9.9) / 4 = 10,
 * (10.7 + 3 * 11.1) / 4 = 11. The points scatter less than the pairs: these have squared deviations of (4 / 2)^2 each,
 * so that their mean has the error sqrt(8 * 4 * 8 / 7) / 32. */
static const double pairs[POINTS][2] = {{10.7, 1}, {11.1, 3}, {10.7, 1}, {11.1, 3}, {10.7, 1}, {11.1, 3},
                                        {10.3, 1}, {9.9, 3},  {10.3, 1}, {9.9, 3},  {10.7, 1}, {11.1, 3},
                                        {10.3, 1}, {9.9, 3},  {10.3, 1}, {9.9, 3}};
static const struct td_whole whole = {.value = 10.5, .low = 10, .high = 11};

static void joined(void)
{
    const double joined = 2.364624 * sqrt(8 * 4.0 * 8 / 7) / 32;
    double below, above;
    struct place x;

    if (!chance_available())
        return;
    make(&x, pairs, POINTS, 0);
    reach(&x, 0, 0.95, whole, &below, &above);
    CU_ASSERT_DOUBLE_EQUAL(below, joined, 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(above, joined, 1e-6);
    /* what was elsewhere for a fifth of the time, odds of a quarter: at most 12 - 10.5 more than here, or all of it */
    reach(&x, 0.2, 0.95, whole, &below, &above);
    CU_ASSERT_DOUBLE_EQUAL(below, joined + 0.25 * 1.5, 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(above, joined + 0.25 * 10.5, 1e-6);
    /* a fifth of those that end there are not pure: a deviation of the points, of 0.2^2 and 0.6^2 around 10.5:
     * (8 * 0.04 + 8 * 0.36) / 15 */
    make(&x, pairs, POINTS, 4);
    reach(&x, 0, 0.95, whole, &below, &above);
    CU_ASSERT_DOUBLE_EQUAL(below, joined + 0.2 * sqrt(3.2 / 15), 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(above, joined + 0.2 * sqrt(3.2 / 15), 1e-6);
}

/* Eight points that neighbours are joined to are the fewest that count: of 14 there are 7, and all is as without turns.
 */
static void fewest(void)
{
    double below, above, without;
    struct place x;

    if (!chance_available())
        return;
    make(&x, pairs, 14, 0);
    x.all.turns = false;
    reach(&x, 0, 0.95, whole, &without, &above);
    x.all.turns = true;
    reach(&x, 0, 0.95, whole, &below, &above);
    CU_ASSERT_EQUAL(below, without);
}

/* Where no delta has all counts, the bounds have the chance of 95 of 100 already: 1.96 standard errors, of which more
 * confidence takes more; and the deviation of one of the 16 deltas is 4 errors, of which a fifth is missed. */
static void apart(void)
{
    struct td_whole w = {.value = 10.02, .low = 10, .high = 11, .apart = true};
    double below, above;
    struct place x;

    if (!chance_available())
        return;
    make(&x, pairs, POINTS, 4);
    reach(&x, 0, 0.99, w, &below, &above);
    CU_ASSERT(isnan(below) && isnan(above)); /* of what is no share it is not known what it was elsewhere */
    w = (struct td_whole){.value = 0.5, .low = 0.4, .high = 0.55, .share = true, .apart = true};
    reach(&x, 0, 0.99, w, &below, &above);
    CU_ASSERT_DOUBLE_EQUAL(below, ((2.575834 - 1.96) + 0.2 * 4) * 0.1 / 1.96, 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(above, ((2.575834 - 1.96) + 0.2 * 4) * 0.1 / 1.96, 1e-6);
    w = (struct td_whole){.value = 0.02, .low = 0, .high = 1, .share = true, .apart = true};
    reach(&x, 0, 0.99, w, &below, &above);
    CU_ASSERT(below == 0 && above == 0); /* a share stays between 0 and 1 */
}

/* Nothing is known of a place without pure deltas, nor of one that has a single point. */
static void nothing(void)
{
    double below, above;
    struct place x;

    if (!chance_available())
        return;
    for (size_t n = 0; n < 2; n++) {
        make(&x, pairs, n, 4);
        reach(&x, 0, 0.95, whole, &below, &above);
        CU_ASSERT(isnan(below) && isnan(above));
    }
    make(&x, pairs, 3, 0);
    x.chunk[1][1] = 0; /* one that lacks the metric is no point */
    reach(&x, 0, 0.95, whole, &below, &above);
    CU_ASSERT_FALSE(isnan(below));
    x.chunk[2][1] = 0;
    reach(&x, 0, 0.95, whole, &below, &above);
    CU_ASSERT_TRUE(isnan(below));
}

/* As in joined(); without room for it nothing is known of neighbours. */
static int found(void *ctx)
{
    const struct td_smear smear = {.elsewhere = 0};
    struct place *x = ctx;
    double low, high;

    return td_place_bounds(&x->all, &x->p, 0, &smear, &whole, 0.95, NULL, &low, &high);
}

static void without_memory(void)
{
    struct place x;

    make(&x, pairs, POINTS, 0);
    if (chance_available())
        CU_ASSERT(memory_each(found, &x, 1, true) >= 1);
}

static const CU_TestInfo tests[] = {
    {"neighbours joined", joined}, {"the fewest points", fewest},      {"counts apart", apart},
    {"nothing to know", nothing},  {"without memory", without_memory}, CU_TEST_INFO_NULL,
};
UNIT_SUITE("bounds of places", tests);
