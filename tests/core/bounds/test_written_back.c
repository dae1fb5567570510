/* SPDX-License-Identifier: MIT */
/* What the kernel's restores of the metrics register add to the error of its fields: exact numbers. */
#include "core/bounds/written_back.h"

#include "core/formula/range.h"
#include "tests/support/unit.h"

/* By hand: the error itself, or half of what the four counts' sum and the slots differ by. */
static void cover(void)
{
    static const struct {
        double error, sum, slots, wanted;
    } all[] = {
        {10, 1000, 1000, 10}, {10, 1000, 1020, 10}, {10, 1000, 1021, 10.5}, {10, 1000, 979, 10.5}, {10, 1000, 1040, 20},
        {10, 1040, 1000, 20}, {0, 1000, 1001, 0.5}, {3, 1000, 1100, 50},    {60, 1000, 1100, 60},
    };

    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
        CU_ASSERT_EQUAL(td_restored_cover(all[i].error, all[i].sum, all[i].slots), all[i].wanted);
}

/* The share of a field that counted count, of a sum: what share() makes of four fields with that error. */
static struct td_range share_of(double count, double sum, double error)
{
    struct td_range rest = td_range_exact(0);

    for (int i = 0; i < 3; i++) /* how the other three divide the rest does not matter: none goes below 0 here */
        rest = td_range_add(rest, td_range_count((sum - count) / 3, error));
    return td_range_share(td_range_count(count, error), rest);
}

/* A field whose count is within its error: its true share of the slots is within the bounds, whatever the other fields
 * lost or gained. A quarter of the difference would not do: 490 / 1020 = 0.4804, but the truth may be 490 / 1040 =
 * 0.4712. */
static void share_covers(void)
{
    const struct td_range quarter = share_of(500, 1000, 10),
                          half = share_of(500, 1000, td_restored_cover(10, 1000, 1040));
    unsigned long outside = 0, tried = 0;

    CU_ASSERT_DOUBLE_EQUAL(quarter.low, 490.0 / 1020, 1e-12);
    CU_ASSERT(quarter.low > 490.0 / 1040);
    CU_ASSERT_DOUBLE_EQUAL(half.low, 480.0 / 1040, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(half.high, 520.0 / 960, 1e-12);
    for (int count = 100; count <= 700; count += 50)
        for (int error = 2; error <= 20; error += 6)
            for (int slots = 1000 - 4 * error; slots <= 1000 + 4 * error; slots += 2) {
                const struct td_range r = share_of(count, 1000, td_restored_cover(error, 1000, slots));

                tried++;
                outside += r.low > (double)(count - error) / slots || r.high < (double)(count + error) / slots;
            }
    CU_ASSERT(tried > 1000);
    CU_ASSERT_EQUAL(outside, 0);
}

static const CU_TestInfo tests[] = {
    {"fields and slots that differ", cover},
    {"a share of the slots", share_covers},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("restored registers", tests);
