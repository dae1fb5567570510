/* SPDX-License-Identifier: MIT */
/* Nodes by the names that tools print. */
#include "formats/percentages/percentages.h"
#include "tests/support/unit.h"

#include <string.h>

static void is(const char *text, const char *wanted)
{
    const struct td_node *node = td_percent_node(text, strlen(text));

    CU_ASSERT_EQUAL_FATAL(!node, !wanted);
    if (node) {
        CU_ASSERT_STRING_EQUAL(node->name, wanted);
    }
}

static void names(void)
{
    is("retiring", "retiring");
    is("%  tma_backend_bound", "backend_bound");
    is("metric_TMA_Frontend_Bound(%)", "frontend_bound");
    is("Backend_Bound.Memory_Bound", "memory_bound");
    is("bad speculation", "bad_speculation");
    is("BAD-SPECULATION", "bad_speculation");
    is("bad_spec", "bad_speculation");
    is("branch_mispredict", "branch_mispredicts");
    is("branch_mispredicts", "branch_mispredicts");
    is("ifetch_latency", "fetch_latency");
    is("iFetch Bandwidth", "fetch_bandwidth");
    is("wasted", "bad_speculation");
    is("smt_contention", "smt_contention"); /* of Zen 4 */
    is("backend_bound_cpu", "backend_bound_cpu");
    is("backend_bound_by_cpu", "backend_bound_by_cpu"); /* of Zen 5 */
}

static void no_names(void)
{
    is("", NULL);
    is("bound", NULL);
    is("retirings", NULL);
    is("aretiring", NULL);
    is("bad  speculation", NULL); /* two blanks */
    is("bad.speculation", NULL);
    is("retiring_x", NULL); /* another metric, whose name begins so */
    is("retiring-x", NULL);
    is("retiring x", NULL);
    is("retiring 5", NULL);
    is("Retiring.Unknown_Part", NULL);
    is("retiring (%) -", "retiring");
    is("retiring_smt", "retiring");
    is("retiring_SMT", NULL);
    is("retiring smt", "retiring");
    is("retiring_smtx", NULL);
}

/* A field is at most 255 characters long. */
static void lengths(void)
{
    char text[300];

    memset(text, '%', sizeof(text));
    memcpy(text, "retiring", 8);
    CU_ASSERT_PTR_NOT_NULL(td_percent_node(text, 8));
    CU_ASSERT_PTR_NULL(td_percent_node(text, 7));
    CU_ASSERT_PTR_NOT_NULL(td_percent_node(text, 255));
    CU_ASSERT_PTR_NULL(td_percent_node(text, 256));
}

static void next(void)
{
    static const char line[] = "x retiring  bad speculation|(memory_bound)";
    static const struct {
        const char *name;
        size_t end;
    } wanted[] = {{"retiring", 10}, {"bad_speculation", 27}, {"memory_bound", 41}};
    size_t at = 0;

    for (size_t i = 0; i < 3; i++) {
        const struct td_node *node = td_percent_next(line, &at);

        CU_ASSERT_PTR_NOT_NULL_FATAL(node);
        CU_ASSERT_STRING_EQUAL(node->name, wanted[i].name);
        CU_ASSERT_EQUAL(at, wanted[i].end);
    }
    CU_ASSERT_PTR_NULL(td_percent_next(line, &at));
    CU_ASSERT_EQUAL(at, sizeof(line) - 1);
}

static const CU_TestInfo tests[] = {
    {"names", names}, {"no names", no_names}, {"lengths", lengths}, {"next", next}, CU_TEST_INFO_NULL,
};
UNIT_SUITE("nodes by printed names", tests);
