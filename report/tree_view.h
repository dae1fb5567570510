/* SPDX-License-Identifier: MIT */
/* What of a result a tree shows, and how wide its names are. */
#ifndef REPORT_TREE_VIEW_H
#define REPORT_TREE_VIEW_H

#include "report/marks.h"

enum { TD_TREE_NAMES = 22 /* columns of names, at least */ };

struct td_tree_view {
    bool *shown; /* by metric */
    size_t hidden; /* nodes with a value that are below their thresholds */
    bool deep; /* there are nodes beyond levels 1 and 2 */
    bool mixed; /* a deeper node that is shown is no share of slots */
    struct td_tree_flags flags;
    int names; /* columns for a name and the indent of its level */
    const struct td_verdict *verdict; /* the report's */
};

/* room: columns that names may take; 0: any number. -ENOMEM. */
int td_tree_view_make(struct td_tree_view *, const struct td_report *, const struct td_result *, int room);
void td_tree_view_free(struct td_tree_view *);
/* The flags of a row that are not those of all. */
unsigned td_tree_view_flags(const struct td_tree_view *, const struct td_metric *);
/* Whether the verdict names the metric, or a node that is part of it. */
bool td_tree_view_limits(const struct td_tree_view *, const struct td_metric *);
/* Columns by which a level is indented. */
int td_tree_indent(int level);

#endif
