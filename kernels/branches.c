/* SPDX-License-Identifier: MIT */
/* A kernel of branches that nobody can predict. */
#include "kernels/data.h"

/* Of a random number (xorshift: G. Marsaglia, J. Stat. Softw. 8, 14, 2003) each of 16 bits decides a branch that jumps
 * over one addition. Half of the predictions are wrong, whatever the predictor remembers: the sequence does not repeat.
 * Some 50 instructions for 8 wrong predictions are about 6 a piece, and each costs 10 to 20 cycles of 2 to 8 slots.
 * These are lost in part as work of the wrong path, and in part as the frontend begins anew; how much is which depends
 * on where a CPU counts the recovery, so that the first is asked to be above a seventh only. */
static void branches(struct td_kernel_data *d, uint64_t rounds)
{
    uint64_t x = d->random, sum = 0;

    for (uint64_t i = 0; i < rounds * 16; i++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
#if defined __x86_64__
        __asm__ volatile(".set bit, 20\n\t"
                         ".rept 16\n\tbt $bit, %1\n\tjnc 1f\n\tadd $1, %0\n\t1:\n\t.set bit, bit + 1\n\t.endr"
                         : "+r"(sum)
                         : "r"(x)
                         : "cc");
#elif defined __aarch64__
        __asm__ volatile(".set bit, 20\n\t"
                         ".rept 16\n\ttbz %1, #bit, 1f\n\tadd %0, %0, #1\n\t1:\n\t.set bit, bit + 1\n\t.endr"
                         : "+r"(sum)
                         : "r"(x));
#endif
    }
    d->random = x;
}

static int begin(struct td_kernel_data *d, const struct td_caches *c, char why[TD_KERNEL_WHY])
{
    (void)c, (void)why;
    d->random = 0x9e3779b97f4a7c15;
    return 0;
}

const struct td_kernel td_kernel_branches = {
    .name = "branches",
    .about = "branches that random numbers decide",
    .range = {{"bad_speculation", 0.15, 0}, {"branch_mispredicts bad_speculation_mispredicts", 0.1, 0}},
    .begin = begin,
    .run = branches};
