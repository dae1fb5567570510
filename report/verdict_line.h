/* SPDX-License-Identifier: MIT */
/* The verdict in words: the same in all formats. */
#ifndef REPORT_VERDICT_LINE_H
#define REPORT_VERDICT_LINE_H

#include "include/tdprobe.h"

/* Whether a node of its path has no bounds: it is named for how far it is ahead. */
bool td_verdict_unbounded(const struct td_verdict *);

/* Retiring, where it has a value: what "none: 69 % retiring" names. NULL: it has none. */
const struct td_metric *td_verdict_retiring(const struct td_result *);

enum { TD_VERDICT_TEXT = 2048 };
/* "limited by backend_bound: memory_bound", in buf. r: the result that the verdict is of; NULL: it is of a part of one.
 */
const char *td_verdict_line(const struct td_verdict *, const struct td_result *r, char buf[TD_VERDICT_TEXT]);

#endif
