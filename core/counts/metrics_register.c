/* SPDX-License-Identifier: MIT */
/* PERF_METRICS, the register that holds shares of the slots in fields of 8 bits: a field, and what it counted between
 * two readings with the error that 8 bits leave. tdprobe.h says where both come from. */
#include "include/tdprobe.h"

#include <errno.h>

unsigned td_metrics_field(uint64_t perf_metrics, enum td_field field)
{
    if ((unsigned)field >= TD_FIELDS)
        return 0;
    return (unsigned)(perf_metrics >> (8 * (unsigned)field)) & 0xff;
}

int td_metrics_delta(enum td_field field, uint64_t slots0, uint64_t metrics0, uint64_t slots1, uint64_t metrics1,
                     double *slots, double *err)
{
    double s0 = (double)slots0, s1 = (double)slots1;

    if (slots1 < slots0)
        return -ESTALE;
    *slots = (s1 * td_metrics_field(metrics1, field) - s0 * td_metrics_field(metrics0, field)) / 0xff;
    *err = (s0 + s1) / 0xff;
    return 0;
}
