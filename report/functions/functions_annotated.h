/* SPDX-License-Identifier: MIT */
/* A function by lines of source, for people. */
#ifndef REPORT_FUNCTIONS_ANNOTATED_H
#define REPORT_FUNCTIONS_ANNOTATED_H

#include "report/functions/functions_report.h"

/* One of the annotated functions after the other. */
void td_functions_annotated_put(struct td_output *, const struct td_functions_report *);

#endif
