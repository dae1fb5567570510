/* SPDX-License-Identifier: MIT */
/* Shorthands for the tests of the simulated machine. The workloads make 1 slot
 * per ns, so that the expected counts are easy to see. */
#ifndef SIM_TEXT_H
#define SIM_TEXT_H

#include "sim/sim.h"
#include "tests/support/unit.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define MAGIC "# tdprobe-machine: 1\n"
#define SHARES "retiring=0.2 bad=0.2 frontend=0.2 backend=0.4 heavy=0.2 mispredict=0.2 latency=0.2 memory=0.2\n"
#define WORK "workload w rate=1000000000\nphase ms=1000 " SHARES
#define COUNTS "count 0xc2 0.5\ncount 0x10e 0.25\ncount 0x3c 0.25 clock\n"
#define BIG MAGIC "cpus 0-1\npmu cpu type=4 cpus=0-1 general=2 fixed=0-3 metrics=8\n" WORK COUNTS
#define BUSY BIG "run w cpus=0-1\n"

#define HYBRID \
    MAGIC \
    "cpus 0-1\ncpus 2-3\npmu cpu_core type=4 cpus=0-1 general=8 fixed=0-3 metrics=8\n" \
    "pmu cpu_atom type=8 cpus=2-3 general=6 fixed=0-2\nworkload w pmu=cpu_core rate=1000000000\nphase ms=1000 " SHARES \
    "count 0xc2 0.5\nworkload w pmu=cpu_atom rate=500000000\nphase ms=1000 " SHARES "count 0xc2 0.5\n"

enum {
    MSEC = 1000000,
    SLOTS = 0x400,
    RETIRING = 0x8000,
    TIMES = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING
};

struct sim_text {
    const char *at;
};

/* The machine of the test at hand. */
static struct td_sim *sim;
static const struct td_os *os;

/* A group's reading: number, enabled, running, values. */
struct sim_reading {
    uint64_t n, enabled, running, value[16];
};

static inline ssize_t read_text(void *ctx, void *buf, size_t size)
{
    struct sim_text *t = ctx;
    size_t n = strlen(t->at) < size ? strlen(t->at) : size;

    memcpy(buf, t->at, n);
    t->at += n;
    return (ssize_t)n;
}

static inline int load(const char *description, char *why, size_t size)
{
    struct sim_text t = {description};
    int err = td_sim_new("m", read_text, &t, &sim, why, size);

    os = err ? NULL : td_sim_os(sim);
    return err;
}

static inline bool begin(const char *description)
{
    char why[256];
    int err = load(description, why, sizeof(why));

    if (err)
        fprintf(stderr, "%s\n", why);
    CU_ASSERT_EQUAL(err, 0);
    return !err;
}

static inline void end(void)
{
    td_sim_free(sim);
    sim = NULL;
}

static inline struct perf_event_attr attr_of(uint64_t config)
{
    return (struct perf_event_attr){.type = PERF_TYPE_RAW,
                                    .size = sizeof(struct perf_event_attr),
                                    .config = config,
                                    .read_format = TIMES,
                                    .exclude_kernel = 1};
}

static inline int open_on(uint64_t config, int cpu, int group)
{
    struct perf_event_attr attr = attr_of(config);

    attr.disabled = group == -1;
    attr.read_format |= PERF_FORMAT_GROUP;
    return os->perf_open(os->ctx, &attr, -1, cpu, group, 0);
}

static inline int open_task(uint64_t config, pid_t pid, int group)
{
    struct perf_event_attr attr = attr_of(config);

    attr.read_format |= PERF_FORMAT_GROUP;
    return os->perf_open(os->ctx, &attr, pid, -1, group, 0);
}

static inline int ioctl_group(int fd, unsigned long request)
{
    return os->perf_ioctl(os->ctx, fd, request, PERF_IOC_FLAG_GROUP);
}

/* Waits some ms; returns what ended the wait. */
static inline int pass(uint64_t ms)
{
    struct td_os_event e;

    CU_ASSERT_EQUAL(os->wait(os->ctx, os->now(os->ctx) + ms * MSEC, -1, &e), 0);
    return (int)e.what;
}

static inline ssize_t take(int fd, struct sim_reading *r)
{
    *r = (struct sim_reading){0};
    return os->read(os->ctx, fd, r, sizeof(*r));
}

static inline int open_metrics(int cpu)
{
    int fd = open_on(SLOTS, cpu, -1);

    for (uint64_t i = 0; i < 8; i++)
        CU_ASSERT_TRUE(open_on(RETIRING + 0x100 * i, cpu, fd) > fd);
    return fd;
}

static inline bool file_is(const char *path, const char *text)
{
    char buf[1024];
    ssize_t n = os->file(os->ctx, path, buf, sizeof(buf));

    return n >= 0 && (size_t)n == strlen(text) && !strcmp(buf, text);
}

#endif
