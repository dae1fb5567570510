/* SPDX-License-Identifier: MIT */
#include "drawing/put.h"
#include "private/drawing.h"

/* The end of a whisker: 10 pixels high, drawn as #ID of the style says. */
#define MARKER(id) \
    "<marker id=\"" id \
    "\" markerUnits=\"userSpaceOnUse\" markerWidth=\"4\" markerHeight=\"10\" refX=\"2\" refY=\"5\">" \
    "<path d=\"M2 0V10\"/></marker>"

int td_bar_patterns(td_write_fn *write, void *ctx)
{
    struct td_put p = {.write = write, .ctx = ctx};

    td_put_text(&p, "<svg class=\"pattern\" width=\"0\" height=\"0\" aria-hidden=\"true\"><defs>"
                    "<pattern id=\"td-likely\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" "
                    "patternTransform=\"rotate(45)\">"
                    "<rect width=\"2\" height=\"6\" fill=\"#000\" fill-opacity=\"0.35\"/></pattern>" MARKER("td-halo")
                        MARKER("td-whisker") "</defs></svg>\n");
    return p.err;
}

/* The first line is wider, so that the second can be seen on any colour. */
int td_bar_whisker(double low, double high, td_write_fn *write, void *ctx)
{
    struct td_put p = {.write = write, .ctx = ctx};

    for (int i = 0; i < 2; i++)
        td_put_format(&p, "<line class=\"%s\" x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"50%%\" y2=\"50%%\"/>",
                      i ? "whisker" : "halo", low, high);
    return p.err;
}
