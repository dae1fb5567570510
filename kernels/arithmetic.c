/* SPDX-License-Identifier: MIT */
/* Kernels of registers alone: nothing is loaded, nothing is stored, and the one branch of a loop is taken until its
 * end, so that neither memory, nor prediction, nor fetching can be the limit. Their code is below 2 KiB, which all
 * caches of decoded instructions hold. */
#include "kernels/data.h"

/* ---- adds ---------------------------------------------------------------------------- */

/* Four additions that do not depend on each other, and two instructions that do nothing: each takes a slot, and none
 * waits. CPUs have at least as many units for additions as two thirds of their width, so that nearly all slots retire.
 * Half of them is what a CPU would have to lose for a reason that is not in the code: the loop's own branch is one
 * instruction in a hundred. */
static void adds(struct td_kernel_data *d, uint64_t rounds)
{
    uint64_t a = 0, b = 0, c = 0, e = 0;

    (void)d;
    for (uint64_t i = 0; i < rounds * 16; i++)
#if defined __x86_64__
        __asm__ volatile(".rept 16\n\tadd $1, %0\n\tadd $1, %1\n\tnop\n\tadd $1, %2\n\tadd $1, %3\n\tnop\n\t.endr"
                         : "+r"(a), "+r"(b), "+r"(c), "+r"(e)
                         :
                         : "cc");
#elif defined __aarch64__
        __asm__ volatile(".rept 16\n\tadd %0, %0, #1\n\tadd %1, %1, #1\n\tnop\n\tadd %2, %2, #1\n\tadd %3, %3, "
                         "#1\n\tnop\n\t.endr"
                         : "+r"(a), "+r"(b), "+r"(c), "+r"(e));
#endif
}

const struct td_kernel td_kernel_adds = {
    .name = "adds", .about = "additions that wait for nothing", .range = {{"retiring", 0.5, 0}}, .run = adds};

/* ---- chain --------------------------------------------------------------------------- */

/* Each multiplication needs the result of the one before it. It takes 3 cycles (2 on some Arm cores), in which a CPU of
 * width w has 3 w slots: one retires, and what is behind it waits for execution once the scheduler is full. Of a CPU 2
 * wide, 5 of 6 slots are lost. The loop's branch is predicted but for its end, so that next to nothing is of a wrong
 * path: a tenth would be ten times as much as that. A multiplication, since Intel's newest cores compute additions of
 * constants while they rename registers, without any latency. */
static void chain(struct td_kernel_data *d, uint64_t rounds)
{
    uint64_t a = 3;

    (void)d;
    for (uint64_t i = 0; i < rounds * 16; i++)
#if defined __x86_64__
        __asm__ volatile(".rept 64\n\timul %0, %0\n\t.endr" : "+r"(a) : : "cc");
#elif defined __aarch64__
        __asm__ volatile(".rept 64\n\tmul %0, %0, %0\n\t.endr" : "+r"(a));
#endif
}

const struct td_kernel td_kernel_chain = {
    .name = "chain",
    .about = "multiplications, each of which needs the one before",
    .range = {{"backend_bound", 0.6, 0}, {"core_bound backend_bound_cpu", 0.4, 0}, {"bad_speculation", 0, 0.1}},
    .run = chain};

/* ---- divider ------------------------------------------------------------------------- */

/* Divisions of a large number by a small one, whose quotients have nearly all bits, so that no CPU can end early. They
 * do not depend on each other, but the divider takes the next one only when it is done, or nearly so: after 5 to 90
 * cycles, for at most 40 operations. Where microcode does it, as on Skylake, a third of the slots retires. */
static void divider(struct td_kernel_data *d, uint64_t rounds)
{
    const uint64_t by = 3;

    (void)d;
    for (uint64_t i = 0; i < rounds * 16; i++) {
        uint64_t large = UINT64_MAX - i;

#if defined __x86_64__
        __asm__ volatile(".rept 16\n\tmov %0, %%rax\n\txor %%edx, %%edx\n\tdivq %1\n\t.endr"
                         :
                         : "r"(large), "r"(by)
                         : "rax", "rdx", "cc");
#elif defined __aarch64__
        uint64_t quotient;

        __asm__ volatile(".rept 16\n\tudiv %0, %1, %2\n\t.endr" : "=&r"(quotient) : "r"(large), "r"(by));
#endif
    }
}

const struct td_kernel td_kernel_divider = {
    .name = "divider",
    .about = "divisions, for which there is one unit",
    .range = {{"backend_bound", 0.4, 0}, {"core_bound backend_bound_cpu", 0.3, 0}, {"divider", 0.3, 0}},
    .run = divider};
