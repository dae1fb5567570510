/* SPDX-License-Identifier: MIT */
#include "stats/chance.h"

#include <math.h>
#include <stdlib.h>

#ifdef HAVE_GSL
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_rng.h>

bool td_chance_available(void)
{
    return true;
}

struct td_chance *td_chance_new(unsigned long seed)
{
    gsl_rng *new;

    gsl_set_error_handler_off(); /* it would end the program; what fails gives NULL */
    new = gsl_rng_alloc(gsl_rng_mt19937);
    if (new)
        gsl_rng_set(new, seed);
    return (struct td_chance *)new;
}

void td_chance_free(struct td_chance *c)
{
    gsl_rng_free((gsl_rng *)c);
}

size_t td_chance_below(struct td_chance *c, size_t n)
{
    return gsl_rng_uniform_int((gsl_rng *)c, n);
}

double td_chance_ratio(struct td_chance *c)
{
    return gsl_rng_uniform((gsl_rng *)c);
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
    return NULL;
}

void td_chance_free(struct td_chance *c)
{
    (void)c;
}

size_t td_chance_below(struct td_chance *c, size_t n)
{
    (void)c;
    (void)n;
    return 0;
}

double td_chance_ratio(struct td_chance *c)
{
    (void)c;
    return (double)NAN;
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
