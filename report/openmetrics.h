/* SPDX-License-Identifier: MIT */
/* Counters as Prometheus and its relatives read them; tdprobe-formats(5) has the names. */
#ifndef REPORT_OPENMETRICS_H
#define REPORT_OPENMETRICS_H

#include "report/output.h"
#include "stats/tally.h"

/* The two dialects of the format. */
enum td_exposition {
    TD_OPENMETRICS, /* OpenMetrics 1.0 */
    TD_PROMETHEUS, /* the classic text format 0.0.4, which node_exporter's textfile collector reads */
    TD_EXPOSITIONS,
};

/* A family of one sample, about who measures rather than what was measured. */
struct td_exposition_own {
    const char *name; /* without the suffix _total */
    const char *help;
    bool counter; /* else a gauge */
    double value;
};

/* Writes all of it, and n families after it. */
void td_exposition_put(struct td_output *, const struct td_tally *, const struct td_exposition_own *own, size_t n,
                       enum td_exposition);

#endif
