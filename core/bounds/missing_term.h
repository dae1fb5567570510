/* SPDX-License-Identifier: MIT */
/* How much a correction term that was left out of a formula may be. No term is less than 0, so that it moves a metric
 * one way only, and the bound on the other side stays sound. */
#ifndef TD_MISSING_TERM_H
#define TD_MISSING_TERM_H

/* The most that a term's event is likely to have counted while slots passed, width in each cycle. elsewhere: what it
 * counted at another time, scaled; NAN: it was not counted. HUGE_VAL: nothing is known of it. */
double td_missing_most(const char *event, double elsewhere, double slots, double width);

#endif
