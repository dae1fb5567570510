/* SPDX-License-Identifier: MIT */
#include "kernels/data.h"

#include <string.h>
#include <sys/mman.h>
#include <time.h>

const struct td_kernel *td_kernel_at(size_t i)
{
    static const struct td_kernel *const kernels[] = {
#if defined __x86_64__ || defined __aarch64__ /* they are instructions */
        &td_kernel_adds,
        &td_kernel_chain,
        &td_kernel_divider,
        &td_kernel_branches,
        &td_kernel_icache,
        &td_kernel_chase_l1,
        &td_kernel_chase_memory,
        &td_kernel_dtlb,
#endif
        NULL,
    };

    return i < sizeof(kernels) / sizeof(*kernels) ? kernels[i] : NULL;
}

const struct td_kernel *td_kernel_find(const char *name)
{
    const struct td_kernel *k;

    for (size_t i = 0; (k = td_kernel_at(i)); i++)
        if (!strcmp(k->name, name))
            return k;
    return NULL;
}

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

int td_kernel_run(const struct td_kernel *k, const struct td_caches *c, double seconds, td_kernel_fn *call, void *ctx,
                  char why[TD_KERNEL_WHY])
{
    static const double look = 1e-3; /* s: how long it runs before it looks at the clock, which is no part of it */
    struct td_kernel_data d = {.at = NULL};
    uint64_t rounds = 1;
    const int err = k->begin ? k->begin(&d, c, why) : 0;

    if (!err && call)
        call(ctx, true);
    for (double t = now(), end = t + seconds, before; !err && t < end;) {
        before = t;
        k->run(&d, rounds);
        t = now();
        if (t - before < look && rounds < UINT32_MAX)
            rounds *= 2;
    }
    if (!err && call)
        call(ctx, false);
    if (d.at)
        munmap(d.at, d.size);
    return err;
}
