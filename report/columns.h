/* SPDX-License-Identifier: MIT */
/* Cells of text: blanks, numbers, names. */
#ifndef REPORT_COLUMNS_H
#define REPORT_COLUMNS_H

#include "report/output.h"

enum { TD_PUT_NAME = 1024 /* bytes of a name, at most */ };

/* n <= 0: none. */
void td_put_blanks(struct td_output *, int n);
/* Puts the bytes from at to end into a column of that width, at its right. */
void td_put_right(struct td_output *, const char *at, const char *end, int width);
/* The same for a number. */
void td_put_fixed(struct td_output *, double value, int decimals, int width);
/* Puts two blanks and the name of a scope or event, which comes from a recording or a task, cleaned. */
void td_put_name(struct td_output *, const char *name);

#endif
