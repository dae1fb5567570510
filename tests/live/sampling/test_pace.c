/* SPDX-License-Identifier: MIT */
/* How often samples are taken, by clocks and costs that are written here. */
#include "live/sampling/pace.h"
#include "tests/support/unit.h"

/* Powers of two, so that products are exact: a thousandth of a second for each period, and a 128th of the time for
 * samples. */
#define RATE 1024
#define OVERHEAD 0x1p-7

static void periods(void)
{
    struct td_pace p = {.rate = RATE, .overhead = OVERHEAD, .samples = 2};

    p.cost = 0x1p-19; /* 2 * 2^-19 s * 2^10/s = 2^-8 */
    CU_ASSERT_EQUAL(td_pace_period(&p, 3 << 20), 3 << 10);
    CU_ASSERT(!td_pace_limited(&p));
    p.cost = 0x1p-18; /* just what they may take */
    CU_ASSERT_EQUAL(td_pace_period(&p, 3 << 20), 3 << 10);
    CU_ASSERT(!td_pace_limited(&p));
    p.cost = 0x1p-16; /* four times that */
    CU_ASSERT_EQUAL(td_pace_period(&p, 3 << 20), 3 << 12);
    CU_ASSERT(td_pace_limited(&p));
    p.samples = 1;
    CU_ASSERT_EQUAL(td_pace_period(&p, 3 << 20), 3 << 11);
    p.rate = 0; /* the period is fixed */
    CU_ASSERT(!td_pace_limited(&p));
    p.rate = 0.5;
    p.cost = 1;
    CU_ASSERT(td_pace_limited(&p));
}

/* ---- clocks ----------------------------------------------------------------------------------- */

struct counts {
    uint64_t cycles, running;
};

/* So many periods of as many cycles, in 1000 ns each: how many answers there were. */
static unsigned count(struct td_pace_clock *c, struct counts *at, unsigned periods, uint64_t cycles)
{
    unsigned answers = 0;

    for (unsigned i = 0; i < periods; i++) {
        at->cycles += cycles;
        at->running += 1000;
        answers += td_pace_count(c, at->cycles, at->running);
    }
    return answers;
}

/* An answer comes with the last of eight periods; each is of its own eight. */
static void clocks(void)
{
    struct td_pace_clock c = {.n = 0};
    struct counts at = {.cycles = 5000000, .running = 1000};

    CU_ASSERT(!td_pace_count(&c, at.cycles, at.running)); /* what was before is no period */
    CU_ASSERT_EQUAL(count(&c, &at, 3, 3000), 0);
    CU_ASSERT_EQUAL(count(&c, &at, 1, 4000), 0);
    CU_ASSERT_EQUAL(count(&c, &at, 3, 3000), 0);
    CU_ASSERT(c.mean == 0 && c.busy == 0);
    CU_ASSERT_EQUAL(count(&c, &at, 1, 3000), 1);
    CU_ASSERT_DOUBLE_EQUAL(c.mean, 3.125e9, 1);
    CU_ASSERT_DOUBLE_EQUAL(c.busy, 4e9, 1);
    CU_ASSERT_EQUAL(count(&c, &at, 7, 2000), 0);
    CU_ASSERT_DOUBLE_EQUAL(c.mean, 3.125e9, 1);
    CU_ASSERT_EQUAL(count(&c, &at, 1, 2000), 1);
    CU_ASSERT_DOUBLE_EQUAL(c.mean, 2e9, 1);
    CU_ASSERT_DOUBLE_EQUAL(c.busy, 2e9, 1);
}

/* No period, but from where the next one is counted: what did not rise. */
static void no_periods(void)
{
    struct td_pace_clock c = {.n = 0};
    struct counts at = {.cycles = 5000, .running = 1000};

    td_pace_count(&c, at.cycles, at.running);
    count(&c, &at, 4, 3000);
    at.running += 500;
    CU_ASSERT(!td_pace_count(&c, at.cycles, at.running));
    count(&c, &at, 1, 3000);
    at.cycles += 500;
    CU_ASSERT(!td_pace_count(&c, at.cycles, at.running));
    count(&c, &at, 1, 3000);
    at = (struct counts){.cycles = 200, .running = at.running + 500}; /* the counter was begun again */
    CU_ASSERT(!td_pace_count(&c, at.cycles, at.running));
    CU_ASSERT_EQUAL(count(&c, &at, 1, 3000), 0);
    CU_ASSERT_EQUAL(count(&c, &at, 1, 3000), 1);
    CU_ASSERT_DOUBLE_EQUAL(c.mean, 3e9, 1);
    CU_ASSERT_DOUBLE_EQUAL(c.busy, 3e9, 1);
}

