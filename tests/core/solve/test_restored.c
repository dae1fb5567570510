/* SPDX-License-Identifier: MIT */
/* Shares by the metrics register that the kernel wrote back, and by a core's clock, by hand. */
#include "core/bounds/likely.h"
#include "core/bounds/measured.h"
#include "tests/support/solve_text.h"

#include <stdio.h>

/* The kernel's restores of 510 slots each: (s / 2 + 0.57 * sqrt(s)) * 510 / 255 slots of each field. */
static double error_of(double switches)
{
    return (switches / 2 + 0.57 * sqrt(switches)) * 2;
}

/* A task's register, with so many switches. */
static void solve_task(const char *text, double switches)
{
    const struct td_taken taken = {
        .elapsed = 100, .cpus = 1, .interval = 1e-3, .tasks = true, .switches = switches, .held = 510};

    ask = usual;
    ask.level = 1;
    ask.switched = true;
    ask.taken = &taken;
    solve("spr", text);
    ask = usual;
}

/* A share goes from (x - e) / (sum + 2 e) to (x + e) / (sum - 2 e), where each field is off by e; and off further. */
static void within(const char *name, double x, double sum, double e, double off, int line)
{
    const struct td_metric *m = metric(name);

    check(m->status == TD_OK && is(m->value, x / sum), name, line);
    check(is(m->low, (x - e) / (sum + 2 * e) - off) && is(m->high, (x + e) / (sum - 2 * e) + off), name, line);
}

#define WITHIN(name, x, sum, e, off) within(name, x, sum, e, off, __LINE__)

/* 8 bits of 1000 slots, and one of the reading; then the restores. */
static void by_switches(void)
{
    const double bits = 1000 / 255.0 + 1;

    solve_task(FOUR("1", "500", "100", "200", "200"), 0);
    WITHIN("retiring", 500, 1000, bits, 0);
    solve_task(FOUR("1", "500", "100", "200", "200"), 4);
    WITHIN("retiring", 500, 1000, bits + error_of(4), 0);
    WITHIN("backend_bound", 200, 1000, bits + error_of(4), 0);
    /* 50 more than the slots: of 9 switches each field may be off by 12.42, and all four by more than 50; of 4 it may
     * be by 6.28, and then what the sum is off by is added */
    solve_task(FOUR("1", "500", "100", "200", "250"), 9);
    WITHIN("retiring", 500, 1050, bits + 25, 0);
    check(!(metric("retiring")->flags & TD_FLAG_SUM_OFF), "explained", __LINE__);
    solve_task(FOUR("1", "500", "100", "200", "250"), 4);
    WITHIN("retiring", 500, 1050, bits + error_of(4), 0.05);
    check(metric("retiring")->flags & TD_FLAG_SUM_OFF, "off", __LINE__);
}

static void unknown_switches(void)
{
    solve_task(FOUR("1", "500", "100", "200", "200"), NAN);
    FLAGS("retiring", TD_FLAG_SWITCHES_UNKNOWN | TD_FLAG_NO_BOUNDS);
    UNBOUNDED("retiring");
    solve_task(FOUR("1", "500", "100", "200", "200"), 100); /* 111 of 1000 slots are too many */
    FLAGS("retiring", TD_FLAG_MANY_SWITCHES | TD_FLAG_NO_BOUNDS);
    UNBOUNDED("retiring");
}

/* A correction that was counted at another time, to 7: it may have been twice as many meanwhile, and 10 more for each
 * that was counted, which makes 12.5 of 4 of 5 parts of the time. Neoverse V2 has 8 slots a cycle. */
static void corrected_elsewhere(void)
{
    solve("neoverse-v2", "CPU_CYCLES=1000@1 STALL_SLOT_FRONTEND=1600@1 BR_MIS_PRED=7@2%80");
    LIKELY("frontend_bound", 0.2 - (2 * 7 + 12.5) / 1000, 0.2);
    solve("neoverse-v2", "CPU_CYCLES=1000@1 STALL_SLOT_FRONTEND=1600@1 BR_MIS_PRED=7@2%50");
    LIKELY("frontend_bound", 0.2 - (2 * 7 + 20) / 1000.0, 0.2);
}

/* ---- a core's clock -------------------------------------------------------------------- */

/* Of Haswell 1000 cycles of a core: 2000 of its 4000 slots are a thread's whose sibling ran all the time, which is
 * assumed, unless a share would be more than 1 then. */
