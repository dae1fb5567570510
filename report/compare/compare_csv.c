/* SPDX-License-Identifier: MIT */
/* A comparison as tidy CSV: one row per scope and metric. */
#include "report/compare/comparison_report.h"
#include "report/digits.h"

#include <csv.h>
#include <math.h>

enum { FIELD = 1024 };

/* In quotes if it needs them. */
static void put_field(struct td_output *o, const char *separator, const char *text)
{
    char quoted[2 * FIELD + 2];
    const size_t n = strnlen(text, FIELD);

    if (strpbrk(text, "\"\r\n") || strstr(text, separator))
        td_output_bytes(o, quoted, csv_write(quoted, sizeof(quoted), text, n));
    else
        td_output_bytes(o, text, n);
}

static void put_text(struct td_output *o, const char *separator, const char *text)
{
    put_field(o, separator, text ? text : "");
    td_output_text(o, separator);
}

/* All digits; an absent number is empty. */
static void put_number(struct td_output *o, const char *separator, double value)
{
    char text[TD_DIGITS_SHORTEST + 1];

    if (isfinite(value)) {
        *td_digits_shortest(value, text) = '\0';
        put_field(o, separator, text);
    }
    td_output_text(o, separator);
}

static void put_bounded(struct td_output *o, const char *separator, const struct td_bounded *v)
{
    put_number(o, separator, v->value);
    put_number(o, separator, v->low);
    put_number(o, separator, v->high);
}

static void put_row(struct td_output *o, const char *separator, const struct td_comparison *c, const struct td_difference *d)
{
    put_text(o, separator, c->side[0].name);
    put_text(o, separator, c->side[d->side].name);
    put_text(o, separator, d->scope);
    put_text(o, separator, d->kind);
    put_text(o, separator, d->core);
    put_text(o, separator, d->metric);
    put_text(o, separator, d->unit);
    put_bounded(o, separator, &d->a);
    put_bounded(o, separator, &d->b);
    put_bounded(o, separator, &d->diff);
    put_text(o, separator, td_call_name(d->call));
    put_text(o, separator, td_basis_name(d->basis));
    put_number(o, separator, d->alpha);
    put_number(o, separator, d->saved);
    put_number(o, separator, (double)d->na);
    td_output_format(o, "%zu\n", d->nb);
}

static void put(struct td_output *o, const struct td_comparison_report *r)
{
    static const char *const column[] = {"recording_a", "recording_b", "scope", "scope_kind", "core", "metric", "unit", "a_value", "a_low", "a_high", "b_value", "b_low",
                                         "b_high", "diff_value", "diff_low", "diff_high", "call", "basis", "alpha", "slots_saved", "n_a", "n_b"};
    const char *separator = r->separator ? r->separator : ",";

    for (size_t i = 0; i < sizeof(column) / sizeof(*column); i++) {
        td_output_text(o, i ? separator : "");
        td_output_text(o, column[i]);
    }
    td_output_char(o, '\n');
    for (size_t i = 0; i < r->comparison->n; i++)
        put_row(o, separator, r->comparison, &r->comparison->row[i]);
}

const struct td_comparison_format td_comparison_csv = {.name = "csv", .put = put};
