/* SPDX-License-Identifier: MIT */
/* Which metrics of a result are shown, in all formats. */
#ifndef REPORT_SHOWN_H
#define REPORT_SHOWN_H

#include "report/report.h"

/* Whether one of the names that the user gave means the metric itself, and not only a group. */
bool td_report_names(const struct td_report *, const struct td_metric *);
/* Whether a metric is one of those that the report is to show of the result at hand. */
bool td_report_shows(const struct td_report *, const struct td_metric *);

#endif
