/* SPDX-License-Identifier: MIT */
#include "report/xml.h"

#include "include/tdprobe.h"
#include "private/result.h"

/* Puts a character of several bytes, or what should be one, and returns its length. */
static size_t put_wide(struct td_output *o, const char *text)
{
    char one[5 * 4] = {*text}; /* with escapes */
    size_t n = 1;

    for (; n < 4 && ((unsigned char)text[n] & 0xc0) == 0x80; n++)
        one[n] = text[n];
    td_output_text(o, td_printable(one, sizeof(one)));
    return n;
}

static void put_plain(struct td_output *o, char c)
{
    char one[5] = {c};

    td_output_text(o, td_printable(one, sizeof(one)));
}

void td_xml_put(struct td_output *o, const char *text)
{
    for (size_t n; *text; text += n) {
        n = 1;
        switch (*text) {
        case '&': td_output_text(o, "&amp;"); break;
        case '<': td_output_text(o, "&lt;"); break;
        case '>': td_output_text(o, "&gt;"); break;
        case '"': td_output_text(o, "&quot;"); break;
        case '\n': td_output_text(o, "&#10;"); break;
        default:
            if ((unsigned char)*text >= 0x80)
                n = put_wide(o, text);
            else
                put_plain(o, *text);
        }
    }
}

void td_xml_put_lines(struct td_output *o, char *text)
{
    char *line, *rest = text;

    while ((line = strsep(&rest, "\n"))) {
        td_xml_put(o, line);
        td_output_char(o, '\n');
    }
}
