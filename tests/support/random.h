/* SPDX-License-Identifier: MIT */
/* xorshift64* (Vigna, "An experimental exploration of Marsaglia's xorshift generators,
 * scrambled"): the same numbers in every run. */
#ifndef RANDOM_H
#define RANDOM_H

#include <stdint.h>

struct unit_random {
    uint64_t state; /* not 0 */
};

/* 0..2^64-1 */
static inline uint64_t unit_random(struct unit_random *r)
{
    r->state ^= r->state >> 12;
    r->state ^= r->state << 25;
    r->state ^= r->state >> 27;
    return r->state * UINT64_C(2685821657736338717);
}

/* 0..1 */
static inline double unit_random_ratio(struct unit_random *r)
{
    return (double)(unit_random(r) >> 11) / 9007199254740992.0;
}

/* 0..n-1 */
static inline uint64_t unit_random_below(struct unit_random *r, uint64_t n)
{
    return unit_random(r) % n;
}

#endif
