/* SPDX-License-Identifier: MIT */
#include "report/functions/html_table.h"

#include "private/drawing.h"
#include "report/digits.h"
#include "report/page/page.h"
#include "report/xml.h"

#include <inttypes.h>
#include <math.h>

/* ---- words ---------------------------------------------------------------------------------- */

struct td_html_kind td_html_kind_of(const struct td_functions *f)
{
    static const struct td_html_kind kinds[] = {
        {"function", "function", "functions"},
        {"address", "function or address", "functions and addresses"},
        {"line", "line of source", "lines of source"},
        {"source", "file of source", "files of source"},
        {"dso", "program or library", "programs and libraries"},
        {"comm", "name of threads", "names of threads"},
        {"cpu", "CPU", "CPUs"},
        {"thread", "thread", "threads"},
        {"stack", "path of calls", "paths of calls"},
        {"cgroup", "cgroup", "cgroups"},
    };

    for (size_t i = 0; f->kind && i < sizeof(kinds) / sizeof(*kinds); i++)
        if (!strcmp(kinds[i].kind, f->kind))
            return kinds[i];
    return (struct td_html_kind){f->kind, "place", "places"};
}

static bool is_top(const struct td_metric *m)
{
    return m->kind == TD_METRIC_NODE && m->level == TD_LEVEL_TOP && m->status != TD_NOT_ON_THIS_CPU &&
           m->status != TD_NOT_IN_THIS_FORMULA;
}

void td_html_node_add(struct td_html_nodes *to, const char *name)
{
    for (size_t i = 0; i < to->n; i++)
        if (!strcmp(to->name[i], name))
            return;
    if (to->n < TD_HTML_NODES)
        to->name[to->n++] = name;
}

struct td_html_nodes td_html_nodes_of(const struct td_functions_report *r)
{
    struct td_html_nodes all = {.n = 0};

    for (size_t i = 0; i < td_functions_shown(r); i++)
        for (size_t k = 0; k < r->functions->function[i]->of->metrics; k++)
            if (is_top(r->functions->function[i]->of->metric[k]))
                td_html_node_add(&all, r->functions->function[i]->of->metric[k]->name);
    return all;
}

/* ---- numbers -------------------------------------------------------------------------------- */

static void put_bounds(struct td_output *o, const struct td_metric *m)
{
    if (m->bounds == TD_BOUNDS_NONE)
        td_output_text(o, "no bounds");
    else
        td_output_format(o, "%.1f .. %.1f", td_percent(m->low), td_percent(m->high));
}

static void put_number(struct td_output *o, const char *label, double share)
{
    td_output_format(o, "<td class=\"number\" data-label=\"%s\">", label);
    if (isnan(share))
        td_output_text(o, "\xe2\x80\x93"); /* a dash */
    else
        td_output_format(o, "%.1f", td_percent(share));
    td_output_text(o, "</td>");
}

/* ---- the bar -------------------------------------------------------------------------------- */

/* As much of a node's name as its part of the bar has room for where the bar is narrowest. */
static const char *label_of(const char *node, double share)
{
    static const double bar = 190, letter = 6.8, margin = 8;
    const char *letters = td_node_colour_of(node)->letters;

    if (share * bar >= (double)strlen(node) * letter + margin)
        return node;
    return share * bar >= (double)strlen(letters) * letter + margin ? letters : "";
}

/* Puts a part of the bar, which begins at the share at. */
static void put_part(struct td_output *o, const struct td_metric *m, double at)
{
    td_output_format(o, "<svg data-node=\"%s\" x=\"%.3f%%\" width=\"%.3f%%\"><title>%s %.1f %%, ", m->name, 100 * at,
                     100 * m->value, m->name, td_percent(m->value));
    put_bounds(o, m);
    td_output_format(
        o, "</title><rect width=\"100%%\" height=\"100%%\" fill=\"%s\"/><text x=\"4\" y=\"14\">%s</text></svg>",
        td_node_colour_of(m->name)->colour, label_of(m->name, m->value));
}

