/* SPDX-License-Identifier: MIT */
/* Random numbers, and Student's t by the GNU Scientific Library: the one place that calls it. */
#ifndef STATS_CHANCE_H
#define STATS_CHANCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TD_CHANCE_WORDS = 624 };

struct td_chance {
    uint32_t word[TD_CHANCE_WORDS];
    size_t at; /* the next of them */
};

/* Whether this was built with the library. Without it, the rest gives NULL and NAN. */
bool td_chance_available(void);
/* Random numbers (MT19937): the same for the same seed. NULL: out of memory. */
struct td_chance *td_chance_new(unsigned long seed);
void td_chance_free(struct td_chance *);
/* Makes all random words anew. */
void td_chance_refill(struct td_chance *);

/* 32 random bits. Inline, as the two below are: resampling is made of them. */
static inline uint32_t td_chance_bits(struct td_chance *c)
{
    uint32_t y;

    if (c->at == TD_CHANCE_WORDS)
        td_chance_refill(c);
    y = c->word[c->at++];
    y ^= y >> 11;
    y ^= y << 7 & UINT32_C(0x9d2c5680);
    y ^= y << 15 & UINT32_C(0xefc60000);
    return y ^ y >> 18;
}

/* A random number from 0 to n - 1; n is from 1 to 2^32 - 1. */
static inline size_t td_chance_below(struct td_chance *c, size_t n)
{
    const uint32_t scale = UINT32_MAX / (uint32_t)n; /* how many random words give the same result */
    uint32_t result;

    do
        result = td_chance_bits(c) / scale;
    while (result >= n);
    return result;
}

/* A random number, at least 0 and below 1. */
static inline double td_chance_ratio(struct td_chance *c)
{
    return td_chance_bits(c) / 4294967296.0;
}

/* With probability p, a Student's t of so many degrees of freedom is further from 0 than what this returns. */
double td_chance_student(double p, double degrees);
/* The probability that one is further from 0 than t. */
double td_chance_beyond(double t, double degrees);

#endif
