/* SPDX-License-Identifier: MIT */
/* When a collector makes room for others: two intervals below 90 %, one below 50 %, back-off of 1, 2, 4 ... 64. */
#include "cli/collect/manners.h"
#include "tests/support/unit.h"

#include <math.h>

static void enough(void)
{
    struct cli_manners m = {.low = 0};

    for (int i = 0; i < 100; i++)
        CU_ASSERT_EQUAL(cli_manners_take(&m, i % 2 ? 1 : 0.9), CLI_MOVE_NONE);
    CU_ASSERT_EQUAL(cli_manners_take(&m, (double)NAN), CLI_MOVE_NONE); /* nothing ran */
    CU_ASSERT_FALSE(m.shallow || m.yielded || m.yields);
}

static void little(void)
{
    struct cli_manners m = {.low = 0};

    CU_ASSERT_EQUAL(cli_manners_take(&m, 0.89), CLI_MOVE_NONE);
    CU_ASSERT_EQUAL(cli_manners_take(&m, 0.9), CLI_MOVE_NONE); /* not in a row */
    CU_ASSERT_EQUAL(cli_manners_take(&m, 0.5), CLI_MOVE_NONE);
    CU_ASSERT_EQUAL(cli_manners_take(&m, (double)NAN), CLI_MOVE_NONE); /* says nothing either way */
    CU_ASSERT_EQUAL(cli_manners_take(&m, 0.89), CLI_MOVE_SHALLOWER);
    CU_ASSERT_TRUE(m.shallow);
    for (int i = 1; i < 64; i++)
        CU_ASSERT_EQUAL(cli_manners_take(&m, 1), CLI_MOVE_NONE);
    CU_ASSERT_EQUAL(cli_manners_take(&m, 0.8), CLI_MOVE_NONE); /* none of the 64, and there is nothing less deep */
    CU_ASSERT_EQUAL(cli_manners_take(&m, 0.8), CLI_MOVE_NONE);
    CU_ASSERT_EQUAL(cli_manners_take(&m, 1), CLI_MOVE_DEEPER);
    CU_ASSERT_FALSE(m.shallow);
}

static void too_little(void)
{
    static const unsigned waits[] = {1, 2, 4, 8, 16, 32, 64, 64};
    struct cli_manners m = {.low = 0};

    for (size_t i = 0; i < sizeof(waits) / sizeof(*waits); i++) {
        CU_ASSERT_EQUAL(cli_manners_take(&m, i % 2 ? 0 : 0.49), CLI_MOVE_CLOSE);
        CU_ASSERT_TRUE(m.yielded);
        CU_ASSERT_EQUAL(m.yields, i + 1);
        for (unsigned k = 1; k < waits[i]; k++)
            CU_ASSERT_EQUAL(cli_manners_wait(&m), CLI_MOVE_NONE);
        CU_ASSERT_EQUAL(cli_manners_wait(&m), CLI_MOVE_OPEN);
        CU_ASSERT_FALSE(m.yielded);
    }
    CU_ASSERT_EQUAL(cli_manners_take(&m, 0.6), CLI_MOVE_NONE); /* not free of others yet */
    CU_ASSERT_EQUAL(cli_manners_take(&m, 0.4), CLI_MOVE_CLOSE);
    CU_ASSERT_EQUAL(m.wait, 64);
    m.wait = 1;
    CU_ASSERT_EQUAL(cli_manners_wait(&m), CLI_MOVE_OPEN);
    CU_ASSERT_EQUAL(cli_manners_take(&m, 1), CLI_MOVE_NONE); /* from the beginning */
    CU_ASSERT_EQUAL(cli_manners_take(&m, 0), CLI_MOVE_CLOSE);
    CU_ASSERT_EQUAL(cli_manners_wait(&m), CLI_MOVE_OPEN);
}

static void both(void)
{
    struct cli_manners m = {.low = 0};

    cli_manners_take(&m, 0.8);
    CU_ASSERT_EQUAL(cli_manners_take(&m, 0.8), CLI_MOVE_SHALLOWER);
    CU_ASSERT_EQUAL(cli_manners_take(&m, 0.1), CLI_MOVE_CLOSE);
    CU_ASSERT_EQUAL(cli_manners_wait(&m), CLI_MOVE_OPEN);
    CU_ASSERT_TRUE(m.shallow); /* the 64 begin anew */
    for (int i = 1; i < 64; i++)
        CU_ASSERT_EQUAL(cli_manners_take(&m, 1), CLI_MOVE_NONE);
    CU_ASSERT_EQUAL(cli_manners_take(&m, 1), CLI_MOVE_DEEPER);
}

static const CU_TestInfo tests[] = {{"coverage that is enough", enough},
                                    {"less than 90 %", little},
                                    {"less than 50 %", too_little},
                                    {"one after the other", both},
                                    CU_TEST_INFO_NULL};
UNIT_SUITE("collect: manners", tests);
