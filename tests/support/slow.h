/* SPDX-License-Identifier: MIT */
/* Recordings that were made to be slow: each is compared, in CPU time, with a harmless one of the
 * same size and form, so that neither the machine nor what else it does matters. */
#ifndef SLOW_H
#define SLOW_H

#include "tests/support/unit.h"

#include <stdio.h>
#include <time.h>

/* Seconds of CPU time, the lower of two times. */
static double slow_cost(void (*read)(void *), void *ctx)
{
    double least = 0;

    for (int i = 0; i < 2; i++) {
        const clock_t begun = clock();
        double t;

        read(ctx);
        t = (double)(clock() - begun) / CLOCKS_PER_SEC;
        least = !i || t < least ? t : least;
    }
    return least;
}

static void slow_assert(double bomb, double harmless, double times)
{
    const bool fine = bomb <= times * harmless + 0.02;

    if (!fine)
        printf("\n    %.3f s instead of %.3f s", bomb, harmless);
    CU_ASSERT(fine);
}

#endif
