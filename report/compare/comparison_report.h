/* SPDX-License-Identifier: MIT */
/* A comparison in one of several formats. */
#ifndef REPORT_COMPARISON_REPORT_H
#define REPORT_COMPARISON_REPORT_H

#include "report/output.h"
#include "stats/comparison.h"
#include "stats/gate.h"

/* What is reported. */
struct td_comparison_report {
    const struct td_comparison *comparison;
    const struct td_gate *gate;
    size_t gates;
    const char *separator; /* of csv; NULL: a comma */
};

/* A format: defined in one file, listed in comparison_report.c. */
struct td_comparison_format {
    const char *name;
    bool notes; /* it has room for td_comparison_note() and the gates; otherwise they go where messages go */
    void (*put)(struct td_output *, const struct td_comparison_report *);
};

/* The i-th format, NULL after the last. Static storage. */
const struct td_comparison_format *td_comparison_format_at(size_t i);

/* Whether row i is the first of its scope, kind of core and side. */
bool td_comparison_begins(const struct td_comparison *, size_t i);

/* ---- words that the formats share ------------------------------------------------- */

enum { TD_NOTE_TEXT = 512 };
/* The i-th thing that a reader must know: what bounds promise, different CPUs, trends. Returns buf; NULL after the
 * last. */
const char *td_comparison_note(const struct td_comparison *, size_t i, char buf[TD_NOTE_TEXT]);
/* The answer to a condition: "--fail-if 'ipc < -3%' holds: system: -5.1 % (-7.0 .. -3.2)". Returns buf. */
const char *td_gate_line(const struct td_gate *, char buf[TD_NOTE_TEXT]);
/* The call of a row: "more: worse", "no difference shown". Returns buf. */
const char *td_difference_word(const struct td_difference *, const struct td_comparison *, char buf[TD_NOTE_TEXT]);
/* A value as people read it: "37.5 %" for a share. */
const char *td_value_text(const struct td_difference *, double value, char buf[64]);
/* The difference: "+2.5 points" of a share, else the change in percent of side a. */
const char *td_change_text(const struct td_difference *, char buf[64]);
/* What differs in a few words: "b is 12.9 % slower: core_bound +5.6 points". first is the first row of the scope and
 * side. Returns buf. */
const char *td_comparison_sentence(const struct td_comparison *, size_t first, char buf[TD_NOTE_TEXT]);
/* The difference's bounds in the same unit: "+1.2 .. +3.8"; "" where there are none. */
const char *td_change_bounds(const struct td_difference *, char buf[64]);
/* The scope of a row with its kind of core: "system", "system P". */
const char *td_difference_scope(const struct td_difference *, char buf[TD_NOTE_TEXT]);

#endif
