/* SPDX-License-Identifier: MIT */
/* Likely bounds on a simulated machine that multiplexes: the truth is within them in at least 95 of 100 cases. */
#include "tests/support/likely_road.h"
#include "tests/support/unit.h"

#include <math.h>
#include <stdio.h>

/* 95 of 100, less three standard deviations for that number, where the four of one run are dependent. */
static double least_percent(unsigned long n)
{
    return 95 - 300 * sqrt(0.95 * 0.05 / ((double)n / 4));
}

static void assert_program(enum road_program program, unsigned ms, unsigned intervals, uint64_t seed)
{
    struct road_cell c = {0};
    double inside;

    for (unsigned long n = 0; n < unit_rounds(100); n++)
        CU_ASSERT_EQUAL_FATAL(road_run(program, ms, intervals, &seed, &c), 0);
    inside = c.given ? 100.0 * (double)c.inside / (double)c.given : 0;
    if (inside < least_percent(c.given))
        printf("\n    %s, %u ms in %u: inside %.1f %% of %lu (of %lu)", road_names[program], ms, intervals, inside, c.given, c.metrics);
    CU_ASSERT(inside >= least_percent(c.given));
    CU_ASSERT(10 * c.given > 9 * c.metrics);
    CU_ASSERT(c.width < 0.35 * (double)c.given);
}

static void one_interval(void)
{
    for (enum road_program p = 0; p < ROAD_PROGRAMS; p++)
        assert_program(p, 400, 1, 88172645463325252U + p);
}

static void sums(void)
{
    for (enum road_program p = 0; p < ROAD_PROGRAMS; p++)
        assert_program(p, 800, 10, 88172645463325277U + p);
}

static const CU_TestInfo tests[] = {
    {"one interval", one_interval},
    {"the sum of ten", sums},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("likely bounds of a simulated machine", tests);
