/* SPDX-License-Identifier: MIT */
/* A value together with the range of values that its inputs allow. */
#ifndef TD_RANGE_H
#define TD_RANGE_H

/* low <= value <= high holds for every range that these functions return,
 * provided that it holds for their arguments: each operation is monotone and
 * rounds to nearest, and the three members go through the same operations. */
struct td_range {
    double low, value, high;
};

struct td_range td_range_exact(double value);
/* value, give or take err, but never below 0 unless the value itself is */
struct td_range td_range_count(double value, double err);

struct td_range td_range_add(struct td_range a, struct td_range b);
struct td_range td_range_sub(struct td_range a, struct td_range b);
struct td_range td_range_mul(struct td_range a, struct td_range b);
/* b.value must not be 0. Where b's range reaches 0 the quotient's is
 * -HUGE_VAL..HUGE_VAL: no bound can be given. */
struct td_range td_range_div(struct td_range a, struct td_range b);
struct td_range td_range_max0(struct td_range a);
struct td_range td_range_min(struct td_range a, struct td_range b);
/* x / (x + rest): exact for x, rest >= 0, where dividing by the sum would
 * count the uncertainty of x twice. x.value + rest.value must not be 0. */
struct td_range td_range_share(struct td_range x, struct td_range rest);
/* a > b ? x : y; where the ranges leave the comparison open, the range spans both */
struct td_range td_range_when(struct td_range a, struct td_range b, struct td_range x, struct td_range y);

#endif
