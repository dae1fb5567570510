/* SPDX-License-Identifier: MIT */
/* Measurements whose blocks of memory end each where a page begins that may not be touched: what reads beyond the end
 * of an array ends the program. */
#include "include/td_sampling.h"
#include "tests/support/measuring.h"
#include "tests/support/memory.h"
#include "tests/support/shipped_machine.h"

#include <errno.h>

/* What is measured, and where. */
struct measured {
    const char *machine, *more, *source, *metrics;
    struct td_live what;
    int level;
    bool events; /* by events where there is a metrics register */
    size_t intervals; /* of each reading */
};

static const pid_t tasks[] = {701, 702};
static const int cpus[] = {1, 0, 5, 4};
static const char *const cgroups[] = {"app"};

/* A handle for the machine, whose description is no part of the scenario. */
static struct td *begin(const char *machine, const char *more)
{
    struct td *td;

    memory_hold();
    td = on_shipped_machine_with(machine, more ? more : "");
    memory_go();
    return td;
}

static int read_twice(struct td *td, size_t intervals)
{
    int err = 0;

    for (int reading = 0; reading < 2 && !err; reading++) {
        size_t n;

        err = count_results(td, &n);
        CU_ASSERT_EQUAL(n, intervals);
    }
    return err;
}

static int count(void *ctx)
{
    const struct measured *m = ctx;
    struct td *td = begin(m->machine, m->more);
    int err = td_set_level(td, m->level);

    err = err || !m->source ? err : td_set_source(td, m->source);
    err = err || !m->metrics ? err : td_set_metrics(td, m->metrics);
    td_set_fixed(td, !m->events);
    err = err ? err : td_open_live(td, &m->what);
    err = err ? err : read_twice(td, m->intervals);
    if (err)
        printf("%s: %s\n", m->machine, td_error(td));
    td_free(td);
    return err;
}

#define LIVE(...) \
    { \
        .size = sizeof(struct td_live), __VA_ARGS__ \
    }

static void counted(void)
{
    static const struct measured rows[] = {
        {.machine = "alderlake", .level = 2, .what = LIVE(.by = TD_BY_ALL), .intervals = 2},
        {.machine = "alderlake", .level = 1, .what = LIVE(.by = TD_BY_CPU), .intervals = 12},
        {.machine = "alderlake", .level = 2, .what = LIVE(.tasks = tasks, .ntasks = 2), .intervals = 2},
        {.machine = "icelake", .level = 2, .what = LIVE(.by = TD_BY_SOCKET), .events = true, .intervals = 1},
        {.machine = "icelake", .level = 4, .what = LIVE(.cpus = cpus, .ncpus = 4, .by = TD_BY_CORE), .intervals = 2},
        {.machine = "icelake", .level = 1, .what = LIVE(.cgroups = cgroups, .ncgroups = 1), .intervals = 1},
        {.machine = "icelake",
         .level = 1,
         .what = LIVE(.tasks = tasks, .ntasks = 2, .by = TD_BY_THREAD),
         .intervals = 2},
        {.machine = "icelake",
         .more = "hotplug 4 off at=10\nhotplug 4 on at=30\n",
         .level = 1,
         .what = LIVE(.by = TD_BY_ALL),
         .intervals = 1},
        {.machine = "skylake", .level = 2, .what = LIVE(.by = TD_BY_ALL), .intervals = 1},
        {.machine = "skylake",
         .more = "hotplug 4 off at=10\nhotplug 4 on at=30\n",
         .level = 1,
         .what = LIVE(.by = TD_BY_CORE),
         .intervals = 4},
        {.machine = "genoa", .level = 2, .what = LIVE(.cpus = cpus, .ncpus = 2, .by = TD_BY_CPU), .intervals = 2},
        {.machine = "n2-r0p3", .level = 2, .what = LIVE(.cpus = cpus, .ncpus = 2, .by = TD_BY_CPU), .intervals = 2},
        {.machine = "graniterapids",
         .metrics = "lock_latency",
         .level = 1,
         .what = LIVE(.cpus = cpus, .ncpus = 2, .by = TD_BY_CPU),
         .intervals = 2},
        {.machine = "icelake", .source = "msr", .level = 1, .what = LIVE(.cpus = cpus, .ncpus = 1), .intervals = 1},
        {.machine = "genoa", .source = "msr", .level = 1, .what = LIVE(.cpus = cpus, .ncpus = 1), .intervals = 1},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        memory_fenced(count, (void *)(uintptr_t)&rows[i]);
}

static int sample(void *ctx)
{
    const struct measured *m = ctx;
    const struct td_sampling how = {.size = sizeof(how), .what = &m->what};
    struct td *td = begin(m->machine, m->more);
    int err = td_set_level(td, m->level);

    err = err ? err : td_sampling_open(td, &how, keep_nothing, NULL);
    for (int i = 0; i < 2 && !err; i++) {
        wait_a_little(td);
        err = td_sampling_take(td);
    }
    err = err ? err : td_sampling_end(td);
    if (err)
        printf("%s: %s\n", m->machine, td_error(td));
    td_free(td);
    return err;
}

static void sampled(void)
{
    static const struct measured rows[] = {
        {.machine = "icelake", .level = 1, .what = LIVE(.tasks = tasks, .ntasks = 2)},
        {.machine = "alderlake", .level = 2, .what = LIVE(.cpus = cpus, .ncpus = 4)},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        memory_fenced(sample, (void *)(uintptr_t)&rows[i]);
}

static void keep_finding(void *ctx, const struct td_finding *f)
{
    size_t *obstacles = ctx;

    *obstacles += f->kind == TD_FINDING_OBSTACLE;
}

static int examine(void *ctx)
{
    struct td *td = begin(ctx, NULL);
    size_t obstacles = 0;
    const int err = td_doctor(td, keep_finding, &obstacles);

    CU_ASSERT_EQUAL(obstacles, 0);
    td_free(td);
    return err;
}

static void examined(void)
{
    static const char *const machines[] = {"genoa", "n2-r0p3"};

    for (size_t i = 0; i < sizeof(machines) / sizeof(*machines); i++)
        memory_fenced(examine, (void *)(uintptr_t)machines[i]);
}

static const CU_TestInfo tests[] = {
    {"counts", counted},
    {"samples", sampled},
    {"what the doctor looks at", examined},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("nothing is read beyond the end", tests);
