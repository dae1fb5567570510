/* SPDX-License-Identifier: MIT */
#include "stats/distances.h"

void td_distances_add(struct td_distances *d, uint64_t distance)
{
    d->least = d->n && d->least < distance ? d->least : distance;
    d->most = d->most > distance ? d->most : distance;
    d->n++;
    d->step[(distance - TD_PAIR_LEAST) / TD_DISTANCE_STEP]++;
}

uint64_t td_distances_median(const struct td_distances *d)
{
    uint64_t below = 0;

    for (uint64_t i = 0; i < TD_DISTANCE_STEPS; i++) {
        below += d->step[i];
        if (2 * below > d->n)
            return TD_PAIR_LEAST + i * TD_DISTANCE_STEP;
    }
    return 0;
}
