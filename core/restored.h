/* SPDX-License-Identifier: MIT */
/* The metrics register of tasks and of rotated groups: what the kernel's writing it back adds to the error of its fields. */
#ifndef TD_RESTORED_H
#define TD_RESTORED_H

#include "core/seen.h"

/* The error, in slots, of each field that a solution uses: 0 where the register was never
 * written back. switched: the counts are of tasks. GIVEN, or why it is not known. */
enum td_likely_why td_restored_error(const struct td_use *, size_t nuses, const struct td_counts *, const struct td_uarch *, bool switched,
                                     const struct td_taken *, double *slots);
/* The counts of the fields need not add up to the slots then, by which their true sum is
 * to be divided: an error of this many slots in each covers both. */
double td_restored_cover(double error, double sum, double slots);

#endif
