/* SPDX-License-Identifier: MIT */
/* A comparison as a table for people. */
#include "report/compare/comparison_report.h"

#include <math.h>

enum { METRIC = 24, VALUE = 12, CHANGE = 13, BOUNDS = 23 };

/* Columns of a value with its unit in the block of rows that begins there. */
static int value_columns(const struct td_comparison *c, size_t first)
{
    size_t most = VALUE;
    char text[64];

    for (size_t i = first; i < c->n && (i == first || !td_comparison_begins(c, i)); i++)
        for (int side = 0; side < 2; side++) {
            const size_t n = strlen(td_value_text(&c->row[i], side ? c->row[i].b.value : c->row[i].a.value, text));

            most = n > most ? n : most;
        }
    return (int)most;
}

static void put_side(struct td_output *o, char sign, const struct td_side *s)
{
    td_output_format(o, "  %c: %s", sign, s->name);
    if (s->n > 1)
        td_output_format(o, ", %zu recordings", s->n);
    td_output_char(o, '\n');
}

static void put_head(struct td_output *o, const struct td_comparison *c, size_t first, int columns)
{
    const struct td_difference *d = &c->row[first];
    char scope[TD_NOTE_TEXT], sentence[TD_NOTE_TEXT];

    td_output_format(o, "%s%s\n\n%s\n", first ? "\n" : "", td_comparison_sentence(c, first, sentence),
                     td_difference_scope(d, scope));
    put_side(o, 'a', &c->side[0]);
    put_side(o, 'b', &c->side[d->side]);
    td_output_format(o, "  %-*s %*s %*s %*s   bounds\n", METRIC, "", columns, "a", columns, "b", CHANGE, "b - a");
}

static void put_row(struct td_output *o, const struct td_comparison *c, const struct td_difference *d, int columns)
{
    char a[64], b[64], by[64], bounds[64], word[TD_NOTE_TEXT];

    td_output_format(o, "  %-*s %*s %*s %*s   %-*s %s", METRIC, d->metric, columns, td_value_text(d, d->a.value, a),
                     columns, td_value_text(d, d->b.value, b), CHANGE, td_change_text(d, by), BOUNDS,
                     td_change_bounds(d, bounds), td_difference_word(d, c, word));
    if (d->direction == TD_DIRECTION_BAD && (d->call == TD_CALL_MORE || d->call == TD_CALL_LESS) && d->saved == 0)
        td_output_text(o, "; as many slots of this node");
    else if (d->direction == TD_DIRECTION_BAD && (d->call == TD_CALL_MORE || d->call == TD_CALL_LESS) &&
             !isnan(d->saved))
        td_output_format(o, "; %.3g slots %s", fabs(d->saved), d->saved < 0 ? "more" : "fewer");
    td_output_char(o, '\n');
}

static void put(struct td_output *o, const struct td_comparison_report *r)
{
    const struct td_comparison *c = r->comparison;
    char text[TD_NOTE_TEXT];
    int columns = VALUE;

    for (size_t i = 0; i < c->n; i++) {
        if (td_comparison_begins(c, i)) {
            columns = value_columns(c, i);
            put_head(o, c, i, columns);
        }
        put_row(o, c, &c->row[i], columns);
    }
    td_output_char(o, '\n');
    for (size_t i = 0; td_comparison_note(c, i, text); i++)
        td_output_format(o, "%s\n", text);
    for (size_t i = 0; i < r->gates; i++)
        td_output_format(o, "%s\n", td_gate_line(&r->gate[i], text));
}

const struct td_comparison_format td_comparison_text = {.name = "text", .notes = true, .put = put};
