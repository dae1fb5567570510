/* SPDX-License-Identifier: MIT */
/* A time line in numbers, for where no script draws it. */
#ifndef REPORT_PAGE_TIME_TABLE_H
#define REPORT_PAGE_TIME_TABLE_H

#include "report/page/time_line.h"

enum {
    TD_TIME_TABLES = 4, /* most scopes that have a table */
    TD_TIME_ROWS = 36, /* most rows of a table: where there are more intervals, a row is of several */
};

void td_time_table_put(struct td_output *, const struct td_time_line *);

#endif
