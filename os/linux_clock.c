/* SPDX-License-Identifier: MIT */
/* Time, and a loop that takes time. */
#include "os/linux.h"

#include <time.h>

/* Linux always has these clocks. */
static uint64_t ns_of(clockid_t clock)
{
    struct timespec t = {0};

    clock_gettime(clock, &t);
    return (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
}

uint64_t td_os_clock_now(void *ctx)
{
    (void)ctx;
    return ns_of(CLOCK_MONOTONIC);
}

uint64_t td_os_clock_realtime(void *ctx)
{
    (void)ctx;
    return ns_of(CLOCK_REALTIME);
}

/* The clock is read so rarely that nearly everything counted is additions. */
uint64_t td_os_clock_spin(void *ctx, uint64_t ns)
{
    enum { between = 8192 };
    const uint64_t start = td_os_clock_now(ctx);
    uint64_t sum = 0, n = 0;

    do {
        for (unsigned i = 0; i < between; i++) {
            sum += 1;
            __asm__ volatile("" : "+r"(sum)); /* for all the compiler knows, sum is changed here */
        }
        n += between;
    } while (td_os_clock_now(ctx) - start < ns);
    return n;
}
