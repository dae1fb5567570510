/* SPDX-License-Identifier: MIT */
/* To be loaded before a program (LD_PRELOAD): with STEPS in its environment the wall clock is set to another year at
 * each look, and the machine is suspended for a week between two. With KEEP the file of tdprobe collect is not removed,
 * so that its last text stays. */
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { YEAR = 365 * 86400, WEEK = 7 * 86400 };

static int is_on(const char *name)
{
    const char *value = getenv(name);

    return value && *value;
}

static time_t step(clockid_t clock)
{
    static time_t looks;

    if (!is_on("STEPS") || clock == CLOCK_MONOTONIC || clock == CLOCK_MONOTONIC_COARSE || clock == CLOCK_MONOTONIC_RAW)
        return 0;
    looks++;
    return clock == CLOCK_BOOTTIME ? looks * WEEK : looks % 3 ? looks * YEAR : -YEAR;
}

int clock_gettime(clockid_t clock, struct timespec *t)
{
    const int err = (int)syscall(SYS_clock_gettime, clock, t);

    if (!err)
        t->tv_sec += step(clock);
    return err;
}

time_t time(time_t *t)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    if (t)
        *t = now.tv_sec;
    return now.tv_sec;
}

int gettimeofday(struct timeval *restrict t, void *restrict zone)
{
    struct timespec now;

    (void)zone;
    clock_gettime(CLOCK_REALTIME, &now);
    *t = (struct timeval){.tv_sec = now.tv_sec, .tv_usec = now.tv_nsec / 1000};
    return 0;
}

int unlinkat(int folder, const char *path, int flags)
{
    return is_on("KEEP") && !strcmp(path, "tdprobe.prom") ? 0 : (int)syscall(SYS_unlinkat, folder, path, flags);
}
