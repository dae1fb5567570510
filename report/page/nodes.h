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

/* What pages of results look like, besides td_tree_style(). */
extern const struct td_page_code td_page_results;

/* Puts lists of what the view shows of a result. told NULL: without meanings. */
void td_page_nodes(struct td_report *, const struct td_tree_view *, const struct td_result *,
                   struct td_page_told *told);
/* Puts a bar of the nodes of level 1 beside each other. */
void td_page_stack(struct td_output *, const struct td_result *);
/* Puts which colours these have. */
void td_page_legend(struct td_output *, const struct td_result *);
void td_page_told_free(struct td_page_told *);

#endif
