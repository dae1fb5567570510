/* SPDX-License-Identifier: MIT */
/* A comparison as JUnit XML. A test case for each --fail-if, which fails if that holds and is skipped if
 * the data cannot tell, and one for each row, which passes: only a gate says what is a failure. */
#include "report/compare/comparison_report.h"
#include "report/xml.h"

static void put_attribute(struct td_output *o, const char *name, const char *text)
{
    td_output_format(o, " %s=\"", name);
    td_xml_put(o, text);
    td_output_char(o, '"');
}

static void put_case(struct td_output *o, const char *class, const char *name)
{
    td_output_text(o, "    <testcase");
    put_attribute(o, "classname", class);
    put_attribute(o, "name", name);
    td_output_text(o, " time=\"0\">");
}

static void put_gate(struct td_output *o, const struct td_gate *g)
{
    char text[TD_NOTE_TEXT];

    put_case(o, "fail-if", g->text);
    if (g->answer != TD_GATE_NO) {
        td_output_text(o, g->answer == TD_GATE_HOLDS ? "<failure" : "<skipped");
        put_attribute(o, "message", td_gate_line(g, text));
        td_output_text(o, "/>");
    }
    td_output_text(o, "</testcase>\n");
}

static void put_row(struct td_output *o, const struct td_comparison *c, const struct td_difference *d)
{
    char scope[TD_NOTE_TEXT], a[64], b[64], by[64], bounds[64], word[TD_NOTE_TEXT];

    put_case(o, td_difference_scope(d, scope), d->metric);
    td_output_text(o, "<system-out>");
    td_xml_put(o, td_value_text(d, d->a.value, a));
    td_output_text(o, ", then ");
    td_xml_put(o, td_value_text(d, d->b.value, b));
    td_output_text(o, ": ");
    td_xml_put(o, td_change_text(d, by));
    td_output_format(o, " (%s), ", *td_change_bounds(d, bounds) ? bounds : "no bounds");
    td_xml_put(o, td_difference_word(d, c, word));
    td_output_text(o, "</system-out></testcase>\n");
}

/* Puts the numbers of cases, which JUnit wants. */
static void put_numbers(struct td_output *o, const struct td_comparison_report *r)
{
    size_t failures = 0, skipped = 0;

    for (size_t i = 0; i < r->gates; i++) {
        failures += r->gate[i].answer == TD_GATE_HOLDS;
        skipped += r->gate[i].answer == TD_GATE_UNKNOWN;
    }
    td_output_format(o, " tests=\"%zu\" failures=\"%zu\" errors=\"0\" skipped=\"%zu\" time=\"0\"",
                     r->comparison->n + r->gates, failures, skipped);
}

static void put(struct td_output *o, const struct td_comparison_report *r)
{
    const struct td_comparison *c = r->comparison;
    char text[TD_NOTE_TEXT];

    td_output_text(o,
                   "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite name=\"tdprobe compare\"");
    put_numbers(o, r);
    td_output_text(o, ">\n");
    for (size_t i = 0; i < r->gates; i++)
        put_gate(o, &r->gate[i]);
    for (size_t i = 0; i < c->n; i++)
        put_row(o, c, &c->row[i]);
    td_output_text(o, "    <system-out>");
    for (size_t i = 0; td_comparison_note(c, i, text); i++) {
        td_xml_put(o, text);
        td_output_char(o, '\n');
    }
    td_output_text(o, "</system-out>\n  </testsuite>\n</testsuites>\n");
}

const struct td_comparison_format td_comparison_junit = {.name = "junit", .notes = true, .put = put};
