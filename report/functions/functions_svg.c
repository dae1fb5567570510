/* SPDX-License-Identifier: MIT */
/* A flame graph in a file of its own. */
#include "report/functions/functions_page.h"

static void put(struct td_output *o, const struct td_functions_report *r)
{
    td_output_text(o, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    td_flame_put(o, r->name, r->functions);
}

const struct td_functions_format td_functions_svg = {.name = "svg", .stacks = true, .put = put};
