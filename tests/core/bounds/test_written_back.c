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

/* ---- the register of a solution, by hand ---------------------------------------------------------- */

/* Events: slots, a field of the register, another. */
static const struct td_event of_register[] = {
    {.name = "TOPDOWN.SLOTS", .field = -1}, {.name = "topdown-retiring", .field = 0}, {.name = "other", .field = -1}};
static const struct td_uarch with_register = {.events = of_register, .nevents = 3};

/* Copies 0, 1 and 2 are of these events; n of the uses, from the first-th on, are asked. */
static enum td_likely_why error_of_uses(size_t first, size_t n, bool switched, double running, double *slots)
{
    struct td_count c[] = {{.value = 510, .enabled = 4, .running = 4},
                           {.value = 100, .enabled = 4, .running = running},
                           {.value = 7, .enabled = 4, .running = 4}};
    const struct td_counts k = {.n = 3, .c = c};
    const struct td_use use[] = {
        {.event = 2, .copy = 2}, {.event = 1, .copy = 1}, {.event = 0, .copy = 0}, {.event = 1, .copy = -1}};
    const struct td_taken t = {.switches = 2, .held = 51};

    return td_restored_error(use + first, n, &k, &with_register, switched, &t, slots);
}

/* Nothing is added where the register is not used, or was not written back; where it was, 2 switches of 51 slots. */
static void used(void)
{
    double slots = 1, wanted;

    CU_ASSERT(error_of_uses(0, 1, true, 4, &slots) == TD_LIKELY_GIVEN && slots == 0);
    CU_ASSERT(error_of_uses(0, 1, false, 2, &slots) == TD_LIKELY_GIVEN && slots == 0);
    CU_ASSERT(error_of_uses(3, 1, true, 4, &slots) == TD_LIKELY_GIVEN && slots == 0); /* it was not recorded */
    CU_ASSERT(error_of_uses(0, 3, false, 4, &slots) == TD_LIKELY_GIVEN && slots == 0);
    CU_ASSERT_EQUAL(error_of_uses(0, 2, true, 4, &slots), TD_LIKELY_NO_SWITCHES); /* without slots */
    CU_ASSERT_EQUAL(error_of_uses(0, 2, false, 2, &slots), TD_LIKELY_NO_SWITCHES);
    CU_ASSERT_EQUAL(td_likely_restored(2, 51, 510, &wanted), TD_LIKELY_GIVEN);
    CU_ASSERT(error_of_uses(0, 3, true, 4, &slots) == TD_LIKELY_GIVEN && slots == wanted && slots > 0);
}

/* A field of which 255 units are 510 slots, in turns with others: on one CPU it was seen in so many windows of 0.01 ns
 * as it ran, and held 5.1 slots for half a ns of that. */
static void rotated(void)
{
    static const struct {
        double running; /* of 4 ns */
        bool switched; /* twice */
        enum td_status status; /* the field's */
        double interval, restores; /* restores that are wanted; negative: it adds nothing */
        enum td_likely_why why;
    } rows[] = {
        /* 200 windows in 2 ns: 50 in half a ns */
        {2, false, TD_OK, 0.01, 50, TD_LIKELY_GIVEN},   {2, true, TD_OK, 0.01, 52, TD_LIKELY_GIVEN},
        {1, false, TD_OK, 0.01, 50, TD_LIKELY_GIVEN},   {2, true, TD_OK, 0.02, 27, TD_LIKELY_GIVEN},
        {4, true, TD_OK, 0.01, 2, TD_LIKELY_GIVEN},     {0, false, TD_OK, 0.01, 0, TD_LIKELY_GIVEN},
        {0, true, TD_OK, 0.01, 2, TD_LIKELY_GIVEN},     {2, true, TD_NOT_COUNTED, 0.01, -1, TD_LIKELY_GIVEN},
        {2, true, TD_OK, 0, -1, TD_LIKELY_NO_COVERAGE},
    };
    static const struct td_use use[] = {{.event = 1, .copy = 0}, {.event = 0, .copy = 1}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct td_count c[] = {{.enabled = 4, .running = rows[i].running, .status = rows[i].status},
                               {.value = 510, .enabled = 4, .running = 4}};
        const struct td_taken t = {
            .elapsed = 4, .cpus = 1, .interval = rows[i].interval, .switches = 2, .held = 5.1, .held_running = 0.5};
        double slots = 7, wanted = 0;

        if (rows[i].restores >= 0)
            CU_ASSERT_EQUAL(td_likely_restored(rows[i].restores, 5.1, 510, &wanted), TD_LIKELY_GIVEN);
        CU_ASSERT_EQUAL(td_restored_error(use, 2, &(struct td_counts){.n = 2, .c = c}, &with_register, rows[i].switched,
                                          &t, &slots),
                        rows[i].why);
        CU_ASSERT_DOUBLE_EQUAL(slots, wanted, 1e-12);
    }
}

static const CU_TestInfo tests[] = {
    {"fields and slots that differ", cover},
    {"a share of the slots", share_covers},
    {"the register of a solution", used},
    {"in turns with others", rotated},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("restored registers", tests);
