/* SPDX-License-Identifier: MIT */
#include "report/xml.h"

#include "private/drawing.h"

void td_xml_put(struct td_output *o, const char *text)
{
    td_markup(text, td_output_write, o);
}

void td_xml_put_lines(struct td_output *o, char *text)
{
    char *line, *rest = text;

    while ((line = strsep(&rest, "\n"))) {
        td_xml_put(o, line);
        td_output_char(o, '\n');
    }
}
