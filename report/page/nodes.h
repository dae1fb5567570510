/* SPDX-License-Identifier: MIT */
/* The tree of a result on a page: each node with its bar, its bounds, what it means and what is below it. */
#ifndef REPORT_PAGE_NODES_H
#define REPORT_PAGE_NODES_H

#include "report/page/page.h"
#include "report/tree_view.h"

/* Which metrics have their meaning on the page already. Zeroed: none. */
struct td_page_told {
    const char **name;
    size_t n;
};

/* What pages with trees and bars look like. */
extern const struct td_page_code td_page_results;

/* Where a share ends in a bar, in percent of it. */
double td_page_place(double share);
/* Puts from where to where a value may be, in percent of a bar: a line, which has an end at each side by its class. */
void td_page_whisker(struct td_output *, double low, double high);
/* Puts the pattern of what is likely, which trees refer to; once on a page. */
void td_page_pattern(struct td_output *);
/* Puts lists of what the view shows of a result. told NULL: without meanings. */
void td_page_nodes(struct td_report *, const struct td_tree_view *, const struct td_result *,
                   struct td_page_told *told);
/* Puts a bar of the nodes of level 1 beside each other. */
void td_page_stack(struct td_output *, const struct td_result *);
/* Puts which colours these have. */
void td_page_legend(struct td_output *, const struct td_result *);
void td_page_told_free(struct td_page_told *);

#endif
