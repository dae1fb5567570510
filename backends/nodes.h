/* SPDX-License-Identifier: MIT */
/* The nodes that rows of several backends have in common. */
#ifndef TD_BACKENDS_NODES_H
#define TD_BACKENDS_NODES_H

#include "core/tree.h"

/* They differ in their thresholds: those of big cores, and those of Atoms and E-cores. */
extern const struct td_tree td_tree_big, td_tree_atom;
/* AMD's have a fifth level-1 node, smt_contention. The names of level 2 differ between Zen 4 and Zen 5 and 6. */
extern const struct td_tree td_tree_zen4, td_tree_zen5;
/* Ratios only, no nodes: Zen 1 and 2, Zen 3, and Neoverse N1. */
extern const struct td_tree td_tree_zen1, td_tree_zen3, td_tree_n1;

/* The name of a node by td_node.number, NULL after the last; and its number, or -1. */
const char *td_node_name(unsigned number);
int td_node_number(const char *name);
/* Whether its nodes are shares of slots; false: there is no top-down analysis of the CPU, only ratios. */
bool td_tree_has_nodes(const struct td_tree *);
/* NULL: the tree has no such node. */
const struct td_node *td_tree_find(const struct td_tree *, const char *name);

#endif
