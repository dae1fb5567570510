/* SPDX-License-Identifier: MIT */
/* Reading a thread's own counters by an instruction, without a system call.
 *
 * One reading of SLOTS and PERF_METRICS (Intel, Ice Lake and later) is two rdpmc
 * and about 30 other instructions. The functions are inline in C and C++; the
 * library has them out of line too, for other languages.
 *
 * Why it is correct: the kernel updates the event's page (struct perf_event_mmap_page
 * in linux/perf_event.h), including its field lock, whenever the event gets or loses
 * its counter; so a reading with the same even lock before and after it covers one
 * stretch of counting. Both registers are read as they are: the kernel
 * adds nothing to their 64 bits, and "offset" does not apply to them
 * (icl_update_topdown_event() in Linux arch/x86/events/intel/core.c).
 * On a core without these registers rdpmc would fault. The page shows that (index
 * 0), and a thread cannot be moved unnoticed between that check and the rdpmc:
 * both are in one restartable sequence, rseq(2), which the kernel aborts when
 * it preempts or moves the thread.
 *
 * Order: one lfence precedes the first rdpmc, so everything before the
 * reading has been executed when it is taken (Intel SDM 2, RDPMC: it is not
 * serializing). What follows may begin to execute before the second rdpmc:
 * a region loses a few instructions that way at its beginning, and none
 * at its end. */
#ifndef TD_READ_H
#define TD_READ_H

#include <errno.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef TD_EXPORT
#define TD_EXPORT __attribute__((visibility("default")))
#endif

/* One reading. Plain data: keep as many as you like. */
struct td_point {
    uint64_t slots; /* since both registers were last zeroed */
    uint64_t metrics; /* PERF_METRICS, see enum td_field in tdprobe.h */
    uint64_t unscheduled; /* ns that the events had no counter so far, although they were enabled */
    uint32_t updates; /* the page's lock: grows by two or more whenever the kernel writes the registers, modulo 2^32 */
    uint32_t epoch; /* changes when the library zeroes the registers */
};

/* What a thread's counters are read through: from td_self_of() in td_regions.h, for
 * that thread only. It is zeroed in a child of fork(2). Not to be changed. */
struct td_self {
    const volatile struct perf_event_mmap_page *page; /* of SLOTS, or of the group leader */
    uintptr_t thread; /* td__thread() of the thread that is counted */
    ptrdiff_t rseq; /* offset of its struct rseq from the thread pointer */
    uint32_t epoch;
};

/* page->index while SLOTS has its counter, fixed counter 3: rdpmc's number
 * plus 1 (x86_pmu_event_idx() in Linux arch/x86/events/core.c). */
#define TD__SLOTS_INDEX 0x40000004

/* td_point_read() where the first try failed to read the registers: tries again,
 * or returns the reason. */
TD_EXPORT int td__point_retry(const struct td_self *, struct td_point *out);

#define TD__READ_INLINE TD_EXPORT inline __attribute__((always_inline))

/* The calling thread's pointer, different in each thread. Read anew each time,
 * because a call made by a fiber may return on another thread. */
TD__READ_INLINE uintptr_t td__thread(void)
{
#if defined(__x86_64__)
    uintptr_t pointer;

    __asm__ volatile("movq %%fs:0, %0" : "=r"(pointer)); /* System V ABI, AMD64 supplement, thread-local storage */
    return pointer;
#else
    return (uintptr_t)__builtin_thread_pointer();
#endif
}

#if defined(__x86_64__)

/* A restartable sequence between labels 2 and 3 (struct rseq_cs in linux/rseq.h).
 * The kernel jumps to 4 when it aborts the sequence, as does the code that finds no
 * counter: with the zero flag clear, as if the lock had changed. The signature before
 * 4 is glibc's, RSEQ_SIG in bits/rseq.h. "?": C++ puts an inline function in a section
 * group, and where the linker drops one of several, these sections go with it. */
