/* SPDX-License-Identifier: MIT */
/* How much a correction term that was left out of a formula may be. No term is less than 0, so that it moves a node
 * one way only, and the bound on the other side stays sound (tests/core/solve/test_missing_term.c tries all tables). */
#ifndef TD_MISSING_TERM_H
#define TD_MISSING_TERM_H

/* What an event counted at another time. */
struct td_elsewhere {
    double scaled; /* to all of the time */
    double scale; /* by this */
    double windows; /* in so many; NAN: not known */
};

struct td_slots_passed {
    double slots; /* 0: not known */
    double width; /* so many in each cycle */
    double wasted; /* by bad speculation, as far as formulas show it without the term; NAN: not known */
};

/* The most that a term's event is likely to have counted meanwhile. NULL: it was not counted at another time either.
 * HUGE_VAL: nothing is known of it. */
double td_missing_most(const char *event, const struct td_elsewhere *, const struct td_slots_passed *);

#endif
