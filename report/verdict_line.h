/* SPDX-License-Identifier: MIT */
/* The verdict in words: the same in all formats. */
#ifndef REPORT_VERDICT_LINE_H
#define REPORT_VERDICT_LINE_H

#include "include/tdprobe.h"

/* Whether a node of the verdict's path has no bounds, and is named only because it is clearly ahead. */
bool td_verdict_unbounded(const struct td_verdict *);

/* The metric retiring, which "none: 69 % retiring" names; NULL: it has no value. */
const struct td_metric *td_verdict_retiring(const struct td_result *);

enum { TD_VERDICT_TEXT = 2048 };
/* The verdict in words, such as "limited by backend_bound: memory_bound", in buf. r: the result that it is of; NULL: it
 * is of a part of one. */
const char *td_verdict_line(const struct td_verdict *, const struct td_result *r, char buf[TD_VERDICT_TEXT]);

#endif
