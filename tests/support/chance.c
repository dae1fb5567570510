/* SPDX-License-Identifier: MIT */
#include "tests/support/chance.h"

#include "stats/chance.h"

#include <math.h>

bool chance_available(void)
{
    if (!td_chance_available())
        unit_skip("GSL was not found by configure");
    return td_chance_available();
}

double chance_normal(struct unit_random *random)
{
    const double radius = sqrt(-2 * log(1 - unit_random_ratio(random)));

    return radius * cos(2 * acos(-1) * unit_random_ratio(random));
}

double chance_open(double percent, unsigned long cases)
{
    return 3 * sqrt(percent * (100 - percent) / (double)cases);
}
