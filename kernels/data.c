/* SPDX-License-Identifier: MIT */
#include "kernels/data.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

int td_kernel_map(struct td_kernel_data *d, size_t size, char why[TD_KERNEL_WHY])
{
    int err;

    d->at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (d->at != MAP_FAILED) {
        d->size = size;
        return 0;
    }
    err = -errno;
    d->at = NULL;
    snprintf(why, TD_KERNEL_WHY, "no memory for its %zu KiB: %s", size >> 10, strerror(-err));
    return err;
}

/* splitmix64: G. L. Steele et al., Fast splittable pseudorandom number generators, OOPSLA 2014 */
uint64_t td_kernel_random(uint64_t *state, uint64_t n)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15;

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return (z ^ (z >> 31)) % n;
}
