/* SPDX-License-Identifier: MIT */
/* The nodes that rows of several backends have in common. */
#ifndef TD_NODES_H
#define TD_NODES_H

#include "core/tree.h"

/* They differ in their thresholds: those of big cores, and those of Atoms and E-cores. */
extern const struct td_tree td_tree_big, td_tree_atom;
/* AMD's have a fifth node of level 1, smt_contention. Level 2 is named in one way for Zen 4, in another for Zen 5 and 6. */
extern const struct td_tree td_tree_zen4, td_tree_zen5;

/* The name of a node by td_node.number, NULL after the last; and its number, or -1. */
const char *td_node_name(unsigned number);
int td_node_number(const char *name);
/* NULL: the tree has no such node. */
const struct td_node *td_tree_find(const struct td_tree *, const char *name);

#endif