/* Puts the bar, beside which the numbers are. */
static void put_bar(struct td_output *o, const struct td_function *f)
{
    double at = 0;

    td_output_text(o, "<td class=\"wide\"><svg class=\"bar\" aria-hidden=\"true\">");
    for (size_t i = 0; i < f->of->metrics; i++) {
        const struct td_metric *m = f->of->metric[i];

        if (!is_top(m) || m->status != TD_OK || !(m->value > 0))
            continue;
        put_part(o, m, at);
        at += m->value;
    }
    td_output_text(o, "</svg></td>");
}

/* ---- all nodes of a place ------------------------------------------------------------------- */

/* Puts a share in percent, and other metrics in their unit. */
static void put_value(struct td_output *o, const struct td_metric *m, double value)
{
    if (isnan(value))
        td_output_text(o, "\xe2\x80\x93");
    else if (m->kind == TD_METRIC_NODE)
        td_output_format(o, "%.1f", td_percent(value));
    else
        td_output_format(o, "%.4g", value);
}

static void put_node_bounds(struct td_output *o, const struct td_metric *m)
{
    if (m->bounds != TD_BOUNDS_NONE && m->kind != TD_METRIC_NODE)
        td_output_format(o, "%.4g .. %.4g", m->low, m->high);
    else
        put_bounds(o, m);
}

static void put_node(struct td_output *o, const struct td_function *f, size_t i)
{
    const struct td_metric *m = f->of->metric[i];
    char status[TD_FUNCTIONS_TEXT];

    td_output_format(o, "<tr><th scope=\"row\" class=\"level%d\">", m->level);
    td_xml_put(o, m->name);
    td_output_text(o, "</th><td>");
    if (m->status == TD_OK) {
        put_value(o, m, m->value);
        td_output_text(o, "</td><td>");
        put_node_bounds(o, m);
    } else {
        td_output_text(o, "\xe2\x80\x93</td><td>");
        td_xml_put(o, td_function_status(f, m, status));
    }
    td_output_text(o, "</td><td class=\"more\">");
    put_value(o, m, td_function_naive(f, i));
    td_output_text(o, "</td><td class=\"more\">");
    td_xml_put(o, m->kind == TD_METRIC_NODE && !strcmp(m->unit, "slots") ? "% of slots" : m->unit);
    td_output_text(o, "</td></tr>\n");
}

static bool is_shown(const struct td_metric *m)
{
    return m->status != TD_NOT_ON_THIS_CPU && m->status != TD_NOT_IN_THIS_FORMULA;
}

/* Whether m is shown below parent; NULL: below none. */
static bool is_below(const struct td_function *f, const struct td_metric *m, const struct td_metric *parent)
{
    if (m->kind != TD_METRIC_NODE || !is_shown(m))
        return false;
    if (parent)
        return m->level > parent->level && !strcmp(m->parent, parent->name);
    for (size_t i = 0; i < f->of->metrics; i++)
        if (is_below(f, m, f->of->metric[i]) && is_shown(f->of->metric[i]))
            return false;
    return true;
}

/* Puts the nodes below parent, each before those below itself. These have higher levels, so that the recursion ends. */
static void put_below(struct td_output *o, const struct td_function *f, const struct td_metric *parent)
{
    for (size_t i = 0; i < f->of->metrics; i++)
        if (is_below(f, f->of->metric[i], parent)) {
            put_node(o, f, i);
            put_below(o, f, f->of->metric[i]);
        }
}

static void put_nodes(struct td_output *o, const struct td_function *f)
{
    td_output_text(o,
                   "<details><summary>all nodes</summary><table class=\"nodes\"><thead><tr><th scope=\"col\">node</th>"
                   "<th scope=\"col\">value</th><th scope=\"col\">likely bounds</th>"
                   "<th scope=\"col\" class=\"more\">all intervals</th>"
                   "<th scope=\"col\" class=\"more\">unit</th></tr></thead><tbody>\n");
    put_below(o, f, NULL);
    for (size_t i = 0; i < f->of->metrics; i++)
        if (f->of->metric[i]->kind != TD_METRIC_NODE && is_shown(f->of->metric[i]))
            put_node(o, f, i);
    td_output_text(o, "</tbody></table></details>");
}

