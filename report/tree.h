/* SPDX-License-Identifier: MIT */
/* Text for people: all that is known about a result. */
#ifndef REPORT_TREE_H
#define REPORT_TREE_H

#include "report/report.h"

void td_tree_result(struct td_report *, const struct td_result *);

#endif
