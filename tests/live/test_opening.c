/* SPDX-License-Identifier: MIT */
/* Which form is counted if other programs hold some of the counters. */
#include "tests/support/thread_regions.h"

/* The task's events on Golden Cove, as in sapphirerapids.machine: retired, backend, not delivered, dropped, cycles. */
#define EXACT_EVENTS \
    "count 0x2c2 0.25\ncount 0x2a4 0.5\ncount 0x19c 0.140625\ncount 0x10ad 0.015625\ncount 0x3c 0.166667 clock\ncount 0xc0 0.1875\n"
#define TASK(pmu) SPR(pmu) PHASE EXACT_EVENTS "spin w\ntask 7 app w cpus=0\n"

/* The exact form takes all eight programmable counters at level 2, and at level 1 those for retired slots, slots not
 * delivered and backend slots: with fewer only the register can be used. */
static void fewer_counters(void)
{
    static const struct {
        const char *machine, *formula;
        bool level2;
    } cases[] = {
        {TASK(""), "glc-events", true},
        {TASK(" taken=1"), "glc-events", false},
        {TASK(" taken=4"), "glc-events", false},
        {TASK(" taken=6"), "glc-perf-metrics", true},
    };
    static const pid_t task[] = {7};

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct td *td = handle_of(cases[i].machine);
        const struct td_os *os = td_session_os(td);
        const struct td_result *r;
        struct td_os_event event;

        CU_ASSERT_EQUAL_FATAL(
            td_open_live(td, &(struct td_live){.size = sizeof(struct td_live), .tasks = task, .ntasks = 1}), 0);
        os->wait(os->ctx, os->now(os->ctx) + 100 * (uint64_t)MSEC, -1, &event);
        CU_ASSERT_EQUAL_FATAL(td_take(td), 0);
        CU_ASSERT_EQUAL_FATAL(td_next(td, &r), 0);
        CU_ASSERT_EQUAL(strncmp(td_result_formula(r), cases[i].formula, strlen(cases[i].formula)), 0);
        CU_ASSERT_DOUBLE_EQUAL(node(r, "retiring")->value, 0.25, 0.01);
        CU_ASSERT_DOUBLE_EQUAL(node(r, "backend_bound")->value, 0.5, 0.01);
        CU_ASSERT_EQUAL(td_result_metrics(r) > 4, cases[i].level2);
        if (!strcmp(cases[i].formula, "glc-events"))
            CU_ASSERT_EQUAL(node(r, "retiring")->bounds, TD_BOUNDS_SOUND);
        td_free(td);
    }
}

static const CU_TestInfo tests[] = {
    {"fewer counters", fewer_counters},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("opening", tests);
