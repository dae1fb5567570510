/* SPDX-License-Identifier: MIT */
/* Who samples is woken by samples and by what happens to threads, and by nothing else. */
#include "include/td_run.h"
#include "include/td_sampling.h"
#include "tests/support/keep_nothing.h"
#include "tests/support/sapphire_rapids.h"
#include "tests/support/unit.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const uint64_t ms = 1000000; /* ns */

static ssize_t read_text(void *ctx, void *buf, size_t size)
{
    const char **at = ctx;
    size_t n = strlen(*at) < size ? strlen(*at) : size;

    memcpy(buf, *at, n);
    *at += n;
    return (ssize_t)n;
}

static struct td *machine(const char *text)
{
    struct td *td = td_new();

    CU_ASSERT_FATAL(td && !td_set_machine(td, "machine", read_text, &text) && !td_set_level(td, 1));
    CU_ASSERT_EQUAL(td_sampling_fd(td), -1);
    return td;
}

static void open_all(struct td *td, const struct td_sampling *s)
{
    const int err = td_sampling_open(td, s, keep_nothing, NULL);

    if (err)
        fprintf(stderr, "%s\n", td_error(td));
    CU_ASSERT_EQUAL_FATAL(err, 0);
    CU_ASSERT(td_sampling_fd(td) >= 0);
}

/* When the wait ended, in ms since a time; what ended it is as said. */
static double woken_at(struct td *td, uint64_t since, uint64_t until, enum td_run_what what)
{
    struct td_run_event e = {.size = sizeof(e)};

    CU_ASSERT_EQUAL(td_run_wait(td, since + until, td_sampling_fd(td), &e), 0);
    CU_ASSERT_EQUAL(e.what, what);
    return (double)(td_run_now(td) - since) / (double)ms;
}

static void end(struct td *td)
{
    CU_ASSERT_EQUAL(td_sampling_end(td), 0);
    CU_ASSERT_EQUAL(td_sampling_fd(td), -1);
    td_free(td);
}

/* Half a second without a program, and one that begins then. */
static void quiet_machine(void)
{
    struct td *td = machine(SAPPHIRE_RAPIDS "command w ms=100 cpus=1 name=late\n");
    char *argv[] = {"late", NULL};
    struct td_sampling_info info = {.size = sizeof(info)};
    double at;

    open_all(td, &(struct td_sampling){.size = sizeof(struct td_sampling),
                                       .what = &(struct td_live){.size = sizeof(struct td_live)},
                                       .period = 3000000});
    CU_ASSERT(td_run_start(td, argv) > 0);
    CU_ASSERT_DOUBLE_EQUAL(woken_at(td, td_run_now(td), 500 * ms, TD_RUN_TIME), 500, 1e-3);
    CU_ASSERT_EQUAL(td_sampling_take(td), 0);
    CU_ASSERT(!td_sampling_about(td, &info) && !info.samples);
    {
        const uint64_t began = td_run_now(td);

        CU_ASSERT_EQUAL(td_run_release(td), 0);
        at = woken_at(td, began, 500 * ms, TD_RUN_INPUT);
        CU_ASSERT(at > 0.9 && at < 1.2); /* a period of 1 ms */
    }
    CU_ASSERT_EQUAL(td_sampling_take(td), 0);
    CU_ASSERT(!td_sampling_about(td, &info) && info.samples == 2);
    end(td);
}

/* Pairs are not disturbed: the first sample of one does not wake. */
static void second_of_a_pair(void)
{
    struct td *td = machine(SAPPHIRE_RAPIDS "run w cpus=0\n");
    struct td_sampling_info before, now = {.size = sizeof(now)};
    const uint64_t began = td_run_now(td);

    open_all(td, &(struct td_sampling){.size = sizeof(struct td_sampling),
                                       .what = &(struct td_live){.size = sizeof(struct td_live)},
                                       .period = 3000000});
    for (int i = 0; i < 20; i++) {
        before = now;
        woken_at(td, began, 500 * ms, TD_RUN_INPUT);
        CU_ASSERT_EQUAL(td_sampling_take(td), 0);
        CU_ASSERT(!td_sampling_about(td, &now));
        CU_ASSERT_EQUAL(now.samples - before.samples, 2);
    }
    CU_ASSERT(now.near >= 17 && !now.far);
    end(td);
}

/* Without a single sample: the program begins, starts a child, which ends. */
static void told_of_threads(void)
{
    static const double times[] = {0, 0, 50, 90};
    struct td *td =
        machine(SAPPHIRE_RAPIDS "command w ms=200 cpus=1 name=parent\nstart w at=50 ms=40 cpus=0 name=kid\n");
    struct td_sampling_info info = {.size = sizeof(info)};
    char *argv[] = {"parent", NULL};
    pid_t pid = td_run_start(td, argv);
    uint64_t began;
    struct td_live what = {.size = sizeof(struct td_live), .tasks = &pid, .ntasks = 1, .on_exec = true};

    CU_ASSERT_FATAL(pid > 0);
    open_all(td, &(struct td_sampling){.size = sizeof(struct td_sampling), .what = &what, .period = UINT64_C(1) << 40});
    CU_ASSERT_EQUAL(td_run_release(td), 0);
    began = td_run_now(td);
    for (size_t i = 1; i < 4; i++) {
        const double at = woken_at(td, began, 1000 * ms, TD_RUN_INPUT);

        CU_ASSERT_DOUBLE_EQUAL(at, times[i], 0.5);
        CU_ASSERT_EQUAL(td_sampling_take(td), 0);
    }
    CU_ASSERT(!td_sampling_about(td, &info) && info.groups == 2 && !info.samples && !info.missed);
    end(td);
}

static const CU_TestInfo tests[] = {
    {"a quiet machine does not wake who samples it", quiet_machine},
    {"the second sample of a pair wakes", second_of_a_pair},
    {"what happens to threads wakes", told_of_threads},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("sampling wakes", tests);
