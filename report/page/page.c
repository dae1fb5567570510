/* SPDX-License-Identifier: MIT */
#include "report/page/page.h"

#include "include/tdprobe.h"
#include "private/drawing.h"
#include "report/xml.h"

static const struct td_page_code common = {
#include "report/page/page_css.inc"
};

const char *td_page_base(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash && slash[1] ? slash + 1 : path;
}

static void put_hashes(struct td_output *o, const char *what, const struct td_page_code *const code[TD_PAGE_CODES])
{
    td_output_format(o, "; %s", what);
    for (size_t i = 0; i < TD_PAGE_CODES && code[i]; i++)
        td_output_format(o, " %s", code[i]->hash);
}

static void put_code(struct td_output *o, const char *element, const struct td_page_code *code)
{
    if (!code || !code->text)
        return;
    td_output_format(o, "<%s>\n", element);
    td_output_text(o, code->text);
    td_output_format(o, "</%s>\n", element);
}

void td_page_begin(struct td_output *o, const struct td_page *p)
{
    td_output_text(o, "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n"
                      "<meta charset=\"UTF-8\"/>\n"
                      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'");
    put_hashes(o, "style-src", (const struct td_page_code *const[TD_PAGE_CODES]){&common});
    for (size_t i = 0; i < TD_PAGE_CODES && p->style[i]; i++)
        td_output_format(o, " %s", p->style[i]->hash);
    if (p->script[0])
        put_hashes(o, "script-src", p->script);
    td_output_format(o,
                     "; base-uri 'none'; form-action 'none'\"/>\n"
                     "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
                     "<meta name=\"color-scheme\" content=\"light dark\"/>\n"
                     "<meta name=\"generator\" content=\"tdprobe %s\"/>\n<title>",
                     td_version());
    td_xml_put(o, td_page_base(p->subject));
    td_output_text(o, ": ");
    td_xml_put(o, p->title);
    td_output_text(o, "</title>\n");
    put_code(o, "style", &common);
    for (size_t i = 0; i < TD_PAGE_CODES; i++)
        put_code(o, "style", p->style[i]);
    td_output_text(o, "</head>\n<body>\n");
}

void td_page_end(struct td_output *o, const struct td_page *p, const char *by)
{
    td_output_format(o, "<footer><p class=\"soft\">By tdprobe %s: %s</p></footer>\n", td_version(), by);
    for (size_t i = 0; i < TD_PAGE_CODES; i++)
        put_code(o, "script", p->script[i]);
    td_output_text(o, "</body>\n</html>\n");
}

void td_page_name(struct td_output *o, const char *name)
{
    td_output_text(o, "<bdi>");
    td_xml_put(o, name);
    td_output_text(o, "</bdi>");
}

void td_page_fact(struct td_output *o, const char *what, const char *text)
{
    if (!text)
        return;
    td_output_format(o, "<dt>%s</dt><dd>", what);
    td_page_name(o, text);
    td_output_text(o, "</dd>\n");
}

void td_page_item(struct td_output *o, const char *text)
{
    td_output_text(o, "<li>");
    td_xml_put(o, text);
    td_output_text(o, "</li>\n");
}

void td_page_swatch(struct td_output *o, const char *node)
{
    td_output_format(
        o, "<svg class=\"swatch\" aria-hidden=\"true\"><rect width=\"100%%\" height=\"100%%\" fill=\"%s\"/></svg>",
        td_node_colour_of(node)->colour);
}
