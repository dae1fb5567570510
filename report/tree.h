/* SPDX-License-Identifier: MIT */
/* Text for people: a tree for each result, and what follows the results. */
#ifndef REPORT_TREE_H
#define REPORT_TREE_H

#include "report/report.h"

void td_tree_begin(struct td_report *);
void td_tree_result(struct td_report *, const struct td_result *);
void td_tree_repeat(struct td_report *, const struct td_repeat *);
void td_tree_bench(struct td_report *, const struct td_bench *);
void td_tree_finding(struct td_report *, const struct td_finding *);
void td_tree_diagnosis(struct td_report *, int code, const char *text);
void td_tree_end(struct td_report *, const struct td_outcome *);

#endif
