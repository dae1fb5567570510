/* SPDX-License-Identifier: MIT */
/* Pairs of samples whose distance is too long or too short: after three in a row it is set again. */
#include "live/sampling/sampled.h"
#include "tests/support/unit.h"

#include <string.h>

enum { FIRST = 11, SECOND = 12 };

/* A record of the kernel with PERF_SAMPLE_IDENTIFIER and a group's values: only what is looked at. */
static enum td_pair_news look(struct td_sampled *g, uint64_t id, uint64_t cycles)
{
    struct td_pace pace = {.rate = 0};
    union {
        struct perf_event_header head;
        uint64_t word[16];
    } record;

    memset(&record, 0, sizeof(record));
    record.head.type = PERF_RECORD_SAMPLE;
    record.head.size = sizeof(record);
    record.word[3] = 1000; /* time: at byte 24 */
    record.word[4] = id; /* at 32 */
    record.word[10 + 2 * TD_SAMPLED_FIRST] = cycles; /* values from 80 on, 16 bytes each */
    return td_sampled_look(g, &record.head, &pace);
}

static enum td_pair_news pair(struct td_sampled *g, uint64_t distance)
{
    CU_ASSERT_EQUAL(look(g, FIRST, 7000000), TD_NEWS_NONE);
    return look(g, SECOND, 7000000 + distance);
}

static struct td_sampled begin(void)
{
    struct td_sampled g = {.pair.set = true};

    g.id[TD_SAMPLED_FIRST] = FIRST;
    g.id[TD_SAMPLED_FIRST + 1] = SECOND;
    return g;
}

static void distances(void)
{
    struct td_sampled g = begin();

    CU_ASSERT_EQUAL(pair(&g, 5000), TD_NEWS_NEAR);
    CU_ASSERT_EQUAL(pair(&g, 50000), TD_NEWS_NEAR);
    CU_ASSERT_EQUAL(pair(&g, 4999), TD_NEWS_FAR);
    CU_ASSERT_EQUAL(pair(&g, 50001), TD_NEWS_FAR);
    CU_ASSERT_EQUAL(look(&g, SECOND, 7010000), TD_NEWS_NONE); /* without a first one */
}

static void three_in_a_row(void)
{
    struct td_sampled g = begin();

    for (unsigned far = 1; far <= 3; far++) {
        CU_ASSERT(g.pair.set && !g.pair.wanted);
        CU_ASSERT_EQUAL(pair(&g, 60000), TD_NEWS_FAR);
    }
    CU_ASSERT(!g.pair.set && g.pair.wanted);
    /* one near pair between them, and it is no row */
    g = begin();
    for (unsigned far = 1; far <= 8; far++)
        CU_ASSERT_EQUAL(pair(&g, far % 3 ? 60000 : 6000), far % 3 ? TD_NEWS_FAR : TD_NEWS_NEAR);
    CU_ASSERT(g.pair.set && !g.pair.wanted);
}

static const CU_TestInfo tests[] = {
    {"near and far", distances},
    {"three in a row", three_in_a_row},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("distances of pairs", tests);
