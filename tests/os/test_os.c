/* SPDX-License-Identifier: MIT */
/* The seam of the machine that the tests run on: what the kernel and the compiler
 * can be asked in another way must be the same. */
#include "tests/support/linux_os.h"
#include "tests/support/unit.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>
#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

static const uint64_t ms = 1000000; /* in ns */

/* ---- the CPU -------------------------------------------------------------------- */

#if defined(__x86_64__) || defined(__i386__)
static void cpuid_leaves(void)
{
    static const uint32_t leaves[][2] = {{0, 0}, {4, 0}, {4, 1}, {7, 0}, {0x80000000, 0}, {0x80000002, 0}};
    static const uint32_t none[4];
    uint32_t got[4], want[4];

    for (size_t i = 0; i < sizeof(leaves) / sizeof(*leaves); i++) {
        memset(want, 0, sizeof(want));
        __get_cpuid_count(leaves[i][0], leaves[i][1], &want[0], &want[1], &want[2], &want[3]);
        memset(got, 0xff, sizeof(got));
        CU_ASSERT_EQUAL(OS(cpuid, -1, leaves[i][0], leaves[i][1], got), 0);
        CU_ASSERT_EQUAL(memcmp(got, want, sizeof(got)), 0);
    }
    CU_ASSERT_EQUAL(OS(cpuid, -1, (uint32_t)__get_cpuid_max(0, NULL) + 1, 0, got), 0);
    CU_ASSERT_EQUAL(memcmp(got, none, sizeof(got)), 0);
    memset(got, 0xff, sizeof(got));
    CU_ASSERT_EQUAL(OS(cpuid, -1, 0x8000ffff, 0, got), 0);
    CU_ASSERT_EQUAL(memcmp(got, none, sizeof(got)), 0);
    __cpuid(1, want[0], want[1], want[2], want[3]);
    CU_ASSERT_EQUAL(OS(cpuid, -1, 0x40000000, 0, got), 0);
    if (want[2] >> 31) {
        __cpuid(0x40000000, want[0], want[1], want[2], want[3]);
        CU_ASSERT_EQUAL(memcmp(got, want, sizeof(got)), 0);
    } else {
        CU_ASSERT_EQUAL(memcmp(got, none, sizeof(got)), 0);
    }
}

/* Leaf 1 gives the APIC id in EBX 31..24, which no two of the first CPUs share. */
static void cpuid_of_each_cpu(void)
{
    cpu_set_t may, after;
    uint32_t got[4], want[4];

    CU_ASSERT_EQUAL_FATAL(sched_getaffinity(0, sizeof(may), &may), 0);
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        if (!CPU_ISSET((size_t)cpu, &may))
            continue;
        CU_ASSERT_EQUAL(OS(cpuid, cpu, 1, 0, got), 0);
        CU_ASSERT_EQUAL(sched_getaffinity(0, sizeof(after), &after), 0);
        CU_ASSERT(CPU_EQUAL(&may, &after));
        CU_ASSERT_EQUAL(OS(pin, cpu), 0);
        __cpuid(1, want[0], want[1], want[2], want[3]);
        CU_ASSERT_EQUAL(OS(pin, -1), 0);
        CU_ASSERT_EQUAL(got[0], want[0]);
        CU_ASSERT_EQUAL(got[1] >> 24, want[1] >> 24);
    }
    CU_ASSERT_EQUAL(OS(cpuid, 8191, 1, 0, got), -EINVAL);
    CU_ASSERT_EQUAL(OS(cpuid, 8192, 1, 0, got), -EINVAL);
    CU_ASSERT_EQUAL(OS(cpuid, INT32_MAX, 1, 0, got), -EINVAL);
    CU_ASSERT_EQUAL(sched_getaffinity(0, sizeof(after), &after), 0);
    CU_ASSERT(CPU_EQUAL(&may, &after));
}
#else
static void cpuid_leaves(void)
{
    uint32_t got[4];

    CU_ASSERT_EQUAL(OS(cpuid, -1, 0, 0, got), -ENOSYS);
}

static void cpuid_of_each_cpu(void)
{
}
#endif

static int first_cpu(const cpu_set_t *set)
{
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET((size_t)cpu, set))
            return cpu;
    return -1;
}

