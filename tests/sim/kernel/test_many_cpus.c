/* SPDX-License-Identifier: MIT */
/* Machines of thousands of CPUs, and of ids up to the highest. */
#include "tests/support/sim_text.h"

enum { CPUS = 4096 };

static void topology(void)
{
    if (!begin(
            MAGIC
            "cpus 0-4095 smt=2 sockets=4 nodes=8\npmu cpu type=4 cpus=0-4095 general=2 fixed=0-3 metrics=8\nhotplug 4095 off at=5\n"))
        return;
    CU_ASSERT_TRUE(file_is("/sys/devices/system/cpu/online", "0-4095\n") &&
                   file_is("/sys/devices/system/cpu/possible", "0-4095\n"));
    CU_ASSERT_TRUE(file_is("/sys/devices/system/node/online", "0-7\n") &&
                   file_is("/sys/devices/system/node/node7/cpulist", "1792-2047,3840-4095\n"));
    CU_ASSERT_TRUE(file_is("/sys/devices/system/cpu/cpu4095/topology/thread_siblings_list", "2047,4095\n"));
    CU_ASSERT_TRUE(file_is("/sys/devices/system/cpu/cpu4095/topology/core_id", "2047\n"));
    CU_ASSERT_TRUE(file_is("/sys/devices/system/cpu/cpu4095/topology/physical_package_id", "3\n"));
    pass(10);
    CU_ASSERT_TRUE(file_is("/sys/devices/system/cpu/online", "0-4094\n") &&
                   file_is("/sys/devices/system/cpu/cpu2047/topology/thread_siblings_list", "2047\n"));
    end();
}

/* Each CPU counts what it executes: nothing is shared, nothing is lost. The first half of the
 * CPUs executes, each from its own time on until it is read. */
static void counting(void)
{
    static int fd[CPUS];
    static uint64_t opened[CPUS];
    struct td_sim_calls calls;
    struct sim_reading r;

    if (!begin(MAGIC "cpus 0-4095\npmu cpu type=4 cpus=0-4095 general=2 fixed=0-3 metrics=8\n" WORK COUNTS
                     "run w cpus=0-2047\n"))
        return;
    for (int cpu = 0; cpu < CPUS; cpu++) {
        fd[cpu] = open_on(SLOTS, cpu, -1);
        CU_ASSERT_TRUE(open_on(0xc2, cpu, fd[cpu]) == fd[cpu] + 1);
        ioctl_group(fd[cpu], PERF_EVENT_IOC_ENABLE);
        opened[cpu] = os->now(os->ctx);
    }
    pass(10);
    for (int cpu = 0; cpu < CPUS; cpu++) {
        const uint64_t ns = os->now(os->ctx) - opened[cpu] + 1000; /* including the read itself */

        CU_ASSERT_EQUAL_FATAL(take(fd[cpu], &r), 5 * 8);
        CU_ASSERT_TRUE_FATAL(r.enabled == ns && r.running == ns);
        /* 1 slot a ns */
        CU_ASSERT_TRUE_FATAL(r.value[0] == (cpu < CPUS / 2 ? ns : 0) && r.value[1] == (cpu < CPUS / 2 ? ns / 2 : 0));
    }
    td_sim_calls(sim, &calls);
    CU_ASSERT_TRUE(calls.perf_open == 2 * CPUS && calls.ioctl == CPUS && calls.read == CPUS &&
                   calls.open_fds == 2 * CPUS);
    end();
}

/* Ids need not begin at 0, nor be next to each other. */
static void sparse_ids(void)
{
    struct sim_reading r;
    int fd;

    if (!begin(MAGIC "cpus 7,65535\npmu cpu type=4 cpus=7,65535 general=2 fixed=0-3\n" WORK COUNTS
                     "run w cpus=65535\n"))
        return;
    CU_ASSERT_TRUE(file_is("/sys/devices/system/cpu/online", "7,65535\n"));
    CU_ASSERT_EQUAL(open_on(0xc2, 65534, -1), -ENOENT); /* a CPU of no PMU */
    CU_ASSERT_EQUAL(open_on(0xc2, 65536, -1), -EINVAL);
    CU_ASSERT_EQUAL(os->here(os->ctx), 7);
    fd = open_on(0xc2, 65535, -1);
    ioctl_group(fd, PERF_EVENT_IOC_ENABLE);
    pass(10);
    take(fd, &r);
    CU_ASSERT_TRUE(r.running > 10 * MSEC && r.value[0] == r.running / 2);
    end();
}

/* More events than one bank of the PMU model holds: 32. */
static void many_events(void)
{
    static char text[16384];
    size_t n = (size_t)snprintf(text, sizeof(text), MAGIC "cpus 0\npmu cpu type=4 cpus=0 general=2 fixed=0-3\n" WORK);
    struct sim_reading r;

    for (unsigned i = 0; i < 300; i++)
        n += (size_t)snprintf(text + n, sizeof(text) - n, "count 0x%x %u.5\n", 0x1000 + i, i);
    snprintf(text + n, sizeof(text) - n, "run w cpus=0\n");
    if (!begin(text))
        return;
    for (unsigned i = 0; i < 300; i += 23) {
        int fd = open_on(0x1000 + i, 0, -1);

        ioctl_group(fd, PERF_EVENT_IOC_ENABLE);
        pass(1);
        take(fd, &r);
        CU_ASSERT_EQUAL(r.value[0], r.running * i + r.running / 2);
        os->close(os->ctx, fd);
    }
    end();
}

/* Without an online CPU the thread is nowhere; no access is out of bounds. */
static void none_online(void)
{
    uint32_t out[4];
    uint64_t value;

    if (!begin(BIG "spin w\n"
                   "cpuid 0x0 = 1 2 3 4\nhotplug 0 off at=1\nhotplug 1 off at=1\n"))
        return;
    pass(5);
    CU_ASSERT_EQUAL(os->here(os->ctx), -ENODEV);
    CU_ASSERT_EQUAL(td_sim_rdpmc(sim, 0, &value), -ENXIO);
    CU_ASSERT_EQUAL(os->cpuid(os->ctx, -1, 0, 0, out), -EINVAL);
    CU_ASSERT_EQUAL(td_sim_self_run(sim, 1000), -ENODEV);
    end();
}

static const CU_TestInfo tests[] = {
    {"topology", topology},       {"counting", counting},       {"sparse ids", sparse_ids},
    {"many events", many_events}, {"none online", none_online}, CU_TEST_INFO_NULL,
};
UNIT_SUITE("many CPUs", tests);