/* ---- a place -------------------------------------------------------------------------------- */

static void put_name(struct td_output *o, const struct td_function *f, bool estimated)
{
    td_output_text(o, estimated ? "<tr><th scope=\"rowgroup\" rowspan=\"2\"><bdi>" : "<tr><th scope=\"row\"><bdi>");
    td_xml_put(o, f->name);
    td_output_text(o, "</bdi>");
    if (f->of->core)
        td_output_format(o, " (%s)", f->of->core);
    if (f->dso && *f->name != '[') { /* a name such as "[dso+0x12]" has the dso in it */
        td_output_text(o, "<small>");
        td_xml_put(o, f->dso);
        td_output_text(o, "</small>");
    }
    td_output_text(o, "</th>");
}

static const struct td_metric *find_top(const struct td_function *f, const char *name)
{
    for (size_t i = 0; i < f->of->metrics; i++)
        if (is_top(f->of->metric[i]) && !strcmp(f->of->metric[i]->name, name))
            return f->of->metric[i];
    return NULL;
}

static void put_top(struct td_output *o, const struct td_function *f, const char *name)
{
    const struct td_metric *m = find_top(f, name);
    const bool limit = m && f->of->verdict->npath && f->of->verdict->path[0] == m;
    char status[TD_FUNCTIONS_TEXT];

    td_output_format(o, "<td class=\"number node\" data-label=\"%s\">", name);
    if (m && m->status == TD_OK) {
        td_output_format(o, limit ? "<b>%.1f</b> <small>" : "%.1f <small>", td_percent(m->value));
        put_bounds(o, m);
    } else {
        td_output_text(o, "\xe2\x80\x93<small>");
        td_xml_put(o, m ? td_function_status(f, m, status) : "no such node");
    }
    td_output_text(o, "</small></td>");
}

static void put_counts(struct td_output *o, const struct td_function *f)
{
    td_output_format(o,
                     "<td class=\"number\" data-label=\"pure\">%" PRIu64 " <small>of %" PRIu64
                     "</small></td><td class=\"number\" data-label=\"stay\">",
                     td_function_pure(f), f->intervals);
    if (isnan(td_function_smear(f).stay))
        td_output_text(o, "\xe2\x80\x93");
    else
        td_output_format(o, "%.2f", td_function_smear(f).stay);
    td_output_text(o, "</td></tr>\n");
}

static void put_verdict(struct td_output *o, const struct td_function *f, size_t columns)
{
    const struct td_metric *m = f->of->verdict->node;
    char text[TD_FUNCTIONS_TEXT];

    td_output_format(o, "<tr><td class=\"wide verdict\" colspan=\"%zu\">", columns);
    td_xml_put(o, td_function_verdict(f, text));
    if (m && m->level > TD_LEVEL_TOP && m->bounds != TD_BOUNDS_NONE)
        td_output_format(o, ": %.1f %%, %.1f .. %.1f", td_percent(m->value), td_percent(m->low), td_percent(m->high));
    put_nodes(o, f);
    td_output_text(o, "</td></tr>\n");
}

/* Puts why a place has no estimate, in place of the nodes. */
static void put_reason(struct td_output *o, const struct td_function *f, size_t columns)
{
    char text[TD_FUNCTIONS_TEXT];

    td_output_format(o, "<td class=\"wide soft\" colspan=\"%zu\">", columns);
    td_xml_put(o, td_function_verdict(f, text));
    td_output_text(o, "</td>");
}

static void put_place(struct td_output *o, const struct td_function *f, const struct td_html_nodes *nodes)
{
    const bool estimated = td_function_estimated(f);

    td_output_text(o, "<tbody>");
    put_name(o, f, estimated);
    put_number(o, "slots", td_function_share(f));
    put_number(o, "lost", td_function_lost(f));
    if (estimated)
        put_bar(o, f);
    for (size_t i = 0; estimated && i < nodes->n; i++)
        put_top(o, f, nodes->name[i]);
    if (!estimated)
        put_reason(o, f, nodes->n + 1);
    put_counts(o, f);
    if (estimated)
        put_verdict(o, f, nodes->n + 5);
    td_output_text(o, "</tbody>\n");
}

