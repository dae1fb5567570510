/* SPDX-License-Identifier: MIT */
/* Numbers of groups: one for each group and modes, in order of first use. */
#include "core/counts/groups.h"
#include "tests/support/unit.h"

enum { GROUPS = 100, MODES = 32 };

static void many(void)
{
    struct td_groups g = {.n = 0};
    size_t wrong = 0;

    CU_ASSERT_EQUAL_FATAL(td_groups_begin(&g, GROUPS * MODES), 0);
    for (int again = 0; again < 2; again++)
        for (uint32_t i = 0; i < GROUPS * MODES; i++)
            wrong += td_groups_number(&g, (uint16_t)(i % GROUPS), (uint8_t)(i / GROUPS)) != i;
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT_EQUAL(g.n, GROUPS * MODES);
    td_groups_free(&g);
}

/* Any two of them, including some whose hashes collide in the smallest table; earlier ones are forgotten. */
static void two(void)
{
    struct td_groups g = {.n = 0};
    size_t wrong = 0;

    for (uint32_t i = 0; i < 8 * MODES; i++)
        for (uint32_t j = 0; j < 8 * MODES; j++) {
            CU_ASSERT_EQUAL_FATAL(td_groups_begin(&g, 2), 0);
            wrong += td_groups_number(&g, (uint16_t)(i / MODES), (uint8_t)(i % MODES)) != 0;
            wrong += td_groups_number(&g, (uint16_t)(j / MODES), (uint8_t)(j % MODES)) != (i != j);
            wrong += g.n != 1u + (i != j);
        }
    CU_ASSERT_EQUAL(wrong, 0);
    td_groups_free(&g);
}

static const CU_TestInfo tests[] = {
    {"many", many},
    {"two", two},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("groups", tests);
