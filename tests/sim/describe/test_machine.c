/* SPDX-License-Identifier: MIT */
/* The simulated machine: commands, files, who may do what, and what its parser refuses. */
#include "tests/support/sim_text.h"

#include <signal.h>

static void commands(void)
{
    char *const argv[] = {"true", NULL}, *const none[] = {"no-such-command", NULL};
    struct perf_event_attr attr = attr_of(0xc2);
    struct td_os_event e;
    uint64_t out[3];
    pid_t pid;
    int fd;

    if (!begin(BIG "command w ms=50 exit=3\n"))
        return;
    pid = os->spawn(os->ctx, argv);
    CU_ASSERT_TRUE(pid > 0);
    attr.disabled = attr.enable_on_exec = 1;
    fd = os->perf_open(os->ctx, &attr, pid, -1, -1, 0);
    CU_ASSERT_EQUAL(pass(10), TD_OS_TIME);
    CU_ASSERT_EQUAL(os->release(os->ctx), 0);
    CU_ASSERT_EQUAL(os->wait(os->ctx, UINT64_MAX, -1, &e), 0);
    CU_ASSERT_TRUE(e.what == TD_OS_EXIT && e.status == 3 << 8);
    CU_ASSERT_EQUAL(pass(10), TD_OS_TIME); /* reported once */
    CU_ASSERT_EQUAL(os->read(os->ctx, fd, out, sizeof(out)), 3 * 8);
    CU_ASSERT_TRUE(out[0] == 25 * MSEC && out[1] == 50 * MSEC && out[2] == 50 * MSEC);
    CU_ASSERT_EQUAL(os->perf_open(os->ctx, &attr, pid, -1, -1, 0), -ESRCH);
    CU_ASSERT_EQUAL(os->kill(os->ctx, SIGTERM), -ESRCH);
    CU_ASSERT_TRUE(os->spawn(os->ctx, argv) > pid);
    os->release(os->ctx);
    CU_ASSERT_EQUAL(os->kill(os->ctx, SIGINT), 0);
    CU_ASSERT_EQUAL(pass(10), TD_OS_EXIT);
    os->spawn(os->ctx, none);
    CU_ASSERT_EQUAL(os->release(os->ctx), -ENOENT);
    CU_ASSERT_EQUAL(os->wait(os->ctx, UINT64_MAX, -1, &e), -EDEADLK); /* nothing will ever come */
    end();
    if (!begin(BIG "task 5000 x w\ntask 70 x w threads=5001\ncommand w ms=50\n"))
        return;
    CU_ASSERT_EQUAL(os->spawn(os->ctx, argv), 5002); /* not the number of another task */
    end();
}

static void signals(void)
{
    struct td_os_event e;

    if (!begin(BIG "signal SIGUSR1 at=20\nsignal SIGINT at=10\n"))
        return;
    CU_ASSERT_EQUAL(os->wait(os->ctx, UINT64_MAX, -1, &e), 0);
    CU_ASSERT_TRUE(e.what == TD_OS_SIGNAL && e.signal == SIGINT && os->now(os->ctx) == 1010 * (uint64_t)MSEC);
    CU_ASSERT_EQUAL(pass(5), TD_OS_TIME);
    CU_ASSERT_EQUAL(os->wait(os->ctx, UINT64_MAX, -1, &e), 0);
    CU_ASSERT_TRUE(e.what == TD_OS_SIGNAL && e.signal == SIGUSR1 && os->now(os->ctx) == 1020 * (uint64_t)MSEC);
    end();
}

