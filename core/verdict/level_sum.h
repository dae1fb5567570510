/* SPDX-License-Identifier: MIT */
/* The shares of level 1, four or AMD's five, are all of the slots. Where no formula forces that, their sum shows
 * whether the counts can be right. */
#ifndef TD_LEVEL_SUM_H
#define TD_LEVEL_SUM_H

#include "core/result.h"

/* Flags the metrics of a result whose level-1 shares of slots do not add up to 1 with
 * TD_FLAG_SUM_OFF, and removes their bounds; beyond a factor of absurd they are impossible. */
void td_level_sum_check(struct td_result *, double absurd);

#endif
