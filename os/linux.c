/* SPDX-License-Identifier: MIT */
/* The machine that the process runs on. Only the files in os/ make system calls
 * within the library, which tests/scripts/seam.sh proves. */
#include "os/linux.h"

#include "os/lent.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

/* Holds 8192 CPUs, the most that a kernel can be built for on x86 or arm64: if the kernel
 * has more possible CPUs than the set holds it returns EINVAL, so cpu_set_t is too small. */
struct cpus {
    cpu_set_t set[8192 / CPU_SETSIZE];
};

static int affinity_get(struct cpus *out)
{
    memset(out, 0, sizeof(*out));
    return sched_getaffinity(0, sizeof(*out), out->set) ? -errno : 0;
}

static int affinity_set(const struct cpus *cpus)
{
    return sched_setaffinity(0, sizeof(*cpus), cpus->set) ? -errno : 0;
}

/* The kernel has moved the thread when this returns. */
static int affinity_one(int cpu)
{
    struct cpus one = {0};

    if (cpu < 0 || (size_t)cpu >= 8 * sizeof(one))
        return -EINVAL;
    CPU_SET_S((size_t)cpu, sizeof(one), one.set);
    return affinity_set(&one);
}

#if defined(__x86_64__) || defined(__i386__)
/* Intel answers a leaf beyond the maximum with the data of its last one (SDM 2A,
 * CPUID), which is never wanted: here such a leaf is zeros, as on AMD and in a description.
 * A hypervisor's leaves are a separate range, and exist only if the CPU
 * says so (leaf 1, ECX bit 31). */
static bool leaf_is_there(uint32_t leaf)
{
    const uint32_t range = leaf & 0xffff0000;
    uint32_t a, b, c, d;

    if (range == 0x40000000) {
        __cpuid(1, a, b, c, d);
        if (!(c >> 31))
            return false;
    }
    return leaf == range || leaf <= (uint32_t)__get_cpuid_max(range, NULL);
}

static int cpuid_here(uint32_t leaf, uint32_t subleaf, uint32_t out[4])
{
    if (!__get_cpuid_max(0, NULL))
        return -ENOSYS;
    memset(out, 0, 4 * sizeof(*out));
    if (leaf_is_there(leaf))
        __cpuid_count(leaf, subleaf, out[0], out[1], out[2], out[3]);
    return 0;
}
#else
static int cpuid_here(uint32_t leaf, uint32_t subleaf, uint32_t out[4])
{
    (void)leaf;
    (void)subleaf;
    (void)out;
    return -ENOSYS;
}
#endif

static int os_cpuid(void *ctx, int cpu, uint32_t leaf, uint32_t subleaf, uint32_t out[4])
{
    struct cpus before;
    int err, back;

    (void)ctx;
    if (cpu < 0)
        return cpuid_here(leaf, subleaf, out);
    err = affinity_get(&before);
    if (!err)
        err = affinity_one(cpu);
    if (err)
        return err;
    err = cpuid_here(leaf, subleaf, out);
    back = affinity_set(&before);
    return err ? err : back;
}

static int os_perf_open(void *ctx, const struct perf_event_attr *attr, pid_t pid, int cpu, int group,
                        unsigned long flags)
{
    long fd;

    (void)ctx;
    td_lent_counters(true);
    fd = syscall(SYS_perf_event_open, attr, pid, cpu, group, flags | PERF_FLAG_FD_CLOEXEC);
    fd = fd < 0 ? -errno : fd;
    td_lent_counters(false);
    return (int)fd;
}

static int os_perf_ioctl(void *ctx, int fd, unsigned long request, unsigned long arg)
{
    int result = ioctl(fd, request, arg);

    (void)ctx;
    return result < 0 ? -errno : result;
}

static ssize_t os_read(void *ctx, int fd, void *buf, size_t size)
{
    ssize_t n = read(fd, buf, size);

    (void)ctx;
    return n < 0 ? -errno : n;
}

static int os_open(void *ctx, const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);

    (void)ctx;
    return fd < 0 ? -errno : fd;
}

static int os_seek(void *ctx, int fd, uint64_t offset)
{
    (void)ctx;
    return offset > INT64_MAX ? -EINVAL : lseek(fd, (off_t)offset, SEEK_SET) < 0 ? -errno : 0;
}

static int os_close(void *ctx, int fd)
{
    (void)ctx;
    return close(fd) ? -errno : 0;
}

static ssize_t os_file(void *ctx, const char *path, char *buf, size_t size)
{
    ssize_t n;
    int fd;

    (void)ctx;
    if (size == 0)
        return -EINVAL;
    buf[0] = '\0';
    fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0)
        return -errno;
    n = td_os_read_all(fd, buf, size - 1);
    buf[n < 0 ? 0 : n] = '\0';
    close(fd);
    return n;
}

static int os_names(void *ctx, const char *path, td_os_name_fn *each, void *arg)
{
    DIR *dir = opendir(path);
    int result = 0;

    (void)ctx;
    if (!dir)
        return -errno;
    while (!result) {
        const struct dirent *entry;

        errno = 0;
        entry = readdir(dir);
        if (!entry) {
            result = -errno;
            break;
        }
        if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
            result = each(arg, entry->d_name);
    }
    closedir(dir);
    return result;
}

static int os_identity(void *ctx, const char *path, uint64_t *out)
{
    struct stat is;

    (void)ctx;
    if (stat(path, &is))
        return -errno;
    *out = is.st_ino;
    return 0;
}

static int os_folder(void *ctx, const char *path)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    (void)ctx;
    return fd < 0 ? -errno : fd;
}

/* The thread's mask before its first pin(): a thread started under taskset may
 * not use every CPU, and -1 must not allow it more. */
static _Thread_local struct cpus unpinned;
static _Thread_local bool pinned;

static int os_pin(void *ctx, int cpu)
{
    int err = 0;

    (void)ctx;
    if (cpu < 0) {
        err = pinned ? affinity_set(&unpinned) : 0;
        if (!err)
            pinned = false;
        return err;
    }
    if (!pinned)
        err = affinity_get(&unpinned);
    if (!err)
        err = affinity_one(cpu);
    if (!err)
        pinned = true;
    return err;
}

const struct td_os td_os_linux = {
    .name = "linux",
    .cpuid = os_cpuid,
    .perf_open = os_perf_open,
    .perf_ioctl = os_perf_ioctl,
    .read = os_read,
    .close = os_close,
    .open = os_open,
    .seek = os_seek,
    .file = os_file,
    .file_of = td_os_file_of,
    .names = os_names,
    .identity = os_identity,
    .folder = os_folder,
    .map = td_os_self_map,
    .unmap = td_os_self_unmap,
    .rings = td_os_rings,
    .rings_add = td_os_rings_add,
    .here = td_os_self_here,
    .rseq = td_os_self_rseq,
    .msr_open = td_os_self_msr_open,
    .msr_read = td_os_self_msr_read,
    .msr_write = td_os_self_msr_write,
    .now = td_os_clock_now,
    .realtime = td_os_clock_realtime,
    .spin = td_os_clock_spin,
    .pin = os_pin,
    .signals = td_os_run_signals,
    .spawn = td_os_run_spawn,
    .release = td_os_run_release,
    .wait = td_os_run_wait,
    .kill = td_os_run_kill,
    .used = td_os_run_used,
};
