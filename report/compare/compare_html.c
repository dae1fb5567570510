/* SPDX-License-Identifier: MIT */
/* A comparison as a page: of each metric both sides' bars, the difference with its bounds beside no difference, and
 * runs as points. */
#include "report/compare/comparison_report.h"
#include "private/drawing.h"
#include "report/page/nodes.h"
#include "report/page/page.h"
#include "report/xml.h"

#include <math.h>

static const struct td_page_code style = {
#include "report/page/compare_css.inc"
};

/* ---- where things stand ------------------------------------------------------------------------------ */

/* The row after the last of those of one scope and side. */
static size_t block_end(const struct td_comparison *c, size_t first)
{
    size_t end = first + 1;

    while (end < c->n && !td_comparison_begins(c, end))
        end++;
    return end;
}

/* How many points the picture of differences has to each side: what all of a block need, rounded up. */
static double reach_of(const struct td_comparison *c, size_t first, size_t end)
{
    static const double steps[] = {0.01, 0.02, 0.05, 0.1, 0.2, 0.5};
    double most = 0;

    for (size_t i = first; i < end; i++) {
        const struct td_bounded *d = &c->row[i].diff;

        if (c->row[i].share)
            most = fmax(most, isnan(d->low) ? fabs(d->value) : fmax(fabs(d->low), fabs(d->high)));
    }
    for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++)
        if (most <= steps[i])
            return steps[i];
    return 1;
}

/* The node of level 1 that a row is of or below, by the rows of its block; itself where that is not known. */
static const char *top_of(const struct td_comparison *c, size_t first, size_t end, const struct td_difference *d)
{
    for (int deeper = 0; deeper < TD_LEVELS && d->level > TD_LEVEL_TOP; deeper++) {
        size_t i = first;

        while (i < end && (!d->parent || strcmp(c->row[i].metric, d->parent) != 0))
            i++;
        if (i == end)
            break;
        d = &c->row[i];
    }
    return d->metric;
}

/* ---- pictures ---------------------------------------------------------------------------------------- */

/* Puts the runs' own values as points. */
static void put_runs(struct td_output *o, const struct td_side *side, const struct td_difference *d, bool of_b)
{
    const char *name = of_b && d->other ? d->other : d->scope;
    const struct td_scope_id id = {.kind = d->kind, .name = name, .core = d->core, .length = strlen(name)};

    for (size_t run = 0; side->n > 1 && run < side->n; run++) {
        const struct td_series_scope *s = td_series_find(&side->run[run], &id);

        for (size_t i = 0; s && i < s->n; i++)
            if (!strcmp(s->metric[i].name, d->metric) && !isnan(s->metric[i].value))
                td_output_format(o, "<circle class=\"run\" cx=\"%.2f%%\" cy=\"50%%\" r=\"2\"/>",
                                 td_bar_place(s->metric[i].value));
    }
}

/* A side's share, with what it may be. */
static void put_bar(struct td_output *o, const struct td_side *side, const struct td_difference *d, const char *colour,
                    bool of_b)
{
    const struct td_bounded *v = of_b ? &d->b : &d->a;

    td_output_format(o,
                     "<svg class=\"bar %c\" aria-hidden=\"true\"><rect width=\"%.2f%%\" height=\"100%%\" fill=\"%s\"/>",
                     of_b ? 'b' : 'a', td_bar_place(v->value), colour);
    if (!isnan(v->low))
        td_bar_whisker(td_bar_place(v->low), td_bar_place(v->high), td_output_write, o);
    put_runs(o, side, d, of_b);
    td_output_text(o, "</svg>");
}

/* The difference as a point, and its bounds, from -reach at the left to reach at the right. */
static void put_difference(struct td_output *o, const struct td_bounded *d, double reach)
{
    const double middle = 0.5;

    td_output_text(
        o,
        "<svg class=\"bar by\" aria-hidden=\"true\"><line class=\"zero\" x1=\"50%\" x2=\"50%\" y1=\"0\" y2=\"100%\"/>");
    if (!isnan(d->low))
        td_bar_whisker(td_bar_place(middle + d->low / reach / 2), td_bar_place(middle + d->high / reach / 2),
                       td_output_write, o);
    td_output_format(o, "<circle cx=\"%.2f%%\" cy=\"50%%\" r=\"3\"/></svg>",
                     td_bar_place(middle + d->value / reach / 2));
}

/* ---- a block ------------------------------------------------------------------------------------------- */

static void put_side(struct td_output *o, char sign, const struct td_side *s)
{
    td_output_format(o, "<dt>%c</dt><dd>", sign);
    td_page_name(o, s->name);
    if (s->n > 1)
        td_output_format(o, ", %zu recordings", s->n);
    td_output_text(o, "</dd>\n");
}

