/* SPDX-License-Identifier: MIT */
/* Reading an ordinary event of the calling thread by an instruction: rdpmc on x86,
 * mrs on arm64. Not installed: programs use td_read(). */
#ifndef TD_COUNTER_H
#define TD_COUNTER_H

#include "include/td_read.h"

#include <stdbool.h>

/* Waits until everything before has been executed: reading a counter does not wait
 * by itself (Intel SDM 2, RDPMC). */
static inline void td_counter_wait(void)
{
#if defined(__x86_64__)
    __asm__ volatile("lfence" ::: "memory");
#elif defined(__aarch64__)
    __asm__ volatile("isb" ::: "memory");
#endif
}

#if defined(__x86_64__)

/* One try, from checking that the event has a counter to the last use of its
 * page. As in td_point_read() no counter is read on a core that lacks it. */
static inline bool td_counter_raw(const volatile struct perf_event_mmap_page *page, ptrdiff_t rseq, uint32_t seq,
                                  uint64_t *raw)
{
    int changed;

    __asm__ volatile(TD__READ_BEGIN "movl %[index], %%ecx\n"
                                    "subl $1, %%ecx\n"
                                    "jc 4b\n"
                                    "rdpmc\n"
                                    "shlq $32, %%rdx\n"
                                    "orq %%rdx, %%rax\n"
                                    "movq %%rax, %[raw]\n" TD__READ_END
                     : "=@ccne"(changed), [seq] "+r"(seq), [raw] "=&r"(*raw)
                     : [rseq] "r"(rseq), [index] "m"(page->index), [lock] "m"(page->lock)
                     : "rax", "rcx", "rdx", "memory");
    return !changed;
}

#elif defined(__aarch64__)

/* PMEVCNTR<n>_EL0 has its number in the instruction. Source of the numbering:
 * Linux Documentation/arm64/perf.rst; 31 is PMCCNTR_EL0. */
#define TD_MRS(n) \
    case n: \
        __asm__ volatile("mrs %0, pmevcntr" #n "_el0" : "=r"(value)); \
        break;
/* The formatter does not know that each of these is a case. */
/* clang-format off */
static inline uint64_t td_counter_mrs(uint32_t n)
{
    uint64_t value = 0;

    switch (n) {
        TD_MRS(0) TD_MRS(1) TD_MRS(2) TD_MRS(3) TD_MRS(4) TD_MRS(5) TD_MRS(6) TD_MRS(7)
        TD_MRS(8) TD_MRS(9) TD_MRS(10) TD_MRS(11) TD_MRS(12) TD_MRS(13) TD_MRS(14) TD_MRS(15)
        TD_MRS(16) TD_MRS(17) TD_MRS(18) TD_MRS(19) TD_MRS(20) TD_MRS(21) TD_MRS(22) TD_MRS(23)
        TD_MRS(24) TD_MRS(25) TD_MRS(26) TD_MRS(27) TD_MRS(28) TD_MRS(29) TD_MRS(30)
    case 31:
        __asm__ volatile("mrs %0, pmccntr_el0" : "=r"(value));
        break;
    }
    return value;
}
/* clang-format on */
#undef TD_MRS

static inline bool td_counter_raw(const volatile struct perf_event_mmap_page *page, ptrdiff_t rseq, uint32_t seq,
                                  uint64_t *raw)
{
    uint32_t index = page->index;

    (void)rseq; /* all cores have the same counters, otherwise td_open_self() refuses */
    if (!index)
        return false;
    *raw = td_counter_mrs(index - 1);
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    return page->lock == seq;
}

#else

static inline bool td_counter_raw(const volatile struct perf_event_mmap_page *page, ptrdiff_t rseq, uint32_t seq,
                                  uint64_t *raw)
{
    (void)page, (void)rseq, (void)seq, (void)raw;
    return false;
}

#endif

/* The event's count: what the kernel has added up, plus what its counter holds,
 * which is signed and pmc_width bits wide (struct perf_event_mmap_page in
 * linux/perf_event.h). false: it has no counter now, or its page changed. */
static inline bool td_counter_try(const volatile struct perf_event_mmap_page *page, ptrdiff_t rseq, uint64_t *count)
{
    uint32_t seq = page->lock & ~UINT32_C(1);
    uint64_t raw, offset;
    unsigned spare;

    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    offset = (uint64_t)page->offset;
    spare = 64u - page->pmc_width;
    if (!td_counter_raw(page, rseq, seq, &raw) || spare > 63)
        return false;
    *count = offset + (uint64_t)((int64_t)(raw << spare) >> spare);
    return true;
}

#endif
