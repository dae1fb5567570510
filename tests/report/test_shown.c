/* SPDX-License-Identifier: MIT */
/* Which metrics a report shows: those that were named, whatever their case and prefix, and those below the verdict. */
#include "report/shown.h"

#include "tests/support/made_result.h"

static void named(void)
{
    static const struct {
        const char *names, *metric;
        bool found;
    } of[] = {
        {NULL, "ipc", false},       {"", "ipc", false},
        {"ipc", "ipc", true},       {"IPC", "ipc", true},
        {"ip", "ipc", false},       {"ipcs", "ipc", false},
        {"tma_ipc", "ipc", true},   {"TMA_Retiring", "retiring", true},
        {"tma_", "", false},        {"tma_tma_ipc", "ipc", false},
        {"a,ipc", "ipc", true},     {"ipc, a", "ipc", true},
        {"a b  ,ipc", "ipc", true}, {"a,b", "ipc", false},
        {"a,tma_x,b", "x", true},
    };

    for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++) {
        const struct td_report r = {.named = of[i].names};
        const struct td_metric m = {.name = of[i].metric};

        CU_ASSERT_EQUAL(td_report_names(&r, &m), of[i].found);
    }
}

/* With branch, nodes beyond level 2 are shown right below those of the verdict's path only. */
static void branches(void)
{
    struct made_result m;
    struct td_report r = {.branch = true};

    made_begin(&m);
    r.verdict = m.verdict;
    for (size_t i = 0; i < MADE_METRICS; i++)
        CU_ASSERT_EQUAL(td_report_shows(&r, &m.metric[i]), i != MADE_PORTS); /* which is below core_bound */
    r.verdict.npath = 1; /* backend_bound */
    CU_ASSERT_FALSE(td_report_shows(&r, &m.metric[MADE_L3_BOUND]));
    m.metric[MADE_L3_BOUND].parent = "backend_bound";
    CU_ASSERT_TRUE(td_report_shows(&r, &m.metric[MADE_L3_BOUND]));
    m.metric[MADE_PORTS].named = true;
    CU_ASSERT_TRUE(td_report_shows(&r, &m.metric[MADE_PORTS]));
    m.metric[MADE_PORTS].named = false;
    m.metric[MADE_PORTS].kind = TD_METRIC_INFO;
    CU_ASSERT_TRUE(td_report_shows(&r, &m.metric[MADE_PORTS]));
    m.metric[MADE_PORTS].kind = TD_METRIC_NODE;
    m.metric[MADE_PORTS].level = 2;
    CU_ASSERT_TRUE(td_report_shows(&r, &m.metric[MADE_PORTS]));
    m.metric[MADE_PORTS].level = 3;
    r.branch = false;
    CU_ASSERT_TRUE(td_report_shows(&r, &m.metric[MADE_PORTS]));
}

static const CU_TestInfo tests[] = {{"names", named}, {"branches", branches}, CU_TEST_INFO_NULL};
UNIT_SUITE("what is shown", tests);
