/* SPDX-License-Identifier: MIT */
#include "report/page/nodes.h"

#include "advice/advice.h"
#include "report/flags.h"
#include "report/page/colours.h"
#include "report/page/page.h"
#include "report/xml.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

const struct td_page_code td_page_results = {
#include "report/page/results_css.inc"
};

/* What is put of one result. */
struct put {
    struct td_report *report;
    struct td_output *o;
    const struct td_tree_view *view;
    const struct td_result *result;
    struct td_page_told *told;
};

/* ---- bars --------------------------------------------------------------------------------------- */

/* A share in percent; one that is shown as 0 has no sign. */
static double percent(double share)
{
    return fabs(share) < 0.0005 ? 0 : 100 * share;
}

double td_page_place(double share)
{
    return 100 * fmin(fmax(share, 0), 1);
}

/* The end of a whisker: 10 pixels high, drawn as #ID of the style says. */
#define MARKER(id) \
    "<marker id=\"" id \
    "\" markerUnits=\"userSpaceOnUse\" markerWidth=\"4\" markerHeight=\"10\" refX=\"2\" refY=\"5\">" \
    "<path d=\"M2 0V10\"/></marker>"

void td_page_pattern(struct td_output *o)
{
    td_output_text(o,
                   "<svg class=\"pattern\" width=\"0\" height=\"0\" aria-hidden=\"true\"><defs><pattern id=\"likely\" "
                   "width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">"
                   "<rect width=\"2\" height=\"6\" fill=\"#000\" fill-opacity=\"0.35\"/></pattern>" MARKER("halo")
                       MARKER("whisker") "</defs></svg>\n");
}

/* The first line is wider, so that the second can be seen on any colour. */
void td_page_whisker(struct td_output *o, double low, double high)
{
    for (int i = 0; i < 2; i++)
        td_output_format(o, "<line class=\"%s\" x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"50%%\" y2=\"50%%\"/>",
                         i ? "whisker" : "halo", low, high);
}

static const struct td_metric *find(const struct td_result *r, const char *name)
{
    for (size_t i = 0; i < td_result_metrics(r); i++)
        if (!strcmp(td_result_metric(r, i)->name, name))
            return td_result_metric(r, i);
    return NULL;
}

/* The node of level 1 that a node is part of. */
static const char *top_of(const struct td_result *r, const struct td_metric *m)
{
    const struct td_metric *above;

    while (*m->parent && (above = find(r, m->parent)))
        m = above;
    return m->name;
}

static void put_bar(const struct put *p, const struct td_metric *m)
{
    const double width = td_page_place(m->value);

    td_output_format(p->o,
                     "<svg class=\"bar\" aria-hidden=\"true\"><rect width=\"%.2f%%\" height=\"100%%\" fill=\"%s\"/>",
                     width, td_node_colour_of(top_of(p->result, m))->colour);
    if (m->bounds == TD_BOUNDS_LIKELY)
        td_output_format(p->o, "<rect width=\"%.2f%%\" height=\"100%%\" fill=\"url(#likely)\"/>", width);
    if (m->bounds != TD_BOUNDS_NONE)
        td_page_whisker(p->o, td_page_place(m->low), td_page_place(m->high));
    td_output_text(p->o, "</svg>");
}

static bool is_top(const struct td_metric *m)
{
    return m->kind == TD_METRIC_NODE && m->level == TD_LEVEL_TOP && m->status == TD_OK;
}

void td_page_stack(struct td_output *o, const struct td_result *r)
{
    double at = 0;

    td_output_text(o, "<svg class=\"bar\" aria-hidden=\"true\">");
    for (size_t i = 0; i < td_result_metrics(r); i++) {
        const struct td_metric *m = td_result_metric(r, i);

        if (!is_top(m))
            continue;
        td_output_format(
            o, "<rect x=\"%.2f%%\" width=\"%.2f%%\" height=\"100%%\" fill=\"%s\"><title>%s %.1f %%</title></rect>",
            td_page_place(at), td_page_place(m->value), td_node_colour_of(m->name)->colour, m->name, percent(m->value));
        at += td_page_place(m->value) / 100;
    }
    td_output_text(o, "</svg>");
}

void td_page_legend(struct td_output *o, const struct td_result *r)
{
    td_output_text(o, "<p class=\"legend\">");
    for (size_t i = 0; i < td_result_metrics(r); i++)
        if (is_top(td_result_metric(r, i))) {
            td_output_text(o, "<span>");
            td_page_swatch(o, td_result_metric(r, i)->name);
            td_output_format(o, "%s</span> ", td_result_metric(r, i)->name);
        }
    td_output_text(o, "</p>\n");
}

