/* SPDX-License-Identifier: MIT */
/* What a handle refuses, with the reason, and beside it the same where the reason is gone: on a simulated machine. */
#include "include/td_regions.h"
#include "include/td_run.h"
#include "include/td_sampling.h"
#include "private/plan.h"
#include "tests/support/keep_nothing.h"
#include "tests/support/unit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __x86_64__
static ssize_t read_file(void *ctx, void *buf, size_t size)
{
    return (ssize_t)fread(buf, 1, size, ctx);
}

static struct td *handle(bool has_machine)
{
    struct td *td = td_new();
    char path[4096];
    FILE *f;

    snprintf(path, sizeof(path), "%s/sim/machines/sapphirerapids.machine",
             getenv("TD_SRCDIR") ? getenv("TD_SRCDIR") : ".");
    f = fopen(path, "r");
    CU_ASSERT_FATAL(td && f && (!has_machine || !td_set_machine(td, "m", read_file, f)));
    fclose(f);
    return td;
}

static int live_of(struct td *td, bool no_user, bool no_kernel)
{
    return td_open_live(td,
                        &(struct td_live){.size = sizeof(struct td_live), .no_user = no_user, .no_kernel = no_kernel});
}

static int live(struct td *td)
{
    return live_of(td, false, false);
}

static int divided(struct td *td, enum td_by by, size_t ntasks, size_t ncgroups)
{
    static const pid_t tasks[] = {701};
    static const char *const cgroups[] = {"app"};

    return td_open_live(td, &(struct td_live){.size = sizeof(struct td_live),
                                              .by = by,
                                              .tasks = tasks,
                                              .ntasks = ntasks,
                                              .cgroups = cgroups,
                                              .ncgroups = ncgroups});
}

static int live_without_size(struct td *td)
{
    return td_open_live(td, &(struct td_live){.size = 0});
}

static int threads_of_none(struct td *td)
{
    return divided(td, TD_BY_THREAD, 0, 0);
}

static int threads_of_task(struct td *td)
{
    return divided(td, TD_BY_THREAD, 1, 0);
}

static int cores_of_task(struct td *td)
{
    return divided(td, TD_BY_CORE, 1, 0);
}

static int cores_of_cgroup(struct td *td)
{
    return divided(td, TD_BY_CORE, 0, 1);
}

static int cgroup(struct td *td)
{
    return divided(td, TD_BY_ALL, 0, 1);
}

static int self_of(struct td *td, struct td_self_ask ask)
{
    ask.size = sizeof(ask);
    return td_open_self(td, &ask);
}

static int self(struct td *td)
{
    return self_of(td, (struct td_self_ask){.ring = 4});
}

static int write_none(void *ctx, const void *buf, size_t size)
{
    (void)ctx, (void)buf, (void)size;
    return 0;
}

static int sampling_of(struct td *td, size_t ncgroups)
{
    static const char *const cgroups[] = {"app"};
    const struct td_live what = {.size = sizeof(what), .cgroups = cgroups, .ncgroups = ncgroups};

    return td_sampling_open(td, &(struct td_sampling){.size = sizeof(struct td_sampling), .what = &what}, keep_nothing,
                            NULL);
}

static int sampling(struct td *td)
{
    return sampling_of(td, 0);
}

static int sampling_cgroup(struct td *td)
{
    return sampling_of(td, 1);
}

static int enable(struct td *td)
{
    return td_enable(td, true);
}

static int neither(struct td *td)
{
    return live_of(td, true, true);
}

static int user_only(struct td *td)
{
    return live_of(td, false, true);
}

static int self_neither(struct td *td)
{
    return self_of(td, (struct td_self_ask){.no_user = true, .no_kernel = true});
}

static int self_user(struct td *td)
{
    return self_of(td, (struct td_self_ask){.no_kernel = true});
}

static int target_1(struct td *td)
{
    return self_of(td, (struct td_self_ask){.target = 1});
}

static int target_below(struct td *td)
{
    return self_of(td, (struct td_self_ask){.target = 0.99});
}

static int msr(struct td *td)
{
    return td_set_source(td, "msr");
}

