/* SPDX-License-Identifier: MIT */
/* A summary of a set of counts: its ends, its middle and its spread. */
#include "stats/mean.h"

#include <math.h>
#include <stdlib.h>

static int by_value(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

void td_spread_of(uint64_t *value, size_t n, struct td_spread *out)
{
    struct td_mean mean = {0};

    *out = (struct td_spread){NAN, NAN, NAN, NAN, NAN};
    if (!n)
        return;
    qsort(value, n, sizeof(*value), by_value);
    for (size_t i = 0; i < n; i++)
        td_mean_add(&mean, (double)value[i]);
    out->min = (double)value[0];
    out->median = ((double)value[(n - 1) / 2] + (double)value[n / 2]) / 2;
    out->mean = mean.mean;
    out->deviation = td_mean_deviation(&mean);
    out->max = (double)value[n - 1];
}
