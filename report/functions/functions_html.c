/* SPDX-License-Identifier: MIT */
/* A page of HTML in one file, to be mailed: what the recording is, what limits most, the table, the flame graph, what
 * was left out and what is next. It loads nothing, and can be read without scripts. It is XML, too. */
#include "report/functions/functions_page.h"
#include "report/functions/html_table.h"
#include "report/page/page.h"
#include "report/xml.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>

/* ---- parts of text ---------------------------------------------------------------------------- */

static void put_subject(struct td_output *o, const struct td_functions_report *r)
{
    if (r->chain == TD_CHAIN_CALLERS)
        td_output_text(o, "callers of ");
    else if (r->chain == TD_CHAIN_CALLEES)
        td_output_text(o, "what is called by ");
    else
        td_output_text(o, td_html_kind_of(r->functions).many);
    if (r->of)
        td_xml_put(o, r->of);
    if (r->chain == TD_CHAIN_CHILDREN)
        td_output_text(o, ", each with all that it calls");
}

/* ---- what limits, in words ---------------------------------------------------------------------- */

/* The place that by its estimate loses most to a node other than retiring; NULL: none is decided. */
static const struct td_function *first_of(const struct td_functions *all)
{
    const struct td_function *first = NULL;

    for (size_t i = 0; i < all->n; i++)
        if (all->function[i]->of->verdict->node &&
            td_function_lost(all->function[i]) > (first ? td_function_lost(first) : 0) &&
            strcmp(all->function[i]->of->verdict->path[0]->name, "retiring") != 0)
            first = all->function[i];
    return first;
}

static void put_verdict(struct td_output *o, const struct td_functions_report *r)
{
    const struct td_function *f = first_of(r->functions);
    char text[TD_FUNCTIONS_TEXT];

    td_output_text(o, "<p class=\"lead\">");
    if (f) {
        td_page_name(o, f->name);
        td_output_text(o, " loses most: ");
        td_xml_put(o, td_function_verdict(f, text));
        td_output_format(o, ". Of all slots, %.1f %% are counted there, and %.1f %% are lost there to %s.",
                         100 * td_function_share(f), 100 * td_function_lost(f), f->of->verdict->path[0]->name);
    } else if (td_functions_estimated(r->functions)) {
        td_output_format(o,
                         "Of no %s it is decided what limits it: the bounds of the values leave more than one answer.",
                         td_html_kind_of(r->functions).one);
    } else {
        td_output_format(o, "%c", toupper((unsigned char)*td_functions_silent(r, text)));
        td_xml_put(o, text + 1);
        td_output_char(o, '.');
    }
    td_output_text(o, "</p>\n");
}

struct tally {
    size_t n;
    double share;
};

static struct tally tally_of(const struct td_functions *all, enum td_place_status status)
{
    struct tally t = {0, 0};

    for (size_t i = 0; i < all->n; i++)
        if (all->function[i]->status == status)
            t = (struct tally){t.n + 1, t.share + td_function_share(all->function[i])};
    return t;
}

static void put_tally(struct td_output *o, const struct td_functions_report *r, enum td_place_status status,
                      const char *what)
{
    const struct tally t = tally_of(r->functions, status);

    td_output_format(o, "%zu %s", t.n, what);
    if (t.n && !td_functions_nested(r))
        td_output_format(o, " (%.1f %% of the slots)", 100 * t.share);
}

static void put_tallies(struct td_output *o, const struct td_functions_report *r)
{
    const struct td_html_kind kind = td_html_kind_of(r->functions);

    td_output_format(o, "<p>Of %zu %s, ", r->functions->n, r->functions->n == 1 ? kind.one : kind.many);
    put_tally(o, r, TD_PLACE_OK, "have an estimate");
    td_output_text(o, ", ");
    put_tally(o, r, TD_PLACE_SMEARED, "are smeared");
    td_output_text(o, " and ");
    put_tally(o, r, TD_PLACE_FEW_SAMPLES, "have too few samples");
    td_output_text(o, ".</p>\n");
}

/* ---- the recording ---------------------------------------------------------------------------------- */

static void put_date(struct td_output *o, time_t when)
{
    char text[64];
    struct tm utc;

    if (when && gmtime_r(&when, &utc) &&
        strftime(text, sizeof(text), "%Y-%m-%d %H:%M UTC, the file's last change", &utc))
        td_page_fact(o, "date", text);
}

static void put_sampled(struct td_output *o, const struct td_functions_report *r)
{
    const struct td_functions *all = r->functions;

    td_output_format(o, "<dt>samples</dt><dd>%" PRIu64 ", each with a reading of the group of top-down events",
                     r->about.samples);
    if (all->seconds > 0)
        td_output_format(o, ", over %.3g s", all->seconds);
    td_output_format(o, "; %" PRIu64 " %s</dd>\n", all->intervals, r->about.paired ? "pairs" : "intervals between two");
}

static void put_facts(struct td_output *o, const struct td_functions_report *r)
{
    td_output_text(o, "<dl class=\"facts\">\n");
    td_page_fact(o, "recording", r->name);
    put_date(o, r->changed);
    td_page_fact(o, "host", r->origin.host);
    td_page_fact(o, "command", r->origin.command);
    td_page_fact(o, "CPU", r->functions->cpu);
    td_page_fact(o, "formula", r->functions->formula);
    put_sampled(o, r);
    td_output_text(o, "</dl>\n");
}

/* ---- what the words mean ---------------------------------------------------------------------------- */

