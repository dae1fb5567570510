/* SPDX-License-Identifier: MIT */
/* Phases by simulation: how often a series without one is cut, and how near the cuts of others are. */
#include "stats/chance.h"
#include "stats/phases.h"
#include "tests/support/chance.h"
#include "tests/support/memory.h"

#include <math.h>
#include <stdlib.h>

enum { NODES = 4, MOST = 500 };

/* Shares that scatter by 1.5 points, each alike to the one before; from interval from to to, the first and the last
 * node are off by step. */
static void make(double *value, size_t n, double alike, size_t from, size_t to, double step, struct unit_random *random)
{
    double state[NODES];

    for (size_t j = 0; j < NODES; j++)
        state[j] = chance_normal(random);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < NODES; j++) {
            const double off = i < from || i >= to ? 0 : j == 0 ? step : j == NODES - 1 ? -step : 0;

            state[j] = alike * state[j] + sqrt(1 - alike * alike) * chance_normal(random);
            value[i * NODES + j] = 0.25 + 0.015 * state[j] + off;
        }
}

static bool near(size_t a, size_t b)
{
    return a <= b + 2 && b <= a + 2;
}

/* How many percent of series are cut at all; or else have two cuts, each within two intervals of the true ones. */
static double percent(size_t n, double alike, double step, unsigned long cases)
{
    static double value[MOST * NODES];
    struct unit_random random = {n + (size_t)(100 * alike) + 1};
    unsigned long count = 0;

    for (unsigned long i = 0; i < cases; i++) {
        const size_t from = n / 3 + unit_random_below(&random, 4), to = from + n / 4;
        size_t *first, phases;

        make(value, n, alike, from, to, step, &random);
        CU_ASSERT_FATAL(!td_phases(value, n, NODES, 0.05, &first, &phases));
        CU_ASSERT_EQUAL(first[0], 0);
        for (size_t p = 1; p < phases; p++)
            CU_ASSERT(first[p] >= first[p - 1] + TD_PHASE_LEAST && first[p] + TD_PHASE_LEAST <= n);
        count += step > 0 ? phases == 3 && near(first[1], from) && near(first[2], to) : phases > 1;
        free(first);
    }
    return 100 * (double)count / (double)cases;
}

static void stationary(void)
{
    static const double alikes[] = {0, 0.3, 0.5, 0.8};
    static const size_t lengths[] = {30, 60, 120, 500};
    const unsigned long cases = unit_long_rounds(1000);

    for (size_t l = 0; chance_available() && l < sizeof(lengths) / sizeof(*lengths); l++)
        for (size_t a = 0; a < sizeof(alikes) / sizeof(*alikes); a++)
            CU_ASSERT(percent(lengths[l], alikes[a], 0, cases) <= 5 + chance_open(5, cases));
}

static void changes(void)
{
    const unsigned long cases = unit_long_rounds(1000);

    if (!chance_available())
        return;
    CU_ASSERT(percent(60, 0, 0.1, cases) >= 95 - chance_open(5, cases));
    CU_ASSERT(percent(60, 0, 0.05, cases) >= 95 - chance_open(5, cases));
    CU_ASSERT(percent(120, 0.3, 0.05, cases) >= 90 - chance_open(10, cases));
    CU_ASSERT(percent(500, 0.3, 0.05, cases) >= 90 - chance_open(10, cases));
}

/* Five intervals each of two levels, without scatter but for one value that moves; the shortest series of two phases,
 * and those that are too short. */
static void by_hand(void)
{
    const double steps[] = {0.2, 0.3,  0.2, 0.31, 0.2, 0.3,  0.2, 0.31, 0.2, 0.3,
                            0.6, 0.31, 0.6, 0.3,  0.6, 0.31, 0.6, 0.3,  0.6, 0.31};
    size_t *first, phases;

    if (!chance_available())
        return;
    CU_ASSERT_FATAL(!td_phases(steps, 10, 2, 0.05, &first, &phases));
    CU_ASSERT(phases == 2 && first[1] == 5);
    free(first);
    CU_ASSERT_FATAL(!td_phases((const double[]){1, 1, 1, 1, 3, 3, 3, 3}, 8, 1, 0.05, &first, &phases));
    CU_ASSERT(phases == 2 && first[0] == 0 && first[1] == 4);
    free(first);
    for (size_t n = 1; n < 2 * TD_PHASE_LEAST; n++) {
        CU_ASSERT_FATAL(!td_phases(steps, n, 2, 0.05, &first, &phases));
        CU_ASSERT(phases == 1 && first[0] == 0);
        free(first);
    }
}

