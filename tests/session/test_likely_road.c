/* SPDX-License-Identifier: MIT */
/* Likely bounds on a simulated machine that multiplexes, or that writes a task's register back: the truth is within
 * them in at least 95 of 100 cases. */
#include "tests/support/likely_road.h"
#include "tests/support/unit.h"

#include <math.h>
#include <stdio.h>

/* 95 of 100, less three standard deviations for that number of independent cases. */
static double least_percent(double n)
{
    return 95 - 300 * sqrt(0.95 * 0.05 / n);
}

static double percent(unsigned long part, unsigned long all)
{
    return all ? 100.0 * (double)part / (double)all : 100;
}

/* The truth is inside, and the verdict right, often enough. */
static void assert_inside(const char *what, unsigned ms, unsigned intervals, const struct road_cell *c)
{
    const double inside = percent(c->inside, c->given), right = percent(c->right, c->named);
    const double least = c->given ? least_percent((double)c->given / 4) : 0; /* the four of one run are dependent */
    const double least_right = c->named ? least_percent((double)c->named) : 0;

    if (inside < least || right < least_right)
        printf("\n    %s, %u ms in %u: inside %.1f %% of %lu (of %lu); verdicts right %.1f %% of %lu", what, ms,
               intervals, inside, c->given, c->metrics, right, c->named);
    CU_ASSERT(inside >= least);
    CU_ASSERT(right >= least_right);
}

static void assert_given(const struct road_cell *c)
{
    CU_ASSERT(10 * c->given > 9 * c->metrics);
    CU_ASSERT(c->width < 0.35 * (double)c->given);
}

static void assert_program(enum road_program program, unsigned ms, unsigned intervals, uint64_t seed)
{
    struct road_cell c = {0};

    for (unsigned long n = 0; n < unit_long_rounds(100); n++)
        CU_ASSERT_EQUAL_FATAL(road_run(program, ms, intervals, &seed, &c), 0);
    assert_inside(road_names[program], ms, intervals, &c);
    assert_given(&c);
}

/* Where there are no bounds, a node that is 15 points ahead is named: that is right at least as often as likely bounds
 * are. The program that does all or nothing in each window is the worst, and may be by itself what it is. */
static void leads(void)
{
    struct road_cell all = {0};

    for (enum road_program p = 0; p < ROAD_PROGRAMS; p++) {
        uint64_t seed = 88172645463325252U + p;
        struct road_cell c = {0};

        for (unsigned long n = 0; n < unit_long_rounds(100); n++)
            CU_ASSERT_EQUAL_FATAL(road_run(p, n % 2 ? 400 : 1000, 1, &seed, &c), 0);
        all.leading += c.leading;
        all.leads += c.leads;
    }
    CU_ASSERT(all.leading > 3 * unit_long_rounds(100));
    CU_ASSERT(percent(all.leads, all.leading) >= least_percent((double)all.leading));
}

static void one_interval(void)
{
    for (enum road_program p = 0; p < ROAD_PROGRAMS; p++)
        assert_program(p, 400, 1, 88172645463325252U + p);
}

/* All or nothing is not among these: its ten intervals may look as if it kept step, and are then refused. */
static void sums(void)
{
    for (enum road_program p = 0; p < ROAD_WHOLE; p++)
        assert_program(p, 800, 10, 88172645463325277U + p);
}

/* Windows cannot differ more: here bounds are no wider than they must be. */
static void whole_windows(void)
{
    assert_program(ROAD_WHOLE, 2000, 1, 88172645463325291U);
}

/* A rhythm. in_step: each group may meet the same phase again and again. */
static void assert_rhythm(unsigned phase, unsigned intervals, bool in_step, uint64_t seed)
{
    struct road_cell c = {0};
    char what[64];

    snprintf(what, sizeof(what), "phases of %u ms", phase);
    for (unsigned long n = 0; n < unit_long_rounds(100); n++)
        CU_ASSERT_EQUAL_FATAL(road_rhythm(phase, 1600, intervals, &seed, &c), 0);
    assert_inside(what, 1600, intervals, &c);
    if (!in_step)
        assert_given(&c);
}

/* Shorter than a quarter of a rotation, and in no simple ratio to it, or longer than 8: whether or not intervals show
 * it. */
static void rhythms(void)
{
    static const unsigned phases[] = {1, 2, 5, 8 * ROAD_ROTATION + 1, 10 * ROAD_ROTATION, 16 * ROAD_ROTATION};

    for (size_t i = 0; i < sizeof(phases) / sizeof(*phases); i++)
        for (unsigned intervals = 1; intervals <= 40; intervals += 39)
            assert_rhythm(phases[i], intervals, false, 88172645463325301U + i);
}

/* Between these the intervals show what is in step; what is not refused holds. */
static void between(void)
{
    static const unsigned phases[] = {3, 4, 6, 7, 8, 12, 16, 24, 32, 48, 64, 96};

    for (size_t i = 0; i < sizeof(phases) / sizeof(*phases); i++)
        assert_rhythm(phases[i], 40, true, 88172645463325351U + i);
}

/* Two phases in a rotation: none of the metrics of any run has likely bounds, and no verdict names a node. */
static void in_step(void)
{
    struct road_cell c = {0};
    uint64_t seed = 88172645463325301U;

    for (unsigned long n = 0; n < unit_long_rounds(100); n++)
        CU_ASSERT_EQUAL_FATAL(road_rhythm(ROAD_ROTATION / 2, 1600, 40, &seed, &c), 0);
    CU_ASSERT(c.metrics > 0);
    CU_ASSERT_EQUAL(c.refused, c.metrics);
    CU_ASSERT_EQUAL(c.given, 0);
    CU_ASSERT_EQUAL(c.named, 0);
}

/* Registers that cut fractions off, that round them, and that do either. */
static void restores(void)
{
    static const char *const roundings[] = {"truncate", "nearest", "scatter"};

    for (size_t i = 0; i < sizeof(roundings) / sizeof(*roundings); i++)
        for (enum road_program p = 0; p < ROAD_PROGRAMS; p++) {
            struct road_cell c = {0};
            uint64_t seed = 88172645463325401U + p;

            for (unsigned long n = 0; n < unit_long_rounds(100); n++)
                CU_ASSERT_EQUAL_FATAL(road_task(p, roundings[i], 200, &seed, &c), 0);
            assert_inside(roundings[i], 200, 1, &c);
            assert_given(&c);
        }
}

static const CU_TestInfo tests[] = {
    {"who leads without bounds", leads},
    {"one interval", one_interval},
    {"the sum of ten", sums},
    {"all or nothing in each window", whole_windows},
    {"rhythms", rhythms},
    {"rhythms that may keep step", between},
    {"in step", in_step},
    {"restores of a task", restores},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("likely bounds of a simulated machine", tests);
