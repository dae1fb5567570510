/* SPDX-License-Identifier: MIT */
/* The metrics that perf prints beside a count. The line that they are on shows which copies of its events perf used for
 * one (see core/choice/copies.c), and shares of level 1 of which CPUs they cannot be (session/candidates.c). */
#ifndef TD_METRIC_NAMES_H
#define TD_METRIC_NAMES_H

#include "core/stream.h"

/* What perf names after a metric's value, with its unit ("%  tma_retiring",
 * "percent of slots  frontend_bound", "Bad Speculation"), as a hint.
 * TD_HINT_NONE: no metric, or one that perf prints beside every count of such an event. */
uint16_t td_printed_name(const char *text, size_t len);
/* Names that were looked up: files repeat the same few in the same order. */
struct td_printed_memory {
    size_t next;
    struct td_printed_known {
        char text[40];
        size_t len;
        uint16_t hint;
        uint32_t printed; /* the set of the hint */
        char number[16]; /* that was taken last with it, by td_printed_rest() */
        size_t digits; /* of the number; 0: none */
    } name[16];
};

/* The same, looked up only once. */
uint32_t td_printed_again(struct td_printed_memory *, struct td_hints *, const char *text, size_t len);
/* The same for all metrics in what follows an event in perf's text:
 * "# 2.7% Heavy Operations  # 4.8% Light Operations  (66.65%)"; adds the shares of nodes that are in it: "# 30.1%
 * backend bound", "# 35.2 %  tma_retiring", "# 0.30 backend_bound". */
uint32_t td_printed_rest(struct td_printed_memory *, struct td_hints *, struct td_printed_shares *, const char *rest);

#endif
