/* SPDX-License-Identifier: MIT */
/* Kernels that go from pointer to pointer: where the next one is, only the load of this one tells, so that each load
 * waits for the one before. All slots are lost but one in the load's latency. */
#include "kernels/data.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

enum { TLB_PAGES = 8192 };

/* Where the i-th pointer is: every step bytes, and, where it is the only one of a page, another line of it each 128
 * pages. So all pointers are spread over the sets of a cache whose index has the page's number in it, as well as of one
 * whose index has not. */
static void **place_of(const struct td_kernel_data *d, size_t i, size_t step, size_t line)
{
    enum { PAGES = 128 };

    return (void **)(void *)((char *)d->at + i * step + i / PAGES * line % step);
}

/* Puts n pointers, each to another one, so that one round goes through all of them in a random order that prefetchers
 * cannot follow: one cycle, by S. Sattolo's shuffle (Inf. Process. Lett. 22, 1986, p. 315). */
static void put_pointers(struct td_kernel_data *d, size_t n, size_t step, size_t line)
{
    uint64_t random = 1;

    for (size_t i = 0; i < n; i++)
        *place_of(d, i, step, line) = place_of(d, i, step, line);
    for (size_t i = n - 1; i > 0; i--) {
        void **const one = place_of(d, i, step, line);
        void **const other = place_of(d, (size_t)td_kernel_random(&random, i), step, line);
        void *const to = *other;

        *other = *one;
        *one = to;
    }
    d->next = d->at;
}

/* A round is a thousand pointers, however many there are. */
static void run(struct td_kernel_data *d, uint64_t rounds)
{
    enum { UNROLLED = 16, STEPS = 1024 / UNROLLED };
    void *next = d->next;

    for (uint64_t i = 0; i < rounds * STEPS; i++)
#if defined __x86_64__
        __asm__ volatile(".rept 16\n\tmov (%0), %0\n\t.endr" : "+r"(next) : : "memory");
#elif defined __aarch64__
        __asm__ volatile(".rept 16\n\tldr %0, [%0]\n\t.endr" : "+r"(next) : : "memory");
#endif
    d->next = next;
}

/* ---- chase-l1 ------------------------------------------------------------------------ */

/* Half of the first level: each load takes the 3 to 5 cycles of a hit, in which 2 to 8 slots a cycle pass. No branch
 * but the loop's can be predicted wrongly, as in chain. */
static size_t l1_size(const struct td_caches *c)
{
    return c->data / 2;
}

static int l1_begin(struct td_kernel_data *d, const struct td_caches *c, char why[TD_KERNEL_WHY])
{
    const size_t size = l1_size(c);
    const int err = td_kernel_map(d, size, why);

    if (!err)
        put_pointers(d, size / c->line, c->line, c->line);
    return err;
}

const struct td_kernel td_kernel_chase_l1 = {.name = "chase-l1",
                                             .about = "pointers in the first cache",
                                             .range = {{"backend_bound", 0.6, 0}, {"bad_speculation", 0, 0.1}},
                                             .size = l1_size,
                                             .begin = l1_begin,
                                             .run = run};

/* ---- chase-memory -------------------------------------------------------------------- */

/* Twice the last level, so that at least every other load goes to memory, a hundred cycles and more away; no more than
 * 256 MiB or an eighth of the memory, where a last level of that size makes it one of caches in part, which is some 50
 * cycles away all the same. */
static size_t memory_size(const struct td_caches *c)
{
    const size_t page = c->page, most = (size_t)256 << 20;
    const long pages = sysconf(_SC_PHYS_PAGES);
    size_t size = 2 * c->last < most ? 2 * c->last : most;

    if (pages > 0 && size > (size_t)pages / 8 * page)
        size = (size_t)pages / 8 * page;
    return size > 4 * c->second ? size / page * page : 4 * c->second;
}

static int memory_begin(struct td_kernel_data *d, const struct td_caches *c, char why[TD_KERNEL_WHY])
{
    const size_t size = memory_size(c);
    const int err = td_kernel_map(d, size, why);

    if (err)
        return err;
    madvise(d->at, d->size,
            MADV_HUGEPAGE); /* translations are dtlb's subject; without huge pages it takes longer yet */
    put_pointers(d, size / c->line, c->line, c->line);
    return 0;
}

const struct td_kernel td_kernel_chase_memory = {
    .name = "chase-memory",
    .about = "pointers that no cache holds",
    .range = {{"backend_bound", 0.7, 0}, {"memory_bound backend_bound_memory resource_bound", 0.5, 0}},
    .size = memory_size,
    .begin = memory_begin,
    .run = run};

/* ---- dtlb ---------------------------------------------------------------------------- */

/* One pointer in each of 8,192 pages, of which translations second levels hold 512 to 4,096; the lines, half a MiB of
 * them, are in the second level of caches. Each load waits for a page walk. */
static size_t dtlb_size(const struct td_caches *c)
{
    return TLB_PAGES * c->page;
}

static int dtlb_begin(struct td_kernel_data *d, const struct td_caches *c, char why[TD_KERNEL_WHY])
{
    const int err = td_kernel_map(d, dtlb_size(c), why);

    if (err)
        return err;
    madvise(d->at, d->size, MADV_NOHUGEPAGE); /* EINVAL: the kernel has no huge pages */
    put_pointers(d, TLB_PAGES, c->page, c->line);
    return 0;
}

const struct td_kernel td_kernel_dtlb = {.name = "dtlb",
                                         .about = "pointers in more pages than translations are kept of",
                                         .range = {{"backend_bound", 0.6, 0}},
                                         .size = dtlb_size,
                                         .begin = dtlb_begin,
                                         .run = run};
