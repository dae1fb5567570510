/* SPDX-License-Identifier: MIT */
#include "live/thread/pass_sum.h"

#include "core/counts/counts.h"

static void add(struct td_wide *sum, uint64_t high, uint64_t low)
{
    sum->low += low;
    sum->high += high + (sum->low < low);
}

static struct td_wide negative(const struct td_wide *n)
{
    return (struct td_wide){.high = ~n->high + !n->low, .low = ~n->low + 1};
}

static struct td_wide product(uint64_t a, uint32_t b)
{
    const uint64_t upper = (a >> 32) * b;
    struct td_wide out = {.high = upper >> 32, .low = upper << 32};

    add(&out, 0, (uint32_t)a * (uint64_t)b);
    return out;
}

void td_wide_add(struct td_wide *sum, uint64_t a, uint32_t b)
{
    const struct td_wide n = product(a, b);

    add(sum, n.high, n.low);
}

void td_wide_subtract(struct td_wide *sum, uint64_t a, uint32_t b)
{
    const struct td_wide n = product(a, b), less = negative(&n);

    add(sum, less.high, less.low);
}

double td_wide_value(const struct td_wide *n)
{
    const bool below = n->high >> 63;
    const struct td_wide size = below ? negative(n) : *n;
    const double value = (double)size.high * 0x1p64 + (double)size.low;

    return below ? -value : value;
}

void td_pass_sum_add(struct td_pass_sum *sum, const struct td_point *from, const struct td_point *to)
{
    for (int f = 0; f < TD_FIELDS; f++) {
        td_wide_add(&sum->field[f], to->slots, td_metrics_field(to->metrics, (enum td_field)f));
        td_wide_subtract(&sum->field[f], from->slots, td_metrics_field(from->metrics, (enum td_field)f));
    }
    td_wide_add(&sum->err, from->slots, 1);
    td_wide_add(&sum->err, to->slots, 1 + td_packed_restores(from->updates / 2, to->updates / 2));
}

void td_pass_sum_take(struct td_pass_sum *sum, struct td__region_sum *hot)
{
    add(&sum->err, 0, hot->ends);
    hot->ends = 0;
    for (int f = 0; f < TD_FIELDS; f++) {
        add(&sum->field[f], hot->field[f] < 0 ? UINT64_MAX : 0, (uint64_t)hot->field[f]);
        hot->field[f] = 0;
    }
}
