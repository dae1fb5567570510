/* SPDX-License-Identifier: MIT */
/* Times of readings: a clock that is read after the counters says nothing about them. */
#include "live/meter.h"
#include "session/session.h"
#include "tests/support/shipped_machine.h"

#include <stdio.h>
#include <stdlib.h>

static struct td *begin(const char *name, int level, const char *metrics, const struct td_live *ask)
{
    struct td *td = on_shipped_machine(name);

    td_set_fixed(td, true);
    CU_ASSERT_EQUAL_FATAL(td_set_level(td, level), 0);
    CU_ASSERT_EQUAL_FATAL(metrics ? td_set_metrics(td, metrics) : 0, 0);
    CU_ASSERT_EQUAL_FATAL(td_open_live(td, ask), 0);
    return td;
}

static void take(struct td *td, uint64_t ms)
{
    const struct td_os *os = td_session_os(td);
    struct td_os_event event;

    CU_ASSERT_EQUAL(os->wait(os->ctx, os->now(os->ctx) + ms * 1000000, -1, &event), 0);
    CU_ASSERT_EQUAL_FATAL(td_take(td), 0);
}

static void count_apart(const struct td *td, unsigned *ran, unsigned *apart)
{
    for (size_t i = 0; i < td->meter->scopes.nlanes; i++) {
        const struct td_snap *s = &td->meter->scopes.lane[i].now.snap;

        for (size_t k = 0; k < s->n; k++) {
            *ran += s->s[k].status == TD_OK && s->s[k].running > 0;
            *apart += s->s[k].status == TD_OK && s->s[k].running > 0 && s->s[k].enabled != s->s[k].running;
        }
    }
}

/* On a hybrid a task's time on this kind of core comes from a clock that is read a little later than the counters;
 * level 1 fits them, so that all of them ran whenever they were enabled. Up to 25 ms what is between the two reads
 * decides, then 1 part in 256. */
static void clock_of_a_hybrid(void)
{
    static const pid_t task = 701;
    static const uint64_t ms[] = {1, 5, 20, 300};
    struct td *td =
        begin("alderlake", 1, NULL,
              &(struct td_live){.size = sizeof(struct td_live), .tasks = &task, .ntasks = 1, .threads = true});
    unsigned ran = 0, apart = 0;

    for (size_t i = 0; i < sizeof(ms) / sizeof(*ms); i++) {
        take(td, ms[i]);
        count_apart(td, &ran, &apart);
    }
    CU_ASSERT(ran > 10);
    CU_ASSERT_EQUAL(apart, 0);
    td_free(td);
}

/* Latencies are sampled beside what is counted, in groups that are read later: never for longer than that was enabled.
 */
static void latencies_with(const char *metrics, int level)
{
    struct td *td =
        begin("graniterapids", level, metrics, &(struct td_live){.size = sizeof(struct td_live), .by = TD_BY_ALL});
    unsigned sampled = 0, longer = 0;

    for (unsigned n = 0; n < 3; n++) {
        take(td, 100);
        for (size_t i = 0; i < td->meter->scopes.nlanes; i++) {
            const struct td_snap *s = &td->meter->scopes.lane[i].now.snap;
            uint64_t most = 0;

            for (size_t k = 0; k < s->n; k++)
                most = !s->s[k].sampled.any && s->s[k].enabled > most ? s->s[k].enabled : most;
            for (size_t k = 0; k < s->n; k++) {
                sampled += s->s[k].sampled.any && s->s[k].running > 0;
                longer += s->s[k].sampled.any && (s->s[k].enabled != most || s->s[k].running > most);
            }
        }
    }
    CU_ASSERT(sampled > 0);
    CU_ASSERT_EQUAL(longer, 0);
    td_free(td);
}

static void latencies(void)
{
    latencies_with(NULL, 4);
    latencies_with("lock_latency", 1);
}

static const CU_TestInfo tests[] = {
    {"the clock of a hybrid's tasks", clock_of_a_hybrid},
    {"latencies beside what is counted", latencies},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("times of readings", tests);
