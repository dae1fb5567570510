/* SPDX-License-Identifier: MIT */
/* A comparison as tidy CSV: one row per scope and metric. */
#include "report/compare/comparison_report.h"
#include "report/csv_fields.h"

static void put_bounded(struct td_output *o, const char *separator, const struct td_bounded *v)
{
    td_csv_number(o, separator, v->value);
    td_csv_number(o, separator, v->low);
    td_csv_number(o, separator, v->high);
}

static void put_row(struct td_output *o, const char *separator, const struct td_comparison *c,
                    const struct td_difference *d)
{
    td_csv_text(o, separator, c->side[0].name);
    td_csv_text(o, separator, c->side[d->side].name);
    td_csv_text(o, separator, d->scope);
    td_csv_text(o, separator, d->kind);
    td_csv_text(o, separator, d->core);
    td_csv_text(o, separator, d->metric);
    td_csv_text(o, separator, d->unit);
    put_bounded(o, separator, &d->a);
    put_bounded(o, separator, &d->b);
    put_bounded(o, separator, &d->diff);
    td_csv_text(o, separator, td_call_name(d->call));
    td_csv_text(o, separator, td_basis_name(d->basis));
    td_csv_number(o, separator, d->alpha);
    td_csv_number(o, separator, d->saved);
    td_csv_number(o, separator, (double)d->na);
    td_output_format(o, "%zu\n", d->nb);
}

static void put(struct td_output *o, const struct td_comparison_report *r)
{
    static const char *const column[] = {"recording_a", "recording_b", "scope",    "scope_kind", "core",    "metric",
                                         "unit",        "a_value",     "a_low",    "a_high",     "b_value", "b_low",
                                         "b_high",      "diff_value",  "diff_low", "diff_high",  "call",    "basis",
                                         "alpha",       "slots_saved", "n_a",      "n_b"};
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
