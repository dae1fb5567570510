/* SPDX-License-Identifier: MIT */
/* The colour of each node, the same in all pictures. */
#ifndef REPORT_FUNCTIONS_COLOURS_H
#define REPORT_FUNCTIONS_COLOURS_H

#include "stats/functions.h"

struct td_node_colour {
    const char *node; /* a node of level 1, or the reason why there is none */
    const char *colour; /* "#8fc97f"; black text can be read on it */
    const char *letters; /* its name for little room, as toplev shortens it: "BE"; "": it has none */
};

/* The i-th colour, NULL after the last. */
const struct td_node_colour *td_node_colour_at(size_t i);
/* The colour of a node, which each node has. */
const struct td_node_colour *td_node_colour_of(const char *node);
/* The node of level 1 that limits a function, or the reason why there is none. */
const char *td_function_node(const struct td_function *);

#endif