static void cpus_go_off(void)
{
    struct sim_reading r;
    int fd;

    if (!begin(BUSY "hotplug 1 off at=50\nhotplug 1 on at=100\n"))
        return;
    fd = open_metrics(1);
    ioctl_group(fd, PERF_EVENT_IOC_ENABLE);
    CU_ASSERT_TRUE(file_is("/sys/devices/system/cpu/online", "0-1\n"));
    pass(60);
    CU_ASSERT_TRUE(file_is("/sys/devices/system/cpu/online", "0\n") &&
                   file_is("/sys/devices/system/cpu/cpu1/online", "0\n"));
    CU_ASSERT_EQUAL(take(fd, &r), 4 * 8); /* its group was broken */
    CU_ASSERT_TRUE(r.n == 1 && r.enabled < 50 * MSEC && r.value[0] == r.enabled);
    CU_ASSERT_EQUAL(take(fd + 1, &r), 0);
    CU_ASSERT_EQUAL(open_on(0xc2, 1, -1), -ENODEV);
    CU_ASSERT_EQUAL(open_on(0xc2, 2, -1), -EINVAL);
    CU_ASSERT_EQUAL(os->pin(os->ctx, 1), -EINVAL);
    pass(60);
    CU_ASSERT_TRUE(open_on(0xc2, 1, -1) > 0);
    take(fd, &r);
    CU_ASSERT_TRUE(r.enabled < 50 * MSEC); /* it does not come back */
    end();
}

static void cgroups(void)
{
    struct perf_event_attr attr = attr_of(0xc2);
    uint64_t out[3];
    int folder, fd;

    if (!begin(BUSY "task 7 x w cpus=0,1 slice=10\ncgroup ab/c tasks=7\ncgroup ab\ncgroup a\n"))
        return;
    CU_ASSERT_EQUAL(os->folder(os->ctx, "/sys/fs/cgroup/c"), -ENOENT);
    folder = os->folder(os->ctx, "/sys/fs/cgroup/ab/c");
    CU_ASSERT_EQUAL(os->perf_open(os->ctx, &attr, folder, -1, -1, PERF_FLAG_PID_CGROUP), -EINVAL);
    CU_ASSERT_EQUAL(os->perf_open(os->ctx, &attr, 99, 0, -1, PERF_FLAG_PID_CGROUP), -EBADF);
    fd = os->perf_open(os->ctx, &attr, folder, 0, -1, PERF_FLAG_PID_CGROUP);
    CU_ASSERT_EQUAL(os->close(os->ctx, folder), 0);
    pass(100);
    CU_ASSERT_EQUAL(os->read(os->ctx, fd, out, sizeof(out)), 3 * 8);
    CU_ASSERT_TRUE(out[1] > 49 * MSEC && out[1] < 51 * MSEC && out[2] == out[1] && out[0] == out[1] / 2);
    for (size_t i = 0; i < 4; i++) {
        static const char *const around[] = {"", "/ab", "/ab/c", "/a"};
        char path[64];

        snprintf(path, sizeof(path), "/sys/fs/cgroup%s", around[i]);
        folder = os->folder(os->ctx, path);
        fd = os->perf_open(os->ctx, &attr, folder, 0, -1, PERF_FLAG_PID_CGROUP);
        pass(20);
        CU_ASSERT_EQUAL(os->read(os->ctx, fd, out, sizeof(out)), 3 * 8);
        /* also those of groups inside it, but not of one whose name only begins alike */
        CU_ASSERT_EQUAL(out[1] > 9 * MSEC, i < 3);
    }
    CU_ASSERT_TRUE(file_is("/sys/fs/cgroup/ab/c/cgroup.procs", "7\n") && file_is("/proc/7/cgroup", "0::/ab/c\n"));
    end();
}

