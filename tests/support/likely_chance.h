/* SPDX-License-Identifier: MIT */
/* Chance for the simulations of likely bounds. */
#ifndef LIKELY_CHANCE_H
#define LIKELY_CHANCE_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* xorshift64*, the same numbers in every run: 0 to 1 */
static inline double chance(uint64_t *random)
{
    *random ^= *random >> 12;
    *random ^= *random << 25;
    *random ^= *random >> 27;
    return (double)((*random * UINT64_C(2685821657736338717)) >> 11) / 9007199254740992.0;
}

static inline double exponential(uint64_t *random, double mean)
{
    return -mean * log(1 - chance(random));
}

static inline double normal(uint64_t *random)
{
    double sum = 0;

    for (int i = 0; i < 12; i++)
        sum += chance(random);
    return sum - 6;
}

/* Often nothing or all. */
static inline double extreme(uint64_t *random)
{
    double x = chance(random);

    return x < 0.3 ? 0 : x < 0.6 ? 1 : chance(random);
}

/* Shares of level 1: of slots that retire, are wasted, lack a uop, and wait. Often nearly all is one of them. */
enum { LIKELY_SHARES = 4 };

static inline void likely_shares(uint64_t *random, double *f)
{
    const bool one = chance(random) < 0.5;
    const size_t only = (size_t)(LIKELY_SHARES * chance(random));
    double sum = 0;

    for (size_t i = 0; i < LIKELY_SHARES; i++)
        sum += f[i] = one ? 0.01 + (i == only) : exponential(random, 1);
    for (size_t i = 0; i < LIKELY_SHARES; i++)
        f[i] /= sum;
}

#endif
