/* SPDX-License-Identifier: MIT */
/* Many rings behind one descriptor, which poll(2) takes as any other. Nobody calls epoll_wait(2): poll(2) asks each
 * ring that has woken the set, and perf_poll() in Linux kernel/events/core.c says so once for each time. */
#include "os/linux.h"

#include <errno.h>
#include <sys/epoll.h>

int td_os_rings(void *ctx)
{
    const int fd = epoll_create1(EPOLL_CLOEXEC);

    (void)ctx;
    return fd < 0 ? -errno : fd;
}

int td_os_rings_add(void *ctx, int rings, int fd)
{
    struct epoll_event e = {.events = EPOLLIN};

    (void)ctx;
    return epoll_ctl(rings, EPOLL_CTL_ADD, fd, &e) ? -errno : 0;
}
