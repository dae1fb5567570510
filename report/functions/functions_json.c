/* SPDX-License-Identifier: MIT */
/* Functions as JSON lines, schema tdprobe/1: one object each, as results have it. */
#include "report/flags.h"
#include "report/functions/functions_report.h"
#include "report/json_verdict.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static void put_metric(struct td_json_writer *j, const struct td_function *f, size_t i)
{
    const struct td_metric *m = f->of->metric[i];
    char status[TD_FUNCTIONS_TEXT];

    td_json_put_key(j, m->name);
    td_json_put_open(j, '{');
    td_json_put_share(j, "value", m->value);
    if (m->status == TD_OK) {
        td_json_put_share(j, "low", m->low);
        td_json_put_share(j, "high", m->high);
        if (m->bounds != TD_BOUNDS_NONE)
            td_json_put_clean(j, "bounds", td_bounds_name(m->bounds));
    } else {
        td_json_put_clean(j, "status", td_function_status(f, m, status));
    }
    if (strcmp(m->unit, "slots") != 0)
        td_json_put_clean(j, "unit", m->unit);
    td_json_put_share(j, "all_intervals", td_function_naive(f, i));
    td_json_put_close(j, '}');
}

static void put_count(struct td_json_writer *j, const char *key, uint64_t n)
{
    td_json_put_key(j, key);
    td_json_put_integer(j, (int64_t)n);
}

/* Puts what is known of the pairs of the whole recording. */
static void put_pairs(struct td_json_writer *j, const struct td_functions_report *r)
{
    const struct td_distances *d = &r->functions->distances;

    td_json_put_key(j, "pairs");
    td_json_put_open(j, '{');
    td_json_put_clean(j, "event", r->about.paired);
    put_count(j, "n", d->n);
    if (d->n) {
        put_count(j, "distance", td_distances_median(d));
        put_count(j, "least", d->least);
        put_count(j, "most", d->most);
    }
    put_count(j, "far", r->about.far);
    put_count(j, "broken", r->about.broken);
    td_json_put_close(j, '}');
}

static void put_function(struct td_json_writer *j, const struct td_functions_report *r, const struct td_function *f)
{
    const struct td_smear smear = td_function_smear(f);

    td_json_put_key(j, "function");
    td_json_put_open(j, '{');
    td_json_put_clean(j, "dso", f->dso);
    td_json_put_clean(j, "symbols", f->dso ? td_symbols_name(f->symbols) : NULL);
    td_json_put_share(j, "slots_share", td_function_share(f));
    td_json_put_share(j, "lost", td_function_lost(f));
    put_count(j, "intervals", f->intervals);
    put_count(j, "pure", td_function_pure(f));
    td_json_put_share(j, "stay", smear.stay);
    td_json_put_clean(j, "status", f->status == TD_PLACE_OK ? "ok" : td_place_status_name(f->status));
    if (smear.needed)
        put_count(j, "intervals_needed", smear.needed);
    if (!isnan(smear.rate))
        td_json_put_share(j, smear.pairs ? "closeness_needed" : "rate_needed", smear.rate);
    if (r->about.paired)
        put_pairs(j, r);
    td_json_put_close(j, '}');
}

/* A function without an estimate is undecided. */
static void put_verdict(struct td_json_writer *j, const struct td_function *f)
{
    char text[TD_FUNCTIONS_TEXT];

    td_json_put_verdict(j, f->of->verdict, f->status == TD_PLACE_OK ? f->of->verdict->status : TD_VERDICT_UNDECIDED,
                        td_function_verdict(f, text));
}

static void put_flags(struct td_json_writer *j, unsigned flags)
{
    td_json_put_key(j, "flags");
    td_json_put_open(j, '[');
    for (unsigned bit = 1; bit && bit <= flags; bit <<= 1)
        if (flags & bit && td_flag_name(bit))
            td_json_put_string(j, td_flag_name(bit));
    td_json_put_close(j, ']');
}

static void put_sources(struct td_json_writer *j, const struct td_code *c)
{
    td_json_put_key(j, "sources");
    td_json_put_open(j, '[');
    for (size_t i = 0; i < c->sources; i++) {
        td_json_put_open(j, '{');
        td_json_put_clean(j, "file", c->source[i].file);
        td_json_put_clean(j, "status", td_source_status_name(c->source[i].status));
        td_json_put_close(j, '}');
    }
    td_json_put_close(j, ']');
}

/* Puts the code of a row of a function by lines; the function's own row has what is known of its text. */
static void put_code(struct td_json_writer *j, const struct td_annotated *a, const struct td_annotated_row *row)
{
    char address[24];

    td_json_put_key(j, "code");
    td_json_put_open(j, '{');
    td_json_put_clean(j, "function", row->function);
    td_json_put_share(j, "function_share", row->share);
    td_json_put_clean(j, "file", row->file);
    if (row->line)
        put_count(j, "line", row->line);
    snprintf(address, sizeof(address), "0x%" PRIx64, row->address);
    td_json_put_clean(j, "address", row->addressed ? address : NULL);
    td_json_put_clean(j, "text", row->text);
    if (row->seen == a->function) {
        td_json_put_clean(j, "instructions", td_code_status_name(a->code->status));
        put_sources(j, a->code);
    }
    td_json_put_close(j, '}');
}

/* Puts an object; row is NULL where functions are not by lines. */
static void put_row(struct td_output *o, const struct td_functions_report *r, const struct td_function *f,
                    const struct td_annotated *a, const struct td_annotated_row *row)
{
    const struct td_functions *all = r->functions;
    struct td_json_writer j = {.out = o};

    td_json_put_open(&j, '{');
    td_json_put_clean(&j, "schema", "tdprobe/1");
    td_json_put_clean(&j, "scope", f->name);
    td_json_put_clean(&j, "scope_kind", f->kind);
    td_json_put_clean(&j, "core", f->of->core);
    td_json_put_clean(&j, "cpu", all->cpu);
    td_json_put_clean(&j, "formula", all->formula);
    put_function(&j, r, f);
    if (row)
        put_code(&j, a, row);
    td_json_put_key(&j, "metrics");
    td_json_put_open(&j, '{');
    for (size_t i = 0; i < f->of->metrics; i++)
        if (td_function_says(f, i))
            put_metric(&j, f, i);
    td_json_put_close(&j, '}');
    put_flags(&j, f->of->flags);
    put_verdict(&j, f);
    td_json_put_close(&j, '}');
    td_output_char(o, '\n');
}

static void put(struct td_output *o, const struct td_functions_report *r)
{
    struct td_annotated_row row;

    for (size_t i = 0; r->annotated && i < r->nannotated; i++)
        for (struct td_annotated_walk w = td_annotated_begin(&r->annotated[i]); td_annotated_next(&w, &row);)
            put_row(o, r, row.seen, &r->annotated[i], &row);
    for (size_t i = 0; !r->annotated && i < td_functions_shown(r); i++) {
        td_functions_fetch(r->functions, i);
        put_row(o, r, r->functions->function[i], NULL, NULL);
    }
}

const struct td_functions_format td_functions_json = {.name = "json", .annotates = true, .put = put};
