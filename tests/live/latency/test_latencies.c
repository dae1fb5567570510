/* SPDX-License-Identifier: MIT */
/* Retire latencies of a Granite Rapids: one in 10,007 of what an event counts is a sample. Its description has the
 * latency of MEM_INST_RETIRED.LOCK_LOADS: evenly distributed from 0 to twice 76 in one phase, twice 95 in the other. */
#include "live/latency/latencies.h"
#include "live/meter.h"
#include "session/session.h"
#include "sim/kernel/kernel.h"
#include "tests/support/shipped_machine.h"

#include <errno.h>
#include <math.h>

static char told[2000];

static void keep_note(void *ctx, const char *text)
{
    const size_t n = strlen(told);

    (void)ctx;
    snprintf(told + n, sizeof(told) - n, "%s\n", text);
}

static void open_cpu(struct td *td)
{
    static const int cpu = 3;

    *told = '\0';
    td_set_note(td, keep_note, NULL);
    CU_ASSERT_EQUAL_FATAL(td_set_level(td, 1), 0);
    CU_ASSERT_EQUAL_FATAL(td_set_metrics(td, "lock_latency"), 0);
    CU_ASSERT_EQUAL_FATAL(
        td_open_live(td, &(struct td_live){.size = sizeof(struct td_live), .cpus = &cpu, .ncpus = 1, .by = TD_BY_CPU}),
        0);
}

static struct td *begin(void)
{
    struct td *td = on_shipped_machine("graniterapids");

    open_cpu(td);
    *told = '\0';
    return td;
}

/* A reading after so many ms: the latency's samples; *loads is how often its event was counted. */
static const struct td_sample *take(struct td *td, unsigned ms, uint64_t *loads)
{
    const struct td_os *os = td_session_os(td);
    const struct td_snap *s = &td->meter->scopes.lane[0].now.snap;
    const struct td_uarch *u = td_forms_uarch(td->meter->pmu[0].forms);
    const struct td_sample *found = NULL;
    struct td_os_event event;

    CU_ASSERT_EQUAL_FATAL(os->wait(os->ctx, os->now(os->ctx) + ms * UINT64_C(1000000), -1, &event), 0);
    CU_ASSERT_EQUAL_FATAL(td_take(td), 0);
    for (size_t i = 0; i < s->n; i++)
        if (s->s[i].sampled.any)
            found = &s->s[i];
        else if (!strcmp(u->events[s->s[i].event].name, "MEM_INST_RETIRED.LOCK_LOADS"))
            *loads = s->s[i].value;
    CU_ASSERT_FATAL(found && !strcmp(u->events[found->event].name, "MEM_INST_RETIRED.LOCK_LOADS:R"));
    return found;
}

static void one_of_many(void)
{
    struct td *td = begin();
    uint64_t loads = 0;

    for (unsigned i = 0; i < 5; i++) {
        const struct td_sample *s = take(td, 400, &loads);
        const double n = (double)s->sampled.n, sum = (double)s->value, squares = (double)s->sampled.squares;

        CU_ASSERT_EQUAL(s->sampled.n, loads / 10007);
        CU_ASSERT_EQUAL(s->status, TD_OK);
        CU_ASSERT(squares * n >= sum * sum && squares <= 190 * sum);
        if (i == 4) /* 3 of 4 have the mean 76; the deviation of one is 50 */
            CU_ASSERT(n > 150 && sum / n > 80.75 - 5 * 50 / sqrt(n) && sum / n < 80.75 + 5 * 50 / sqrt(n));
    }
    td_free(td);
    CU_ASSERT_STRING_EQUAL(told, "");
}

/* Closes with so many samples, and at least this once less; what is reported then. */
static const char *closed_with(uint64_t samples)
{
    struct td *td = begin();
    uint64_t loads = 0;

    while (take(td, 2, &loads)->sampled.n < samples)
        CU_ASSERT_FATAL(loads < 10007 * (samples + 1));
    CU_ASSERT_EQUAL(loads / 10007, samples);
    td_close_live(td);
    td_free(td);
    return told;
}

