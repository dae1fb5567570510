/* SPDX-License-Identifier: MIT */
/* How often tasks were switched since counting began; tests/scripts/tasks.sh measures with it. */
#include "live/meter.h"
#include "session/session.h"
#include "sim/kernel/kernel.h"
#include "tests/support/shipped_machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* ---- how far the kernel's clocks may differ --------------------------------------------------------------- */

static struct td_os_used used_now;

static int say_used(void *ctx, pid_t pid, struct td_os_used *out)
{
    (void)ctx, (void)pid;
    *out = used_now;
    return 0;
}

/* Whether switches are known where all counters of the process were enabled for so long, since it had used from. */
static bool known(struct td_meter *m, struct td_os_used from, struct td_os_used to, uint64_t enabled, size_t longest,
                  enum td_status others)
{
    struct td_perf_unit *u = &m->scopes.unit[0].perf;
    const struct td_snap *now = &m->scopes.lane[m->scopes.unit[0].lane].now.snap;

    used_now = from;
    td_switches_begin(m);
    CU_ASSERT(now->switches_known && !now->switches);
    used_now = to;
    for (size_t i = 0; i < u->n; i++) {
        u->event[i].status = i == longest ? TD_OK : others;
        u->event[i].enabled = i == longest ? enabled : others == TD_OK ? enabled / 2 : 2 * enabled;
    }
    td_switches_take(m);
    CU_ASSERT_EQUAL(now->switches, now->switches_known ? to.switches - from.switches : 0);
    return now->switches_known;
}

/* What was counted may be 1 % and 10 ms more than what the processes that are known used: of 500 ms, 515 ms. */
static void margins(void)
{
    const pid_t process = 701;
    const struct td_live ask = {.size = sizeof(struct td_live), .tasks = &process, .ntasks = 1};
    const struct td_os_used from = {7, 40}, to = {19, 500000040};
    struct td *td = on_shipped_machine("sapphirerapids");
    struct td_meter *m;
    struct td_os os;

    td_set_fixed(td, true);
    CU_ASSERT_EQUAL_FATAL(td_open_live(td, &ask), 0);
    m = td->meter;
    os = *m->ask.os;
    os.used = say_used;
    m->ask.os = &os;
    CU_ASSERT_FATAL(m->scopes.unit[0].perf.n > 2);
    for (size_t i = 1; i < m->scopes.nunits; i++) /* all is counted by the first */
        for (size_t k = 0; k < m->scopes.unit[i].perf.n; k++)
            m->scopes.unit[i].perf.event[k].enabled = 0;
    CU_ASSERT(known(m, from, to, 514999999, 0, TD_OK));
    CU_ASSERT(known(m, from, to, 515000000, 0, TD_OK));
    CU_ASSERT(!known(m, from, to, 515000001, 0, TD_OK));
    CU_ASSERT(!known(m, from, to, 515000001, 2, TD_OK)); /* whichever was enabled longest */
    CU_ASSERT(known(m, from, to, 515000000, 1, TD_NOT_COUNTED)); /* of those that count */
    CU_ASSERT(!known(m, from, to, 515000001, 1, TD_NOT_COUNTED));
    /* what a process has used grows, or it is another one */
    CU_ASSERT(known(m, from, from, 10000000, 0, TD_OK));
    CU_ASSERT(!known(m, from, from, 10000001, 0, TD_OK));
    CU_ASSERT(!known(m, from, (struct td_os_used){6, 500000040}, 0, 0, TD_OK));
    CU_ASSERT(!known(m, from, (struct td_os_used){19, 39}, 0, 0, TD_OK));
    /* what its threads counted adds up: 500 ms of the first, and 15 of the second */
    CU_ASSERT_EQUAL_FATAL(m->scopes.nunits, 2);
    m->scopes.unit[1].perf.event[1].status = TD_OK;
    m->scopes.unit[1].perf.event[1].enabled = 15000000;
    CU_ASSERT(known(m, from, to, 500000000, 0, TD_OK));
    m->scopes.unit[1].perf.event[1].enabled++;
    CU_ASSERT(!known(m, from, to, 500000000, 0, TD_OK));
    m->ask.os = td_session_os(td);
    td_free(td);
}

/* ---- what the kernel's files say ------------------------------------------------------------------------- */

static const char *status_now, *schedstat_now;

static ssize_t say_file(void *ctx, const char *path, char *buf, size_t size)
{
    const char *text = strstr(path, "/status") ? status_now : schedstat_now;

    (void)ctx;
    snprintf(buf, size, "%s", text);
    return (ssize_t)strlen(text);
}

/* A thread's switches are known where both kinds have a number, and so has the time that it ran. */
static void files(void)
{
#define STATUS(waited_, preempted_) \
    "Name:\ta\nvoluntary_ctxt_switches:" waited_ "\nnonvoluntary_ctxt_switches:" preempted_ "\n"
    static const struct {
        const char *status, *schedstat;
        bool known;
    } rows[] = {
        {STATUS("\t3", "\t4"), "100 5 6\n", true},  {STATUS("\t0", "\t0"), "0 0 0\n", true},
        {STATUS("\t3", "\t4"), "100", true},        {STATUS("\t", "\t4"), "100 5 6\n", false},
        {STATUS("\t3", "\tx"), "100 5 6\n", false}, {STATUS("\tx", "\t4"), "100 5 6\n", false},
        {STATUS("\t3", "\t4"), "x 5 6\n", false},   {STATUS("\t3", "\t4"), "\n", false},
        {"Name:\ta\n", "100 5 6\n", false},
    };
    const pid_t thread = 701;
    const struct td_live ask = {.size = sizeof(struct td_live), .tasks = &thread, .ntasks = 1, .threads = true};
    struct td *td = on_shipped_machine("sapphirerapids");
    struct td_os os;

    td_set_fixed(td, true);
    CU_ASSERT_EQUAL_FATAL(td_open_live(td, &ask), 0);
    os = *td->meter->ask.os;
    os.file = say_file;
    td->meter->ask.os = &os;
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        status_now = rows[i].status;
        schedstat_now = rows[i].schedstat;
        td_switches_begin(td->meter);
        CU_ASSERT_EQUAL(td->meter->scopes.lane[td->meter->scopes.unit[0].lane].now.snap.switches_known, rows[i].known);
    }
    td->meter->ask.os = td_session_os(td);
    td_free(td);
}

static const CU_TestInfo tests[] = {
    {"since counting began", since_the_beginning}, {"where it is not asked", not_asked},   {"hybrid", hybrid},
    {"how far clocks may differ", margins},        {"what the kernel's files say", files}, CU_TEST_INFO_NULL,
};
UNIT_SUITE("switches", tests);
