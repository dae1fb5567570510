/* SPDX-License-Identifier: MIT */
/* The colour of each node, the same in all pictures. */
#include "report/functions/functions_colours.h"

#include <string.h>

static const char no_estimate[] = "no estimate", undecided[] = "undecided";
static const struct td_node_colour colours[] = {
    {"retiring", "#8fc97f", "RET"},        {"backend_bound", "#e8776b", "BE"},   {"frontend_bound", "#f2b35b", "FE"},
    {"bad_speculation", "#b99ae0", "BAD"}, {"smt_contention", "#7fb8d6", "SMT"}, {undecided, "#d9d2b6", ""},
    {no_estimate, "#dcdcdc", ""},
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

const char *td_function_node(const struct td_function *f)
{
    if (f->status != TD_PLACE_OK)
        return no_estimate;
    return f->of->verdict->npath ? f->of->verdict->path[0]->name : undecided;
}
