/* SPDX-License-Identifier: MIT */
/* The colour of each node, the same in all pictures. */
#ifndef REPORT_FUNCTIONS_COLOURS_H
#define REPORT_FUNCTIONS_COLOURS_H

#include "stats/functions.h"

struct td_node_colour {
    const char *node; /* of level 1, or the reason why there is none */
    const char *colour; /* "#8fc97f"; black text can be read on it */
    const char *letters; /* for little room, as toplev shortens it: "BE"; "": none */
};

/* The i-th, NULL after the last. */
const struct td_node_colour *td_node_colour_at(size_t i);
/* Any node has one. */
const struct td_node_colour *td_node_colour_of(const char *node);
/* The node of level 1 that limits it, or the reason why there is none. */
const char *td_function_node(const struct td_function *);

#endif
