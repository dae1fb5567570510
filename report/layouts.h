/* SPDX-License-Identifier: MIT */
/* The layouts of text: a tree for one result, a line for each, tables, what the doctor found. */
#ifndef REPORT_LAYOUTS_H
#define REPORT_LAYOUTS_H

#include "report/report.h"

/* Puts all that is known about a result. */
void td_tree_result(struct td_report *, const struct td_result *);

/* Whether the line of a result has something to say in the column of times. */
bool td_lines_timed(const struct td_report *, const struct td_result *);
/* Puts the CPU and the formula of all lines, but on hybrids and where several CPUs fit, of which each line has its own.
 */
void td_lines_cpu(struct td_report *, const struct td_result *first);
/* Puts the names of the columns, before the first line; timed: with that of times. */
void td_lines_head(struct td_report *, bool timed);
void td_lines_result(struct td_report *, const struct td_result *, bool timed);

/* Puts tables of the means of several runs, and of what a bench counted. Columns are left out where the screen is
 * narrow. */
void td_table_runs(struct td_report *, const struct td_repeat *);
void td_table_bench(struct td_report *, const struct td_bench *);
/* Puts how long the runs took, where trees have shown the spread of all else. */
void td_table_elapsed(struct td_report *, const struct td_repeat *);

/* Puts what the doctor found, and its conclusion after all findings. */
void td_findings_one(struct td_report *, const struct td_finding *);
void td_findings_end(struct td_report *, int code, const char *text);

#endif
