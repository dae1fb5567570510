/* SPDX-License-Identifier: MIT */
/* The published conditions under which metrics are worth looking at (the thresholds of a table,
 * backends/NOTATION), compiled over the metrics of a result. */
#ifndef TD_THRESHOLDS_H
#define TD_THRESHOLDS_H

#include "core/result.h"
#include "core/formula/table.h"

struct td_judge;

/* For the metrics of these nodes, in the order of results. A condition may name metrics that are not
 * among them: these are absent. Errors of td_program_compile(), with why. */
int td_judge_new(const struct td_table *, const struct td_node *const *nodes, size_t n, struct td_judge **out,
                 char *why, size_t whysize);
void td_judge_free(struct td_judge *);
/* Sets td_metric.over of all metrics, and td_result.judged, which belongs to the judge. A metric without a
 * value leaves a condition open, unless the rest of it settles it. */
void td_judge_run(struct td_judge *, struct td_result *);

#endif