static void put_head(struct td_output *o, const struct td_comparison *c, size_t first, double reach)
{
    const struct td_difference *d = &c->row[first];
    char text[TD_NOTE_TEXT];

    td_output_text(o, "<section>\n<h2>");
    td_page_name(o, td_difference_scope(d, text));
    td_output_text(o, "</h2>\n<p class=\"lead\">");
    td_xml_put(o, td_comparison_sentence(c, first, text));
    td_output_text(o, "</p>\n<dl class=\"facts\">\n");
    put_side(o, 'a', &c->side[0]);
    put_side(o, 'b', &c->side[d->side]);
    td_output_format(
        o,
        "</dl>\n<table class=\"scopes differences\"><caption>In the order of what matters most</caption><thead><tr><th scope=\"col\">metric</th>"
        "<th scope=\"col\">a above b, to 100 %%</th><th scope=\"col\">a</th><th scope=\"col\">b</th>"
        "<th scope=\"col\">b - a</th><th scope=\"col\">-%.0f to +%.0f points</th><th scope=\"col\">bounds</th>"
        "<th scope=\"col\">call</th></tr></thead><tbody>\n",
        100 * reach, 100 * reach);
}

static void put_cell(struct td_output *o, const char *class, const char *text)
{
    td_output_format(o, "<td class=\"%s\">", class);
    td_xml_put(o, text);
    td_output_text(o, "</td>");
}

static void put_row(struct td_output *o, const struct td_comparison *c, const struct td_difference *d, const char *top,
                    double reach)
{
    const bool differs = d->call == TD_CALL_MORE || d->call == TD_CALL_LESS;
    const char *colour = td_node_colour_of(top)->colour;
    char text[TD_NOTE_TEXT], value[64];

    td_output_format(o, "<tr%s data-metric=\"", differs ? " class=\"differs\"" : "");
    td_xml_put(o, d->metric);
    td_output_format(o, "\" data-call=\"%s\"><th scope=\"row\" class=\"level%d\">", td_call_name(d->call), d->level);
    td_xml_put(o, d->metric);
    td_output_text(o, "</th><td class=\"wide\">");
    if (d->share) {
        put_bar(o, &c->side[0], d, colour, false);
        put_bar(o, &c->side[d->side], d, colour, true);
    }
    td_output_text(o, "</td>");
    put_cell(o, "value", td_value_text(d, d->a.value, value));
    put_cell(o, "value", td_value_text(d, d->b.value, value));
    put_cell(o, "value by", td_change_text(d, value));
    td_output_text(o, "<td class=\"wide\">");
    if (d->share)
        put_difference(o, &d->diff, reach);
    td_output_text(o, "</td>");
    put_cell(o, "bounds", td_change_bounds(d, value));
    put_cell(o, "call", td_difference_word(d, c, text));
    td_output_text(o, "</tr>\n");
}

static void put_block(struct td_output *o, const struct td_comparison *c, size_t first, size_t end)
{
    const double reach = reach_of(c, first, end);

    put_head(o, c, first, reach);
    for (size_t i = first; i < end; i++)
        put_row(o, c, &c->row[i], top_of(c, first, end, &c->row[i]), reach);
    td_output_text(o, "</tbody></table>\n</section>\n");
}

/* ---- the page --------------------------------------------------------------------------------------------- */

static void put_notes(struct td_output *o, const struct td_comparison_report *r)
{
    char text[TD_NOTE_TEXT];

    td_output_text(o, "<ul class=\"remarks\">\n");
    for (size_t i = 0; i < r->gates; i++)
        td_page_item(o, td_gate_line(&r->gate[i], text));
    for (size_t i = 0; td_comparison_note(r->comparison, i, text); i++)
        td_page_item(o, text);
    td_output_text(o, "</ul>\n");
}

static void put(struct td_output *o, const struct td_comparison_report *r)
{
    const struct td_comparison *c = r->comparison;
    const struct td_page page = {.subject = c->side[c->sides - 1].name,
                                 .title = "what differs",
                                 .style = {td_tree_style(), &td_page_results, &style}};

    td_page_begin(o, &page);
    td_bar_patterns(td_output_write, o);
    td_output_text(
        o, "<header>\n<h1>What differs</h1>\n"
           "<p class=\"soft\">Of each share two bars, a above b, each with a line from where to where it may be, and "
           "with a point for each run where there are several. On the right is the difference with its bounds: where "
           "these do not reach zero, the sides differ.</p>\n</header>\n<main>\n");
    for (size_t i = 0, end; i < c->n; i = end) {
        end = block_end(c, i);
        put_block(o, c, i, end);
    }
    put_notes(o, r);
    td_output_text(o, "</main>\n");
    td_page_end(o, &page, "tdprobe compare --format html");
}

const struct td_comparison_format td_comparison_html = {.name = "html", .notes = true, .put = put};
