/* SPDX-License-Identifier: MIT */
/* The colour of each node, the same in all pictures. */
#ifndef REPORT_PAGE_COLOURS_H
#define REPORT_PAGE_COLOURS_H

#include <stddef.h>

struct td_node_colour {
    const char *node; /* a node of level 1, or the reason why there is none */
    const char *colour; /* "#009e73"; black text can be read on it */
    const char *letters; /* its name for little room, as toplev shortens it: "BE"; "": it has none */
};

/* Where no node of level 1 limits: the bounds leave it open, or there is no value. */
extern const char td_node_undecided[], td_node_no_estimate[];

/* The i-th colour, NULL after the last. */
const struct td_node_colour *td_node_colour_at(size_t i);
/* The colour of a node, which each node has. */
const struct td_node_colour *td_node_colour_of(const char *node);

#endif