/* ---- the table ------------------------------------------------------------------------------ */

static void put_heading(struct td_output *o, const char *label)
{
    td_output_format(o, "<th scope=\"col\" data-sort=\"%s\">%s</th>", label, label);
}

/* Puts a node's name as a heading, where lines may break after "_". */
static void put_node_heading(struct td_output *o, const char *node)
{
    td_output_format(o, "<th scope=\"col\" data-sort=\"%s\">", node);
    td_page_swatch(o, node);
    for (const char *c = node; *c; c++) {
        td_output_char(o, *c);
        if (*c == '_')
            td_output_text(o, "<wbr/>");
    }
    td_output_text(o, "</th>");
}

static void put_head(struct td_output *o, const struct td_functions_report *r, const struct td_html_nodes *nodes)
{
    td_output_format(o, "<thead><tr><th scope=\"col\" data-sort=\"name\">%s</th>", td_html_kind_of(r->functions).one);
    put_heading(o, "slots");
    put_heading(o, "lost");
    td_output_text(o, "<th scope=\"col\" class=\"wide\">its slots</th>");
    for (size_t i = 0; i < nodes->n; i++)
        put_node_heading(o, nodes->name[i]);
    put_heading(o, "pure");
    put_heading(o, "stay");
    td_output_text(o, "</tr></thead>\n");
}

/* Puts the legend, for where headings are not shown. */
static void put_legend(struct td_output *o, const struct td_html_nodes *nodes)
{
    td_output_text(o, "<p class=\"legend\">");
    for (size_t i = 0; i < nodes->n; i++) {
        td_output_text(o, "<span>");
        td_page_swatch(o, nodes->name[i]);
        td_output_format(o, "%s</span> ", nodes->name[i]);
    }
    td_output_text(o, "</p>\n");
}

/* Whether a place has little weight and no value. */
static bool is_minor(const struct td_function *f)
{
    return td_function_share(f) < 0.01 && !td_function_estimated(f);
}

static size_t count_minor(const struct td_functions_report *r)
{
    size_t n = 0;

    for (size_t i = 0; i < td_functions_shown(r); i++)
        n += is_minor(r->functions->function[i]);
    return n;
}

static void put_table(struct td_output *o, const struct td_functions_report *r, const struct td_html_nodes *nodes,
                      bool minor)
{
    td_output_text(
        o, "<table class=\"places\"><caption>By slots lost, in percent; below a value its likely bounds.</caption>\n");
    put_head(o, r, nodes);
    for (size_t i = 0; i < td_functions_shown(r); i++)
        if (is_minor(r->functions->function[i]) == minor)
            put_place(o, r->functions->function[i], nodes);
    td_output_text(o, "</table>\n");
}

static void put_more(struct td_output *o, const struct td_functions_report *r)
{
    double share = 0;

    for (size_t i = td_functions_shown(r); i < r->functions->n; i++)
        share += td_function_share(r->functions->function[i]);
    td_output_format(o, "<p class=\"soft\">%zu more", r->functions->n - td_functions_shown(r));
    if (!td_functions_nested(r))
        td_output_format(o, ", with %.1f %% of the slots", td_percent(share));
    td_output_text(o, ": <code>--limit 0</code> shows all.</p>\n");
}

void td_html_table(struct td_output *o, const struct td_functions_report *r)
{
    const struct td_html_nodes nodes = td_html_nodes_of(r);
    const struct td_html_kind kind = td_html_kind_of(r->functions);
    const size_t minor = count_minor(r), rest = td_functions_shown(r) - minor;

    put_legend(o, &nodes);
    if (rest)
        put_table(o, r, &nodes, false);
    if (minor) {
        td_output_format(
            o, "<details%s><summary>%zu %s without an estimate, and with less than 1 %% of the slots each</summary>\n",
            rest ? "" : " open=\"open\"", minor, minor == 1 ? kind.one : kind.many);
        put_table(o, r, &nodes, true);
        td_output_text(o, "</details>\n");
    }
    if (td_functions_shown(r) < r->functions->n)
        put_more(o, r);
}