static void put_term(struct td_output *o, const char *term, const char *meaning)
{
    td_output_format(o, "<dt>%s</dt><dd>%s</dd>\n", term, meaning);
}

static void put_node(struct td_output *o, const struct td_functions_report *r, const char *node, bool coloured)
{
    const char *meaning = r->meaning ? r->meaning(node) : NULL;

    td_output_text(o, "<dt>");
    if (coloured)
        td_page_swatch(o, node);
    td_output_format(o, "%s</dt><dd>", node);
    td_xml_put(o, meaning ? meaning : "a node of the top-down tree");
    td_output_text(o, "</dd>\n");
}

/* Puts the meanings of the nodes of level 1, as legend of the colours, and of deeper ones that verdicts name. */
static void put_node_terms(struct td_output *o, const struct td_functions_report *r)
{
    const struct td_html_nodes top = td_html_nodes_of(r);
    struct td_html_nodes deeper = {.n = 0};

    for (size_t i = 0; i < top.n; i++)
        put_node(o, r, top.name[i], true);
    for (size_t i = 0; i < td_functions_shown(r); i++)
        for (size_t n = 1; n < r->functions->function[i]->of->verdict->npath; n++)
            td_html_node_add(&deeper, r->functions->function[i]->of->verdict->path[n]->name);
    for (size_t i = 0; i < deeper.n; i++)
        put_node(o, r, deeper.name[i], false);
}

static void put_terms(struct td_output *o, const struct td_functions_report *r)
{
    td_output_text(o, "<section>\n<h2>How to read it</h2>\n<dl class=\"terms\">\n");
    put_node_terms(o, r);
    put_term(o, "slots", "the share of all slots that were counted in intervals that ended here");
    put_term(o, "lost", "the share of all slots that the node which limits it took here");
    put_term(o, "its slots",
             "what these were spent on, in percent of them; the node that limits is underlined; "
             "below a value its likely bounds");
    put_term(o, "pure",
             "intervals whose two ends lie here, of all that end here; only these count for values, "
             "since the program may have been elsewhere in others");
    put_term(o, "stay", "how often the program was still here at the next sample");
    put_term(
        o, "smeared",
        "the program comes and goes between two samples, so that they cannot tell it from others: it has no value");
    put_term(o, "few_samples", "more of the same samples would give a value");
    td_output_text(o, "</dl>\n</section>\n");
}

/* ---- the rest --------------------------------------------------------------------------------------- */

static void put_flame(struct td_output *o, const struct td_functions_report *r)
{
    td_output_text(o, "<section>\n<h2>Flame graph</h2>\n");
    if (r->paths) {
        td_output_text(o, "<p>Each path of calls is as wide as its share of the slots, callers below what they call; "
                          "the colour is the node of level 1 that limits it. "
                          "A frame's title has its shares and bounds; a click zooms in.</p>\n"
                          "<div class=\"picture\" tabindex=\"0\" role=\"region\" aria-label=\"Flame graph\">\n");
        td_flame_put(o, td_page_base(r->name), r->paths);
        td_output_text(o, "</div>\n");
    } else if (r->about.chains) {
        td_output_text(o, "<p>There is none: the recording came through standard input, which can be read only once. "
                          "Give the name of the file.</p>\n");
    } else {
        td_output_text(
            o, "<p>There is none: no call chains were recorded. Record with <code>perf record -g</code>.</p>\n");
    }
    td_output_text(o, "</section>\n");
}

static void put_notes(struct td_output *o, const struct td_functions_report *r)
{
    char text[TD_FUNCTIONS_TEXT];

    td_output_text(o, "<section>\n<h2>What to know</h2>\n<ul>\n");
    for (size_t i = 0; td_functions_note(r, i, text); i++)
        td_page_item(o, text);
    for (size_t i = 0; i < r->nheard; i++)
        td_page_item(o, r->heard[i]);
    td_output_text(o, "</ul>\n</section>\n");
}

static void put_next(struct td_output *o, const struct td_functions_report *r)
{
    if (!r->next[0])
        return;
    td_output_text(o, "<section>\n<h2>What to do next</h2>\n");
    for (size_t i = 0; i < TD_FUNCTIONS_NEXT && r->next[i]; i++) {
        td_output_text(o, "<pre><code>");
        td_xml_put(o, r->next[i]);
        td_output_text(o, "</code></pre>\n");
    }
    td_output_text(o, "</section>\n");
}

/* Of the flame graph, whose own style and script are in it. */
static const struct td_page_code flame_style = {NULL, TD_FLAME_STYLE}, flame_script = {NULL, TD_FLAME_SCRIPT};

static void put(struct td_output *o, const struct td_functions_report *r)
{
    const struct td_page page = {.subject = r->name,
                                 .title = "where the slots went",
                                 .style = {&td_html_style, &flame_style},
                                 .script = {&td_html_script, &flame_script}};

    td_page_begin(o, &page);
    td_output_text(o, "<header>\n<h1>Where the slots went: ");
    put_subject(o, r);
    td_output_text(o, "</h1>\n");
    put_verdict(o, r);
    put_tallies(o, r);
    put_facts(o, r);
    td_output_text(o, "</header>\n<main>\n");
    td_html_table(o, r);
    put_flame(o, r);
    put_next(o, r);
    put_notes(o, r);
    put_terms(o, r);
    td_output_text(o, "</main>\n");
    td_page_end(o, &page, "tdprobe report --format html");
}

const struct td_functions_format td_functions_html = {
    .name = "html", .page = true, .limit = 200, .notes = true, .put = put};
