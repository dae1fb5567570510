/* SPDX-License-Identifier: MIT */
/* Metrics that depend on whether sibling threads ran: what they are with SMT, without, and where that is not known. */
#include "tests/support/solve_text.h"

#define THREAD "slots=9000 cpu_clk_unhalted.thread=1500 inst_retired.any=3000 "
#define CORE "cpu_clk_unhalted.distributed=1000 "

enum smt { UNKNOWN, ON, OFF };

static void solve_with(enum smt smt, const char *text)
{
    ask = (struct td_solve_ask){.level = 1,
                                .fixed = true,
                                .whole_core = true,
                                .smt_on = smt == ON,
                                .smt_off = smt == OFF,
                                .smt_askable = true,
                                .names = "info_core_core_clks,info_core_coreipc,info_thread_ipc,info_thread_clks",
                                .hints = &hints};
    solve("spr", text);
    ask = usual;
    GIVES("info_thread_clks", 1500);
    GIVES("info_thread_ipc", 2);
    EXACT("info_thread_ipc");
    FLAGS("info_thread_ipc", 0);
    CU_ASSERT_EQUAL(r.smt_unknown, smt == UNKNOWN);
}

/* 3,000 instructions in 1,000 cycles of the core, if its two threads share them, or in the thread's own 1,500. */
static void clock_of_the_core(void)
{
    solve_with(ON, THREAD CORE);
    GIVES("info_core_core_clks", 1000);
    EXACT("info_core_core_clks");
    GIVES("info_core_coreipc", 3);
    EXACT("info_core_coreipc");
    FLAGS("info_core_coreipc", 0);
    solve_with(OFF, THREAD CORE);
    GIVES("info_core_core_clks", 1500);
    EXACT("info_core_core_clks");
    GIVES("info_core_coreipc", 2);
    EXACT("info_core_coreipc");
    solve_with(UNKNOWN, THREAD CORE);
    GIVES("info_core_core_clks", 1000);
    LIKELY("info_core_core_clks", 1000, 1500);
    FLAGS("info_core_core_clks", TD_FLAG_SMT_UNKNOWN);
    GIVES("info_core_coreipc", 3);
    LIKELY("info_core_coreipc", 2, 3);
    FLAGS("info_core_coreipc", TD_FLAG_SMT_UNKNOWN);
}

/* Without the core's clock it is the thread's, of which a sibling has half at most. */
static void clock_of_the_thread(void)
{
    for (enum smt smt = UNKNOWN; smt <= ON; smt++) {
        solve_with(smt, THREAD);
        GIVES("info_core_core_clks", 1500);
        LIKELY("info_core_core_clks", 750, 1500);
        FLAGS("info_core_core_clks", TD_FLAG_SMT_UNKNOWN);
        GIVES("info_core_coreipc", 2);
        LIKELY("info_core_coreipc", 2, 4);
        FLAGS("info_core_coreipc", TD_FLAG_SMT_UNKNOWN);
    }
    solve_with(OFF, THREAD);
    GIVES("info_core_core_clks", 1500);
    EXACT("info_core_core_clks");
    GIVES("info_core_coreipc", 2);
    EXACT("info_core_coreipc");
    FLAGS("info_core_coreipc", 0);
}

/* What was tried leaves nothing behind: an answer with SMT known after one without. */
static void again(void)
{
    solve_with(UNKNOWN, THREAD CORE);
    ask = (struct td_solve_ask){
        .level = 1, .fixed = true, .whole_core = true, .smt_on = true, .names = "info_core_core_clks", .hints = &hints};
    solve_again(THREAD CORE);
    ask = usual;
    GIVES("info_core_core_clks", 1000);
    EXACT("info_core_core_clks");
}

/* Without a sibling the core's clock would be the thread's, which was not counted: then there are no bounds. */
static void no_value_without(void)
{
    ask.smt_off = false;
    ask.names = "info_core_core_clks";
    solve("spr", "slots=9000 " CORE);
    ask = usual;
    GIVES("info_core_core_clks", 1000);
    UNBOUNDED("info_core_core_clks");
    FLAGS("info_core_core_clks", TD_FLAG_SMT_UNKNOWN);
}

/* Raw counts of the kernel's own events, that were scaled as if without a sibling: with one, the slots and the
 * recoveries are half of it. */
#define KERNEL(slots, recovery) \
    "topdown-total-slots=" slots " topdown-fetch-bubbles=400" QUARTER " topdown-slots-issued=800" QUARTER \
    " topdown-slots-retired=600" QUARTER " topdown-recovery-bubbles=" recovery

static void scales_of_the_kernel(void)
{
#define QUARTER ""
    ask.level = 1;
    ask.smt_off = false;
    ask.scale_assumed = true;
    solve("skl", KERNEL("4000", "200"));
    GIVES("frontend_bound", 0.1);
    LIKELY("frontend_bound", 0.1, 0.2);
    GIVES("retiring", 0.15);
    LIKELY("retiring", 0.15, 0.3);
    GIVES("bad_speculation", 0.1);
    LIKELY("bad_speculation", 0.1, 0.15);
    GIVES("backend_bound", 0.65);
    LIKELY("backend_bound", 0.35, 0.65);
    FLAGS("backend_bound", TD_FLAG_SMT_UNKNOWN);
    CU_ASSERT_EQUAL(r.common, TD_FLAG_SMT_UNKNOWN);
    ask.scale_assumed = false;
    solve_again(KERNEL("4000", "200")); /* and the next interval, whose scales are known */
    EXACT("backend_bound");
    GIVES("backend_bound", 0.65);
    FLAGS("backend_bound", 0);
    ask = usual;
#undef QUARTER
}

/* The same of a quarter of the time: what is likely by the one scales or by the others. */
static void likely_by_scales(void)
{
#define QUARTER "%25"
    static const struct td_taken taken = {.elapsed = 100, .cpus = 1, .interval = 0.1};
    static const char *const names[] = {"frontend_bound", "retiring", "bad_speculation", "backend_bound"};
    double low[2][4], high[2][4];

    ask.level = 1;
    ask.smt_off = false;
    ask.taken = &taken;
    for (unsigned smt = 0; smt < 2; smt++) {
        solve("skl", smt ? KERNEL("2000%25", "100%25") : KERNEL("4000%25", "200%25"));
        for (unsigned i = 0; i < 4; i++) {
            CU_ASSERT_EQUAL(metric(names[i])->bounds, TD_BOUNDS_LIKELY);
            low[smt][i] = metric(names[i])->low;
            high[smt][i] = metric(names[i])->high;
        }
    }
    ask.scale_assumed = true;
    solve("skl", KERNEL("4000%25", "200%25"));
    for (unsigned i = 0; i < 4; i++) {
        LIKELY(names[i], fmin(low[0][i], low[1][i]), fmax(high[0][i], high[1][i]));
        FLAGS(names[i], TD_FLAG_SMT_UNKNOWN | TD_FLAG_MULTIPLEXED);
    }
    ask = usual;
#undef QUARTER
}

static const CU_TestInfo tests[] = {
    {"no value without a sibling", no_value_without},
    {"scales of the kernel", scales_of_the_kernel},
    {"likely bounds by both scales", likely_by_scales},
    {"the clock of the core", clock_of_the_core},
    {"the clock of a thread", clock_of_the_thread},
    {"one after the other", again},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("siblings", tests);
