/* SPDX-License-Identifier: MIT */
/* Where a series changes: stretches of it that differ beyond what its scatter explains. */
#ifndef STATS_PHASES_H
#define STATS_PHASES_H

#include <stddef.h>

enum {
    TD_PHASE_LEAST = 4, /* intervals of a phase */
    TD_PHASE_BINS = 4096, /* longer series are looked at in as many stretches of equal numbers of intervals */
};

/* Cuts a series of n intervals, one at least, with k values each (value[i * k + j]) into phases: first[p] is the first
 * interval of phase p, first[0] is 0. The caller frees first. chance: of any cut in a series that has none, such as
 * 0.05. 0 or -ENOMEM.
 *
 * Method: the cuts with the least sum of squared deviations from the phases' means and of a penalty for each
 * cut (B. Jackson et al., IEEE Signal Process. Lett. 12, 2005, p. 105; pruned as by R. Killick et al., J. Am. Stat.
 * Assoc. 107, 2012, p. 1590); then cuts are dropped, the least clear first, until each is more than chance, by
 * Student's t and Bonferroni's correction for all intervals and values. Values that are alike from interval to
 * interval, as far as differences of intervals one and two apart show, count as fewer. */
int td_phases(const double *value, size_t n, size_t k, double chance, size_t **first, size_t *phases);

#endif