/* Thirty samples are enough. */
static void few(void)
{
    CU_ASSERT_STRING_EQUAL(
        closed_with(29), "retire latencies: 1 of 1 have fewer than 30 samples, and the published means stand for them; "
                         "measure longer, or events are rare (one in 10007 is sampled)\n");
    CU_ASSERT_STRING_EQUAL(closed_with(30), "");
}

/* A kernel that does not know PERF_SAMPLE_WEIGHT_STRUCT, which came with Linux 5.12, refuses the bit. */
static const struct td_os *machine;

static int open_weightless(void *ctx, const struct perf_event_attr *a, pid_t pid, int cpu, int group,
                           unsigned long flags)
{
    return a->sample_type & PERF_SAMPLE_WEIGHT_STRUCT ? -EINVAL : machine->perf_open(ctx, a, pid, cpu, group, flags);
}

static void old_kernel(void)
{
    for (int old = 0; old < 2; old++) {
        struct td *td = on_shipped_machine("graniterapids");
        struct td_os os = *(machine = td_session_os(td));

        os.perf_open = old ? open_weightless : os.perf_open;
        td->os = &os;
        open_cpu(td);
        CU_ASSERT_STRING_EQUAL(told,
                               old ? "retire latencies are published means, not sampled: the kernel cannot sample "
                                     "an event with PERF_SAMPLE_WEIGHT_STRUCT (Linux 5.12 and later can, since "
                                     "6.3 with retire latencies)\n"
                                   : "");
        CU_ASSERT_EQUAL(td_latencies_any(td->meter), !old);
        td_free(td);
    }
}

static void forget_latencies(struct td_sim *sim)
{
    for (size_t w = 0; w < sim->hw.works.n; w++)
        for (size_t i = 0; i < sim->hw.works.work[w].nphases; i++) {
            const struct td_sim_phase *f = &sim->hw.works.work[w].phase[i];

            memset(f->latency, 0, f->nrates * sizeof(*f->latency));
        }
}

/* A kernel that gives no latencies gives zeros: after 64 of them nothing is sampled any more. */
static void none(void)
{
    struct td *td = begin();
    uint64_t loads = 0;

    forget_latencies(td->sim);
    while (loads < UINT64_C(64) * 10007) {
        const struct td_sample *s;

        CU_ASSERT_TRUE_FATAL(td_latencies_any(td->meter));
        CU_ASSERT_STRING_EQUAL(told, "");
        s = take(td, 2, &loads);
        CU_ASSERT(!s->value && !s->sampled.n && !s->sampled.squares);
        CU_ASSERT_FATAL(loads < UINT64_C(66) * 10007);
    }
    CU_ASSERT_FALSE(td_latencies_any(td->meter));
    CU_ASSERT_PTR_NOT_NULL(strstr(told, "published means, not sampled: the samples have none (Linux 6.3 and later"));
    *told = '\0';
    take(td, 100, &loads);
    td_free(td);
    CU_ASSERT_STRING_EQUAL(told, ""); /* once; and that there are few is no news */
}

/* ---- several lanes, and what goes away ------------------------------------------------------------- */

enum { MS = 1000000 };

static void wait_until(struct td *td, uint64_t began, uint64_t ms)
{
    const struct td_os *os = td_session_os(td);
    struct td_os_event event;

    while (os->now(os->ctx) < began + ms * MS)
        CU_ASSERT_EQUAL_FATAL(os->wait(os->ctx, began + ms * MS, -1, &event), 0);
    CU_ASSERT_EQUAL_FATAL(td_take(td), 0);
}

/* The i-th lane's latency, and how often its event was counted there. */
static const struct td_sample *latency_in(const struct td *td, size_t lane, uint64_t *loads)
{
    const struct td_snap *s = &td->meter->scopes.lane[lane].now.snap;
    const struct td_uarch *u = td_forms_uarch(td->meter->pmu[0].forms);
    const struct td_sample *found = NULL;

    for (size_t i = 0; i < s->n; i++)
        if (s->s[i].sampled.any)
            found = &s->s[i];
        else if (!strcmp(u->events[s->s[i].event].name, "MEM_INST_RETIRED.LOCK_LOADS"))
            *loads = s->s[i].value;
    CU_ASSERT_PTR_NOT_NULL_FATAL(found);
    return found;
}