/* After any number of pins, -1 gives what was before the first and no more. */
static void pins(void)
{
    cpu_set_t before, one, now;
    int cpu;

    CU_ASSERT_EQUAL_FATAL(sched_getaffinity(0, sizeof(before), &before), 0);
    cpu = first_cpu(&before);
    CPU_ZERO(&one);
    CPU_SET((size_t)cpu, &one);
    CU_ASSERT_EQUAL(OS(pin, -1), 0);
    for (int i = 0; i < 2; i++) {
        CU_ASSERT_EQUAL(OS(pin, cpu), 0);
        CU_ASSERT_EQUAL(sched_getaffinity(0, sizeof(now), &now), 0);
        CU_ASSERT(CPU_EQUAL(&now, &one));
    }
    CU_ASSERT_EQUAL(OS(pin, 8191), -EINVAL);
    CU_ASSERT_EQUAL(OS(pin, -1), 0);
    CU_ASSERT_EQUAL(sched_getaffinity(0, sizeof(now), &now), 0);
    CU_ASSERT(CPU_EQUAL(&now, &before));

    /* as under taskset: another affinity now, and it is this one that comes back */
    CU_ASSERT_EQUAL(sched_setaffinity(0, sizeof(one), &one), 0);
    CU_ASSERT_EQUAL(OS(pin, cpu), 0);
    CU_ASSERT_EQUAL(OS(pin, -1), 0);
    CU_ASSERT_EQUAL(sched_getaffinity(0, sizeof(now), &now), 0);
    CU_ASSERT(CPU_EQUAL(&now, &one));
    CU_ASSERT_EQUAL(sched_setaffinity(0, sizeof(before), &before), 0);
}

static void times(void)
{
    uint64_t last = OS(now), few, many;
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    CU_ASSERT((uint64_t)t.tv_sec - last / 1000000000 <= 1);
    for (int i = 0; i < 1000; i++) {
        uint64_t next = OS(now);

        CU_ASSERT_FATAL(next >= last);
        last = next;
    }
    few = OS(spin, 0);
    CU_ASSERT(few > 0);
    last = OS(now);
    many = OS(spin, 30 * ms);
    CU_ASSERT(OS(now) - last >= 30 * ms);
    CU_ASSERT(many > few);
}

/* ---- files ---------------------------------------------------------------------- */

static void files(void)
{
    char buf[256], want[256] = "", path[] = "/tmp/tdprobe-test-XXXXXX", big[9000];
    FILE *version = fopen("/proc/version", "r");
    int fd = mkstemp(path);

    CU_ASSERT_PTR_NOT_NULL_FATAL(version);
    CU_ASSERT_FATAL(fd >= 0);
    CU_ASSERT_PTR_NOT_NULL(fgets(want, sizeof(want), version));
    fclose(version);
    CU_ASSERT_EQUAL(OS(file, "/proc/version", buf, sizeof(buf)), (ssize_t)strlen(want));
    CU_ASSERT_STRING_EQUAL(buf, want);
    CU_ASSERT_EQUAL(OS(file, "/proc/version", buf, 6), 5);
    CU_ASSERT_STRING_EQUAL(buf, "Linux");
    CU_ASSERT_EQUAL(OS(file, "/proc/version", buf, 1), 0);
    CU_ASSERT_STRING_EQUAL(buf, "");
    CU_ASSERT_EQUAL(OS(file, "/proc/version", buf, 0), -EINVAL);

    strcpy(buf, "x");
    CU_ASSERT_EQUAL(OS(file, path, buf, sizeof(buf)), 0); /* empty */
    CU_ASSERT_STRING_EQUAL(buf, "");
    memset(big, 'a', sizeof(big));
    CU_ASSERT_EQUAL(write(fd, big, sizeof(big) - 1), (ssize_t)sizeof(big) - 1);
    memset(big, 'b', sizeof(big));
    CU_ASSERT_EQUAL(OS(file, path, big, sizeof(big)), (ssize_t)sizeof(big) - 1);
    CU_ASSERT_EQUAL(strspn(big, "a"), sizeof(big) - 1);
    CU_ASSERT_EQUAL(big[sizeof(big) - 1], '\0');
    close(fd);
    unlink(path);

    strcpy(buf, "x");
    CU_ASSERT_EQUAL(OS(file, path, buf, sizeof(buf)), -ENOENT);
    CU_ASSERT_STRING_EQUAL(buf, "");
    CU_ASSERT_EQUAL(OS(file, "/proc", buf, sizeof(buf)), -EISDIR);
    CU_ASSERT_EQUAL(OS(file, "/proc/version/x", buf, sizeof(buf)), -ENOTDIR);
}

/* Each write into a pipe of packets is a read of its own. */
static void pieces(void)
{
    char path[64], buf[16];
    int ends[2];

    CU_ASSERT_EQUAL_FATAL(pipe2(ends, O_CLOEXEC | O_DIRECT), 0);
    snprintf(path, sizeof(path), "/proc/self/fd/%d", ends[0]);
    CU_ASSERT_EQUAL(write(ends[1], "ab", 2), 2);
    CU_ASSERT_EQUAL(write(ends[1], "cde", 3), 3);
    close(ends[1]);
    CU_ASSERT_EQUAL(OS(file, path, buf, sizeof(buf)), 5);
    CU_ASSERT_STRING_EQUAL(buf, "abcde");
    close(ends[0]);
}

