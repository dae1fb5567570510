/* SPDX-License-Identifier: MIT */
/* A comparison as Markdown tables, for the comments and summaries of a CI. */
#include "report/compare/comparison_report.h"

/* Puts text, in which what Markdown would take for its own is escaped. */
static void put_text(struct td_output *o, const char *text)
{
    for (; *text; text++) {
        if (strchr("\\`*_|[]<>#", *text))
            td_output_char(o, '\\');
        td_output_char(o, *text);
    }
}

static void put_cell(struct td_output *o, const char *text)
{
    td_output_text(o, " ");
    put_text(o, text);
    td_output_text(o, " |");
}

static void put_head(struct td_output *o, const struct td_comparison *c, const struct td_difference *d)
{
    char scope[TD_NOTE_TEXT];

    td_output_text(o, "### ");
    put_text(o, td_difference_scope(d, scope));
    td_output_text(o, "\n\n| metric |");
    put_cell(o, c->side[0].name);
    put_cell(o, c->side[d->side].name);
    td_output_text(o, " difference | bounds | |\n|---|---:|---:|---:|---:|---|\n");
}

static void put_row(struct td_output *o, const struct td_comparison *c, const struct td_difference *d)
{
    const bool bold = d->call == TD_CALL_MORE || d->call == TD_CALL_LESS;
    char text[64], word[TD_NOTE_TEXT];

    td_output_text(o, "|");
    put_cell(o, d->metric);
    put_cell(o, td_value_text(d, d->a.value, text));
    put_cell(o, td_value_text(d, d->b.value, text));
    put_cell(o, td_change_text(d, text));
    put_cell(o, td_change_bounds(d, text));
    td_output_text(o, bold ? " **" : " ");
    put_text(o, td_difference_word(d, c, word));
    td_output_text(o, bold ? "** |\n" : " |\n");
}

static void put_item(struct td_output *o, const char *text)
{
    td_output_text(o, "- ");
    put_text(o, text);
    td_output_char(o, '\n');
}

static void put(struct td_output *o, const struct td_comparison_report *r)
{
    const struct td_comparison *c = r->comparison;
    char text[TD_NOTE_TEXT];

    for (size_t i = 0; i < r->gates; i++)
        put_item(o, td_gate_line(&r->gate[i], text));
    td_output_text(o, r->gates ? "\n" : "");
    for (size_t i = 0; i < c->n; i++) {
        if (td_comparison_begins(c, i)) {
            td_output_text(o, i ? "\n" : "");
            put_head(o, c, &c->row[i]);
        }
        put_row(o, c, &c->row[i]);
    }
    td_output_char(o, '\n');
    for (size_t i = 0; td_comparison_note(c, i, text); i++)
        put_item(o, text);
}

const struct td_comparison_format td_comparison_markdown = {.name = "markdown", .notes = true, .put = put};
