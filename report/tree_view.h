/* SPDX-License-Identifier: MIT */
/* What of a result a tree shows, and how wide its names are. */
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
/* The flags of a row that not all rows have. */
unsigned td_tree_view_flags(const struct td_tree_view *, const struct td_metric *);
/* Whether the verdict names the metric, or a node that is part of it. */
bool td_tree_view_limits(const struct td_tree_view *, const struct td_metric *);
/* By how many columns a level is indented. */
int td_tree_indent(int level);

#endif
