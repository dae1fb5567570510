/* SPDX-License-Identifier: MIT */
/* A comparison as JSON lines, schema tdprobe-compare/1: one object per scope and metric. */
#include "report/compare/comparison_report.h"
#include "report/json_writer.h"

static void put_bounded(struct td_json_writer *j, const char *key, const struct td_bounded *v)
{
    td_json_put_key(j, key);
    td_json_put_open(j, '{');
    td_json_put_share(j, "value", v->value);
    td_json_put_share(j, "low", v->low);
    td_json_put_share(j, "high", v->high);
    td_json_put_close(j, '}');
}

static void put_row(struct td_output *o, const struct td_comparison *c, const struct td_difference *d)
{
    struct td_json_writer j = {.out = o};

    td_json_put_open(&j, '{');
    td_json_put_clean(&j, "schema", "tdprobe-compare/1");
    td_json_put_clean(&j, "scope", d->scope);
    td_json_put_clean(&j, "scope_kind", d->kind);
    td_json_put_clean(&j, "metric", d->metric);
    put_bounded(&j, "a", &d->a);
    put_bounded(&j, "b", &d->b);
    put_bounded(&j, "diff", &d->diff);
    td_json_put_clean(&j, "call", td_call_name(d->call));
    /* only where the object would not say what it is about */
    if (d->core)
        td_json_put_clean(&j, "core", d->core);
    if (c->sides > 2)
        td_json_put_clean(&j, "recording", c->side[d->side].name);
    td_json_put_close(&j, '}');
    td_output_char(o, '\n');
}

static void put(struct td_output *o, const struct td_comparison_report *r)
{
    for (size_t i = 0; i < r->comparison->n; i++)
        put_row(o, r->comparison, &r->comparison->row[i]);
}

const struct td_comparison_format td_comparison_json = {.name = "json", .put = put};
