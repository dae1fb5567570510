/* SPDX-License-Identifier: MIT */
#include "stats/chance.h"

#include <math.h>
#include <stdlib.h>

/* ---- random numbers ------------------------------------------------------------------------------ */

/* MT19937: M. Matsumoto and T. Nishimura, ACM Trans. Model. Comput. Simul. 8, 1998, p. 3, begun as in their revision of
 * 2002; a seed of 0 is 4357, theirs of 1998. The library's generator gives the same numbers, but a call for each: of
 * comparisons by resampling they are most of the time. */
static void seed_words(struct td_chance *c, unsigned long seed)
{
    c->word[0] = seed ? (uint32_t)seed : 4357;
    for (uint32_t i = 1; i < TD_CHANCE_WORDS; i++)
        c->word[i] = UINT32_C(1812433253) * (c->word[i - 1] ^ c->word[i - 1] >> 30) + i;
    c->at = TD_CHANCE_WORDS;
}

static uint32_t twist(uint32_t high, uint32_t low)
{
    const uint32_t both = (high & UINT32_C(0x80000000)) | (low & UINT32_C(0x7fffffff));

    return both >> 1 ^ (low & 1 ? UINT32_C(0x9908b0df) : 0);
}

void td_chance_refill(struct td_chance *c)
{
    enum { N = TD_CHANCE_WORDS, M = 397 };

    for (size_t i = 0; i < N - M; i++)
        c->word[i] = c->word[i + M] ^ twist(c->word[i], c->word[i + 1]);
    for (size_t i = N - M; i < N - 1; i++)
        c->word[i] = c->word[i + M - N] ^ twist(c->word[i], c->word[i + 1]);
    c->word[N - 1] = c->word[M - 1] ^ twist(c->word[N - 1], c->word[0]);
    c->at = 0;
}

/* ---- the library --------------------------------------------------------------------------------- */

#ifdef HAVE_GSL
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>

bool td_chance_available(void)
{
    return true;
}

struct td_chance *td_chance_new(unsigned long seed)
{
    struct td_chance *new = malloc(sizeof(*new));

    gsl_set_error_handler_off(); /* it would end the program; what fails gives NAN */
    if (new)
        seed_words(new, seed);
    return new;
}

double td_chance_student(double p, double degrees)
{
    return gsl_cdf_tdist_Qinv(p / 2, degrees);
}

double td_chance_beyond(double t, double degrees)
{
    return 2 * gsl_cdf_tdist_Q(fabs(t), degrees);
}

#else

bool td_chance_available(void)
{
    return false;
}

struct td_chance *td_chance_new(unsigned long seed)
{
    (void)seed;
    (void)seed_words;
    return NULL;
}

double td_chance_student(double p, double degrees)
{
    (void)p;
    (void)degrees;
    return (double)NAN;
}

double td_chance_beyond(double t, double degrees)
{
    (void)t;
    (void)degrees;
    return (double)NAN;
}

#endif

void td_chance_free(struct td_chance *c)
{
    free(c);
}
