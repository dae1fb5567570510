/* SPDX-License-Identifier: MIT */
/* The table of a page: each place, and what its slots were spent on. */
#ifndef REPORT_HTML_TABLE_H
#define REPORT_HTML_TABLE_H

#include "report/functions/functions_report.h"

/* What a kind of place is called. */
struct td_html_kind {
    const char *kind, *one, *many; /* "dso", "program or library", "programs and libraries" */
};

struct td_html_kind td_html_kind_of(const struct td_functions *);
void td_html_table(struct td_output *, const struct td_functions_report *);

enum { TD_HTML_NODES = 64 };
/* Names of nodes, each once, which belong to their metrics. Those beyond the array's size are left out. */
struct td_html_nodes {
    const char *name[TD_HTML_NODES];
    size_t n;
};

void td_html_node_add(struct td_html_nodes *, const char *name);
/* The nodes of level 1 that the places have that are shown. */
struct td_html_nodes td_html_nodes_of(const struct td_functions_report *);

#endif
