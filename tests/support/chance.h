/* SPDX-License-Identifier: MIT */
/* What tests of statistics by simulation share. */
#ifndef TESTS_CHANCE_H
#define TESTS_CHANCE_H

#include "tests/support/unit.h"

/* Whether the program has what comparisons need; if not, the rest of the test is left out. */
bool chance_available(void);
/* Of a normal distribution of mean 0 and deviation 1: G. E. P. Box and M. E. Muller, Ann. Math. Stat. 29, 1958, p. 610.
 */
double chance_normal(struct unit_random *);
/* What chance leaves open of a rate in percent: three standard deviations. */
double chance_open(double percent, unsigned long cases);

#endif
