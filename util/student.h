/* SPDX-License-Identifier: MIT */
/* Student's t without a library: core/ must give bounds, and stats/ errors of means, in builds without GSL too, whose
 * function stats/chance.c has for comparisons and any probability. */
#ifndef TD_STUDENT_H
#define TD_STUDENT_H

/* The 97.5 % quantile for 1 and more degrees of freedom: 95 % of what is drawn lies within it, on both sides. Off by
 * less than 0.001. */
double td_student(unsigned long degrees);

#endif
