/* SPDX-License-Identifier: MIT */
/* The fields of a row of CSV. */
#ifndef REPORT_CSV_FIELDS_H
#define REPORT_CSV_FIELDS_H

#include "report/output.h"

/* In quotes if it needs them. */
void td_csv_field(struct td_output *, const char *separator, const char *text);
/* A field, and the separator after it; NULL: an empty one. */
void td_csv_text(struct td_output *, const char *separator, const char *text);
/* The same with all digits of a number; one that is absent is empty. */
void td_csv_number(struct td_output *, const char *separator, double value);

#endif
