/* SPDX-License-Identifier: MIT */
/* The NMI watchdog holds the counter of cycles on each CPU: on x86 fixed counter 1, which
 * is the first that the kernel gives an event of cycles, or a programmable one where
 * fixed 1 is wanted by nothing else (Linux kernel/watchdog_perf.c). */
#include "tests/support/sim_text.h"

enum { CYCLES = 0x3c };

/* Opens both programmable counters, and cycles: for how long the group ran. */
static uint64_t ran(int cpu, bool cycles)
{
    struct sim_reading r = {0};
    int fd = open_on(0xc2, cpu, -1);

    CU_ASSERT_TRUE(fd > 0 && open_on(0x10e, cpu, fd) > 0);
    CU_ASSERT_TRUE(!cycles || open_on(CYCLES, cpu, fd) > 0); /* what other events have does not matter yet */
    ioctl_group(fd, PERF_EVENT_IOC_ENABLE);
    pass(50);
    CU_ASSERT_TRUE(take(fd, &r) > 0 && r.enabled > 50 * MSEC);
    CU_ASSERT_TRUE((r.value[0] > 0) == (r.running > 0));
    os->close(os->ctx, fd);
    for (int i = 1; i <= cycles + 1; i++)
        os->close(os->ctx, fd + i);
    return r.running;
}

static void holds_fixed_1(void)
{
    static const struct {
        const char *line, *file;
        bool on;
    } how[] = {{"", "0\n", false}, {"watchdog off\n", "0\n", false}, {"watchdog on\n", "1\n", true}};

    for (size_t i = 0; i < 3; i++) {
        char text[1024];

        snprintf(text, sizeof(text), "%s%s", BUSY, how[i].line);
        if (!begin(text))
            return;
        CU_ASSERT_TRUE(file_is("/proc/sys/kernel/nmi_watchdog", how[i].file));
        for (int cpu = 0; cpu < 2; cpu++) {
            CU_ASSERT_EQUAL(ran(cpu, true) > 0, !how[i].on);
            CU_ASSERT_TRUE(ran(cpu, false) > 50 * MSEC); /* the programmable ones are free */
        }
        end();
    }
}

/* It moves: with fewer events than counters, cycles have one as well. */
static void makes_room(void)
{
    struct sim_reading r = {0};
    int fd;

    if (!begin(BUSY "watchdog on\n"))
        return;
    fd = open_on(0xc2, 0, -1);
    open_on(CYCLES, 0, fd);
    ioctl_group(fd, PERF_EVENT_IOC_ENABLE);
    pass(50);
    take(fd, &r);
    CU_ASSERT_TRUE(r.running == r.enabled && r.value[1] > 12 * MSEC);
    end();
}

/* Pinned events of others come after it and are in error. */
static void pinned_comes_later(void)
{
    struct perf_event_attr attr = attr_of(0x3c);
    uint64_t out[3];
    int fd;

    if (!begin(MAGIC "cpus 0\npmu cpu type=4 cpus=0 general=0 fixed=0-3\n" WORK COUNTS "run w cpus=0\nwatchdog on\n"))
        return;
    attr.pinned = 1;
    fd = os->perf_open(os->ctx, &attr, -1, 0, -1, 0);
    CU_ASSERT_TRUE(fd > 0);
    pass(10);
    CU_ASSERT_EQUAL(os->read(os->ctx, fd, out, sizeof(out)), 0);
    end();
}

/* Each kind of core, and a CPU that goes and comes back. */
static void each_cpu(void)
{
    if (!begin(HYBRID "run w cpus=0-3\nwatchdog on\nhotplug 2 off at=400\nhotplug 2 on at=500\n"))
        return;
    CU_ASSERT_EQUAL(os->close(os->ctx, open_on(0xc2, 0, -1)), 0);
    for (int round = 0; round < 2; round++) {
        struct perf_event_attr attr = attr_of(CYCLES);
        struct sim_reading r = {0};
        int fd;

        attr.type = 8;
        attr.read_format |= PERF_FORMAT_GROUP;
        attr.disabled = 1;
        fd = os->perf_open(os->ctx, &attr, -1, 2, -1, 0);
        CU_ASSERT_TRUE(fd > 0);
        attr.disabled = 0;
        attr.config = 0xc2;
        for (int i = 0; i < 6; i++)
            CU_ASSERT_TRUE(os->perf_open(os->ctx, &attr, -1, 2, fd, 0) > 0);
        ioctl_group(fd, PERF_EVENT_IOC_ENABLE);
        pass(100);
        take(fd, &r);
        CU_ASSERT_TRUE(r.n == 7 && r.enabled > 99 * MSEC && r.running == 0);
        for (int i = 6; i >= 0; i--)
            os->close(os->ctx, fd + i);
        pass(500);
    }
    end();
}

static void arm_cycles(void)
{
    struct perf_event_attr attr = attr_of(0x11);
    struct sim_reading r = {0};
    int fd;

    if (!begin(MAGIC "cpus 0\npmu armv8_pmuv3_0 type=8 cpus=0 general=1 fixed=cycle\nworkload w rate=1000000000\n"
                     "phase ms=1000 " SHARES "count 0x11 0.25\ncount 0x3b 0.5\nrun w cpus=0\nwatchdog on\n"))
        return;
    attr.type = 8;
    attr.read_format |= PERF_FORMAT_GROUP;
    attr.disabled = 1;
    fd = os->perf_open(os->ctx, &attr, -1, 0, -1, 0);
    attr.disabled = 0;
    attr.config = 0x3b;
    CU_ASSERT_TRUE(os->perf_open(os->ctx, &attr, -1, 0, fd, 0) > 0);
    ioctl_group(fd, PERF_EVENT_IOC_ENABLE);
    pass(50);
    take(fd, &r);
    CU_ASSERT_TRUE(r.n == 2 && r.enabled > 50 * MSEC && r.running == 0);
    end();
}

/* How registers show it: fixed counter 1 enabled, with its interrupt. */
static void in_registers(void)
{
    uint64_t value = 0;
    int fd;

    for (int on = 0; on < 2; on++) {
        if (!begin(on ? BUSY "cpuid 0xa = 0x08300805 0 0xf 0x8604\nwatchdog on\n"
                      : BUSY "cpuid 0xa = 0x08300805 0 0xf 0x8604\n"))
            return;
        fd = os->msr_open(os->ctx, 1);
        CU_ASSERT_EQUAL(os->msr_read(os->ctx, fd, 0x38d, &value), 0);
        CU_ASSERT_EQUAL(value, on ? 0xb0 : 0);
        CU_ASSERT_EQUAL(os->msr_read(os->ctx, fd, 0x186, &value), 0);
        CU_ASSERT_EQUAL(value, 0);
        end();
    }
}

static const CU_TestInfo tests[] = {
    {"it holds fixed counter 1", holds_fixed_1},
    {"it makes room", makes_room},
    {"pinned events come later", pinned_comes_later},
    {"each CPU", each_cpu},
    {"Arm", arm_cycles},
    {"in registers", in_registers},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("watchdog", tests);
