/* SPDX-License-Identifier: MIT */
/* Likely bounds of one reading, as perf prints it, of each way to take it: the truth is within them in at least 95 of
 * 100 cases, and at most 1 of 100 nodes that are named is another than the one that leads. All tables:
 * tests/bench/likely_once.c. */
#include "tests/support/likely_once.h"
#include "tests/support/unit.h"

#include <math.h>
#include <stdio.h>

/* The shares of a reading hang together; three standard deviations for that number of readings. */
static bool is_enough(const struct once_cell *c)
{
    return (double)c->inside >= (0.95 - 3 * sqrt(0.95 * 0.05 / ((double)c->given / 4 + 1))) * (double)c->given;
}

static bool is_right(const struct once_cell *c)
{
    return (double)c->wrong <= 0.01 * (double)c->named + 3 * sqrt(0.01 * (double)c->named);
}

static void assert_cell(enum once_way way, const char *family, const struct once_cell *c)
{
    if (!is_enough(c) || !is_right(c) || c->broken)
        printf("\n    %s, %s: inside %lu of %lu, wrong %lu of %lu named, sound bounds broken %lu", once_way_names[way],
               family, c->inside, c->given, c->wrong, c->named, c->broken);
    CU_ASSERT(is_enough(c));
    CU_ASSERT(is_right(c));
    CU_ASSERT_EQUAL(c->broken, 0);
}

static void assert_way(enum once_way way)
{
    uint64_t seed = 88172645463325252U + way;
    struct once_cell all = {0};

    for (size_t f = 0; f < once_nfamilies; f++) {
        struct once_cell c = {0};

        for (unsigned long n = 0; n < unit_rounds(20); n++)
            CU_ASSERT_EQUAL_FATAL(once_run(way, &once_families[f], NULL, &seed, &c), 0);
        assert_cell(way, once_families[f].name, &c);
        all.shares += c.shares;
        all.given += c.given;
        all.named += c.named;
    }
    CU_ASSERT(all.named > 0);
    if (way != ONCE_SYSTEM) /* of an unknown number of CPUs */
        CU_ASSERT(10 * all.given > 7 * all.shares);
}

static void all_ways(void)
{
    for (enum once_way way = 0; way < ONCE_WAYS; way++)
        assert_way(way);
}

static const CU_TestInfo tests[] = {
    {"each way, each family", all_ways},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("likely bounds of one reading", tests);
