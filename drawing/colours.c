/* SPDX-License-Identifier: MIT */
/* The colour of each node, the same in all pictures: those of Okabe and Ito, which people who see fewer colours than
 * others can tell apart, too. */
#include "private/drawing.h"

#include <string.h>

static const struct td_node_colour colours[] = {
    {"retiring", "#009e73", "RET"},        {"backend_bound", "#d55e00", "BE"},   {"frontend_bound", "#e69f00", "FE"},
    {"bad_speculation", "#cc79a7", "BAD"}, {"smt_contention", "#56b4e9", "SMT"}, {TD_NODE_UNDECIDED, "#d9d2b6", ""},
    {TD_NODE_NO_ESTIMATE, "#dcdcdc", ""},
};
enum { COLOURS = sizeof(colours) / sizeof(*colours) };

const struct td_node_colour *td_node_colour_at(size_t i)
{
    return i < COLOURS ? &colours[i] : NULL;
}

const struct td_node_colour *td_node_colour_of(const char *node)
{
    static const struct td_node_colour other = {"", "#c8a98a", ""};

    for (size_t i = 0; i < COLOURS; i++)
        if (!strcmp(colours[i].node, node))
            return &colours[i];
    return &other;
}