#define TD__READ_BEGIN \
    ".pushsection __rseq_cs,\"aw?\",@progbits\n" \
    ".balign 32\n" \
    "1: .long 0, 0\n" \
    ".quad 2f, 3f - 2f, 4f\n" \
    ".popsection\n" \
    ".pushsection __rseq_failure,\"ax?\",@progbits\n" \
    ".byte 0x0f, 0xb9, 0x3d\n" \
    ".long 0x53053053\n" \
    "4: movq $0, %%fs:8(%[rseq])\n" \
    "orl $1, %[seq]\n" \
    "jmp 5f\n" \
    ".popsection\n" \
    "leaq 1b(%%rip), %%rax\n" \
    "movq %%rax, %%fs:8(%[rseq])\n" /* rseq_cs of struct rseq */ \
    "2:\n"
/* rseq_cs is zeroed because this code may be unloaded some day. */
#define TD__READ_END \
    "3: movq $0, %%fs:8(%[rseq])\n" \
    "cmpl %[lock], %[seq]\n" \
    "5:\n"

/* One reading: the slots go to operand slots, the unscheduled time to a register, and
 * the metrics to their place in the struct td_point at out. */
#define TD__READ_POINT \
    "cmpl $0x40000004, %[index]\n" /* SLOTS is on its counter: TD__SLOTS_INDEX */ \
    "jne 4b\n" \
    "lfence\n" \
    "movl $0x40000003, %%ecx\n" /* fixed counter 3 */ \
    "rdpmc\n" \
    "shlq $32, %%rdx\n" \
    "orq %%rdx, %%rax\n" \
    "movq %%rax, %[slots]\n" \
    "movl $0x20000000, %%ecx\n" /* the metrics */ \
    "rdpmc\n" \
    "movl %%eax, 8(%[out])\n" \
    "movl %%edx, 12(%[out])\n" \
    "movq %[enabled], %[unscheduled]\n" \
    "subq %[running], %[unscheduled]\n"
#define TD__READ_INPUTS(self, page, out_) \
    [rseq] "r"((self)->rseq), [out] "r"(out_), [index] "m"((page)->index), [lock] "m"((page)->lock), \
        [enabled] "m"((page)->time_enabled), [running] "m"((page)->time_running)

/* One try like td__point_try()'s, but into registers; only the metrics are stored in out.
 * level1: their lower half. */
#define TD__READ_REGISTERS(self, page, out, changed, seq_, level1, slots_, unscheduled_) \
    __asm__ volatile(TD__READ_BEGIN TD__READ_POINT TD__READ_END \
                     : "=@ccne"(changed), [seq] "+r"(seq_), \
                       "=&a"(level1), [slots] "=&r"(slots_), [unscheduled] "=&r"(unscheduled_) \
                     : TD__READ_INPUTS(self, page, out) \
                     : "rcx", "rdx", "memory")

/* One try, by the thread that self belongs to: 0, or something else on failure. */
TD__READ_INLINE int td__point_try(const struct td_self *self, struct td_point *out)
{
    const volatile struct perf_event_mmap_page *page = self->page;
    uint32_t seq = page->lock & ~UINT32_C(1);
    uint64_t unscheduled;
    bool changed;

    out->epoch = self->epoch;
    __asm__ volatile(TD__READ_BEGIN TD__READ_POINT TD__READ_END
                     : "=@ccne"(changed), [seq] "+r"(seq), [slots] "=m"(out->slots), [unscheduled] "=&r"(unscheduled)
                     : TD__READ_INPUTS(self, page, out)
                     : "rax", "rcx", "rdx", "memory");
    out->unscheduled = unscheduled;
    out->updates = seq;
    return changed;
}

#else

TD__READ_INLINE int td__point_try(const struct td_self *self, struct td_point *out)
{
    (void)self;
    (void)out;
    return 1;
}

#endif

/* 0; -EAGAIN: the counters are not scheduled now, or kept changing for a
 * thousand tries; -EXDEV: the thread is on a core without these registers; -EPERM:
 * self belongs to another thread; -ECHILD: to the parent process; -EOPNOTSUPP: there is
 * no PERF_METRICS here, see td_read(). After a failure out means nothing. */
TD__READ_INLINE int td_point_read(const struct td_self *self, struct td_point *out)
{
    if (__builtin_expect(self->thread != td__thread(), 0) || __builtin_expect(td__point_try(self, out), 0))
        return td__point_retry(self, out);
    return 0;
}

#ifdef __cplusplus
}
#endif

#endif