/* ---- what a node means ---------------------------------------------------------------------------- */

/* Whether a metric is told the first time. */
static bool is_first(const struct put *p, const char *name)
{
    struct td_page_told *t = p->told;
    const char **more;

    for (size_t i = 0; t && i < t->n; i++)
        if (!strcmp(t->name[i], name))
            return false;
    more = t ? reallocarray(t->name, t->n + 1, sizeof(*more)) : NULL;
    if (t && !more)
        p->o->error = -ENOMEM;
    if (!more)
        return false;
    t->name = more;
    t->name[t->n++] = name;
    return true;
}

void td_page_told_free(struct td_page_told *t)
{
    free(t->name);
}

static void put_paragraph(struct td_output *o, const char *text)
{
    if (!text)
        return;
    td_output_text(o, "<p>");
    td_xml_put(o, text);
    td_output_text(o, "</p>\n");
}

static void put_lines(struct td_output *o, const char *head, const char *const *line)
{
    if (!*line)
        return;
    td_output_format(o, "<p>%s</p>\n<ul>\n", head);
    for (; *line; line++)
        td_page_item(o, *line);
    td_output_text(o, "</ul>\n");
}

static void put_meaning(struct td_output *o, const struct td_advice *a)
{
    td_output_text(o, "<div class=\"why\">\n");
    put_paragraph(o, a->meaning);
    put_paragraph(o, a->reading);
    put_lines(o, "Causes:", a->cause);
    put_lines(o, "What to try:", a->remedy);
    td_output_text(o, "</div>\n");
}

/* ---- a node ----------------------------------------------------------------------------------------- */

/* What the verdict has of a node, in words; NULL: nothing. */
static const char *part_of(const struct td_verdict *v, const struct td_metric *m)
{
    for (size_t i = 0; i < v->npath; i++)
        if (v->path[i] == m)
            return i < v->nsound ? "limits" : "probably limits";
    for (size_t i = 0; i < v->namong; i++)
        if (v->among[i] == m)
            return "may limit";
    return NULL;
}

static void put_bounds(struct td_output *o, const struct td_metric *m)
{
    if (m->bounds == TD_BOUNDS_NONE)
        td_output_text(o, "no bounds");
    else
        td_output_format(o, "%.1f .. %.1f%s", percent(m->low), percent(m->high),
                         m->bounds == TD_BOUNDS_LIKELY ? ", likely" : "");
}

static void put_number(struct td_output *o, const char *attribute, double value)
{
    if (!isnan(value))
        td_output_format(o, " data-%s=\"%.6f\"", attribute, value);
}

static void put_row(const struct put *p, const struct td_metric *m)
{
    const char *part = part_of(p->view->verdict, m);
    char status[TD_STATUS_TEXT];

    td_output_format(p->o, "<span class=\"name level%d\">", m->level);
    td_xml_put(p->o, m->name);
    if (part)
        td_output_format(p->o, " <b class=\"tag\">%s</b>", part);
    td_output_text(p->o, "</span> ");
    if (m->status == TD_OK) {
        put_bar(p, m);
        td_output_format(p->o, " <span class=\"value\">%.1f %%%s%s</span> <span class=\"bounds\">", percent(m->value),
                         strcmp(m->unit, "slots") ? " of " : "", strcmp(m->unit, "slots") ? m->unit : "");
        put_bounds(p->o, m);
    } else {
        td_output_text(p->o,
                       "<span class=\"bar\"></span> <span class=\"value\">\xe2\x80\x93</span> <span class=\"bounds\">");
        td_xml_put(p->o, td_status_said(p->result, m, status));
    }
    td_output_text(p->o, "</span>");
}

/* Puts the row, which unfolds to what the node means, where that is known and not on the page yet. */
static void put_node(const struct put *p, const struct td_metric *m)
{
    const struct td_advice *a = td_advice_find(m->name, td_result_backend(p->result));

    if (a && is_first(p, m->name)) {
        td_output_text(p->o, "<details><summary class=\"row\">");
        put_row(p, m);
        td_output_text(p->o, "</summary>\n");
        put_meaning(p->o, a);
        td_output_text(p->o, "</details>\n");
    } else {
        td_output_text(p->o, "<div class=\"row\">");
        put_row(p, m);
        td_output_text(p->o, "</div>\n");
    }
}

static void begin_item(const struct put *p, const struct td_metric *m)
{
    td_output_format(p->o, "<li class=\"node%s\" data-node=\"", td_tree_view_limits(p->view, m) ? " limits" : "");
    td_xml_put(p->o, m->name);
    td_output_char(p->o, '"');
    if (m->status == TD_OK) {
        put_number(p->o, "value", m->value);
        put_number(p->o, "low", m->low);
        put_number(p->o, "high", m->high);
    }
    td_output_text(p->o, ">\n");
}

