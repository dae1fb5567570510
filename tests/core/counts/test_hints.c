/* SPDX-License-Identifier: MIT */
/* Sets of hints: each is kept once, and there are so many of them. */
#include "core/counts/hints.h"
#include "tests/support/unit.h"

#include <errno.h>
#include <string.h>

static bool has(const struct td_hints *h, uint32_t set, const uint16_t *wanted, size_t n)
{
    const uint16_t *member = NULL;

    return td_hints_members(h, set, &member) == n && (!n || !memcmp(member, wanted, n * sizeof(*wanted)));
}

#define HAS(set, ...) \
    CU_ASSERT(has(&h, set, (const uint16_t[]){__VA_ARGS__}, sizeof((const uint16_t[]){__VA_ARGS__}) / sizeof(uint16_t)))

/* Numbers of sets rise from 1; equal sets have one. */
static void sets(void)
{
    struct td_hints h = {0};

    CU_ASSERT_EQUAL(td_hints_one(&h, TD_HINT_NONE), 0);
    CU_ASSERT(has(&h, 0, NULL, 0) && has(&h, 7, NULL, 0) && !h.err);
    CU_ASSERT_EQUAL(td_hints_one(&h, 5), 1);
    CU_ASSERT_EQUAL(td_hints_one(&h, 3), 2);
    CU_ASSERT_EQUAL(td_hints_one(&h, 5), 1);
    CU_ASSERT_EQUAL(td_hints_one(&h, 9), 3);
    HAS(1, 5);
    HAS(3, 9);
    CU_ASSERT_EQUAL(td_hints_unite(&h, 1, 2), 4);
    HAS(4, 3, 5);
    CU_ASSERT_EQUAL(td_hints_unite(&h, 2, 1), 4);
    CU_ASSERT_EQUAL(td_hints_unite(&h, 1, 3), 5);
    HAS(5, 5, 9);
    CU_ASSERT_EQUAL(td_hints_unite(&h, 4, 5), 6);
    HAS(6, 3, 5, 9);
    CU_ASSERT_EQUAL(td_hints_unite(&h, 6, 1), 6);
    CU_ASSERT_EQUAL(td_hints_unite(&h, 1, 6), 6);
    CU_ASSERT_EQUAL(td_hints_unite(&h, 5, 2), 6);
    CU_ASSERT_EQUAL(td_hints_join(&h, 0, 5), 5);
    CU_ASSERT_EQUAL(td_hints_join(&h, 5, 0), 5);
    CU_ASSERT_EQUAL(td_hints_join(&h, 5, 5), 5);
    CU_ASSERT_EQUAL(td_hints_join(&h, 2, 3), 7);
    CU_ASSERT_EQUAL(h.nsets, 8);
    CU_ASSERT_EQUAL(h.nmembers, 1 + 1 + 1 + 2 + 2 + 3 + 2);
    CU_ASSERT_EQUAL(h.err, 0);
    td_hints_free(&h);
}

/* With the empty set there are 4,096; then what is there is still found. */
static void too_many(void)
{
    struct td_hints h = {0};

    for (uint16_t i = 1; i < TD_HINTS_MAX; i++)
        CU_ASSERT_EQUAL(td_hints_one(&h, i), i);
    CU_ASSERT_EQUAL(h.err, 0);
    CU_ASSERT_EQUAL(td_hints_one(&h, TD_HINTS_MAX), 0);
    CU_ASSERT_EQUAL(h.err, -E2BIG);
    CU_ASSERT_EQUAL(td_hints_one(&h, 77), 77);
    CU_ASSERT_EQUAL(td_hints_unite(&h, 5, 6), 5);
    CU_ASSERT_EQUAL(td_hints_unite(&h, 5, 5), 5);
    CU_ASSERT_EQUAL(h.nmembers, TD_HINTS_MAX - 1);
    td_hints_free(&h);
    CU_ASSERT_EQUAL(h.nsets, 0);
}

/* Unions of any two of many: what is remembered of one is never taken for another. */
static void recent_ones(void)
{
    enum { SETS = 200 };
    struct td_hints h = {0};
    size_t wrong = 0;

    for (uint16_t i = 1; i <= SETS; i++)
        CU_ASSERT_EQUAL_FATAL(td_hints_one(&h, i), i);
    for (uint16_t b = 1; b <= 5; b++)
        for (int again = 0; again < 2; again++)
            for (uint16_t a = 6; a <= SETS; a++) {
                const uint16_t both[] = {b, a};

                wrong += !has(&h, td_hints_unite(&h, a, b), both, 2);
            }
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT_EQUAL(h.nsets, 1 + SETS + 5 * (SETS - 5));
    td_hints_free(&h);
}

static const CU_TestInfo tests[] = {
    {"sets", sets}, {"more than there may be", too_many}, {"recent ones", recent_ones}, CU_TEST_INFO_NULL};
UNIT_SUITE("hints", tests);
