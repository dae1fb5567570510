/* SPDX-License-Identifier: MIT */
/* Nodes by the names that tools print. */
#ifndef TD_PERCENT_NODES_H
#define TD_PERCENT_NODES_H

#include "backends/nodes.h"

/* The node that a field names, whatever is around its name: "%  tma_backend_bound", "metric_TMA_Frontend_Bound(%)",
 * "Backend_Bound.Memory_Bound" (the last of a path). NULL: none. */
const struct td_node *td_percent_node(const char *text, size_t len);
/* The first node that a line names from *at on; *at: after its name. NULL: none. */
const struct td_node *td_percent_next(const char *line, size_t *at);

#endif
