/* SPDX-License-Identifier: MIT */
/* What a plan gives of each of a machine's PMUs, and nothing of others: that is no lack of memory. */
#include "private/plan.h"
#include "include/td_run.h"
#include "tests/support/shipped_machine.h"

/* Alder Lake has the PMUs of its P-cores and of its E-cores. */
static void plans_of_pmus(void)
{
    static const enum td_plan_what all[] = {TD_PLAN_EVENTS, TD_PLAN_ENCODINGS, TD_PLAN_LATENCIES, TD_PLAN_TEXT};
    struct td *td = on_shipped_machine("alderlake");

    CU_ASSERT_FATAL(td != NULL);
    for (int planned = 0; planned < 2; planned++) {
        for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
            CU_ASSERT_EQUAL(td_plan(td, all[i], 0) != NULL, planned);
            CU_ASSERT_EQUAL(td_plan(td, all[i], 1) != NULL, planned);
            CU_ASSERT_PTR_NULL(td_plan(td, all[i], all[i] == TD_PLAN_TEXT ? 1000 : 2));
        }
        CU_ASSERT_STRING_EQUAL(td_error(td), "");
        CU_ASSERT_EQUAL(planned ? 0 : td_detect(td), 0);
        for (size_t i = 0; i < 2 && !planned; i++)
            CU_ASSERT_PTR_NULL(td_plan(td, TD_PLAN_EVENTS, i)); /* the machine is known, and nothing planned */
        CU_ASSERT_STRING_EQUAL(td_error(td), "");
        CU_ASSERT_EQUAL_FATAL(planned ? 0 : td_plan_live(td, &(struct td_live){.size = sizeof(struct td_live)}), 0);
    }
    td_free(td);
}

static const CU_TestInfo tests[] = {{"plans of PMUs", plans_of_pmus}, CU_TEST_INFO_NULL};
UNIT_SUITE("measurements and plans", tests);
