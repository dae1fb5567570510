/* SPDX-License-Identifier: MIT */
/* The verdict in words: the same in all formats. */
#ifndef REPORT_VERDICT_LINE_H
#define REPORT_VERDICT_LINE_H

#include "include/tdprobe.h"

enum { TD_VERDICT_TEXT = 2048 };
/* "limited by backend_bound: memory_bound", in buf. */
const char *td_verdict_line(const struct td_verdict *, char buf[TD_VERDICT_TEXT]);

#endif