/* More intervals than are looked at one by one: cuts are found between stretches of them. */
static void long_series(void)
{
    enum { LONG = 20000 };
    double *value = malloc(LONG * NODES * sizeof(*value));
    struct unit_random random = {5};
    size_t *first, phases;

    CU_ASSERT_FATAL(value != NULL);
    if (chance_available()) {
        make(value, LONG, 0, 5000, 15000, 0.05, &random);
        CU_ASSERT_FATAL(!td_phases(value, LONG, NODES, 0.05, &first, &phases));
        CU_ASSERT(phases == 3 && labs((long)first[1] - 5000) <= 10 && labs((long)first[2] - 15000) <= 10);
        free(first);
    }
    free(value);
}

/* 2 x 4,096 intervals are looked at two at a time: a step that begins with an even one is found exactly, where three at
 * a time would not begin; of one more, three at a time. */
static void stretches(void)
{
    enum { LONG = 2 * TD_PHASE_BINS };
    static double value[LONG + 1];
    size_t *first, phases;

    for (size_t n = LONG; chance_available() && n <= LONG + 1; n++) {
        const size_t step = n == LONG ? 4100 : 4101; /* 3 x 1,367 */

        for (size_t i = 0; i < n; i++)
            value[i] = i < step ? 0.25 : 0.5;
        CU_ASSERT_FATAL(!td_phases(value, n, 1, 0.05, &first, &phases));
        CU_ASSERT(phases == 2 && first[0] == 0 && first[1] == step);
        free(first);
    }
}

/* Levels of 9 to 40 intervals that scatter, around one that is far from 0; 100,000,000 chances keep every cut. */
static void make_levels(double *value, size_t n, struct unit_random *random)
{
    double level[2] = {100, -50};
    size_t left = 0;

    for (size_t i = 0; i < n; i++) {
        if (left-- == 0) {
            left = 8 + unit_random_below(random, 32);
            for (size_t j = 0; j < 2; j++)
                level[j] = (j ? -50 : 100) + 2 * chance_normal(random);
        }
        for (size_t j = 0; j < 2; j++)
            value[2 * i + j] = level[j] + chance_normal(random);
    }
}

/* A long series is cut as that of its stretches' means, of which the last may be of more: of 3 x 2,731 + 2 intervals,
 * it is of five. */
static void means_of_stretches(void)
{
    enum { EACH = 3, STRETCHES = 2731, LONG = EACH * STRETCHES + 2 };
    static double value[2 * LONG], mean[2 * STRETCHES];
    struct unit_random random = {9};
    size_t *first, *wanted, phases, n;

    if (!chance_available())
        return;
    make_levels(value, LONG, &random);
    for (size_t i = 0; i < LONG; i++)
        for (size_t j = 0; j < 2; j++) {
            const size_t b = i < EACH * STRETCHES ? i / EACH : STRETCHES - 1;

            mean[2 * b + j] += value[2 * i + j] / (b < STRETCHES - 1 ? 3 : 5);
        }
    CU_ASSERT_FATAL(!td_phases(value, LONG, 2, 1e8, &first, &phases));
    CU_ASSERT_FATAL(!td_phases(mean, STRETCHES, 2, 1e8, &wanted, &n));
    CU_ASSERT_EQUAL_FATAL(phases, n);
    CU_ASSERT(n > 50);
    for (size_t p = 0; p < n; p++)
        CU_ASSERT_EQUAL(first[p], EACH * wanted[p]);
    free(first);
    free(wanted);
}

static int cut_long(void *ctx)
{
    size_t *first, phases;
    const int err = td_phases(ctx, 2 * TD_PHASE_BINS - 1, 1, 0.05, &first, &phases);

    free(first);
    return err;
}

static void without_memory(void)
{
    static double value[2 * TD_PHASE_BINS - 1];

    for (size_t i = 5000; i < 2 * TD_PHASE_BINS - 1; i++)
        value[i] = 1;
    if (chance_available())
        CU_ASSERT_EQUAL(memory_each(cut_long, value, 1, false), 9);
}

static const CU_TestInfo tests[] = {
    {"stretches", stretches},
    {"series without phases", stationary},
    {"changes", changes},
    {"by hand", by_hand},
    {"long series", long_series},
    {"means of stretches", means_of_stretches},
    {"without memory", without_memory},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("phases", tests);
