/* SPDX-License-Identifier: MIT */
/* Measurements while memory runs out: a call says so, or nothing is missing in what it gives; what was opened is freed.
 */
#include "include/td_sampling.h"
#include "tests/support/measuring.h"
#include "tests/support/memory.h"
#include "tests/support/shipped_machine.h"

#include <errno.h>

/* What is measured, and where. */
struct measured {
    const char *machine, *metrics;
    struct td_live what;
    int level;
    bool sampled; /* samples are taken instead */
    size_t intervals; /* of each of the two readings */
};

static const pid_t task = 701;
static const int cpus[] = {0, 1};

static int sample(struct td *td, const struct td_live *what)
{
    int err = td_sampling_open(td, &(struct td_sampling){.size = sizeof(struct td_sampling), .what = what},
                               keep_nothing, NULL);

    if (err)
        return err;
    wait_a_little(td);
    err = td_sampling_take(td);
    return err ? err : td_sampling_end(td);
}

static int count(struct td *td, const struct measured *m)
{
    int err = td_open_live(td, &m->what);

    for (int reading = 0; reading < 2 && !err; reading++) {
        size_t n;

        err = count_results(td, &n);
        CU_ASSERT(err || n == m->intervals);
    }
    return err;
}

static int measure(void *ctx)
{
    const struct measured *m = ctx;
    FILE *file = shipped_machine(m->machine);
    struct td *td = td_new();
    int err = td && file ? td_set_machine(td, m->machine, shipped_machine_read, file) : -ENOMEM;

    if (file)
        fclose(file);
    err = err ? err : td_set_level(td, m->level);
    err = err || !m->metrics ? err : td_set_metrics(td, m->metrics);
    err = err ? err : m->sampled ? sample(td, &m->what) : count(td, m);
    td_free(td);
    return err == -EOPNOTSUPP ? -ENOMEM : err; /* a form whose trial has no memory is one that cannot be counted */
}

#define LIVE(...) \
    { \
        .size = sizeof(struct td_live), __VA_ARGS__ \
    }

/* Some texts are only shorter without memory, and what cannot be sampled is counted. */
static void each(const struct measured *m)
{
    memory_each(measure, (void *)(uintptr_t)m, unit_rounds(100) == 1 ? 2 : 1, true);
}

static void kinds_of_core(void)
{
    static const struct measured m = {
        .machine = "alderlake", .level = 2, .what = LIVE(.by = TD_BY_ALL), .intervals = 2};

    each(&m);
}

static void two_cpus(void)
{
    static const struct measured m = {
        .machine = "icelake", .level = 1, .what = LIVE(.cpus = cpus, .ncpus = 2, .by = TD_BY_CPU), .intervals = 2};

    each(&m);
}

static void a_task(void)
{
    static const struct measured m = {
        .machine = "alderlake", .level = 1, .what = LIVE(.tasks = &task, .ntasks = 1), .intervals = 2};

    each(&m);
}

static void latencies(void)
{
    static const struct measured m = {.machine = "graniterapids",
                                      .metrics = "lock_latency",
                                      .level = 1,
                                      .what = LIVE(.cpus = cpus, .ncpus = 1, .by = TD_BY_CPU),
                                      .intervals = 1};

    each(&m);
}

static void samples(void)
{
    static const struct measured m = {
        .machine = "icelake", .level = 1, .what = LIVE(.tasks = &task, .ntasks = 1), .sampled = true};

    each(&m);
}

static const CU_TestInfo tests[] = {
    {"kinds of core", kinds_of_core}, {"two CPUs", two_cpus}, {"a task", a_task},
    {"latencies", latencies},         {"samples", samples},   CU_TEST_INFO_NULL,
};
UNIT_SUITE("measuring without memory", tests);
