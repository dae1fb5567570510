/* SPDX-License-Identifier: MIT */
/* What a thread needs to read counters by itself: pages, its CPU, its restartable
 * sequence, and the registers in /dev/cpu/N/msr. */
#include "os/linux.h"

#include "os/lent.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>
#if defined(__GLIBC_PREREQ)
#if __GLIBC_PREREQ(2, 35)
#include <sys/rseq.h>
#define HAVE_RSEQ 1
#endif
#endif

enum { PAGE = 4096 };

int td_os_self_map(void *ctx, int fd, size_t size, void **out)
{
    const int access = fd < 0 || size > PAGE ? PROT_READ | PROT_WRITE : PROT_READ;
    void *at = mmap(NULL, size, access, fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED, fd, 0);
    int err;

    (void)ctx;
    if (at == MAP_FAILED)
        return -errno;
    err = fd < 0 && madvise(at, size, MADV_WIPEONFORK) ? -errno : 0;
    if (err)
        munmap(at, size);
    else
        *out = at;
    return err;
}

void td_os_self_unmap(void *ctx, void *at, size_t size)
{
    (void)ctx;
    munmap(at, size);
}

int td_os_self_here(void *ctx)
{
    int cpu = sched_getcpu();

    (void)ctx;
    return cpu < 0 ? -errno : cpu;
}

int td_os_self_rseq(void *ctx, ptrdiff_t *offset)
{
    (void)ctx;
#ifdef HAVE_RSEQ
    *offset = __rseq_offset;
    return __rseq_size ? 0 : -ENOSYS; /* glibc registers none if glibc.pthread.rseq=0, or on an old kernel */
#else
    *offset = 0;
    return -ENOSYS;
#endif
}

int td_os_self_msr_open(void *ctx, int cpu)
{
    char path[32];
    int fd;

    (void)ctx;
    if (td_lent()) /* registers are root's own: a written one changes the machine for all */
        return -EPERM;
    snprintf(path, sizeof(path), "/dev/cpu/%d/msr", cpu);
    fd = open(path, O_RDWR | O_CLOEXEC);
    return fd < 0 ? -errno : fd;
}

int td_os_self_msr_read(void *ctx, int fd, uint32_t reg, uint64_t *value)
{
    ssize_t n = pread(fd, value, sizeof(*value), reg);

    (void)ctx;
    return n == (ssize_t)sizeof(*value) ? 0 : n < 0 ? -errno : -EIO;
}

int td_os_self_msr_write(void *ctx, int fd, uint32_t reg, uint64_t value)
{
    ssize_t n = pwrite(fd, &value, sizeof(value), reg);

    (void)ctx;
    return n == (ssize_t)sizeof(value) ? 0 : n < 0 ? -errno : -EIO;
}
