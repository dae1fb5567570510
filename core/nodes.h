/* SPDX-License-Identifier: MIT */
/* The nodes of the top-down tree: names, parents, thresholds. */
#ifndef TD_NODES_H
#define TD_NODES_H

#include <stdbool.h>
#include <stddef.h>

struct td_node {
    const char *name;
    const char *parent; /* "" at level 1 */
    int level;
    bool always; /* listed for every CPU, if only as not_on_this_cpu */
    /* what a bottleneck exceeds; 1: this node never is one */
    double threshold, threshold_atom;
};

enum { TD_NODES = 15 };

extern const struct td_node td_nodes[TD_NODES];

/* NULL: a help value, not a node */
const struct td_node *td_node_find(const char *name);

#endif
