/* SPDX-License-Identifier: MIT */
/* Functions as tidy CSV: one row per function and metric. */
#include "report/csv_fields.h"
#include "report/functions/functions_report.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { COMMON = 1024, METRICS = 64 };

/* What several rows have in common: it is made once, and copied from then on. */
struct common {
    const void *of; /* what it is about; NULL: it was not made yet, or is too long to be copied */
    size_t n;
    char text[COMMON];
};

struct rows {
    struct td_output *o;
    const char *separator;
    struct common place, verdict; /* what all rows of a function begin and end with */
    struct common metric[METRICS]; /* by index: what the metric is */
    const char *core; /* the kind of core whose metrics these are: another's may have another unit, or parent */
};

/* Copies it if it is about that; false: it is not. */
static bool put_again(struct td_output *o, const struct common *c, const void *of)
{
    if (c->of == of)
        td_output_bytes(o, c->text, c->n);
    return c->of == of;
}

/* The position in the output, with room for a common text. */
static size_t begin_common(struct td_output *o)
{
    return (size_t)(td_output_room(o, COMMON) - o->buffer);
}

static void end_common(const struct td_output *o, size_t from, struct common *c, const void *of)
{
    c->of = NULL;
    if (o->n < from || o->n - from > COMMON)
        return;
    c->of = of;
    c->n = o->n - from;
    memcpy(c->text, o->buffer + from, c->n);
}

static void put_place(struct rows *to, const struct td_function *f)
{
    const size_t from = begin_common(to->o);
    const char *separator = to->separator;
    struct td_output *o = to->o;

    if (put_again(o, &to->place, f))
        return;
    td_csv_text(o, separator, f->name);
    td_csv_text(o, separator, f->kind);
    td_csv_text(o, separator, f->dso);
    td_csv_text(o, separator, f->of->core);
    td_csv_number(o, separator, td_function_share(f));
    td_csv_number(o, separator, td_function_lost(f));
    td_csv_number(o, separator, (double)f->intervals);
    td_csv_number(o, separator, (double)td_function_pure(f));
    td_csv_number(o, separator, td_function_smear(f).stay);
    end_common(o, from, &to->place, f);
}

/* Puts which metric it is. */
static void put_name(struct rows *to, const struct td_function *f, size_t i)
{
    const struct td_metric *m = f->of->metric[i];
    struct common *c = &to->metric[i % METRICS];
    const size_t from = begin_common(to->o);

    if (put_again(to->o, c, m->name))
        return;
    td_csv_text(to->o, to->separator, m->name);
    td_csv_number(to->o, to->separator, m->level);
    td_csv_text(to->o, to->separator, m->parent);
    td_csv_text(to->o, to->separator, m->unit);
    end_common(to->o, from, c, m->name);
}

static void put_metric(struct rows *to, const struct td_function *f, size_t i)
{
    const struct td_metric *m = f->of->metric[i];
    const char *separator = to->separator;
    struct td_output *o = to->o;
    char status[TD_FUNCTIONS_TEXT];

    put_name(to, f, i);
    td_csv_number(o, separator, m->value);
    td_csv_number(o, separator, m->low);
    td_csv_number(o, separator, m->high);
    td_csv_text(o, separator, td_bounds_name(m->bounds));
    td_csv_text(o, separator, m->status == TD_OK ? "ok" : td_function_status(f, m, status));
    td_csv_number(o, separator, td_function_naive(f, i));
}

static void put_head(struct td_output *o, const char *separator, bool annotated)
{
    static const char *const names[] = {"scope", "kind", "dso",    "core",   "slots_share",   "lost",   "intervals",
                                        "pure",  "stay", "metric", "level",  "parent",        "unit",   "value",
                                        "low",   "high", "bounds", "status", "all_intervals", "verdict"};

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

/* Puts the columns about code; row is NULL where functions are not by lines. */
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

/* Puts the columns of a function of which no metric has a value. */
static void put_no_metric(struct td_output *o, const char *separator, const struct td_function *f)
{
    for (size_t i = 0; i < 8; i++) /* the columns from metric to bounds */
        td_output_text(o, separator);
    td_csv_text(o, separator, td_place_status_name(f->status));
    td_output_text(o, separator);
}

static void put_end(struct rows *to, const struct td_function *f, const struct td_annotated_row *row)
{
    const void *of = row ? (const void *)row : f;
    const size_t from = begin_common(to->o);
    char verdict[TD_FUNCTIONS_TEXT];

    if (put_again(to->o, &to->verdict, of))
        return;
    td_csv_field(to->o, to->separator, td_function_verdict(f, verdict));
    put_code(to->o, to->separator, row);
    td_output_char(to->o, '\n');
    end_common(to->o, from, &to->verdict, of);
}

/* Puts a row; metric is f->of->metrics where there is none. */
static void put_row(struct rows *to, const struct td_function *f, size_t metric, const struct td_annotated_row *row)
{
    put_place(to, f);
    if (metric < f->of->metrics)
        put_metric(to, f, metric);
    else
        put_no_metric(to->o, to->separator, f);
    put_end(to, f, row);
}

static void put_rows(struct rows *to, const struct td_function *f, const struct td_annotated_row *row)
{
    size_t n = 0;

    to->place.of = to->verdict.of = NULL;
    for (size_t k = 0; k < METRICS && f->of->core != to->core; k++)
        to->metric[k].of = NULL;
    to->core = f->of->core;
    for (size_t k = 0; k < f->of->metrics; k++)
        if (td_function_says(f, k)) {
            put_row(to, f, k, row);
            n++;
        }
    if (!n)
        put_row(to, f, f->of->metrics, row);
}

static void put(struct td_output *o, const struct td_functions_report *r)
{
    struct rows *to = calloc(1, sizeof(*to)); /* not on the stack: some threads' stacks are smaller */
    struct td_annotated_row row;

    if (!to) {
        o->error = o->error ? o->error : -ENOMEM;
        return;
    }
    to->o = o;
    to->separator = r->separator ? r->separator : ",";
    put_head(o, to->separator, r->annotated);
    for (size_t i = 0; r->annotated && i < r->nannotated; i++)
        for (struct td_annotated_walk w = td_annotated_begin(&r->annotated[i]); td_annotated_next(&w, &row);)
            put_rows(to, row.seen, &row);
    for (size_t i = 0; !r->annotated && i < td_functions_shown(r); i++) {
        td_functions_fetch(r->functions, i);
        put_rows(to, r->functions->function[i], NULL);
    }
    free(to);
}

const struct td_functions_format td_functions_csv = {.name = "csv", .annotates = true, .put = put};