static void permissions(void)
{
    static const struct {
        int level, cpu, kernel, task; /* errors for: a CPU, kernel mode, a task's user mode */
        const char *kernels, *rights;
    } levels[] = {
        {-1, 0, 0, 0, "", "no"},
        {0, 0, 0, 0, "", "no"},
        {1, EACCES, 0, 0, "", "no"},
        {2, EACCES, EACCES, 0, "", "no"},
        {3, EACCES, EACCES, EACCES, "", "no"},
        {2, EACCES, EACCES, 0, "paranoid mainline\n", "no"},
        {3, EACCES, EACCES, 0, "paranoid mainline\n", "no"},
        {4, EACCES, EACCES, 0, "paranoid mainline\n", "no"},
        {3, EACCES, EACCES, EACCES, "paranoid debian\n", "no"},
        {2, 0, 0, 0, "", "perfmon"},
        {3, EACCES, EACCES, EACCES, "", "perfmon"},
        {4, EACCES, EACCES, EACCES, "paranoid debian\n", "perfmon"},
        {3, 0, 0, 0, "paranoid mainline\n", "perfmon"},
        {4, 0, 0, 0, "", "yes"},
        {4, 0, 0, 0, "paranoid mainline\n", "yes"},
    };

    for (size_t i = 0; i < sizeof(levels) / sizeof(*levels); i++) {
        struct perf_event_attr attr = attr_of(0xc2);
        char text[1024];

        snprintf(text, sizeof(text),
                 "%s%sfile /proc/sys/kernel/perf_event_paranoid = %d\\n\nprivileged %s\ntask 7 x w\n", BIG,
                 levels[i].kernels, levels[i].level, levels[i].rights);
        if (!begin(text))
            return;
#define ERROR_OF(pid, cpu) (os->perf_open(os->ctx, &attr, pid, cpu, -1, 0) < 0 ? EACCES : 0)
        CU_ASSERT_EQUAL(ERROR_OF(-1, 0), levels[i].cpu);
        CU_ASSERT_EQUAL(ERROR_OF(7, -1), levels[i].task);
        attr.config |= 1 << 21; /* any thread: treated as a CPU */
        CU_ASSERT_EQUAL(ERROR_OF(7, -1), levels[i].cpu);
        attr.exclude_kernel = 0;
        attr.config = 0xc2;
        CU_ASSERT_EQUAL(ERROR_OF(7, -1), levels[i].kernel);
        end();
    }
    if (!begin(BIG "refuse EPERM\n"))
        return;
    CU_ASSERT_EQUAL(open_on(0xc2, 0, -1), -EPERM);
    end();
}

static int join_names(void *arg, const char *name)
{
    strcat(strcat(arg, name), " ");
    return 0;
}

static void sysfs(void)
{
    char names[512] = "";

    if (!begin(MAGIC "cpus 0-7 smt=2 sockets=2\ncpus 8-9\npmu cpu_core type=4 cpus=0-7 general=8 fixed=0-3 metrics=8\n"
                     "pmu cpu_atom type=8 cpus=8-9 general=6 fixed=0-2\nevent cpu_core slots = event=0x00,umask=0x4\n"
                     "event cpu_core x = event=0x3c scale=2\nfile /a/b = 1\\n2\nabsent /sys/kernel\n"
                     "workload w rate=1000000000\nphase ms=10 " SHARES "task 7 x w cpus=0 threads=8\n"))
        return;
    CU_ASSERT_TRUE(file_is("/sys/devices/system/cpu/cpu1/topology/thread_siblings_list", "1,5\n"));
    CU_ASSERT_TRUE(file_is("/sys/devices/system/cpu/cpu9/topology/thread_siblings_list", "9\n"));
    CU_ASSERT_TRUE(file_is("/sys/devices/system/cpu/cpu7/topology/physical_package_id", "1\n"));
    CU_ASSERT_TRUE(file_is("/sys/devices/system/cpu/cpu3/topology/core_id", "3\n") &&
                   file_is("/sys/devices/system/cpu/cpu7/topology/core_id", "3\n"));
    CU_ASSERT_TRUE(file_is("/sys/devices/system/cpu/cpu8/topology/core_id", "4\n")); /* further lines, further cores */
    CU_ASSERT_TRUE(file_is("/sys/devices/system/cpu/smt/active", "1\n"));
    CU_ASSERT_TRUE(file_is("/sys/devices/system/node/node1/cpulist", "2-3,6-7\n"));
    CU_ASSERT_TRUE(file_is("/sys/bus/event_source/devices/cpu_atom/cpus", "8-9\n"));
    CU_ASSERT_TRUE(file_is("/sys/bus/event_source/devices/cpu_core/events/x.scale", "2\n"));
    CU_ASSERT_TRUE(file_is("/proc/7/task/8/comm", "x\n") && file_is("/a/b", "1\n2"));
    CU_ASSERT_EQUAL(os->file(os->ctx, "/sys/kernel/security/lockdown", names, sizeof(names)), -ENOENT);
    CU_ASSERT_EQUAL(os->file(os->ctx, "/proc/7", names, sizeof(names)), -EISDIR);
    names[0] = '\0';
    CU_ASSERT_EQUAL(os->names(os->ctx, "/sys/bus/event_source/devices/cpu_core/events/", join_names, names), 0);
    CU_ASSERT_STRING_EQUAL(names, "slots x x.scale ");
    names[0] = '\0';
    CU_ASSERT_EQUAL(os->names(os->ctx, "/proc/7/task", join_names, names), 0);
    CU_ASSERT_STRING_EQUAL(names, "7 8 ");
    CU_ASSERT_EQUAL(os->names(os->ctx, "/none", join_names, names), -ENOENT);
    end();
}

