/* SPDX-License-Identifier: MIT */
/* A line for each interval and scope. */
#ifndef REPORT_LINES_H
#define REPORT_LINES_H

#include "report/report.h"

/* Prints the names of the columns, once before the first line. */
void td_lines_head(struct td_report *);
void td_lines_result(struct td_report *, const struct td_result *);

#endif
