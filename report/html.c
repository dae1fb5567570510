/* SPDX-License-Identifier: MIT */
/* A page of results in one file, to be mailed: the verdict, what was measured, the tree, and how it went over time. */
#include "advice/advice.h"
#include "report/layouts.h"
#include "report/page/time_line.h"
#include "report/page/nodes.h"
#include "report/page/page.h"
#include "report/report.h"
#include "report/screen.h"
#include "report/verdict_line.h"
#include "report/xml.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* The page is written at its end; until then its parts are kept. */
struct td_html_state {
    size_t sums; /* how many were reported */
    size_t phases; /* how many of these are of phases */
    int phase; /* the number of the one at hand in its scope; 0: it has none */
    struct td_held lead, facts, head, tree; /* of the first: what limits it, what was measured, the head of its part */
    struct td_held legend, others, rows; /* the colours; all that of the others; a row of each */
    struct td_held errors, runs;
    struct td_page_told told;
    struct td_time_line line;
    char *chosen; /* the names of the nodes of the heat map that were asked for; NULL: none were */
};

/* Has the heat map show what was asked for. 0 or -ENOMEM. */
static int choose(struct td_html_state *s, const char *names)
{
    char *rest, *name;

    s->chosen = strdup(names);
    s->line.chosen = true;
    rest = s->chosen;
    while (rest && (name = strsep(&rest, ",")))
        if (td_time_line_want(&s->line, name))
            return -ENOMEM;
    return s->chosen ? 0 : -ENOMEM;
}

static struct td_html_state *state_of(struct td_report *r)
{
    const bool first = !r->html;

    if (first)
        r->html = calloc(1, sizeof(*r->html));
    if (!r->html || (first && r->heat && choose(r->html, r->heat)))
        r->out.error = -ENOMEM;
    return r->html;
}

typedef void put_fn(struct td_report *, const struct td_result *);

/* Makes a copy of a report whose output is kept; false: out of memory. */
static bool open_held(struct td_report *copy, struct td_report *r, struct td_held *held)
{
    *copy = *r;
    copy->all = true;
    copy->width = copy->explained_flags = copy->explained_marks = 0;
    if (!td_output_open_fn(&copy->out, td_held_write, held))
        return true;
    r->out.error = -ENOMEM;
    return false;
}

static void close_held(struct td_report *copy, struct td_report *r)
{
    if (td_output_close(&copy->out, true))
        r->out.error = -ENOMEM;
}

/* Keeps what put writes. */
static void hold(struct td_report *r, const struct td_result *result, put_fn *put, struct td_held *held)
{
    struct td_report copy;

    if (!open_held(&copy, r, held))
        return;
    put(&copy, result);
    close_held(&copy, r);
}

static void give(struct td_output *o, const struct td_held *held)
{
    td_output_bytes(o, held->n ? held->text : "", held->n);
}

/* ---- what limits ---------------------------------------------------------------------------------- */

static void put_command(struct td_report *r, const struct td_result *result)
{
    td_tree_command(r, result, r->verdict.node->name);
}

/* Puts what the node means that limits, and the command that tells more. */
static void put_advice(struct td_report *r, const struct td_result *result)
{
    const struct td_metric *node = r->verdict.node;
    const struct td_advice *a = node ? td_advice_find(node->name, td_result_backend(result)) : NULL;
    struct td_held command = {0};

    if (!a)
        return;
    td_output_format(&r->out, "<p class=\"advice\">%s: ", node->name);
    td_xml_put(&r->out, a->brief);
    td_output_text(&r->out, ".</p>\n");
    hold(r, result, put_command, &command);
    if (command.n) {
        command.text[command.n - 1] = '\0'; /* its newline */
        td_output_text(&r->out, "<pre><code>");
        td_xml_put(&r->out, command.text + strspn(command.text, " "));
        td_output_text(&r->out, "</code></pre>\n");
    }
    td_held_free(&command);
}

static void put_verdict(struct td_report *r, const struct td_result *result)
{
    char text[TD_VERDICT_TEXT];

    td_output_format(&r->out, "<p class=\"lead\" data-verdict=\"%s\">", td_verdict_name(r->verdict.status));
    td_xml_put(&r->out, td_verdict_line(&r->verdict, result, text));
    td_output_text(&r->out, "</p>\n");
    put_advice(r, result);
}

