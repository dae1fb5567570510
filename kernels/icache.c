/* SPDX-License-Identifier: MIT */
/* A kernel whose code is larger than the cache of instructions. */
#include "kernels/data.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

/* Blocks of one cache line each, of a few instructions that do nothing and a jump to another block, all of them in a
 * random order: four times what the first level holds, and far more than what any cache of decoded operations does
 * (Golden Cove: 4,096; Zen 5: 6,144; of lines, of which each block takes one). Each block is fetched from the second
 * level, some 15 cycles away, and prefetchers see no stride; predictors of targets hold some of the jumps, so that a
 * CPU may fetch ahead. Even one that does so perfectly takes a jump a cycle, for four instructions. No instruction
 * waits for data: what is lost, is lost in the frontend. */
enum { BLOCK = 64, FILL = 3 /* instructions of a block before its jump */ };

static size_t size(const struct td_caches *c)
{
    const size_t wanted = 4 * c->code, most = c->second / 2;

    return (wanted > most && most >= 2 * c->code ? most : wanted) / BLOCK * BLOCK;
}

static void put_block(unsigned char *at, const unsigned char *to)
{
#if defined __x86_64__
    const int32_t distance = (int32_t)(to - (at + FILL + 5));

    memset(at, 0x90, FILL); /* nop */
    at[FILL] = 0xe9; /* jmp rel32 */
    memcpy(at + FILL + 1, &distance, sizeof(distance));
#elif defined __aarch64__
    const uint32_t nop = 0xd503201f, jump = 0x14000000 | ((uint32_t)((to - (at + FILL * 4)) / 4) & 0x3ffffff);

    for (size_t i = 0; i < FILL; i++)
        memcpy(at + 4 * i, &nop, sizeof(nop));
    memcpy(at + 4 * FILL, &jump, sizeof(jump));
#endif
}

static void put_return(unsigned char *at)
{
#if defined __x86_64__
    at[0] = 0xc3; /* ret */
#elif defined __aarch64__
    const uint32_t ret = 0xd65f03c0;

    memcpy(at, &ret, sizeof(ret));
#endif
}

/* Jumps through all blocks, in an order made by Fisher and Yates's shuffle. The first block begins, the last returns.
 */
static void put_code(unsigned char *code, uint32_t *order, size_t n)
{
    uint64_t random = 1;

    for (size_t i = 0; i < n; i++)
        order[i] = (uint32_t)i;
    for (size_t i = n - 1; i > 1; i--) { /* 0 stays */
        const size_t k = 1 + (size_t)td_kernel_random(&random, i);
        const uint32_t other = order[k];

        order[k] = order[i];
        order[i] = other;
    }
    for (size_t i = 0; i + 1 < n; i++)
        put_block(code + (size_t)order[i] * BLOCK, code + (size_t)order[i + 1] * BLOCK);
    put_return(code + (size_t)order[n - 1] * BLOCK);
}

static int begin(struct td_kernel_data *d, const struct td_caches *c, char why[TD_KERNEL_WHY])
{
    struct td_kernel_data order = {.at = NULL};
    const size_t bytes = size(c);
    int err = td_kernel_map(d, bytes, why);

    err = err ? err : td_kernel_map(&order, bytes / BLOCK * sizeof(uint32_t), why);
    if (err)
        return err;
    put_code(d->at, order.at, bytes / BLOCK);
    munmap(order.at, order.size);
    __builtin___clear_cache(d->at, (char *)d->at + bytes);
    if (!mprotect(d->at, d->size, PROT_READ | PROT_EXEC))
        return 0;
    err = -errno;
    snprintf(why, TD_KERNEL_WHY, "memory that was written may not be executed here (%s), as SELinux's execmem forbids",
             strerror(-err));
    return err;
}

static void run(struct td_kernel_data *d, uint64_t rounds)
{
    void (*code)(void);

    memcpy(&code, &d->at, sizeof(code));
    for (uint64_t i = 0; i < rounds; i++)
        code();
}

const struct td_kernel td_kernel_icache = {
    .name = "icache",
    .about = "code that the first cache does not hold",
    .range = {{"frontend_bound", 0.4, 0}, {"fetch_latency frontend_bound_latency", 0.2, 0}},
    .size = size,
    .begin = begin,
    .run = run};
