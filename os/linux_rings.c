/* SPDX-License-Identifier: MIT */
/* Makes one descriptor of many rings, an epoll(7) set that poll(2) takes as any other. Nobody has to call
 * epoll_wait(2): poll(2) on the set asks each ring that woke it, and a ring reports each wake-up only once (perf_poll()
 * in Linux kernel/events/core.c). */
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
