/* SPDX-License-Identifier: MIT */
/* Passes through a region, added up in integers: only td_wide_value() rounds. */
#ifndef TD_PASS_SUM_H
#define TD_PASS_SUM_H

#include "include/td_regions.h"

/* An integer of 128 bits, two's complement. The sum of s0 + s1 for passes that begin s0 slots and end
 * s1 slots after the registers were zeroed exceeds 2^64 in 28 s at a million passes
 * and 24e9 slots a second. */
struct td_wide {
    uint64_t high, low;
};

/* What passes counted, without what inline ends added to a struct td__region_sum. */
struct td_pass_sum {
    struct td_wide field[TD_FIELDS]; /* 255 times each field's slots: s1 * field1 - s0 * field0 */
    struct td_wide err; /* 255 times the possible error of a field: s0 + s1, and s1 for each restore of PERF_METRICS */
    uint64_t count[TD_SELF_EVENTS];
};

/* Adds the registers of a pass between two readings. */
void td_pass_sum_add(struct td_pass_sum *, const struct td_point *from, const struct td_point *to);
/* Moves what inline ends added, except passes and slots, into the sum. */
void td_pass_sum_take(struct td_pass_sum *, struct td__region_sum *);
/* Adds a * b, or subtracts it. */
void td_wide_add(struct td_wide *, uint64_t a, uint32_t b);
void td_wide_subtract(struct td_wide *, uint64_t a, uint32_t b);
/* The number as a double, which two roundings may keep from being the nearest. */
double td_wide_value(const struct td_wide *);

#endif
