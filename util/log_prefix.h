/* SPDX-License-Identifier: MIT */
/* What logs, mails and pages put before each line that a program wrote. */
#ifndef TD_LOG_PREFIX_H
#define TD_LOG_PREFIX_H

#include <stddef.h>

/* How many bytes of line are before what the program wrote: marks of a quote ("> "), a page's tags ("<pre>"), times of
 * day with or without a date ("2026-11-20T10:11:12.1234567Z ", "[10:11:12] ", "Nov 20 10:11:12 "), the host and program
 * after one ("host perf[12]: "), words in brackets ("[info] "), the name of a container ("web_1  | "). 0: there is none
 * of these. */
size_t td_log_prefix(const char *line);

#endif
