/* SPDX-License-Identifier: MIT */
/* Mean and standard deviation by the method of B. P. Welford (Technometrics 4, 1962, p. 419):
 * a sum of squares would lose the digits in which large numbers differ. */
#include "stats/mean.h"

#include "util/student.h"

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

double td_mean_error(const struct td_mean *s)
{
    return s->n > 2 ? td_student(s->n - 1) * sqrt(s->squares / (s->n - 1) / s->n) : (double)NAN;
}
