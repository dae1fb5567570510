/* SPDX-License-Identifier: MIT */
/* Samples of threads and of CPUs: who waits, and for how long. */
#include "private/result.h"
#include "session/solution.h"
#include "tests/support/unit.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static ssize_t read_file(void *ctx, void *buf, size_t size)
{
    return read(*(int *)ctx, buf, size);
}

static struct td *opened(const char *name, int *fd)
{
    struct td *td = td_new();
    char path[4096];

    snprintf(path, sizeof(path), "%s/tests/samples/%s.data", getenv("TD_SRCDIR") ? getenv("TD_SRCDIR") : ".", name);
    *fd = open(path, O_RDONLY);
    CU_ASSERT_FATAL(*fd >= 0);
    CU_ASSERT_EQUAL_FATAL(td_set_samples_by(td, TD_SAMPLES_BY_THREAD), 0);
    CU_ASSERT_EQUAL_FATAL(td_open(td, path, read_file, fd), 0);
    return td;
}

/* How many intervals a recording has, and how many of them are of counters that the kernel switches with threads. */
static void count(const char *name, unsigned long *n, unsigned long *switched)
{
    int fd;
    struct td *td = opened(name, &fd);
    const struct td_result *r;

    for (*n = *switched = 0; !td_next(td, &r); ++*n)
        *switched += td->stream->batch[td->at - 1].switched;
    td_free(td);
    close(fd);
}

/* Recorded with --per-thread, and with -a, whose list of ids names no threads. */
static void threads_and_cpus(void)
{
    unsigned long n, switched;

    count("perthread", &n, &switched);
    CU_ASSERT(n > 100 && switched == n);
    count("system", &n, &switched);
    CU_ASSERT(n > 100 && switched == 0);
}

/* An interval of 1,000 ns: what its events were not enabled for, a thread waited. */
static void for_how_long(void)
{
    static const struct {
        double enabled;
        bool switched, recorded, waits;
        uint64_t ns;
    } all[] = {
        {600, true, true, true, 400}, {1, true, true, true, 999},   {1000, true, true, true, 0},
        {1003, true, true, true, 0},  {600, false, true, false, 0}, {600, true, false, false, 0},
    };
    int fd;
    struct td *td = opened("perthread", &fd);
    const struct td_result *r;

    CU_ASSERT_EQUAL_FATAL(td_next(td, &r), 0);
    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
        const struct td_samples_info *was = td->stream->samples;
        struct td_samples_info info = *was;
        struct td_interval v = td->stream->batch[td->at - 1];
        uint64_t ns;

        info.times_recorded = all[i].recorded;
        td->stream->samples = &info;
        v.switched = all[i].switched;
        v.at.duration = 1000;
        v.counts.c[0].enabled = all[i].enabled;
        CU_ASSERT_EQUAL_FATAL(td_session_solve(td, &v, false, &r), 0);
        CU_ASSERT_EQUAL(td_result_waited(r, &ns), all[i].waits);
        CU_ASSERT_EQUAL(ns, all[i].waits ? all[i].ns : 0);
        td->stream->samples = was;
    }
    td_free(td);
    close(fd);
}

static const CU_TestInfo tests[] = {
    {"threads and CPUs", threads_and_cpus},
    {"for how long", for_how_long},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("samples that wait", tests);
