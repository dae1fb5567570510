/* SPDX-License-Identifier: MIT */
/* Mean and standard deviation by the method of B. P. Welford (Technometrics 4, 1962, p. 419):
 * a sum of squares would lose the digits in which large numbers differ. */
#include "stats/mean.h"

#include <math.h>

void td_mean_add(struct td_mean *s, double value)
{
    const double off = value - s->mean;

    s->n++;
    s->mean += off / s->n;
    s->squares += off * (value - s->mean);
}

double td_mean_deviation(const struct td_mean *s)
{
    return s->n > 1 ? sqrt(s->squares / (s->n - 1)) : (double)NAN;
}

/* The 97.5 % quantile of Student's t. */
static double student(unsigned degrees)
{
    /* NIST/SEMATECH e-Handbook, 1.3.6.7.2 */
    static const double few[] = {0, 12.706, 4.303, 3.182, 2.776, 2.571, 2.447};
    const double z = 1.959964, z3 = z * z * z, z5 = z3 * z * z, d = degrees;

    if (degrees < sizeof(few) / sizeof(*few))
        return few[degrees];
    /* Abramowitz and Stegun, 26.7.5 */
    return z + (z3 + z) / (4 * d) + (5 * z5 + 16 * z3 + 3 * z) / (96 * d * d) +
           (3 * z5 * z * z + 19 * z5 + 17 * z3 - 15 * z) / (384 * d * d * d);
}

double td_mean_error(const struct td_mean *s)
{
    return s->n > 2 ? student(s->n - 1) * sqrt(s->squares / (s->n - 1) / s->n) : (double)NAN;
}
