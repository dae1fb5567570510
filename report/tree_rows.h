/* SPDX-License-Identifier: MIT */
/* A row of a tree: a name below its parent's, a value, bounds, a bar, flags. */
#ifndef REPORT_TREE_ROWS_H
#define REPORT_TREE_ROWS_H

#include "report/tree_view.h"

enum {
    TD_TREE_MARGIN = 2, /* columns left of what is below the head */
    TD_TREE_BOUNDS = 18, /* columns of bounds */
    TD_TREE_ROW = 8 + TD_TREE_BOUNDS, /* without margin, name and bar */
};

/* How a name is put: in a column of this width, which includes the indent of its level. */
struct td_tree_style {
    int columns;
    bool coloured, marked;
};

/* A node's name, indented below its parent's; one that is too long is cut. */
void td_tree_name(struct td_report *, const char *name, int level, const struct td_tree_style *);
/* Puts bounds of what is no share. */
void td_tree_limits(struct td_output *, double low, double high, enum td_bounds);
/* Puts bounds of a share, in per cent. Returns the number of characters. */
int td_tree_bounds(struct td_output *, double low, double high, enum td_bounds);
/* Puts "  ! flag, flag". */
void td_tree_flags(struct td_output *, const struct td_result *, unsigned flags, unsigned latencies);
/* Puts the whole row of a metric. */
void td_tree_metric(struct td_report *, const struct td_tree_view *, const struct td_result *,
                    const struct td_metric *);

#endif