static void identities(void)
{
    uint32_t out[4];

    if (!begin(
            MAGIC
            "cpus 0-1\ncpuid 0x1a = 0x40000001 0 0 0 cpus=0\ncpuid 0x1a = 0x20000001 0 0 0 cpus=1\ncpuid 0x7.1 = 1 2 3 4\n"))
        return;
    CU_ASSERT_TRUE(os->cpuid(os->ctx, 1, 0x1a, 0, out) == 0 && out[0] == 0x20000001);
    CU_ASSERT_TRUE(os->cpuid(os->ctx, 0, 7, 1, out) == 0 && out[3] == 4);
    CU_ASSERT_TRUE(os->cpuid(os->ctx, 0, 7, 0, out) == 0 && out[3] == 0);
    CU_ASSERT_EQUAL(os->cpuid(os->ctx, 2, 7, 0, out), -EINVAL);
    CU_ASSERT_EQUAL(os->pin(os->ctx, 1), 0);
    CU_ASSERT_TRUE(os->cpuid(os->ctx, -1, 0x1a, 0, out) == 0 && out[0] == 0x20000001);
    end();
    if (!begin(MAGIC "cpus 0\nmidr 0x410fd490\npmu armv8_pmuv3_0 type=8 cpus=0 general=2 fixed=cycle\n"))
        return;
    CU_ASSERT_EQUAL(os->cpuid(os->ctx, -1, 0, 0, out), -ENOSYS);
    CU_ASSERT_TRUE(file_is("/sys/devices/system/cpu/cpu0/regs/identification/midr_el1", "0x00000000410fd490\n"));
    CU_ASSERT_TRUE(file_is("/proc/cpuinfo",
                           "processor\t: 0\nCPU implementer\t: 0x41\nCPU architecture: 8\nCPU variant\t: 0x0\n"
                           "CPU part\t: 0xd49\nCPU revision\t: 0\n\n"));
    CU_ASSERT_TRUE(open_on(0x11, 0, -1) > 0 && open_on(0x7777, 0, -1) > 0); /* Arm opens anything */
    end();
}

/* The process itself works only while it spins, on the CPU that it is bound to. */
static void spinning(void)
{
    struct sim_reading r;
    int fd;

    if (!begin(BIG "spin w adds=2000000000\n"))
        return;
    os->pin(os->ctx, 1);
    fd = open_task(0xc2, 0, -1);
    CU_ASSERT_EQUAL(os->spin(os->ctx, 10 * MSEC), 20 * MSEC);
    pass(100);
    take(fd, &r);
    CU_ASSERT_TRUE(r.enabled == 10 * MSEC && r.value[0] == 5 * MSEC);
    end();
}

static void lies(void)
{
    static const char *const how[] = {"equal", "constant", "slots"};

    for (size_t i = 0; i < 3; i++) {
        char text[1024];
        struct sim_reading r;
        int fd;

        snprintf(text, sizeof(text), "%slie cpu %s\n", BUSY, how[i]);
        if (!begin(text))
            return;
        fd = open_metrics(0);
        open_on(0x3c, 0, fd);
        ioctl_group(fd, PERF_EVENT_IOC_ENABLE);
        pass(1000);
        take(fd, &r);
        if (i == 0)
            CU_ASSERT_TRUE(r.value[0] == 1000001000 && r.value[1] == r.value[0] && r.value[8] == r.value[0] &&
                           r.value[9] == r.value[0]);
        if (i == 1)
            CU_ASSERT_TRUE(r.value[0] == 1000000 && r.value[4] == 1000000 && r.value[9] == 1000000);
        if (i == 2) /* 64 slots in each cycle */
            CU_ASSERT_TRUE(r.value[0] == 16 * UINT64_C(1000001000) && r.value[9] == 250000250);
        end();
    }
}

