/* SPDX-License-Identifier: MIT */
/* Cells of text: blanks, numbers, names. */
#ifndef REPORT_COLUMNS_H
#define REPORT_COLUMNS_H

#include "report/output.h"

enum { TD_PUT_NAME = 1024 /* most bytes of a name that are put */ };

/* Puts n blanks, or none if n is not above 0. */
void td_put_blanks(struct td_output *, int n);
/* Puts the bytes from at to end into a column of that width, at its right. */
void td_put_right(struct td_output *, const char *at, const char *end, int width);
/* Puts a number at the right of a column of that width. */
void td_put_fixed(struct td_output *, double value, int decimals, int width);
/* Puts the name of a scope or event, which comes from a recording or a task, cleaned. */
void td_put_cleaned(struct td_output *, const char *name);
/* The same after two blanks. */
void td_put_name(struct td_output *, const char *name);

#endif
