/* SPDX-License-Identifier: MIT */
/* The registers of the PMU model, when they are written. */
#include "sim/machine/pmu.h"
#include "tests/support/unit.h"

static unsigned field_of(uint64_t metrics, size_t i)
{
    return metrics >> (8 * i) & 0xff;
}

/* What is written is what is read, and the state is the least that reads so: fields that a task
 * brings along are never ahead of what it executed. */
static void writing(void)
{
    const struct td_pmu_phase phase = {.slots = 1000003, .weight = {TD_PMU_WHOLE / 2, 0, TD_PMU_WHOLE / 2, 0}};
    struct unit_random r = {.state = 12};
    struct td_pmu p;

    CU_ASSERT_TRUE_FATAL(td_pmu_init(&p, &phase, 1, TD_PMU_TRUNCATE, 0));
    for (unsigned long n = unit_rounds(100000); n-- > 0;) {
        const uint64_t slots = 255 + (unit_random(&r) >> (17 + unit_random_below(&r, 38))), metrics = unit_random(&r);

        td_pmu_advance(&p, unit_random_below(&r, 100000));
        td_pmu_write_slots(&p, slots);
        td_pmu_write_metrics(&p, slots, metrics);
        CU_ASSERT_EQUAL(td_pmu_slots(&p), slots);
        CU_ASSERT_EQUAL(td_pmu_metrics(&p), metrics);
        for (size_t i = 0; i < TD_PMU_FIELDS; i++) {
            const unsigned field = field_of(metrics, i);

            p.at_reset.part[i] += field; /* lower by a unit's rounding at most */
            CU_ASSERT_EQUAL(field_of(td_pmu_metrics(&p), i), field ? field - 1 : 0);
            p.at_reset.part[i] -= field;
        }
    }
}

/* They count on from there. */
static void counting_on(void)
{
    const struct td_pmu_phase phase = {.slots = 1000, .weight = {TD_PMU_WHOLE}};
    struct td_pmu p;

    CU_ASSERT_TRUE_FATAL(td_pmu_init(&p, &phase, 1, TD_PMU_TRUNCATE, 0));
    td_pmu_write_slots(&p, 51000);
    td_pmu_write_metrics(&p, 51000, 0xff00); /* all bad speculation */
    td_pmu_advance(&p, 51000); /* and as many that retire */
    CU_ASSERT_EQUAL(td_pmu_slots(&p), 102000);
    CU_ASSERT_EQUAL(td_pmu_metrics(&p), 0x7f7f); /* 127.5 / 255 each, cut */
}

static const CU_TestInfo tests[] = {
    {"writing", writing},
    {"counting on", counting_on},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("PMU model", tests);
