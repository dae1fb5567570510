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

static const CU_TestInfo tests[] = {
    {"the clock of the core", clock_of_the_core},
    {"the clock of a thread", clock_of_the_thread},
    {"one after the other", again},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("siblings", tests);
