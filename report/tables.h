/* SPDX-License-Identifier: MIT */
/* Tables of text: the means of several runs, and what a bench counted. Columns are left out where the screen is narrow.
 */
#ifndef REPORT_TABLES_H
#define REPORT_TABLES_H

#include "report/report.h"

void td_table_runs(struct td_report *, const struct td_repeat *);
/* How long the runs took, where trees have shown the spread of all else. */
void td_table_elapsed(struct td_report *, const struct td_repeat *);
void td_table_bench(struct td_report *, const struct td_bench *);

#endif
