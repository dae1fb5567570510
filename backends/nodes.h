/* SPDX-License-Identifier: MIT */
/* The nodes that rows of several backends have in common. */
#ifndef TD_BACKENDS_NODES_H
#define TD_BACKENDS_NODES_H

#include "core/tree.h"

/* Intel's and Arm's big cores, and Atoms with E-cores: the same nodes with other thresholds. */
extern const struct td_tree td_tree_big, td_tree_atom;
/* AMD's trees have a fifth level-1 node, smt_contention. Zen 5 and 6 have other names on level 2 than Zen 4. */
extern const struct td_tree td_tree_zen4, td_tree_zen5;
/* Zen 1 and 2, Zen 3, and Neoverse N1 have no nodes, only ratios. */
extern const struct td_tree td_tree_zen1, td_tree_zen3, td_tree_n1;

/* The name of the node with that td_node.number, NULL after the last; and the number of the node with that name, or
 * -1. */
const char *td_node_name(unsigned number);
int td_node_number(const char *name);
/* Whether the tree has nodes, which are shares of slots; false: there is no top-down analysis of the CPU, only
 * ratios. */
bool td_tree_has_nodes(const struct td_tree *);
/* The node of that name; NULL: the tree has none. */
const struct td_node *td_tree_find(const struct td_tree *, const char *name);

#endif
