/* SPDX-License-Identifier: MIT */
/* What the marks of text mean: each is explained once on a screen, where it appears first. */
#ifndef REPORT_MARKS_H
#define REPORT_MARKS_H

#include "report/flags.h"
#include "report/report.h"

enum { TD_FLAG_WORDS = 280 };
/* What a flag means, in a few words, as advice/marks has them; likely: its metric has likely bounds all the same.
 * Returns buf; NULL: text does not show the flag. */
const char *td_flag_words(unsigned flag, bool likely, char buf[TD_FLAG_WORDS]);

/* What the rows of a tree show. */
struct td_tree_flags {
    unsigned common; /* flags that hold for all of them */
    unsigned most; /* those that most of them have, which are said below the tree with the rows that lack them */
    unsigned rows; /* those that single ones have */
    unsigned marks; /* enum td_mark */
    bool likely; /* some rows have likely bounds */
};
/* Puts the flags that all rows have, and what marks and flags mean, as far as that was not said yet. */
void td_marks_below(struct td_report *, const struct td_tree_flags *);
/* Puts what those marks of a line mean that no line before had. */
void td_marks_of_line(struct td_report *, unsigned marks);

#endif