static int add_event(struct td *td)
{
    return td_add_event(td, "cycles");
}

static int add_long(struct td *td)
{
    char name[1000];

    memset(name, 'x', sizeof(name) - 1);
    name[sizeof(name) - 1] = '\0';
    return td_add_event(td, name);
}

static int uarch(struct td *td)
{
    return td_set_uarch(td, "spr");
}

static int plan(struct td *td)
{
    return td_plan_uarch(td, &(struct td_live){.size = sizeof(struct td_live)});
}

static int wrong_backend(struct td *td)
{
    return td_set_backend(td, "risc-v");
}

static int backend(struct td *td)
{
    return td_set_backend(td, "auto");
}

static int convert(struct td *td)
{
    return td_set_convert(td, write_none, NULL);
}

static int record(struct td *td)
{
    return td_set_record(td, "app", write_none, NULL);
}

static int kill_command(struct td *td)
{
    return td_run_kill(td, 15);
}

static int start_command(struct td *td)
{
    static char *words[] = {(char *)(uintptr_t) "app", NULL};

    return td_run_start(td, words) > 0 ? 0 : -1;
}

static size_t room; /* bytes that can still be written */

static int fill(void *ctx, uint64_t at, const void *bytes, size_t n)
{
    (void)ctx, (void)at, (void)bytes;
    if (n > room)
        return -EIO;
    room -= n;
    return 0;
}

/* Samples into a file that is full at its end. */
static int sampling_full(struct td *td)
{
    const struct td_live what = {.size = sizeof(what)};
    int err;

    room = SIZE_MAX;
    err = td_sampling_open(td, &(struct td_sampling){.size = sizeof(struct td_sampling), .what = &what}, fill, NULL);
    room = 0;
    return err;
}

static int times(struct td *td)
{
    return td_set_times(td, 1, 2);
}

static int no_ring(struct td *td)
{
    return self_of(td, (struct td_self_ask){.ring = 0});
}

static int write_passes(struct td *td)
{
    uint64_t lost;

    return td_regions_write(td, write_none, NULL, &lost);
}

static int snapshot(struct td *td)
{
    struct td_snapshot s;

    return td_read(td, &s);
}

static int one_region(struct td *td)
{
    const int err = self_of(td, (struct td_self_ask){.regions = 1});

    return err ? err : td_region(td, "a");
}

static int two_regions(struct td *td)
{
    const int err = self(td);

    return err || td_region(td, "a") != 0 || td_region(td, "b") != 1 ? -1 : 0;
}

static int in_b(struct td *td)
{
    const int err = two_regions(td);

    return err || td_region_begin(td, 0) || td_region_begin(td, 1) ? -1 : 0;
}

static int in_a(struct td *td)
{
    return two_regions(td) || td_region_begin(td, 0) ? -1 : 0;
}

static int region_b(struct td *td)
{
    const int b = td_region(td, "b");

    return b > 0 ? 0 : b;
}

static int begin_b(struct td *td)
{
    return td_region_begin(td, 1);
}

static int end_a(struct td *td)
{
    return td_region_end(td, 0);
}