/* Each CPU has samples of its own; one that was offline has samples again when it is back. */
static void cpus(void)
{
    static const int three[] = {1, 2, 3};
    struct td *td = on_shipped_machine_with("graniterapids", "hotplug 2 off at=500\nhotplug 2 on at=600\n");
    const uint64_t began = td_session_os(td)->now(td_session_os(td)->ctx);
    uint64_t loads[3], n, back;

    CU_ASSERT_EQUAL_FATAL(td_set_level(td, 1), 0);
    CU_ASSERT_EQUAL_FATAL(td_set_metrics(td, "lock_latency"), 0);
    CU_ASSERT_EQUAL_FATAL(
        td_open_live(td, &(struct td_live){.size = sizeof(struct td_live), .cpus = three, .ncpus = 3, .by = TD_BY_CPU}),
        0);
    wait_until(td, began, 400);
    for (size_t i = 0; i < 3; i++) {
        n = latency_in(td, i, &loads[i])->sampled.n;
        CU_ASSERT(n > 20 && n == loads[i] / 10007);
    }
    wait_until(td, began, 550); /* what it sampled until 500 ms is still in its ring, and its last counts are not */
    n = latency_in(td, 1, &loads[1])->sampled.n;
    CU_ASSERT(n > loads[1] * 500 / 400 / 10007 - 3 && n < loads[1] * 500 / 400 / 10007 + 3);
    wait_until(td, began, 650);
    CU_ASSERT_EQUAL(latency_in(td, 1, &loads[1])->sampled.n, n); /* from now on */
    back = loads[1];
    wait_until(td, began, 1050);
    CU_ASSERT_EQUAL(latency_in(td, 1, &loads[1])->sampled.n, n + (loads[1] - back) / 10007);
    CU_ASSERT(loads[1] - back > UINT64_C(20) * 10007);
    CU_ASSERT_EQUAL(latency_in(td, 0, &loads[0])->sampled.n, loads[0] / 10007);
    CU_ASSERT_EQUAL(latency_in(td, 2, &loads[2])->sampled.n, loads[2] / 10007);
    td_free(td);
}

/* What a process starts is counted too, by events that are inherited and cannot have rings: its latencies are sampled
 * beside the plan, on each CPU, in a group of their own. */
static void beside(void)
{
    static const pid_t process = 701;
    struct td *td = on_shipped_machine("graniterapids");
    const uint64_t began = td_session_os(td)->now(td_session_os(td)->ctx);
    const struct td_snap *s;
    const struct td_sample *l;
    uint64_t loads = 0, enabled = 0;

    CU_ASSERT_EQUAL_FATAL(td_set_level(td, 1), 0);
    CU_ASSERT_EQUAL_FATAL(td_set_metrics(td, "lock_latency"), 0);
    CU_ASSERT_EQUAL_FATAL(
        td_open_live(td, &(struct td_live){.size = sizeof(struct td_live), .tasks = &process, .ntasks = 1}), 0);
    CU_ASSERT_TRUE_FATAL(td_latencies_any(td->meter));
    wait_until(td, began, 500);
    l = latency_in(td, 0, &loads);
    s = &td->meter->scopes.lane[0].now.snap;
    for (size_t i = 0; i < s->n; i++)
        enabled = !s->s[i].sampled.any && s->s[i].enabled > enabled ? s->s[i].enabled : enabled;
    CU_ASSERT_EQUAL(l->group, td->meter->pmu[0].plan.ngroups);
    /* both threads run for all of the time; on each of two CPUs each has begun a sample that is not complete */
    CU_ASSERT(enabled > UINT64_C(998) * MS && enabled <= UINT64_C(1000) * MS);
    CU_ASSERT(l->enabled == enabled && l->running == enabled && l->status == TD_OK);
    CU_ASSERT(loads / 10007 > 80 && l->sampled.n <= loads / 10007 && l->sampled.n + 4 >= loads / 10007);
    td_free(td);
}

static const CU_TestInfo tests[] = {
    {"one of 10,007", one_of_many},
    {"few samples", few},
    {"samples without latencies", none},
    {"an old kernel", old_kernel},
    {"several CPUs", cpus},
    {"beside the plan", beside},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("retire latencies", tests);
