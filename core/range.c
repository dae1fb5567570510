/* SPDX-License-Identifier: MIT */
#include "range.h"

#include <math.h>

static double least(double a, double b)
{
    return a < b ? a : b;
}

static double most(double a, double b)
{
    return a > b ? a : b;
}

struct td_range td_range_exact(double value)
{
    return (struct td_range){value, value, value};
}

struct td_range td_range_count(double value, double err)
{
    return (struct td_range){least(value, most(0, value - err)), value, value + err};
}

struct td_range td_range_add(struct td_range a, struct td_range b)
{
    return (struct td_range){a.low + b.low, a.value + b.value, a.high + b.high};
}

struct td_range td_range_sub(struct td_range a, struct td_range b)
{
    return (struct td_range){a.low - b.high, a.value - b.value, a.high - b.low};
}

/* An exact 0 takes the other factor's lack of bounds away. */
static double product(double a, double b)
{
    return a == 0 || b == 0 ? 0 : a * b;
}

struct td_range td_range_mul(struct td_range a, struct td_range b)
{
    double ll = product(a.low, b.low), lh = product(a.low, b.high);
    double hl = product(a.high, b.low), hh = product(a.high, b.high);

    return (struct td_range){
        least(least(ll, lh), least(hl, hh)),
        a.value * b.value,
        most(most(ll, lh), most(hl, hh)),
    };
}

struct td_range td_range_div(struct td_range a, struct td_range b)
{
    double ll, lh, hl, hh;

    if (b.low <= 0 && b.high >= 0)
        return (struct td_range){-HUGE_VAL, a.value / b.value, HUGE_VAL};
    ll = a.low / b.low, lh = a.low / b.high;
    hl = a.high / b.low, hh = a.high / b.high;
    return (struct td_range){
        least(least(ll, lh), least(hl, hh)),
        a.value / b.value,
        most(most(ll, lh), most(hl, hh)),
    };
}

struct td_range td_range_max0(struct td_range a)
{
    return (struct td_range){most(0, a.low), most(0, a.value), most(0, a.high)};
}

struct td_range td_range_min(struct td_range a, struct td_range b)
{
    return (struct td_range){least(a.low, b.low), least(a.value, b.value), least(a.high, b.high)};
}

/* x / (x + rest) at one corner; 0 where nothing at all was counted there. */
static double share_at(double x, double rest)
{
    return x + rest > 0 ? x / (x + rest) : 0;
}

struct td_range td_range_share(struct td_range x, struct td_range rest)
{
    struct td_range r = {share_at(x.low, rest.high), x.value / (x.value + rest.value), share_at(x.high, rest.low)};

    /* Monotone in x and in rest only while both are >= 0: a count that ran
     * backwards leaves no sound bound. */
    if (x.low < 0 || rest.low < 0)
        return (struct td_range){-HUGE_VAL, r.value, HUGE_VAL};
    return r;
}

struct td_range td_range_when(struct td_range a, struct td_range b, struct td_range x, struct td_range y)
{
    struct td_range chosen = a.value > b.value ? x : y;

    if (a.low > b.high || a.high <= b.low)
        return chosen;
    return (struct td_range){least(x.low, y.low), chosen.value, most(x.high, y.high)};
}
