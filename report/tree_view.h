/* SPDX-License-Identifier: MIT */
/* What of a result a tree shows, how wide its names are, and what follows it. */
#ifndef REPORT_TREE_VIEW_H
#define REPORT_TREE_VIEW_H

#include "report/marks.h"

enum { TD_TREE_NAMES = 22 /* fewest columns that names have */ };

struct td_tree_view {
    bool *shown; /* by metric: whether it is shown */
    size_t hidden; /* how many nodes are left out that have a value, but are below their thresholds */
    bool deep; /* there are nodes beyond levels 1 and 2 */
    bool mixed; /* some deeper node that is shown is no share of slots */
    struct td_tree_flags flags;
    int names; /* how many columns a name takes, with the indent of its level */
    const struct td_verdict *verdict; /* the report's */
};

/* Makes the view. room is how many columns names may take; 0: any number. -ENOMEM. */
int td_tree_view_make(struct td_tree_view *, const struct td_report *, const struct td_result *, int room);
void td_tree_view_free(struct td_tree_view *);
/* Whether the i-th metric has a row with a value, to which flags can belong. */
bool td_tree_view_counts(const struct td_tree_view *, const struct td_result *, size_t i);
/* Puts the flags that most rows have, each once with the rows that lack it. */
void td_marks_most(struct td_report *, const struct td_tree_view *, const struct td_result *);
/* The flags of a row that are not those of all, or of most. */
unsigned td_tree_view_flags(const struct td_tree_view *, const struct td_metric *);
/* Whether the verdict names the metric, or a node that is part of it. */
bool td_tree_view_limits(const struct td_tree_view *, const struct td_metric *);
/* By how many columns a level is indented. */
int td_tree_indent(int level);

/* Puts what is to be known of a tree, in lines: what it leaves out, counts, flags. */
void td_tree_remarks(struct td_report *, const struct td_tree_view *, const struct td_result *);
/* Puts a line with the command that shows where in the program a node comes from; if the screen is too narrow, or it
 * is not the same on each CPU that fits, the one that names it. Nothing where none is known. */
void td_tree_command(struct td_report *, const struct td_result *, const char *node);
/* The same as a text, the caller's, in at most width characters if it is not 0; NULL: there is none, or no memory for
 * it, which is the report's error. */
char *td_tree_command_text(struct td_report *, const struct td_result *, const char *node, size_t width);
/* Puts what follows a tree: those remarks, the verdict, and what to do next. */
void td_tree_notes(struct td_report *, const struct td_tree_view *, const struct td_result *);

#endif
