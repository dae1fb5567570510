/* SPDX-License-Identifier: MIT */
#include "report/xml.h"

void td_xml_put(struct td_output *o, const char *text)
{
    for (; *text; text++)
        switch (*text) {
        case '&': td_output_text(o, "&amp;"); break;
        case '<': td_output_text(o, "&lt;"); break;
        case '>': td_output_text(o, "&gt;"); break;
        case '"': td_output_text(o, "&quot;"); break;
        case '\n': td_output_text(o, "&#10;"); break;
        default: td_output_char(o, (unsigned char)*text < ' ' ? '?' : *text);
        }
}