/* ---- what was measured ------------------------------------------------------------------------------ */

static void put_scope(struct td_output *o, const struct td_result *result)
{
    td_page_name(o, td_result_scope(result));
    if (td_result_core(result))
        td_output_format(o, ", %s-cores", td_result_core(result));
}

static void put_speed(struct td_output *o, const struct td_result *result)
{
    const double ipc = td_result_ipc(result), ghz = td_result_ghz(result);

    if (isnan(ipc) && isnan(ghz))
        return;
    td_output_text(o, "<dt>speed</dt><dd>");
    if (!isnan(ipc))
        td_output_format(o, "IPC %.2f", ipc);
    if (!isnan(ghz))
        td_output_format(o, "%s%.2f GHz", isnan(ipc) ? "" : ", ", ghz);
    td_output_text(o, "</dd>\n");
}

static void put_facts(struct td_report *r, const struct td_result *result)
{
    struct td_output *o = &r->out;
    const double coverage = td_result_coverage(result);
    uint64_t ns;

    td_output_text(o, "<dt>scope</dt><dd>");
    put_scope(o, result);
    td_output_text(o, "</dd>\n");
    td_page_fact(o, "CPU", td_result_cpu(result));
    td_page_fact(o, "formula", td_result_formula(result));
    if (td_result_duration(result, &ns))
        td_output_format(o, "<dt>time</dt><dd>%.3f s</dd>\n", (double)ns / 1e9);
    put_speed(o, result);
    if (!isnan(coverage))
        td_output_format(o, "<dt>coverage</dt><dd>counted %.0f %% of the time</dd>\n", 100 * coverage);
}

/* ---- the tree ---------------------------------------------------------------------------------------- */

/* Puts each line of text as an item of a list. The text is changed. */
static void put_lines(struct td_output *o, char *text)
{
    char *line, *rest = text;

    td_output_text(o, "<ul class=\"remarks\">\n");
    while ((line = strsep(&rest, "\n")))
        if (*line)
            td_page_item(o, line + strspn(line, " !"));
    td_output_text(o, "</ul>\n");
}

/* Rows of a page say in words what marks of text stand for. */
static void put_remarks(struct td_report *r, const struct td_result *result)
{
    struct td_tree_view view;

    if (td_tree_view_make(&view, r, result, 0)) {
        r->out.error = -ENOMEM;
        return;
    }
    view.flags.marks = 0;
    td_tree_remarks(r, &view, result);
    td_tree_view_free(&view);
}

static void put_tree(struct td_report *r, const struct td_result *result)
{
    struct td_held remarks = {0};
    struct td_tree_view view;

    if (td_tree_view_make(&view, r, result, 0)) {
        r->out.error = -ENOMEM;
        return;
    }
    td_page_nodes(r, &view, result, &r->html->told);
    td_tree_view_free(&view);
    hold(r, result, put_remarks, &remarks);
    if (remarks.n) {
        remarks.text[remarks.n] = '\0'; /* td_held_write() leaves room */
        put_lines(&r->out, remarks.text);
    }
    td_held_free(&remarks);
}

/* ---- several results ------------------------------------------------------------------------------------ */

/* Puts when a phase was: "20.000 to 35.000 s". */
static void put_span(struct td_output *o, const struct td_span *s)
{
    td_output_format(o, "%.3f to %.3f s", s->from, s->to);
}

/* Puts which phase a row is of, and when it was; of what has no phase, dashes. */
static void put_phase_cells(struct td_report *r)
{
    struct td_output *o = &r->out;

    if (!r->html->phase) {
        td_output_text(o, "<th scope=\"row\">\xe2\x80\x93</th><td>\xe2\x80\x93</td>");
        return;
    }
    td_output_format(o, "<th scope=\"row\">phase %d</th><td>", r->html->phase);
    put_span(o, r->span);
    td_output_text(o, "</td>");
}

