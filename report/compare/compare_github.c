/* SPDX-License-Identifier: MIT */
/* A comparison as the workflow commands of GitHub Actions, "::error title=...::...": an error for each gate that holds,
 * a warning for each that cannot be told and for what got worse, a notice for what else changed. */
#include "report/compare/comparison_report.h"

#include <stdio.h>

/* Puts text with GitHub's escapes; a property may have neither a colon nor a comma. */
static void put_text(struct td_output *o, const char *text, bool property)
{
    for (; *text; text++)
        if (strchr(property ? "%\r\n:," : "%\r\n", *text))
            td_output_format(o, "%%%02X", (unsigned)(unsigned char)*text);
        else
            td_output_char(o, *text);
}

static void put_line(struct td_output *o, const char *command, const char *title, const char *text)
{
    td_output_format(o, "::%s title=", command);
    put_text(o, title, true);
    td_output_text(o, "::");
    put_text(o, text, false);
    td_output_char(o, '\n');
}

static void put_row(struct td_output *o, const struct td_comparison *c, const struct td_difference *d)
{
    char scope[TD_NOTE_TEXT], a[64], b[64], by[64], bounds[64], word[TD_NOTE_TEXT], text[2 * TD_NOTE_TEXT + 256];
    const bool worse = d->direction == (d->call == TD_CALL_MORE ? TD_DIRECTION_BAD : TD_DIRECTION_GOOD);

    if (d->call != TD_CALL_MORE && d->call != TD_CALL_LESS)
        return;
    snprintf(text, sizeof(text), "%s: %s, then %s: %s (%s), %s", td_difference_scope(d, scope),
             td_value_text(d, d->a.value, a), td_value_text(d, d->b.value, b), td_change_text(d, by),
             td_change_bounds(d, bounds), td_difference_word(d, c, word));
    put_line(o, worse ? "warning" : "notice", d->metric, text);
}

static void put(struct td_output *o, const struct td_comparison_report *r)
{
    const struct td_comparison *c = r->comparison;
    char text[TD_NOTE_TEXT];

    for (size_t i = 0; i < r->gates; i++)
        put_line(o,
                 r->gate[i].answer == TD_GATE_HOLDS     ? "error"
                 : r->gate[i].answer == TD_GATE_UNKNOWN ? "warning"
                                                        : "notice",
                 "tdprobe compare", td_gate_line(&r->gate[i], text));
    for (size_t i = 0; i < c->n; i++)
        put_row(o, c, &c->row[i]);
    for (size_t i = 0; td_comparison_note(c, i, text); i++)
        put_line(o, "notice", "tdprobe compare", text);
}

const struct td_comparison_format td_comparison_github = {.name = "github", .notes = true, .put = put};