/* ---- costs ------------------------------------------------------------------------------------ */

/* As many as make a median, in an order that jumps; the middle one is so many times 16 ns. */
static void cost(struct td_pace *p, double times)
{
    for (unsigned i = 0; i < TD_PACE_COSTS; i++)
        td_pace_cost(p, times * 1e-9 * (1 + i * 7 % TD_PACE_COSTS));
}

static void costs(void)
{
    struct td_pace p = {.cost = 3e-6 /* assumed */};

    for (unsigned i = 1; i < TD_PACE_COSTS; i++)
        td_pace_cost(&p, 1e-5);
    CU_ASSERT(p.cost == 3e-6 && !p.measured);
    td_pace_cost(&p, 1e-5);
    CU_ASSERT(p.measured);
    CU_ASSERT_DOUBLE_EQUAL(p.cost, 1e-5, 1e-15);
    p = (struct td_pace){.cost = 3e-6};
    cost(&p, 1000);
    CU_ASSERT_DOUBLE_EQUAL(p.cost, 16e-6, 1e-15); /* what was assumed no longer counts */
    cost(&p, 2000);
    CU_ASSERT_DOUBLE_EQUAL(p.cost, 20e-6, 1e-15); /* 3/4 of 16 and 1/4 of 32 */
}

/* No interrupt takes less than 200 ns: the clock did not see it. */
static void unseen_costs(void)
{
    struct td_pace p = {.cost = 3e-6};

    cost(&p, 12);
    CU_ASSERT(p.cost == 3e-6 && !p.measured);
    cost(&p, 13);
    CU_ASSERT(p.measured);
    CU_ASSERT_DOUBLE_EQUAL(p.cost, 208e-9, 1e-15);
}

/* 200 ns are a cost, and less is none. */
static void least_costs(void)
{
    static const double below = 1.999e-7, least = 2e-7;
    struct td_pace p = {.cost = 3e-6};

    for (size_t i = 0; i < TD_PACE_COSTS; i++)
        td_pace_cost(&p, below);
    CU_ASSERT(p.cost == 3e-6 && !p.measured);
    for (size_t i = 0; i < TD_PACE_COSTS; i++)
        td_pace_cost(&p, least);
    CU_ASSERT(p.cost == least && p.measured);
}

/* ---- frequencies ------------------------------------------------------------------------------ */

/* 0.618034 of the way from 0.55 to 1.65 is 1.229837, of which 1000 is 813 times; the next are 0.236068, 0.854102 and
 * 0.472136. */
static void varied(void)
{
    uint32_t at = 0;

    CU_ASSERT_EQUAL(td_pace_vary(&at, 1000), 813);
    CU_ASSERT_EQUAL(td_pace_vary(&at, 1000), 1235);
    CU_ASSERT_EQUAL(td_pace_vary(&at, 1000), 671);
    CU_ASSERT_EQUAL(td_pace_vary(&at, 1000), 935);
    at = 0;
    CU_ASSERT_EQUAL(td_pace_vary(&at, 1), 1); /* 0.8: a frequency of 0 is none */
}

/* Of each ten in a row, each fifth of the periods has one to three: no program keeps step with most. As many samples as
 * without: ln 3 / 1.1 = 0.99874 of them. */
static void spread(void)
{
    enum { ROUNDS = 100, IN_A_ROW = 10, PARTS = 5 };
    uint32_t at = 0;
    double sum = 0;

    for (size_t i = 0; i < ROUNDS; i++) {
        unsigned of[PARTS] = {0};

        for (size_t k = 0; k < IN_A_ROW; k++) {
            const double freq = (double)td_pace_vary(&at, 1000000), part = (1e6 / freq - 0.55) / 1.1;

            CU_ASSERT_FATAL(part > -1e-5 && part < 1 + 1e-5);
            sum += freq;
            of[(size_t)(PARTS * part * 0.9999)]++;
        }
        for (size_t k = 0; k < PARTS; k++)
            CU_ASSERT(of[k] >= 1 && of[k] <= 3);
    }
    CU_ASSERT_DOUBLE_EQUAL(sum / (ROUNDS * IN_A_ROW), 998740, 1000);
}

static const CU_TestInfo tests[] = {
    {"periods of a rate", periods},    {"the clock of eight periods", clocks},    {"what did not rise", no_periods},
    {"the median of costs", costs},    {"costs that are not seen", unseen_costs}, {"the least cost", least_costs},
    {"frequencies that vary", varied}, {"frequencies are spread evenly", spread}, CU_TEST_INFO_NULL,
};
UNIT_SUITE("pace", tests);
