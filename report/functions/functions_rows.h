/* SPDX-License-Identifier: MIT */
/* A function for people: in a table, and by lines of source. */
#ifndef REPORT_FUNCTIONS_ROWS_H
#define REPORT_FUNCTIONS_ROWS_H

#include "report/functions/functions_report.h"

/* Puts the names of the columns for functions such as this one; kind is what the rows are. */
void td_functions_row_head(struct td_output *, const struct td_functions_report *, const struct td_function *,
                           const char *kind);
/* Puts the two lines of a function: numbers and name; and the verdict. */
void td_functions_row_put(struct td_output *, const struct td_functions_report *, const struct td_function *);
/* Puts a share in percent; "-" if it is absent. */
void td_functions_row_share(struct td_output *, double share, int width);

/* One of the annotated functions after the other. */
void td_functions_annotated_put(struct td_output *, const struct td_functions_report *);

#endif
