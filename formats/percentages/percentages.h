/* SPDX-License-Identifier: MIT */
/* Percentages that a tool printed, without counts: tables of perf stat (--topdown, --metric-only), its CSV and JSON of
 * metrics, toplev's text, CSV and --json, PerfSpect's metrics. Nodes of levels 1 and 2; the rest is passed over. */
#ifndef TD_PERCENTAGES_H
#define TD_PERCENTAGES_H

#include "backends/nodes.h"
#include "include/tdprobe.h"

/* The node that a field names, whatever is around its name: "%  tma_backend_bound", "metric_TMA_Frontend_Bound(%)",
 * "Backend_Bound.Memory_Bound" (the last of a path). NULL: none. */
const struct td_node *td_percent_node(const char *text, size_t len);
/* The first node that a line names from *at on; *at: after its name. NULL: none. */
const struct td_node *td_percent_next(const char *line, size_t *at);

enum { TD_PERCENT_NODES = 24, TD_PERCENT_SCOPE = 64 };

struct td_percent_value {
    const struct td_node *node;
    double share; /* 0..1 */
};

/* What was printed of one scope at one time. */
struct td_percent_row {
    bool has_time;
    bool sure; /* by its form it can be nothing else: toplev's text, of which one node of level 1 is enough */
    uint64_t time; /* ns */
    char scope[TD_PERCENT_SCOPE]; /* "": none was printed */
    struct td_percent_value value[TD_PERCENT_NODES];
    size_t n;
};

struct td_percent_rows {
    struct td_percent_row *row;
    size_t n, room;
    bool beside_counts; /* set before reading: those that stand beside counts too, as the counts give nothing */
};

/* Reads all of it. 0, -ENOMEM, or what read or td_bytes_line() fails with. Rows without two nodes of level 1, or
 * with none in a form that nothing else has, are left out: no rows, and it is something else. */
int td_percentages_read(struct td_percent_rows *, td_read_fn *read, void *ctx);
void td_percentages_free(struct td_percent_rows *);

#endif