struct seen {
    int n, dots, self, stop_at;
};

static int see(void *arg, const char *name)
{
    struct seen *seen = arg;

    seen->n++;
    seen->dots += name[0] == '.';
    seen->self += !strcmp(name, "status");
    return seen->n == seen->stop_at ? -EXDEV : 0;
}

static void folders(void)
{
    struct seen seen = {0}, stopped = {.stop_at = 2};
    char path[] = "/tmp/tdprobe-test-XXXXXX";
    int fd;

    CU_ASSERT_EQUAL(OS(names, "/proc/self", see, &seen), 0);
    CU_ASSERT(seen.n > 5);
    CU_ASSERT_EQUAL(seen.dots, 0);
    CU_ASSERT_EQUAL(seen.self, 1);
    CU_ASSERT_EQUAL(OS(names, "/proc/self", see, &stopped), -EXDEV);
    CU_ASSERT_EQUAL(stopped.n, 2);
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(path));
    memset(&seen, 0, sizeof(seen));
    CU_ASSERT_EQUAL(OS(names, path, see, &seen), 0);
    CU_ASSERT_EQUAL(seen.n, 0);
    fd = OS(folder, path);
    CU_ASSERT(fd >= 0);
    CU_ASSERT(fcntl(fd, F_GETFD) & FD_CLOEXEC);
    CU_ASSERT_EQUAL(OS(close, fd), 0);
    CU_ASSERT_EQUAL(OS(close, fd), -EBADF);
    rmdir(path);
    CU_ASSERT_EQUAL(OS(names, path, see, &seen), -ENOENT);
    CU_ASSERT_EQUAL(OS(folder, path), -ENOENT);
    CU_ASSERT_EQUAL(OS(folder, "/proc/version"), -ENOTDIR);
}

static void descriptors(void)
{
    struct perf_event_attr attr;
    char buf[8];
    int ends[2], fd, unread = 0;

    CU_ASSERT_EQUAL_FATAL(pipe(ends), 0);
    CU_ASSERT_EQUAL(write(ends[1], "abc", 3), 3);
    CU_ASSERT_EQUAL(OS(read, ends[0], buf, 2), 2);
    /* of a pipe, since an emulator of user programs knows no ioctl of perf */
    CU_ASSERT_EQUAL(OS(perf_ioctl, ends[0], FIONREAD, (unsigned long)&unread), 0);
    CU_ASSERT_EQUAL(unread, 1);
    CU_ASSERT_EQUAL(OS(read, ends[0], buf, sizeof(buf)), 1);
    CU_ASSERT_EQUAL(OS(close, ends[0]), 0);
    CU_ASSERT_EQUAL(OS(close, ends[1]), 0);
    CU_ASSERT_EQUAL(OS(read, ends[0], buf, 1), -EBADF);
    CU_ASSERT_EQUAL(OS(perf_ioctl, ends[0], FIONREAD, (unsigned long)&unread), -EBADF);

    /* a software event, where the kernel lets us: its descriptor is never the command's */
    memset(&attr, 0, sizeof(attr));
    attr.size = sizeof(attr);
    attr.type = PERF_TYPE_SOFTWARE;
    attr.config = PERF_COUNT_SW_DUMMY;
    attr.exclude_kernel = 1;
    fd = OS(perf_open, &attr, 0, -1, -1, 0);
    if (fd >= 0) {
        CU_ASSERT(fcntl(fd, F_GETFD) & FD_CLOEXEC);
        CU_ASSERT_EQUAL(OS(perf_ioctl, fd, PERF_EVENT_IOC_ENABLE, 0), 0);
        CU_ASSERT_EQUAL(OS(read, fd, buf, sizeof(buf)), (ssize_t)sizeof(buf));
        CU_ASSERT_EQUAL(OS(close, fd), 0);
    }
    attr.type = UINT32_MAX;
    CU_ASSERT(OS(perf_open, &attr, 0, -1, -1, 0) < 0);
}

static void nothing_leaks(void)
{
    int before = linux_descriptors();

    files();
    folders();
    descriptors();
    CU_ASSERT_EQUAL(linux_descriptors(), before);
}

static const CU_TestInfo tests[] = {
    {"CPUID", cpuid_leaves},
    {"CPUID of each CPU", cpuid_of_each_cpu},
    {"pin and unpin", pins},
    {"clock and spin", times},
    {"files", files},
    {"a file in pieces", pieces},
    {"folders", folders},
    {"descriptors", descriptors},
    {"no descriptor leaks", nothing_leaks},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("os", tests);