/* ---- the tree ----------------------------------------------------------------------------------------- */

static bool is_node(const struct put *p, size_t i)
{
    return p->view->shown[i] && td_result_metric(p->result, i)->kind == TD_METRIC_NODE;
}

/* Whether the i-th metric is shown right below parent; NULL: below none, also because its own is not shown. */
static bool is_below(const struct put *p, size_t i, const struct td_metric *parent)
{
    const struct td_metric *m = td_result_metric(p->result, i);

    if (!is_node(p, i))
        return false;
    if (parent)
        return m->level > parent->level && !strcmp(m->parent, parent->name);
    for (size_t k = 0; k < td_result_metrics(p->result); k++)
        if (is_node(p, k) && is_below(p, i, td_result_metric(p->result, k)))
            return false;
    return true;
}

/* How many nodes are right below parent; notable: whether one of them deserves a look. */
static size_t count_below(const struct put *p, const struct td_metric *parent, bool *notable)
{
    size_t n = 0;

    *notable = false;
    for (size_t i = 0; i < td_result_metrics(p->result); i++) {
        const struct td_metric *m = td_result_metric(p->result, i);

        if (!is_below(p, i, parent))
            continue;
        n++;
        *notable = *notable || m->over == TD_OVER_YES || part_of(p->view->verdict, m);
    }
    return n;
}

/* Puts the nodes below parent, each with those below itself. These have higher levels, so that the recursion ends. */
static void put_below(const struct put *p, const struct td_metric *parent)
{
    bool notable;
    const size_t n = count_below(p, parent, &notable);
    const bool folded = parent && parent->level >= TD_LEVEL_USUAL;

    if (!n)
        return;
    if (folded)
        td_output_format(p->o, "<details class=\"deeper\"%s><summary>%zu below %s</summary>\n",
                         notable ? " open=\"open\"" : "", n, parent->name);
    td_output_text(p->o, "<ul class=\"tree\">\n");
    for (size_t i = 0; i < td_result_metrics(p->result); i++)
        if (is_below(p, i, parent)) {
            begin_item(p, td_result_metric(p->result, i));
            put_node(p, td_result_metric(p->result, i));
            put_below(p, td_result_metric(p->result, i));
            td_output_text(p->o, "</li>\n");
        }
    td_output_text(p->o, folded ? "</ul></details>\n" : "</ul>\n");
}

/* ---- what is in no tree ----------------------------------------------------------------------------------- */

static void put_other(const struct put *p, const struct td_metric *m)
{
    char status[TD_STATUS_TEXT];

    td_output_text(p->o, "<tr><th scope=\"row\">");
    td_xml_put(p->o, m->name);
    td_output_text(p->o, "</th><td>");
    if (m->status != TD_OK) {
        td_output_text(p->o, "\xe2\x80\x93</td><td>");
        td_xml_put(p->o, td_status_said(p->result, m, status));
    } else if (m->bounds == TD_BOUNDS_NONE) {
        td_output_format(p->o, "%.4g</td><td>no bounds", m->value);
    } else {
        td_output_format(p->o, "%.4g</td><td>%.4g .. %.4g%s", m->value, m->low, m->high,
                         m->bounds == TD_BOUNDS_LIKELY ? ", likely" : "");
    }
    td_output_text(p->o, "</td><td>");
    td_xml_put(p->o, m->unit);
    td_output_text(p->o, "</td></tr>\n");
}

static void put_others(const struct put *p)
{
    bool any = false;

    for (size_t i = 0; i < td_result_metrics(p->result); i++) {
        const struct td_metric *m = td_result_metric(p->result, i);

        if (!p->view->shown[i] || m->kind == TD_METRIC_NODE)
            continue;
        if (!any)
            td_output_text(p->o, "<table class=\"nodes\"><caption>Further metrics</caption><thead><tr>"
                                 "<th scope=\"col\">metric</th><th scope=\"col\">value</th>"
                                 "<th scope=\"col\">bounds</th><th scope=\"col\">unit</th></tr></thead><tbody>\n");
        any = true;
        put_other(p, m);
    }
    if (any)
        td_output_text(p->o, "</tbody></table>\n");
}

void td_page_nodes(struct td_report *r, const struct td_tree_view *v, const struct td_result *result,
                   struct td_page_told *told)
{
    const struct put p = {.report = r, .o = &r->out, .view = v, .result = result, .told = told};

    put_below(&p, NULL);
    put_others(&p);
}
