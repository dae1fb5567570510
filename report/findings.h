/* SPDX-License-Identifier: MIT */
/* What the doctor says, as text. */
#ifndef REPORT_FINDINGS_H
#define REPORT_FINDINGS_H

#include "report/report.h"

void td_findings_one(struct td_report *, const struct td_finding *);
void td_findings_end(struct td_report *, int code, const char *text);

#endif
