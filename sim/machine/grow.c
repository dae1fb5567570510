/* SPDX-License-Identifier: MIT */
#include "sim/machine/grow.h"

#include <stdlib.h>
#include <string.h>

void *td_sim_grow(void *array, size_t n, size_t size)
{
    /* the room is a power of two: full when n is one */
    char *more = n & (n - 1) ? array : reallocarray(array, n ? 2 * n : 1, size);

    if (more)
        memset(more + n * size, 0, size);
    return more;
}
