/* SPDX-License-Identifier: MIT */
#include "report/page/nodes.h"

#include "advice/advice.h"
#include "private/drawing.h"
#include "report/digits.h"
#include "report/flags.h"
#include "report/page/page.h"
#include "report/xml.h"

#include <errno.h>
#include <stdlib.h>

const struct td_page_code td_page_results = {
#include "report/page/results_css.inc"
};

/* What is put of one result. */
struct put {
    struct td_output *o;
    const struct td_tree_view *view;
    const struct td_result *result;
    struct td_page_told *told;
};

/* ---- bars --------------------------------------------------------------------------------------- */

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
            td_bar_place(at), td_bar_place(m->value), td_node_colour_of(m->name)->colour, m->name,
            td_percent(m->value));
        at += td_bar_place(m->value) / 100;
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

/* Whether a metric is told already. */
static bool is_told(const struct td_page_told *t, const char *name)
{
    for (size_t i = 0; i < t->n; i++)
        if (!strcmp(t->name[i], name))
            return true;
    return false;
}

/* Whether a node unfolds to what it means: where that is known, and not on the page yet. */
static bool unfolds(void *ctx, const struct td_metric *m)
{
    struct put *p = ctx;
    struct td_page_told *t = p->told;
    const char **more;

    if (!t || is_told(t, m->name) || !td_advice_find(m->name, td_result_backend(p->result)))
        return false;
    more = reallocarray(t->name, t->n + 1, sizeof(*more));
    if (!more) {
        p->o->error = -ENOMEM;
        return false;
    }
    t->name = more;
    t->name[t->n++] = m->name;
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

static void put_meaning(void *ctx, const struct td_metric *m)
{
    const struct put *p = ctx;
    const struct td_advice *a = td_advice_find(m->name, td_result_backend(p->result));
    struct td_output *o = p->o;

    td_output_text(o, "<div class=\"why\">\n");
    put_paragraph(o, a->meaning);
    put_paragraph(o, a->reading);
    put_lines(o, "Causes:", a->cause);
    put_lines(o, "What to try:", a->remedy);
    td_output_text(o, "</div>\n");
}

/* ---- the tree --------------------------------------------------------------------------------------- */

static void put_reason(void *ctx, const struct td_metric *m)
{
    const struct put *p = ctx;
    char status[TD_STATUS_TEXT];

    td_xml_put(p->o, td_status_said(p->result, m, status));
}

static int put_bytes(void *ctx, const void *bytes, size_t n)
{
    const struct put *p = ctx;

    return td_output_write(p->o, bytes, n);
}

/* A write that failed is the output's error. */
static void put_tree(struct put *p)
{
    const struct td_drawn_tree tree = {.size = sizeof(tree),
                                       .metric_size = sizeof(*tree.metric),
                                       .metric = td_result_metric(p->result, 0),
                                       .n = td_result_metrics(p->result),
                                       .shown = p->view->shown,
                                       .verdict = p->view->verdict,
                                       .write = put_bytes,
                                       .reason = put_reason,
                                       .unfolds = unfolds,
                                       .meaning = put_meaning,
                                       .ctx = p};

    td_tree_html(&tree);
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
    struct put p = {.o = &r->out, .view = v, .result = result, .told = told};

    put_tree(&p);
    put_others(&p);
}
