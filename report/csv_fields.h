/* SPDX-License-Identifier: MIT */
/* The fields of a row of CSV. */
#ifndef REPORT_CSV_FIELDS_H
#define REPORT_CSV_FIELDS_H

#include "report/output.h"

/* Puts a field, in quotes if it needs them. */
void td_csv_field(struct td_output *, const char *separator, const char *text);
/* Puts a field and the separator after it; text NULL: an empty field. */
void td_csv_text(struct td_output *, const char *separator, const char *text);
/* Puts a number with all its digits and the separator; an absent one (NAN) is an empty field. */
void td_csv_number(struct td_output *, const char *separator, double value);

#endif
