/* SPDX-License-Identifier: MIT */
/* How often tasks were switched since counting began; tests/scripts/tasks.sh measures with it. */
#include "live/meter.h"
#include "session/session.h"
#include "sim/kernel/kernel.h"
#include "tests/support/shipped_machine.h"

#include <stdio.h>
#include <stdlib.h>

static void pass(struct td *td, uint64_t ms)
{
    const struct td_os *os = td_session_os(td);
    struct td_os_event event;

    CU_ASSERT_EQUAL(os->wait(os->ctx, os->now(os->ctx) + ms * 1000000, -1, &event), 0);
}

static void after(struct td *td, uint64_t ms, bool known, uint64_t switches)
{
    const struct td_snap *s;

    pass(td, ms);
    CU_ASSERT_EQUAL_FATAL(td_take(td), 0);
    s = &td->meter->scopes.lane[td->meter->scopes.unit[0].lane].now.snap; /* lanes of earlier measurements are kept */
    CU_ASSERT_EQUAL(s->switches_known, known);
    CU_ASSERT_EQUAL(s->switches, switches);
}

/* Both threads of 701 move every 50 ms, from when the machine starts. */
static void since_the_beginning(void)
{
    const pid_t process = 701, threads[] = {701, 702};
    struct td_live ask = {.size = sizeof(struct td_live), .tasks = &process, .ntasks = 1};
    struct td *td = on_shipped_machine("sapphirerapids");

    td_set_fixed(td, true);
    pass(td, 120);
    CU_ASSERT_EQUAL_FATAL(td_open_live(td, &ask), 0);
    after(td, 10, true, 0);
    after(td, 30, true, 2); /* at 150 */
    after(td, 50, true, 4); /* at 200 */
    ask = (struct td_live){.size = sizeof(struct td_live), .tasks = threads, .ntasks = 2, .threads = true};
    CU_ASSERT_EQUAL_FATAL(td_open_live(td, &ask), 0);
    after(td, 10, true, 0);
    after(td, 100, true, 4); /* at 250 and 300 */
    ask.ntasks = 1;
    CU_ASSERT_EQUAL_FATAL(td_open_live(td, &ask), 0);
    after(td, 100, true, 2);
    td_free(td);
}

/* Tasks counted by ordinary events, and CPUs, need no switches. */
static void not_asked(void)
{
    const pid_t process = 701;
    const struct td_live task = {.size = sizeof(struct td_live), .tasks = &process, .ntasks = 1},
                         all = {.size = sizeof(struct td_live)};
    struct td *td = on_shipped_machine("sapphirerapids");

    CU_ASSERT_EQUAL_FATAL(td_open_live(td, &task), 0);
    after(td, 100, false, 0);
    CU_ASSERT_EQUAL_FATAL(td_open_live(td, &all), 0);
    after(td, 100, false, 0);
    td_free(td);
}

/* On a hybrid both kinds of cores get the switches of both: too many, never too few. */
static void hybrid(void)
{
    const pid_t process = 701;
    const struct td_live ask = {.size = sizeof(struct td_live), .tasks = &process, .ntasks = 1};
    struct td *td = on_shipped_machine("alderlake");

    td_set_fixed(td, true);
    CU_ASSERT_EQUAL_FATAL(td_open_live(td, &ask), 0);
    after(td, 101, true, 4);
    td_free(td);
}

static const CU_TestInfo tests[] = {
    {"since counting began", since_the_beginning},
    {"where it is not asked", not_asked},
    {"hybrid", hybrid},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("switches", tests);
