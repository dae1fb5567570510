/* SPDX-License-Identifier: MIT */
/* Numbers of groups over all runs of a recording: a run has those of the run before it that had the same events in the
 * same groups, and any other run has new ones. */
#include "sim/replay/run_groups.h"
#include "tests/support/memory.h"
#include "tests/support/unit.h"

#include <string.h>

enum { COUNTS = 3 };

/* An interval's events and their groups, and what the groups are over all runs. */
struct interval {
    bool begins;
    size_t n;
    struct {
        uint32_t text;
        uint16_t group, wanted;
    } c[COUNTS];
};

static void number_all(const struct interval *all, size_t n)
{
    struct td_run_groups g = {.n = 0};

    for (size_t i = 0; i < n; i++) {
        struct td_count c[COUNTS + 1];
        struct td_interval batch = {.counts = {.c = c, .n = all[i].n}};
        struct td_stream s = {.batch = &batch, .nbatch = 1};

        memset(c, 0, sizeof(c));
        for (size_t k = 0; k <= COUNTS; k++)
            c[k].text = (uint32_t)(1000 + i); /* what is after them is none of them */
        for (size_t k = 0; k < all[i].n; k++) {
            c[k].text = all[i].c[k].text;
            c[k].group = all[i].c[k].group;
        }
        CU_ASSERT_EQUAL(td_run_groups_number(&g, &s, all[i].begins), 0);
        for (size_t k = 0; k < all[i].n; k++)
            CU_ASSERT_EQUAL(c[k].group, all[i].c[k].wanted);
    }
    td_run_groups_free(&g);
    CU_ASSERT(!g.n && !g.run && !g.first && !g.next);
}

static void runs(void)
{
    static const struct interval all[] = {
        {false, 2, {{1, 0, 0}, {2, 1, 1}}}, /* the first begins, whatever it says */
        {false, 2, {{1, 0, 0}, {2, 1, 1}}},
        {true, 2, {{3, 0, 2}, {4, 0, 2}}},
        {true, 2, {{1, 0, 0}, {2, 1, 1}}}, /* as the first */
        {true, 2, {{1, 0, 3}, {2, 0, 3}}}, /* the same events in other groups */
        {true, 2, {{2, 1, 1}, {1, 0, 0}}}, /* in another order */
        {true, 2, {{3, 0, 2}, {4, 0, 2}}},
        {false, 3, {{9, 0, 2}, {8, 1, 3}, {7, 2, 4}}}, /* a later interval of that run */
        {true, 2, {{1, 1, 6}, {2, 0, 5}}}, /* each has the other's group */
        {true, 1, {{1, 0, 7}}},
        {true, 0, {{0, 0, 0}}},
        {true, 1, {{1, 0, 7}}},
        {true, 1, {{0, 0, 8}}},
        {true, 1, {{0x10000, 0, 9}}},
        {true, 1, {{0x20000, 0, 10}}},
        {true, 2, {{1, 0, 11}, {0, 0, 11}}}, /* one more than a run that there was */
    };

    number_all(all, sizeof(all) / sizeof(*all));
}

/* Groups have 16 bits, of which the greatest is none: all beyond share the last. */
static void last(void)
{
    static const struct interval one[] = {
        {true, 3, {{1, 65533, 65533}, {2, 65534, 65534}, {3, 65535, 65534}}},
        {true, 2, {{4, 0, 65534}, {5, 1, 65534}}},
    };
    static const struct interval other[] = {
        {true, 1, {{1, 9, 9}}},
        {true, 3, {{2, 65523, 65533}, {3, 65524, 65534}, {4, 65525, 65534}}},
    };

    number_all(one, sizeof(one) / sizeof(*one));
    number_all(other, sizeof(other) / sizeof(*other));
}

/* A group's number and an event's are told apart, whatever bits they have. */
static void bits(void)
{
    static const struct interval all[] = {
        {true, 1, {{0, 32768, 32768}}},
        {true, 1, {{1, 0, 32769}}},
        {true, 1, {{0, 0, 32770}}},
    };

    number_all(all, sizeof(all) / sizeof(*all));
}

/* All scopes of a batch have the numbers of the first one's run. */
static void scopes(void)
{
    struct td_run_groups g = {.n = 0};
    struct td_count c[2] = {{.text = 1, .group = 0}, {.text = 2, .group = 1}}, more[1] = {{.text = 3, .group = 0}};
    struct td_interval batch[2] = {{.counts = {.c = &c[0], .n = 1}}, {.counts = {.c = &c[1], .n = 1}}},
                       next = {.counts = {.c = more, .n = 1}};
    struct td_stream both = {.batch = batch, .nbatch = 2}, one = {.batch = &next, .nbatch = 1}, none = {.nbatch = 0};

    CU_ASSERT_EQUAL(td_run_groups_number(&g, &both, true), 0);
    CU_ASSERT(c[0].group == 0 && c[1].group == 1);
    CU_ASSERT_EQUAL(td_run_groups_number(&g, &none, true), 0);
    CU_ASSERT_EQUAL(td_run_groups_number(&g, &one, true), 0);
    CU_ASSERT_EQUAL(more[0].group, 2);
    td_run_groups_free(&g);
}

/* Runs of 40 different events. */
static int forty(void *ctx)
{
    struct td_run_groups g = {.n = 0};
    int err = 0;

    (void)ctx;
    for (uint32_t i = 0; i < 40 && !err; i++) {
        struct td_count c = {.text = i};
        struct td_interval batch = {.counts = {.c = &c, .n = 1}};

        err = td_run_groups_number(&g, &(struct td_stream){.batch = &batch, .nbatch = 1}, true);
        CU_ASSERT_EQUAL(c.group, err ? 0 : i);
    }
    td_run_groups_free(&g);
    return err;
}

static void memory(void)
{
    CU_ASSERT(memory_each(forty, NULL, 1, false) >= 2);
}

static const CU_TestInfo tests[] = {
    {"runs", runs},     {"the last group", last},   {"bits of numbers", bits},
    {"scopes", scopes}, {"without memory", memory}, CU_TEST_INFO_NULL,
};
UNIT_SUITE("groups of runs", tests);
