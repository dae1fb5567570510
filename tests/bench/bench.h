/* SPDX-License-Identifier: MIT */
/* What several of make bench's programs need. */
#ifndef BENCH_H
#define BENCH_H

#include "include/tdprobe.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static inline ssize_t bench_stdin(void *ctx, void *buf, size_t size)
{
    ssize_t n = read(STDIN_FILENO, buf, size);

    (void)ctx;
    return n < 0 ? -errno : n;
}

/* The machine is the one that stdin describes. td: or NULL. */
static inline int use_stdin(struct td *td)
{
    return td ? td_set_machine(td, "stdin", bench_stdin, NULL) : -ENOMEM;
}

enum { GROUP = 9 }; /* as many events as slots and their eight categories */

/* A group that every kernel has, for what one read(2) of it costs. -1: not permitted. */
static inline int open_software_group(void)
{
    struct perf_event_attr attr = {
        .type = PERF_TYPE_SOFTWARE,
        .size = sizeof(attr),
        .exclude_kernel = 1,
        .exclude_hv = 1,
        .read_format = PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
    };
    int leader = -1;

    for (unsigned i = 0; i < GROUP; i++) {
        int fd;

        attr.config = i;
        fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, leader, 0UL);
        if (fd < 0)
            return -1;
        leader = leader < 0 ? fd : leader;
    }
    return leader;
}

/* What that read(2) gives: their number, two times, their values. */
struct group_reading {
    __u64 word[3 + GROUP];
};

#endif
