/* SPDX-License-Identifier: MIT */
/* Groups that took turns, put together by the cycles that each counted, by hand. */
#include "core/counts/counts.h"
#include "tests/support/unit.h"

enum { CYCLES, INSTRUCTIONS, OTHER, OTHER_CYCLES, COUNTS };

static struct td_count count[COUNTS + 1]; /* what follows the last is of none of them, and has cycles */
static struct td_counts sum;
static const struct td_uarch *u;

/* Of two groups: 30 cycles and 60 instructions in 2 intervals, 10 cycles and 5 of something else in 1. */
static void begin(void)
{
    u = td_uarch_by_name("spr");
    CU_ASSERT_PTR_NOT_NULL_FATAL(u);
    for (size_t i = 0; i < COUNTS; i++)
        count[i] = (struct td_count){.event = TD_EVENT_UNKNOWN, .enabled = 8, .running = 4, .intervals = 2, .err = 3};
    count[CYCLES].event = count[OTHER_CYCLES].event = (uint16_t)td_uarch_event_number(u, "cycles");
    count[INSTRUCTIONS].event = (uint16_t)td_uarch_event_number(u, "instructions");
    count[CYCLES].value = 30;
    count[INSTRUCTIONS].value = 60;
    count[OTHER].value = 5;
    count[OTHER_CYCLES].value = 10;
    count[OTHER].group = count[OTHER_CYCLES].group = 1;
    count[OTHER].intervals = count[OTHER_CYCLES].intervals = 1;
    count[COUNTS] = count[CYCLES];
    count[COUNTS].group = 2;
    count[COUNTS].intervals = 7;
    sum = (struct td_counts){.n = COUNTS, .c = count};
}

static void values_are(double cycles, double instructions, double other, double other_cycles, unsigned balanced)
{
    CU_ASSERT_DOUBLE_EQUAL(count[CYCLES].value, cycles, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(count[INSTRUCTIONS].value, instructions, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(count[OTHER].value, other, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(count[OTHER_CYCLES].value, other_cycles, 1e-9);
    CU_ASSERT_EQUAL(sum.balanced, balanced);
    CU_ASSERT_EQUAL(count[COUNTS].value, 30);
}

/* All are of the 40 cycles, and of the 3 intervals. */
static void by_cycles(void)
{
    begin();
    td_counts_balance_turns(&sum, u);
    values_are(40, 80, 20, 40, 3);
    CU_ASSERT_DOUBLE_EQUAL(count[INSTRUCTIONS].err, 4, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(count[OTHER].err, 12, 1e-9);
    CU_ASSERT(count[OTHER].enabled == 8 && count[OTHER].running == 4);
    begin(); /* less than one is some, too */
    count[CYCLES].value = 0.3;
    count[OTHER_CYCLES].value = 0.1;
    td_counts_balance_turns(&sum, u);
    values_are(0.4, 80, 20, 0.4, 3);
}

/* Without cycles in each of several groups it is by the intervals: those of one count for two. */
static void by_intervals(void)
{
    begin();
    count[OTHER_CYCLES].value = 0;
    td_counts_balance_turns(&sum, u);
    values_are(30, 60, 10, 0, 2);
    CU_ASSERT(count[OTHER].err == 6 && count[OTHER].enabled == 16 && count[INSTRUCTIONS].enabled == 8);
    begin();
    count[OTHER_CYCLES].status = TD_NOT_COUNTED;
    count[COUNTS].group = 1;
    td_counts_balance_turns(&sum, u);
    values_are(30, 60, 10, 20, 2);
    begin(); /* cycles of another mode */
    count[OTHER].modes = TD_MODE_USER;
    td_counts_balance_turns(&sum, u);
    values_are(30, 60, 10, 20, 2);
    begin(); /* one group */
    count[OTHER].group = count[OTHER_CYCLES].group = 0;
    td_counts_balance_turns(&sum, u);
    values_are(30, 60, 10, 20, 2);
    begin(); /* no clock at all */
    count[CYCLES].event = count[OTHER_CYCLES].event = TD_EVENT_UNKNOWN;
    td_counts_balance_turns(&sum, u);
    values_are(30, 60, 10, 20, 2);
}

static const CU_TestInfo tests[] = {
    {"by cycles", by_cycles},
    {"by intervals", by_intervals},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("turns of groups", tests);
