/* SPDX-License-Identifier: MIT */
#include "report/page/time_line.h"

const struct td_page_code td_heat_map_script = {
#include "report/page/heat_map_js.inc"
};

bool td_heat_map_has(const struct td_time_line *t)
{
    size_t n = 0;

    for (size_t i = 0; i < t->n; i++)
        n += t->line[i].measured > 1;
    return n > 1;
}

void td_heat_map_put(struct td_output *o, const struct td_time_line *t)
{
    if (!td_heat_map_has(t))
        return;
    td_output_text(o, "<section class=\"heat\" hidden=\"hidden\" data-nodes=\"");
    for (size_t i = 0; t->chosen && i < t->nwanted; i++)
        td_output_format(o, "%s%s", i ? "|" : "", t->wanted[i]);
    td_output_text(
        o,
        "\">\n<h2>Scopes over time</h2>\n"
        "<p class=\"choice\"><label>node <select></select></label> <label>order <select><option>largest first</option>"
        "<option>as measured</option></select></label></p>\n"
        "<p class=\"outliers\"></p>\n"
        "<p class=\"soft\">An outlier's mean is further from the median of all scopes' than 1 point and than 5 times "
        "the median of these distances. <span class=\"keys\">Arrow keys, Home and End go from cell to cell; Enter or a "
        "click shows the scope in the time line.</span></p>\n"
        "<div class=\"map\" tabindex=\"0\" role=\"application\" aria-roledescription=\"heat map\" "
        "aria-label=\"scopes over time\"><div class=\"names\"></div><canvas></canvas>"
        "<p class=\"axis\"><span></span><span></span></p></div>\n"
        "<p class=\"scale\"><span></span> <canvas width=\"256\" height=\"1\"></canvas> <span></span></p>\n"
        "<p class=\"cell\" aria-live=\"polite\"></p>\n</section>\n");
}
