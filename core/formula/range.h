/* SPDX-License-Identifier: MIT */
/* A value together with the range of values that its inputs allow. */
#ifndef TD_RANGE_H
#define TD_RANGE_H

#include <math.h>

/* low <= value <= high holds for every range that these functions return,
 * provided that it holds for their arguments: each operation is monotone and
 * rounds to nearest, and the three members go through the same operations. */
struct td_range {
    double low, value, high;
};

static inline double td_least(double a, double b)
{
    return a < b ? a : b;
}

static inline double td_most(double a, double b)
{
    return a > b ? a : b;
}

static inline struct td_range td_range_exact(double value)
{
    return (struct td_range){value, value, value};
}

/* value, give or take err, but never below 0 unless the value itself is */
static inline struct td_range td_range_count(double value, double err)
{
    return (struct td_range){td_least(value, td_most(0, value - err)), value, value + err};
}

static inline struct td_range td_range_add(struct td_range a, struct td_range b)
{
    return (struct td_range){a.low + b.low, a.value + b.value, a.high + b.high};
}

static inline struct td_range td_range_sub(struct td_range a, struct td_range b)
{
    return (struct td_range){a.low - b.high, a.value - b.value, a.high - b.low};
}

/* An exact 0 cancels the other factor's lack of bounds. */
static inline double td_product(double a, double b)
{
    return a == 0 || b == 0 ? 0 : a * b;
}

static inline struct td_range td_range_mul(struct td_range a, struct td_range b)
{
    double ll = td_product(a.low, b.low), lh = td_product(a.low, b.high);
    double hl = td_product(a.high, b.low), hh = td_product(a.high, b.high);

    return (struct td_range){
        td_least(td_least(ll, lh), td_least(hl, hh)),
        a.value * b.value,
        td_most(td_most(ll, lh), td_most(hl, hh)),
    };
}

/* b.value must not be 0. Where b's range reaches 0 the quotient's is
 * -HUGE_VAL..HUGE_VAL: no bound can be given. */
static inline struct td_range td_range_div(struct td_range a, struct td_range b)
{
    double ll, lh, hl, hh;

    if (b.low <= 0 && b.high >= 0)
        return (struct td_range){-HUGE_VAL, a.value / b.value, HUGE_VAL};
    ll = a.low / b.low, lh = a.low / b.high;
    hl = a.high / b.low, hh = a.high / b.high;
    return (struct td_range){
        td_least(td_least(ll, lh), td_least(hl, hh)),
        a.value / b.value,
        td_most(td_most(ll, lh), td_most(hl, hh)),
    };
}

static inline struct td_range td_range_max0(struct td_range a)
{
    return (struct td_range){td_most(0, a.low), td_most(0, a.value), td_most(0, a.high)};
}

static inline struct td_range td_range_min(struct td_range a, struct td_range b)
{
    return (struct td_range){td_least(a.low, b.low), td_least(a.value, b.value), td_least(a.high, b.high)};
}

static inline struct td_range td_range_max(struct td_range a, struct td_range b)
{
    return (struct td_range){td_most(a.low, b.low), td_most(a.value, b.value), td_most(a.high, b.high)};
}

/* a > b and a >= b as 0 or 1: low is 1 where it holds for certain, high is 0 where it cannot hold */
static inline struct td_range td_range_greater(struct td_range a, struct td_range b)
{
    return (struct td_range){a.low > b.high, a.value > b.value, a.high > b.low};
}

static inline struct td_range td_range_at_least(struct td_range a, struct td_range b)
{
    return (struct td_range){a.low >= b.high, a.value >= b.value, a.high >= b.low};
}

/* x / (x + rest) at one corner; 0 where nothing at all was counted there. */
static inline double td_share_at(double x, double rest)
{
    return x + rest > 0 ? x / (x + rest) : 0;
}

/* x / (x + rest): exact for x, rest >= 0, where dividing by the sum would
 * count the uncertainty of x twice. x.value + rest.value must not be 0. */
static inline struct td_range td_range_share(struct td_range x, struct td_range rest)
{
    struct td_range r = {td_share_at(x.low, rest.high), x.value / (x.value + rest.value),
                         td_share_at(x.high, rest.low)};

    /* Monotone in x and in rest only while both are >= 0: a count that ran
     * backwards leaves no sound bound. */
    if (x.low < 0 || rest.low < 0)
        return (struct td_range){-HUGE_VAL, r.value, HUGE_VAL};
    return r;
}

/* a > b ? x : y; where the ranges leave the comparison open, the range spans both */
static inline struct td_range td_range_when(struct td_range a, struct td_range b, struct td_range x, struct td_range y)
{
    struct td_range chosen = a.value > b.value ? x : y;

    if (a.low > b.high || a.high <= b.low)
        return chosen;
    return (struct td_range){td_least(x.low, y.low), chosen.value, td_most(x.high, y.high)};
}

/* What is one thread's of a count of its core, in cycles, where each one in which its sibling ran too is half of it
 * each. half: half of the count; other: what the formula gives that is right without a sibling, of the core's or the
 * thread's own events; NULL: it has no value. share, both: of the thread's cycles, those with the sibling. Of the
 * core's a cycles without it and b with it, a + b / 2 are the thread's: between half of them and all, no further below
 * all than the b, which are in both, and no further above half than half of the a. A share that may be below 0: the
 * core was counted while the thread halted, too, and nothing of it may be the thread's. */
static inline struct td_range td_range_part(struct td_range share, struct td_range half, const struct td_range *other,
                                            struct td_range both)
{
    const double alone = share.value > 0 ? both.high * (1 - share.value) / share.value : HUGE_VAL;
    struct td_range r = {share.low < 0 ? td_least(0, half.low) : half.low,
                         share.value > 0 || !other ? (2 - share.value) * half.value : other->value,
                         td_least(2 * half.high, half.high + alone / 2)};

    if (other && share.low >= 0)
        r.low = td_most(r.low, other->low - both.high);
    if (other)
        r.high = td_least(r.high, other->high + both.high);
    return (struct td_range){td_least(r.low, r.value), r.value, td_most(r.high, r.value)};
}

#endif