static void of_a_core(void)
{
#define CORE "cycles=1000 CPU_CLK_UNHALTED.THREAD_ANY=1000 "
    static const struct {
        const char *text, *name;
        double low, value, high;
    } rows[] = {
        {CORE "UOPS_RETIRED.RETIRE_SLOTS=1000", "retiring", 0.25, 0.5, 0.5},
        {CORE "UOPS_RETIRED.RETIRE_SLOTS=2500", "retiring", 0.625, 0.625, 1},
        {CORE "UOPS_RETIRED.RETIRE_SLOTS=2100", "retiring", 0.525, 1.05, 1.05}, /* as far beyond as it may be */
#define BAD(issued) \
    CORE "UOPS_ISSUED.ANY=" issued " UOPS_RETIRED.RETIRE_SLOTS=1000 INT_MISC.RECOVERY_CYCLES_ANY=0", "bad_speculation"
        {BAD("900"), -0.05, -0.05, -0.025}, /* as far below 0 as it may be; and further */
        {BAD("899"), -101 / 4000.0, -101 / 4000.0, -101 / 4000.0},
        {CORE "IDQ_UOPS_NOT_DELIVERED.CORE=1000", "frontend_bound", 0.25, 0.5, 0.5},
        {CORE "IDQ_UOPS_NOT_DELIVERED.CORE=2500", "frontend_bound", 0.625, 0.625, 1},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const struct td_metric *m;

        ask = (struct td_solve_ask){.level = 1, .smt_on = true, .hints = &hints};
        solve("hsw", rows[i].text);
        FORMULA("hsw-thread-any");
        m = metric(rows[i].name);
        check(is(m->low, rows[i].low) && is(m->value, rows[i].value) && is(m->high, rows[i].high), rows[i].text,
              (int)i);
        ask = usual;
    }
}

/* Of whole cores that were seen half the time: TD_FASTEST * 4 slots can pass in each of 100 ns between both threads,
 * and 1000 of a thread did. A window may count for half of what all of them are more than the mean. */
static void busy_windows(void)
{
    static const struct td_taken taken = {
        .elapsed = 100, .cpus = 1, .interval = 1e-3, .always = true, .switches = (double)NAN};
    const double busiest = TD_FASTEST * 4 * 100 / 1000 / 2;
    const struct td_likely_group group = {.windows = {50 / 1e-3, 100 / 1e-3}, .uneven = busiest};
    const struct td_likely_ask by = {
        .value = 0.3, .low = 0.3, .high = 0.3, .most = 1, .slack = 0.01, .groups = &group, .ngroups = 1};
    double low, high;

    CU_ASSERT(busiest > 1.2);
    ask = (struct td_solve_ask){
        .level = 1, .smt_on = true, .both_siblings = true, .whole_core = true, .hints = &hints, .taken = &taken};
    CU_ASSERT_EQUAL_FATAL(td_likely_bounds(&by, &low, &high), TD_LIKELY_GIVEN);
    solve("hsw", "cycles=500@1%50 CPU_CLK_UNHALTED.THREAD_ANY=500@1%50 IDQ_UOPS_NOT_DELIVERED.CORE=300@1%50");
    ask = usual;
    FORMULA("hsw-thread-any");
    LIKELY("frontend_bound", low, high);
}

/* The same of Neoverse V2, whose clock is a thread's own: 8 slots a cycle. */
static void busy_windows_of_a_thread(void)
{
    static const struct td_taken taken = {.elapsed = 100, .cpus = 1, .interval = 1e-3, .always = true};
    const struct td_likely_group group = {.windows = {50 / 1e-3, 100 / 1e-3}, .uneven = TD_FASTEST * 8 * 100 / 1000};
    const struct td_likely_ask by = {
        .value = 0.54, .low = 0.54, .high = 0.54, .most = 1, .slack = 0.01, .groups = &group, .ngroups = 1};
    double low, high;

    ask.level = 1;
    ask.taken = &taken;
    solve("neoverse-v2", "CPU_CYCLES=125@1%50 STALL_SLOT=400@1%50 OP_RETIRED=450@1%50 OP_SPEC=500@1%50");
    ask = usual;
    CU_ASSERT_EQUAL_FATAL(td_likely_bounds(&by, &low, &high), TD_LIKELY_GIVEN);
    LIKELY("retiring", low, high);
}

static const CU_TestInfo tests[] = {
    {"by switches", by_switches},
    {"unknown switches", unknown_switches},
    {"corrected elsewhere", corrected_elsewhere},
    {"of a core", of_a_core},
    {"busy windows", busy_windows},
    {"busy windows of a thread", busy_windows_of_a_thread},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("restored shares", tests);
