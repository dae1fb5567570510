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

static void run(enum once_way way, const struct likely_program *p, unsigned long rounds, struct once_cell *of)
{
    uint64_t seed = 88172645463325252U + way;

    for (unsigned long n = 0; n < rounds * once_nfamilies; n++) {
        const size_t f = n % once_nfamilies;

        CU_ASSERT_EQUAL_FATAL(once_run(way, &once_families[f], p, &seed, &of[f]), 0);
    }
}

static struct once_cell sum_of(const struct once_cell *c, size_t n)
{
    struct once_cell sum = {0};

    for (size_t i = 0; i < n; i++) {
        sum.shares += c[i].shares;
        sum.given += c[i].given;
        sum.inside += c[i].inside;
        sum.named += c[i].named;
        sum.wrong += c[i].wrong;
        sum.broken += c[i].broken;
    }
    return sum;
}

static void assert_way(enum once_way way)
{
    struct once_cell of[ONCE_FAMILIES] = {{0}}, all;

    CU_ASSERT_FATAL(once_nfamilies == ONCE_FAMILIES);
    run(way, NULL, unit_rounds(16), of);
    for (size_t f = 0; f < once_nfamilies; f++)
        assert_cell(way, once_families[f].name, &of[f]);
    all = sum_of(of, once_nfamilies);
    assert_cell(way, "all", &all);
    CU_ASSERT(all.named > 0);
    if (way != ONCE_SYSTEM) /* of an unknown number of CPUs */
        CU_ASSERT(10 * all.given > 7 * all.shares);
}

static void all_ways(void)
{
    for (enum once_way way = 0; way < ONCE_WAYS; way++)
        assert_way(way);
}

/* Where windows cannot differ more, and all of them differ: all ways and families, each as often. */
static void hardest(void)
{
    const struct likely_program *p = likely_programs;
    struct once_cell of[ONCE_FAMILIES] = {{0}}, all;

    while (p->rhythm != LIKELY_WINDOWS)
        p++;
    for (enum once_way way = 0; way < ONCE_WAYS; way++)
        run(way, p, unit_rounds(12), of);
    all = sum_of(of, once_nfamilies);
    if (!is_enough(&all) || !is_right(&all) || all.broken)
        printf("\n    %s: inside %lu of %lu, wrong %lu of %lu named", p->name, all.inside, all.given, all.wrong,
               all.named);
    CU_ASSERT(is_enough(&all));
    CU_ASSERT(is_right(&all));
    CU_ASSERT_EQUAL(all.broken, 0);
}

static const CU_TestInfo tests[] = {
    {"each way, each family", all_ways},
    {"all or nothing in each window", hardest},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("likely bounds of one reading", tests);