static void put_row(struct td_report *r, const struct td_result *result)
{
    struct td_output *o = &r->out;
    char text[TD_VERDICT_TEXT];

    td_output_text(o, "<tr>");
    if (r->span)
        put_phase_cells(r);
    td_output_text(o, r->span ? "<td>" : "<th scope=\"row\">");
    put_scope(o, result);
    td_output_text(o, r->span ? "</td><td>" : "</th><td>");
    td_xml_put(o, td_result_cpu(result));
    td_output_text(o, "</td><td>");
    td_xml_put(o, td_verdict_line(&r->verdict, result, text));
    td_output_text(o, "</td><td class=\"wide\">");
    td_page_stack(o, result);
    td_output_text(o, "</td></tr>\n");
}

static void put_legend(struct td_report *r, const struct td_result *result)
{
    td_page_legend(&r->out, result);
}

static void begin_result(struct td_report *r, const struct td_result *result)
{
    td_output_text(&r->out, "<details class=\"result\"><summary>");
    if (r->html->phase) {
        td_output_format(&r->out, "phase %d, ", r->html->phase);
        put_span(&r->out, r->span);
        td_output_text(&r->out, ": ");
    }
    put_scope(&r->out, result);
    td_output_text(&r->out, ", ");
    td_xml_put(&r->out, td_result_cpu(result));
    td_output_text(&r->out, "</summary>\n");
}

static void put_other(struct td_report *r, const struct td_result *result)
{
    begin_result(r, result);
    put_verdict(r, result);
    td_output_text(&r->out, "<dl class=\"facts\">\n");
    put_facts(r, result);
    td_output_text(&r->out, "</dl>\n");
    put_tree(r, result);
    td_output_text(&r->out, "</details>\n");
}

/* A sum is of the phase that its scope's last interval ended. */
static void end_phase(struct td_report *r, const struct td_result *result)
{
    r->html->phase = isnan(r->span->from) ? 0 : td_time_line_end_phase(&r->html->line, result);
    if (r->html->phase < 0)
        r->out.error = r->html->phase;
    r->html->phases += r->html->phase > 0;
}

/* What limits is told over time, too; of level 1 all nodes are. */
static void want_path(struct td_report *r)
{
    for (size_t i = 0; !r->html->line.chosen && i < r->verdict.npath; i++)
        if (td_time_line_want(&r->html->line, r->verdict.path[i]->name))
            r->out.error = -ENOMEM;
}

static void html_result(struct td_report *r, const struct td_result *result)
{
    struct td_html_state *s = state_of(r);

    if (!s)
        return;
    if (!td_result_is_summary(result)) {
        r->out.error = td_time_line_add(&s->line, result, &r->verdict) ? -ENOMEM : r->out.error;
        return;
    }
    if (r->span)
        end_phase(r, result);
    want_path(r);
    hold(r, result, put_row, &s->rows);
    if (s->sums++) {
        hold(r, result, put_other, &s->others);
    } else {
        hold(r, result, put_verdict, &s->lead);
        hold(r, result, put_facts, &s->facts);
        hold(r, result, begin_result, &s->head);
        hold(r, result, put_legend, &s->legend);
        hold(r, result, put_tree, &s->tree);
    }
}

/* ---- the rest --------------------------------------------------------------------------------------------- */

static void html_error(struct td_report *r, int code, const char *text)
{
    struct td_html_state *s = state_of(r);
    struct td_report copy;

    (void)code;
    if (!s || !open_held(&copy, r, &s->errors))
        return;
    td_page_item(&copy.out, text);
    close_held(&copy, r);
}

/* Keeps the table that text has of several runs. */
static void html_repeat(struct td_report *r, const struct td_repeat *runs)
{
    struct td_html_state *s = state_of(r);
    struct td_report copy;

    if (!s || !open_held(&copy, r, &s->runs))
        return;
    td_table_runs(&copy, runs);
    close_held(&copy, r);
}

static void put_runs(struct td_output *o, struct td_held *runs)
{
    if (!runs->n)
        return;
    runs->text[runs->n - 1] = '\0'; /* its newline */
    td_output_text(o, "<section>\n<h2>Runs</h2>\n<pre>");
    td_xml_put_lines(o, runs->text);
    td_output_text(o, "</pre>\n</section>\n");
}