static const struct {
    bool bare; /* no machine is described */
    int (*before)(struct td *), (*call)(struct td *);
    int err;
    const char *reason;
    int (*mended)(struct td *), (*right)(struct td *); /* before the same call, or another */
} rows[] = {
    {false, NULL, enable, -EINVAL, "nothing is open to be counted (td_open_live)", live, enable},
    {false, NULL, td_take, -EINVAL, "nothing is open to be read (td_open_live)", live, td_take},
    {false, NULL, td_sampling_take, -EINVAL, "nothing is open to be sampled (td_sampling_open)", sampling,
     td_sampling_take},
    {false, NULL, td_sampling_end, -EINVAL, "nothing is open to be sampled (td_sampling_open)", sampling,
     td_sampling_end},
    {false, NULL, sampling_cgroup, -EINVAL, "cgroups cannot be sampled: sample CPUs or processes", NULL, sampling},
    {false, NULL, neither, -EINVAL, "nothing is left to count without user and without kernel mode", NULL, user_only},
    {false, NULL, live_without_size, -EINVAL,
     "the size that struct td_live begins with is not set: it is sizeof(struct td_live)", NULL, live},
    {false, NULL, threads_of_none, -EINVAL, "counts by thread need the processes or threads to measure", NULL,
     threads_of_task},
    {false, NULL, cores_of_task, -EINVAL, "tasks cannot be measured by CPU, core, socket, node or cgroup", NULL,
     threads_of_task},
    {false, NULL, cores_of_cgroup, -EINVAL, "each cgroup is one scope: it cannot be divided by CPU or core", NULL,
     cgroup},
    {false, NULL, self_neither, -EINVAL, "nothing is left to count without user and without kernel mode", NULL,
     self_user},
    {false, self, live, -EINVAL, "the handle counts its own thread until td_free(): measure others with another handle",
     NULL, live},
    {false, msr, self, -EINVAL, "the source msr measures CPUs, not the calling thread", NULL, self},
    {false, NULL, target_1, -EINVAL, "the target is a share from 0 (none) to less than 1", NULL, target_below},
    {false, NULL, add_event, -EINVAL, "events can be added to the source msr only (td_set_source)", msr, add_event},
    {false, msr, add_long, -EINVAL, "x' cannot be added: its name is too long", msr, add_event},
    {true, NULL, plan, -EINVAL, "a plan without a machine needs the CPU's name", uarch, plan},
    {false, uarch, plan, -EINVAL, "the handle has a machine, or reads a recording", NULL, uarch},
    {true, NULL, wrong_backend, -EINVAL, "no backend 'risc-v'; 'tdprobe list backends' names them", NULL, backend},
    {false, live, convert, -EINVAL, "td_set_convert() comes before the recording is opened", NULL, convert},
    {false, convert, convert, -EINVAL, "the handle converts already: td_set_convert() is called once", NULL, convert},
    {false, live, record, -EINVAL, "td_set_record() comes before the counters are opened", NULL, record},
    {false, NULL, kill_command, -ESRCH, "cannot be sent a signal: No such process", start_command, kill_command},
    {false, sampling_full, td_sampling_end, -EIO, "the samples cannot be written", sampling, td_sampling_end},
    {false, live, times, -EINVAL, "times are set before the handle is opened", NULL, times},
    {false, no_ring, write_passes, -EINVAL, "no passes are kept: ask for a ring (struct td_self_ask) when the handle",
     self, write_passes},
    {false, NULL, snapshot, -EINVAL, "no counters of this thread are open (td_open_self)", self, snapshot},
    {false, one_region, region_b, -ENOSPC, "more than 1 regions: ask for more (struct td_self_ask) when the handle",
     two_regions, region_b},
    {false, one_region, begin_b, -EINVAL, "there is no region 1 (td_region() gives their numbers)", two_regions,
     begin_b},
    {false, in_b, end_a, -EINVAL, "region 'a' is ended, but 'b' was begun last", in_a, end_a},
    {false, two_regions, end_a, -EINVAL, "region 'a' is ended, but none is begun", in_a, end_a},
};

static void reasons(void)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct td *wrong = handle(!rows[i].bare), *right = handle(!rows[i].bare);
        int err;

        CU_ASSERT(!rows[i].before || !rows[i].before(wrong));
        err = rows[i].call(wrong);
        if (err != rows[i].err || !strstr(td_error(wrong), rows[i].reason))
            printf("\n    row %zu: %d, %s", i, err, td_error(wrong));
        CU_ASSERT_EQUAL(err, rows[i].err);
        CU_ASSERT_PTR_NOT_NULL(strstr(td_error(wrong), rows[i].reason));
        td_free(wrong);
        CU_ASSERT(!rows[i].mended || !rows[i].mended(right));
        err = rows[i].right(right);
        if (err)
            printf("\n    row %zu, mended: %d, %s", i, err, td_error(right));
        CU_ASSERT_EQUAL(err, 0);
        td_free(right);
    }
}
#endif

static CU_TestInfo tests[] = {
#ifdef __x86_64__
    {"each reason, and that it is gone", reasons},
#endif
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("reasons of a handle", tests);
