/* SPDX-License-Identifier: MIT */
/* Functions as tidy CSV: one row per function and metric. */
#include "report/csv_fields.h"
#include "report/functions/functions_report.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static void put_place(struct td_output *o, const char *separator, const struct td_function *f)
{
    td_csv_text(o, separator, f->name);
    td_csv_text(o, separator, f->kind);
    td_csv_text(o, separator, f->dso);
    td_csv_text(o, separator, f->core);
    td_csv_number(o, separator, f->slots_share);
    td_csv_number(o, separator, f->lost);
    td_csv_number(o, separator, (double)f->intervals);
    td_csv_number(o, separator, (double)f->pure);
    td_csv_number(o, separator, f->smear.stay);
}

static void put_metric(struct td_output *o, const char *separator, const struct td_function *f, size_t i)
{
    const struct td_metric *m = &f->metric[i];
    char status[TD_FUNCTIONS_TEXT];

    td_csv_text(o, separator, m->name);
    td_csv_number(o, separator, m->level);
    td_csv_text(o, separator, m->parent);
    td_csv_text(o, separator, m->unit);
    td_csv_number(o, separator, m->value);
    td_csv_number(o, separator, m->low);
    td_csv_number(o, separator, m->high);
    td_csv_text(o, separator, td_bounds_name(m->bounds));
    td_csv_text(o, separator, m->status == TD_OK ? "ok" : td_function_status(f, m, status));
    td_csv_number(o, separator, f->naive[i]);
}

static void put_head(struct td_output *o, const char *separator, bool annotated)
{
    static const char *const names[] = {"scope", "kind", "dso", "core", "slots_share", "lost", "intervals", "pure", "stay", "metric", "level", "parent", "unit",
                                        "value", "low", "high", "bounds", "status", "all_intervals", "verdict"};

    static const char *const code[] = {"function", "function_share", "file", "line", "address", "text"};

    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        td_output_text(o, i ? separator : "");
        td_output_text(o, names[i]);
    }
    for (size_t i = 0; annotated && i < sizeof(code) / sizeof(*code); i++) {
        td_output_text(o, separator);
        td_output_text(o, code[i]);
    }
    td_output_char(o, '\n');
}

/* row NULL: functions are not by lines. */
static void put_code(struct td_output *o, const char *separator, const struct td_annotated_row *row)
{
    char address[24] = "";

    if (!row)
        return;
    if (row->addressed)
        snprintf(address, sizeof(address), "0x%" PRIx64, row->address);
    td_output_text(o, separator);
    td_csv_text(o, separator, row->function);
    td_csv_number(o, separator, row->share);
    td_csv_text(o, separator, row->file);
    td_csv_number(o, separator, row->line ? row->line : (double)NAN);
    td_csv_text(o, separator, address);
    td_csv_field(o, separator, row->text ? row->text : "");
}

/* A function of which no metric has any value. */
static void put_no_metric(struct td_output *o, const char *separator, const struct td_function *f)
{
    for (size_t i = 0; i < 8; i++) /* from metric to bounds */
        td_output_text(o, separator);
    td_csv_text(o, separator, td_place_status_name(f->smear.status));
    td_output_text(o, separator);
}

/* What several rows have in common is put once, and copied. */
struct common {
    size_t n; /* 0: it was not put, or is too long to be copied */
    char text[TD_OUTPUT_ROOM];
};

/* Where the output is, with room for a common text. */
static size_t begin_common(struct td_output *o)
{
    return (size_t)(td_output_room(o, TD_OUTPUT_ROOM) - o->buffer);
}

static void end_common(const struct td_output *o, size_t from, struct common *c)
{
    if (o->n < from || o->n - from > sizeof(c->text))
        return;
    c->n = o->n - from;
    memcpy(c->text, o->buffer + from, c->n);
}

/* What the rows of a function begin and end with. */
struct frame {
    struct common place, verdict;
};

static void put_begin(struct td_output *o, const char *separator, const struct td_function *f, struct common *c)
{
    const size_t from = begin_common(o);

    if (c->n) {
        td_output_bytes(o, c->text, c->n);
        return;
    }
    put_place(o, separator, f);
    end_common(o, from, c);
}

static void put_end(struct td_output *o, const char *separator, const struct td_function *f, const struct td_annotated_row *row, struct common *c)
{
    const size_t from = begin_common(o);
    char verdict[TD_FUNCTIONS_TEXT];

    if (c->n) {
        td_output_bytes(o, c->text, c->n);
        return;
    }
    td_csv_field(o, separator, td_function_verdict(f, verdict));
    put_code(o, separator, row);
    td_output_char(o, '\n');
    end_common(o, from, c);
}

/* metric: f->metrics for none. */
static void put_row(struct td_output *o, const char *separator, const struct td_function *f, size_t metric, const struct td_annotated_row *row, struct frame *frame)
{
    put_begin(o, separator, f, &frame->place);
    if (metric < f->metrics)
        put_metric(o, separator, f, metric);
    else
        put_no_metric(o, separator, f);
    put_end(o, separator, f, row, &frame->verdict);
}

static void put_rows(struct td_output *o, const char *separator, const struct td_function *f, const struct td_annotated_row *row)
{
    struct frame frame;
    size_t rows = 0;

    frame.place.n = frame.verdict.n = 0;
    for (size_t k = 0; k < f->metrics; k++)
        if (td_function_says(f, k)) {
            put_row(o, separator, f, k, row, &frame);
            rows++;
        }
    if (!rows)
        put_row(o, separator, f, f->metrics, row, &frame);
}

static void put(struct td_output *o, const struct td_functions_report *r)
{
    const char *separator = r->separator ? r->separator : ",";
    struct td_annotated_row row;

    put_head(o, separator, r->annotated);
    for (size_t i = 0; r->annotated && i < r->nannotated; i++)
        for (struct td_annotated_walk w = td_annotated_begin(&r->annotated[i]); td_annotated_next(&w, &row);)
            put_rows(o, separator, row.seen, &row);
    for (size_t i = 0; !r->annotated && i < td_functions_shown(r); i++)
        put_rows(o, separator, r->functions->function[i], NULL);
}

const struct td_functions_format td_functions_csv = {.name = "csv", .annotates = true, .put = put};
