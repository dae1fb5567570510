/* SPDX-License-Identifier: MIT */
/* Calls of the seam to Linux, and how many descriptors are open. */
#ifndef LINUX_OS_H
#define LINUX_OS_H

#include "os/os.h"
#include "tests/support/unit.h"

#define OS(function, ...) td_os_linux.function(td_os_linux.ctx, ##__VA_ARGS__)

static inline int linux_count(void *arg, const char *name)
{
    (void)name;
    ++*(int *)arg;
    return 0;
}

static inline int linux_descriptors(void)
{
    int n = 0;

    CU_ASSERT_EQUAL(OS(names, "/proc/self/fd", linux_count, &n), 0);
    return n;
}

#endif
