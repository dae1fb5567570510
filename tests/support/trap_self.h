/* SPDX-License-Identifier: MIT */
/* Instructions that read counters, and somebody else's handler for their faults. */
#ifndef TRAP_SELF_H
#define TRAP_SELF_H

#include "tests/support/read_self.h"

#include <setjmp.h>
#include <signal.h>

#if defined(__x86_64__)
#define HOST BIG SPIN
enum { FAULT = SIGSEGV, ABSENT = 2, EVENT = 0xc2 };

static inline uint64_t counter(uint32_t which)
{
    uint32_t low, high;

    __asm__ volatile("rdpmc" : "=a"(low), "=d"(high) : "c"(which));
    return (uint64_t)high << 32 | low;
}

static inline int open_event(void)
{
    return open_self(EVENT, -1);
}
#elif defined(__aarch64__)
#define HOST ARM ACCESS
enum { FAULT = SIGILL, ABSENT = 30, EVENT = 0x3b };

static inline uint64_t counter(uint32_t which)
{
    uint64_t value = 0;

    switch (which) {
    case 0: __asm__ volatile("mrs %0, S3_3_C14_C8_0" : "=r"(value)); break;
    case 9: __asm__ volatile("mrs %0, S3_3_C14_C9_1" : "=r"(value)); break;
    case ABSENT: __asm__ volatile("mrs %0, S3_3_C14_C11_6" : "=r"(value)); break;
    case 31: __asm__ volatile("mrs %0, S3_3_C9_C13_0" : "=r"(value)); break;
    }
    return value;
}

static inline int open_event(void)
{
    return open_arm(EVENT, 2, -1);
}
#endif

#if defined(__x86_64__) || defined(__aarch64__)

/* ---- somebody else's handler --------------------------------------------------- */

static volatile sig_atomic_t caught;
static sigjmp_buf back;

static inline void catch (int sig, siginfo_t *info, void *context)
{
    (void)info;
    (void)context;
    caught = sig;
    siglongjmp(back, 1);
}

static inline void take_signal(int sig, struct sigaction *was)
{
    struct sigaction a = {.sa_flags = SA_SIGINFO};

    a.sa_sigaction = catch;
    sigaction(sig, &a, was);
}

/* The signal in which reading a counter ended; 0: none. valgrind does not know rdpmc,
 * and so sends SIGILL. */
static inline int fault_of(uint32_t which)
{
    caught = 0;
    if (!sigsetjmp(back, 1))
        counter(which);
    return caught == SIGILL ? FAULT : caught;
}

static struct sigaction before_segv, before_ill;

static inline bool begin_caught(const char *description)
{
    take_signal(SIGSEGV, &before_segv);
    take_signal(SIGILL, &before_ill);
    return begin(description);
}

static inline void end_caught(void)
{
    struct sigaction now;

    end();
    sigaction(SIGSEGV, &before_segv, &now);
    CU_ASSERT_TRUE(now.sa_flags & SA_SIGINFO && now.sa_sigaction == catch); /* as before the machine */
    sigaction(SIGILL, &before_ill, &now);
    CU_ASSERT_TRUE(now.sa_flags & SA_SIGINFO && now.sa_sigaction == catch);
}

#endif
#endif
