/* SPDX-License-Identifier: MIT */
/* A line for each interval and scope. */
#ifndef REPORT_LINES_H
#define REPORT_LINES_H

#include "report/report.h"

/* Whether the line of a result has something to say in the column of times. */
bool td_lines_timed(const struct td_report *, const struct td_result *);
/* Puts the CPU and the formula of all lines, but on hybrids and where several CPUs fit, of which each line has its own.
 */
void td_lines_cpu(struct td_report *, const struct td_result *first);
/* Prints the names of the columns, before the first line; timed: with that of times. */
void td_lines_head(struct td_report *, bool timed);
void td_lines_result(struct td_report *, const struct td_result *, bool timed);

#endif
