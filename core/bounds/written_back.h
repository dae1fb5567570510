/* SPDX-License-Identifier: MIT */
/* The metrics register of tasks and of rotated groups: what the kernel adds to the error of its fields by writing it
 * back. */
#ifndef TD_WRITTEN_BACK_H
#define TD_WRITTEN_BACK_H

#include "core/bounds/observed.h"

/* The error, in slots, of each field that a solution uses: 0 where the register was never
 * written back. switched: the counts are of tasks. GIVEN, or why it is not known. */
enum td_likely_why td_restored_error(const struct td_use *, size_t nuses, const struct td_counts *,
                                     const struct td_uarch *, bool switched, const struct td_taken *, double *slots);
/* The fields' counts then need not add up to the slots, as their true counts would: an
 * error of this many slots in each covers both sums. */
double td_restored_cover(double error, double sum, double slots);

#endif