static void put_header(struct td_report *r, const struct td_html_state *s)
{
    struct td_output *o = &r->out;

    td_output_text(o, "<header>\n<h1>Where the slots went</h1>\n");
    if (s->errors.n) {
        td_output_text(o, "<ul class=\"errors\">\n");
        give(o, &s->errors);
        td_output_text(o, "</ul>\n");
    }
    if (!s->sums)
        td_output_text(o, "<p class=\"lead\">There is no result.</p>\n");
    if (s->sums == 1)
        give(o, &s->lead);
    td_output_text(o, "<dl class=\"facts\">\n");
    if (s->sums == 1)
        give(o, &s->facts);
    td_page_fact(o, r->target ? "measured" : "recording", r->subject);
    td_page_fact(o, "host", r->host);
    td_page_fact(o, "command", r->recorded);
    td_page_fact(o, "started", r->started);
    td_output_text(o, "</dl>\n</header>\n");
}

/* Puts a row of each result, and below it the results themselves. */
static void put_several(struct td_output *o, const struct td_html_state *s)
{
    if (s->phases)
        td_output_format(o,
                         "<table class=\"scopes phases\"><caption>%zu phases, cut where the shares of level 1 change "
                         "beyond their scatter</caption><thead><tr><th scope=\"col\">phase</th>"
                         "<th scope=\"col\">time</th>",
                         s->phases);
    else
        td_output_format(
            o, "<table class=\"scopes\"><caption>%zu results of all that was measured</caption><thead><tr>", s->sums);
    td_output_text(o, "<th scope=\"col\">scope</th><th scope=\"col\">CPU</th><th scope=\"col\">verdict</th>"
                      "<th scope=\"col\">its slots</th></tr></thead><tbody>\n");
    give(o, &s->rows);
    td_output_text(o, "</tbody></table>\n");
    give(o, &s->legend);
}

static void put_trees(struct td_output *o, const struct td_html_state *s)
{
    td_output_text(
        o,
        "<section>\n<h2>The tree</h2>\n"
        "<p class=\"soft\">In percent of all slots, where a row does not say of what; the line in a bar is from where to "
        "where the value may be. A hatched bar has likely bounds, which hold in 95 of 100 cases. "
        "A name unfolds to what it means.</p>\n");
    if (s->sums > 1) {
        give(o, &s->head);
        give(o, &s->lead);
        td_output_text(o, "<dl class=\"facts\">\n");
        give(o, &s->facts);
        td_output_text(o, "</dl>\n");
    }
    give(o, &s->tree);
    if (s->sums > 1)
        td_output_text(o, "</details>\n");
    give(o, &s->others);
    td_output_text(o, "</section>\n");
}

static void put_page(struct td_report *r, struct td_html_state *s)
{
    const struct td_page page = {.subject = r->subject ? r->subject : "tdprobe",
                                 .title = "where the slots went",
                                 .style = {td_tree_style(), &td_page_results},
                                 .script = {&td_time_line_script, &td_heat_map_script}};
    struct td_output *o = &r->out;
    char by[64];

    td_page_begin(o, &page);
    td_bar_patterns(td_output_write, o);
    put_header(r, s);
    td_output_text(o, "<main>\n");
    if (s->sums > 1 || s->phases)
        put_several(o, s);
    if (s->sums)
        put_trees(o, s);
    td_time_line_put(o, &s->line);
    put_runs(o, &s->runs);
    td_output_text(o, "</main>\n");
    snprintf(by, sizeof(by), "tdprobe %s --format html", r->by ? r->by : "");
    td_page_end(o, &page, by);
}

static void html_end(struct td_report *r, const struct td_outcome *e)
{
    struct td_html_state *s = state_of(r);

    (void)e;
    if (!s)
        return;
    put_page(r, s);
    td_held_free(&s->lead);
    td_held_free(&s->facts);
    td_held_free(&s->head);
    td_held_free(&s->tree);
    td_held_free(&s->others);
    td_held_free(&s->legend);
    td_held_free(&s->rows);
    td_held_free(&s->errors);
    td_held_free(&s->runs);
    td_page_told_free(&s->told);
    td_time_line_free(&s->line);
    free(s->chosen);
    free(s);
    r->html = NULL;
}

const struct td_report_format td_report_html = {
    .name = "html", .page = true, .result = html_result, .repeat = html_repeat, .error = html_error, .end = html_end};
