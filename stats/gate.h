/* SPDX-License-Identifier: MIT */
/* Conditions on a comparison, which compare --fail-if takes: "memory_bound > +2pp", "ipc < -3%", "verdict changes". */
#ifndef STATS_GATE_H
#define STATS_GATE_H

#include "stats/comparison.h"

enum td_gate_answer { TD_GATE_NO /* shown not to hold */, TD_GATE_UNKNOWN, TD_GATE_HOLDS };

enum { TD_GATE_TEXT = 128 };

struct td_gate {
    char text[TD_GATE_TEXT]; /* as it was given, without blanks around it */
    char metric[TD_GATE_TEXT]; /* "": the verdict */
    bool more; /* > */
    double limit; /* what the difference is compared with: by unit a share, a part of a's value, or a plain number */
    enum td_gate_unit { TD_GATE_POINTS, TD_GATE_PERCENT, TD_GATE_PLAIN } unit;
    /* set by td_gate_ask() */
    enum td_gate_answer answer;
    const struct td_difference *row; /* the row that decides; NULL: none has the metric, or it is about the verdict */
    const struct td_verdicts *verdict; /* for a condition on the verdict: those that decide; else NULL */
    bool wrong_unit; /* points were given for what is no share, or a plain number for a share */
};

/* Reads one condition. False: it is none. */
bool td_gate_parse(const char *text, struct td_gate *out);
/* Whether it holds in any scope of any side; unknown where that is not shown and not excluded. */
void td_gate_ask(struct td_gate *, const struct td_comparison *);
/* Whether all are shown not to hold, one is shown to hold, or neither. */
enum td_gate_answer td_gates_answer(const struct td_gate *, size_t n);
/* "holds" and the like */
const char *td_gate_answer_name(enum td_gate_answer);

#endif
