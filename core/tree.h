/* SPDX-License-Identifier: MIT */
/* The nodes of a row's top-down tree: data of the backends, which rows share. */
#ifndef TD_TREE_H
#define TD_TREE_H

#include "include/tdprobe.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct td_node {
    const char *name;
    const char *parent; /* "" at level 1 */
    int level; /* TD_LEVEL_TOP to TD_LEVELS */
    uint16_t number; /* the number of its name among the nodes of all rows: td_node_name() */
    bool always; /* it is listed for every CPU that has the tree, even if only as not_on_this_cpu */
    uint8_t kind; /* enum td_metric_kind */
    double threshold; /* what it exceeds where it is a bottleneck; 1: it never is one */
};

enum { TD_NODE_UNNUMBERED = UINT16_MAX };

struct td_tree {
    const struct td_node *node; /* in the order in which results list them */
    size_t n;
};

#endif