#define WORDS_31 " x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x"

static void bad_descriptions(void)
{
    static const struct {
        const char *text, *why;
    } bad[] = {
        {"", "m:0: the file is empty"},
        {"cpus 0\n", "m:1: not a machine: the first line is not '# tdprobe-machine: 1'"},
        {"# tdprobe-machine: 2\n", "m:1: version '2' of the format; this tdprobe reads version 1"},
        {MAGIC "cpus 0", "m:2: the last line does not end: the file was cut off"},
        {MAGIC "# nothing\n", "m:2: no 'cpus' line"},
        {MAGIC "cpu 0\n", "m:2: unknown keyword 'cpu': see tdprobe-machine(5)"},
        {MAGIC "cpus 0-65536\n", "m:2: cpus '0-65536' is not a list like 0-3,8 of different CPUs below 65536"},
        {MAGIC "cpus 0,0\n", "m:2: cpus '0,0' is not a list like 0-3,8 of different CPUs below 65536"},
        {MAGIC "cpus\n", "m:2: cpus '' is not a list like 0-3,8 of different CPUs below 65536"},
        {MAGIC "cpus 0-2 smt=2\n", "m:2: 3 CPUs are not whole cores, sockets and nodes"},
        {MAGIC "cpus 0\ncpus 0\n", "m:3: CPU 0 is described twice"},
        {MAGIC "cpus 0 fast\n", "m:2: unknown word 'fast' in a line 'cpus'"},
        {MAGIC "cpuid 0x1 = 1 2 3\n", "m:2: a register is missing"},
        {MAGIC "cpus 0\npmu cpu type=4 cpus=1\n", "m:3: cpus: no 'cpus' line has CPU 1"},
        {MAGIC "cpus 0\npmu cpu type=4 cpus=0 metrics=5\n", "m:3: metrics is 5, not 0, 4 or 8"},
        {MAGIC "cpus 0\npmu cpu type=4 cpus=0\npmu x type=4 cpus=0\n", "m:4: a PMU above has the name x or the type 4"},
        {MAGIC "event cpu x = event=1\n", "m:2: no PMU 'cpu' above"},
        {MAGIC "file a = b\n", "m:2: not 'file /PATH = text'"},
        {MAGIC "file /a = \\x\n", "m:2: a '\\' that is not of \\n, \\t or \\\\"},
        {MAGIC "workload w rate=5\n", "m:2: rate is 5, not 1000000 to 100000000000"},
        {MAGIC "workload w rate=1000000\n"
               "phase ms=1 retiring=1 bad=0.5\n",
         "m:3: retiring, bad, frontend and backend sum to 1.500000, not 1"},
        {MAGIC "workload w rate=1000000\nphase ms=1 retiring=1 bad=0 memory=0.1\n",
         "m:3: memory is more than backend, which it is a part of"},
        {MAGIC "workload w rate=1000000\nphase ms=1 retiring=0.3333333\n",
         "m:3: retiring '0.3333333' is not a number with at most 6 digits after the dot"},
        {MAGIC "cpus 0\nworkload w rate=1000000\n", "m:3: the workload w has no phase"},
        {MAGIC "cpus 0\nrun w cpus=0\n", "m:3: no workload 'w' above for CPU 0"},
        {HYBRID "workload v pmu=cpu_core rate=1000000\nphase ms=1 retiring=1\nrun v cpus=0-3\n",
         "m:14: no workload 'v' above for CPU 2, PMU cpu_atom"},
        {BIG "count 0xc2 0.5 on=0\n", "m:9: the event has other counters or words after it than above"},
        {BIG "task 7 x w threads=7\n", "m:9: the task 7 is described twice"},
        {BIG "cgroup a tasks=7\n", "m:9: no task '7' above"},
        {BIG "command w ms=1 exit=1 signal=2\n", "m:9: exit and signal exclude each other"},
        {BIG "hotplug 5 off at=1\n", "m:9: no 'cpus' line has CPU 5"},
        {BIG "rival 5 1 at=1\n", "m:9: no 'cpus' line has CPU 5"},
        {BIG "rival 0 0 at=1\n", "m:9: how many events is 0, not 1 to 32"},
        {BIG "rival 0 1\n", "m:9: at is missing"},
        {BIG "rival 0 1 at=9 until=8\n", "m:9: until is 8, not 9 to 1000000000"},
        {BIG "signal SIGKILL at=1\n", "m:9: 'SIGKILL' is not SIGINT, SIGTERM, SIGHUP, SIGUSR1 or SIGUSR2"},
        {BIG "watchdog maybe\n", "m:9: 'maybe' is not on or off"},
        {BIG "watchdog\n", "m:9: '' is not on or off"},
        {BIG "msr\n", "m:9: not 'msr absent', 'msr locked' or 'msr REGISTER = VALUE'"},
        {BIG "run w cpus=0-1\nrun w cpus=1\n", "m:10: CPU 1 runs something already"},
        {BIG "cgroup a\ncgroup a\n", "m:10: the cgroup a is described twice"},
        {BIG "pmu x type=5 cpus=1\n", "m:9: CPU 1 has a PMU already"},
        {BIG "pmu x type=5\n", "m:9: cpus is missing"},
        {BIG "workload w rate=1000000\n", "m:9: the workload w is described twice for this PMU"},
        {BIG "lie cpu big\n", "m:9: 'big' is not equal, constant or slots"},
        {BIG "cgroup a" WORDS_31 WORDS_31 " tasks=7\n", "m:9: more than 64 words"},
        {BIG "cgroup a" WORDS_31 WORDS_31 "\n", "m:9: unknown word 'x' in a line 'cgroup'"},
        {BIG "count 0xc3\n", "m:9: no rate after the event"},
        {BIG "count\n", "m:9: the event is missing"},
        {MAGIC "cpus 0\npmu cpu type=4 cpus=0\ncount 0xc3 1\n", "m:4: no phase of a workload with a PMU above"},
        {MAGIC "workload w rate=1000000\nphase ms=1 retiring=1\nrun w\n", "m:4: cpus is missing"},
        {MAGIC "phase ms=1 retiring=1\n", "m:2: no workload above"},
        {MAGIC "workload w rate=1000000\nphase ms=1 retiring=1\ntask 7 x w\n", "m:4: no 'cpus' line above"},
        {BIG "start w at=1 ms=1\n", "m:9: no 'command' above, which would start it"},
        {BIG "command w ms=9\nstart w at=1\n", "m:10: ms is missing"},
        {BIG "command w ms=9 name=a\ncommand w ms=9 name=a\n", "m:10: a second command of this name"},
        {BIG "command w ms=9\ncommand w ms=9\n", "m:10: a second command without name="},
        {BIG "command w ms=9 name=a/b\n",
         "m:9: name 'a/b' is not the name of a program, of at most 31 characters and without /"},
        {BIG "spin w\nspin w\n", "m:10: a second line 'spin'"},
        {BIG "spin w adds=0\n", "m:9: adds is 0, not 1 to 100000000000"},
    };

    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
        char why[256];

        CU_ASSERT_EQUAL(load(bad[i].text, why, sizeof(why)), -EBADMSG);
        if (strcmp(why, bad[i].why))
            fprintf(stderr, "expected %s\n     got %s\n", bad[i].why, why);
        CU_ASSERT_STRING_EQUAL(why, bad[i].why);
    }
}

static const CU_TestInfo tests[] = {
    {"commands", commands},
    {"signals", signals},
    {"CPUs go off and on", cpus_go_off},
    {"cgroups", cgroups},
    {"permissions", permissions},
    {"files", sysfs},
    {"identities", identities},
    {"spinning", spinning},
    {"lies", lies},
    {"bad descriptions", bad_descriptions},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("machine", tests);
