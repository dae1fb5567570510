/* SPDX-License-Identifier: MIT */
/* JSON lines, schema tdprobe/1: one object per interval and scope. */
#include "bench.h"
#include "cli.h"
#include "spread.h"

#include <json-c/json.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 1024 };

typedef struct json_object *json;

/* The shortest text that reads back as the same number. */
static json number(double value)
{
    char text[40];

    if (!isfinite(value))
        return NULL;
    if (value == floor(value) && fabs(value) < 9007199254740992.0)
        return json_object_new_int64((int64_t)value);
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof(text), "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    return json_object_new_double_s(value, text);
}

static json ratio(double value)
{
    if (value == 0 || value == 1) /* a ratio stays a real number */
        return json_object_new_double_s(value, value > 0 ? "1.0" : "0.0");
    return number(value);
}

/* Length of the UTF-8 character at text, 0 if its bytes are none. */
static size_t utf8_length(const unsigned char *text)
{
    size_t n = *text < 0x80 ? 1 : *text >> 5 == 6 && *text > 0xc1 ? 2 : *text >> 4 == 14 ? 3 : *text >> 3 == 30 && *text < 0xf5 ? 4 : 0;

    for (size_t i = 1; i < n; i++)
        if (text[i] >> 6 != 2)
            return 0;
    return n;
}

/* Somebody else's text: names of events and scopes may hold any bytes, JSON may
 * not. What is no UTF-8 becomes '?'. */
static const char *clean(const char *text, char buf[TEXT])
{
    size_t at = 0, n;

    for (; *text && at + 4 < TEXT; text += n ? n : 1) {
        n = utf8_length((const unsigned char *)text);
        if (!n)
            buf[at++] = '?';
        for (size_t i = 0; i < n; i++)
            buf[at++] = text[i];
    }
    buf[at] = '\0';
    return buf;
}

static json text_or_null(const char *text)
{
    return text ? json_object_new_string(text) : NULL;
}

static void add_flag(void *array, const char *flag, const char *about)
{
    char text[128];

    snprintf(text, sizeof(text), "%s%s%s", flag, about ? ":" : "", about ? about : "");
    json_object_array_add(array, json_object_new_string(text));
}

/* A metric's own flags; those of the whole result stand there. */
static json flags_of(const struct td_result *r, const struct td_metric *m)
{
    json array = json_object_new_array();

    if (m)
        cli_each_flag_of(r, m->flags, m->corrections, add_flag, array);
    else
        cli_each_flag(r, NULL, add_flag, array);
    return array;
}

static json metric(const struct td_result *r, const struct td_metric *m)
{
    json o = json_object_new_object();
    char status[CLI_STATUS];

    json_object_object_add(o, "value", ratio(m->value));
    if (m->status == TD_OK) {
        json_object_object_add(o, "low", ratio(m->low));
        json_object_object_add(o, "high", ratio(m->high));
        if (strcmp(m->unit, "slots"))
            json_object_object_add(o, "unit", json_object_new_string(m->unit));
    } else {
        json_object_object_add(o, "status", json_object_new_string(cli_status(m, status)));
    }
    if (m->status == TD_IMPOSSIBLE)
        json_object_object_add(o, "raw", ratio(m->raw));
    if (m->event)
        json_object_object_add(o, "event", json_object_new_string(m->event));
    if (m->why)
        json_object_object_add(o, "why", json_object_new_string(m->why));
    if (m->flags)
        json_object_object_add(o, "flags", flags_of(r, m));
    return o;
}

/* An event that was counted in several groups is an array of its counts. */
static void add_count(json counts, const struct td_event_count *c)
{
    json value = c->status == TD_OK ? number(c->value) : NULL, old, array;
    char event[TEXT];

    if (!json_object_object_get_ex(counts, clean(c->event, event), &old)) {
        json_object_object_add(counts, event, value);
        return;
    }
    if (json_object_is_type(old, json_type_array)) {
        json_object_array_add(old, value);
        return;
    }
    array = json_object_new_array();
    json_object_array_add(array, json_object_get(old));
    json_object_array_add(array, value);
    json_object_object_add(counts, event, array);
}

/* An object of the schema; without a type it is a result. */
static json begin(const char *type)
{
    json o = json_object_new_object();

    json_object_object_add(o, "schema", json_object_new_string("tdprobe/1"));
    if (type)
        json_object_object_add(o, "type", json_object_new_string(type));
    return o;
}

static void finish(json o, FILE *file)
{
    fputs(json_object_to_json_string_ext(o, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE), file);
    fputc('\n', file);
    json_object_put(o);
}

static void add_clean(json o, const char *key, const char *text)
{
    char buf[TEXT];

    json_object_object_add(o, key, text ? json_object_new_string(clean(text, buf)) : NULL);
}

static json seconds(uint64_t ns)
{
    char text[40];

    snprintf(text, sizeof(text), "%llu.%09llu", (unsigned long long)(ns / 1000000000), (unsigned long long)(ns % 1000000000));
    return json_object_new_double_s((double)ns / 1e9, text);
}

static json time_of(const struct td_result *r)
{
    uint64_t ns;

    return td_result_time(r, &ns) ? seconds(ns) : NULL;
}

static void json_result(struct cli_out *out, const struct td_result *r)
{
    json o = begin(NULL), metrics = json_object_new_object(), counts;

    json_object_object_add(o, "time", time_of(r));
    if (td_result_is_summary(r))
        json_object_object_add(o, "summary", json_object_new_boolean(1));
    add_clean(o, "scope", td_result_scope(r));
    json_object_object_add(o, "scope_kind", json_object_new_string(td_result_scope_kind(r)));
    json_object_object_add(o, "core", text_or_null(td_result_core(r)));
    json_object_object_add(o, "cpu", json_object_new_string(td_result_cpu(r)));
    json_object_object_add(o, "backend", json_object_new_string(td_result_backend(r)));
    json_object_object_add(o, "formula", json_object_new_string(td_result_formula(r)));
    for (size_t i = 0; i < td_result_metrics(r); i++)
        json_object_object_add(metrics, td_result_metric(r, i)->name, metric(r, td_result_metric(r, i)));
    json_object_object_add(o, "metrics", metrics);
    json_object_object_add(o, "coverage", ratio(td_result_coverage(r)));
    json_object_object_add(o, "flags", flags_of(r, NULL));
    if (out->counts) {
        counts = json_object_new_object();
        for (size_t i = 0; i < td_result_counts(r); i++) {
            struct td_event_count c = td_result_count(r, i);

            add_count(counts, &c);
        }
        json_object_object_add(o, "counts", counts);
    }
    finish(o, out->file);
}

static void json_begin(struct cli_out *out)
{
    (void)out;
}

static json spread_number(const struct cli_spread_number *s)
{
    json o = json_object_new_object();

    json_object_object_add(o, "mean", s->n ? ratio(s->mean) : NULL);
    json_object_object_add(o, "stddev", s->n > 1 ? ratio(cli_spread_deviation(s)) : NULL);
    json_object_object_add(o, "runs", json_object_new_int64(s->n));
    return o;
}

/* m: the first metric, NULL: none has a value. */
static json begin_runs(const struct cli_spread *s, const struct cli_spread_metric *m, json metrics)
{
    json o = begin("runs");

    json_object_object_add(o, "runs", json_object_new_int64(s->runs));
    json_object_object_add(o, "elapsed", spread_number(&s->elapsed));
    if (m)
        add_clean(o, "scope", m->scope);
    else
        json_object_object_add(o, "scope", NULL);
    json_object_object_add(o, "core", text_or_null(m ? m->core : NULL));
    json_object_object_add(o, "metrics", metrics);
    return o;
}

/* One object for each scope and kind of core. */
static void json_spread(struct cli_out *out, const struct cli_spread *s)
{
    json o = NULL, metrics = NULL;

    for (size_t i = 0; i < s->n; i++) {
        if (cli_spread_first(s, i)) {
            if (o)
                finish(o, out->file);
            metrics = json_object_new_object();
            o = begin_runs(s, &s->metrics[i], metrics);
        }
        json_object_object_add(metrics, s->metrics[i].name, spread_number(&s->metrics[i].number));
    }
    finish(o ? o : begin_runs(s, NULL, json_object_new_object()), out->file);
}

static void json_error(struct cli_out *out, int code, const char *text)
{
    json o = begin("error");

    json_object_object_add(o, "code", json_object_new_int(code));
    add_clean(o, "text", text);
    finish(o, out->file);
}

static void json_end(struct cli_out *out, const struct cli_end *e)
{
    json o = begin("end");

    json_object_object_add(o, "elapsed", seconds((uint64_t)(e->elapsed * 1e9 + 0.5)));
    json_object_object_add(o, "runs", json_object_new_int64(e->runs));
    json_object_object_add(o, "code", json_object_new_int(e->code));
    json_object_object_add(o, "status", e->command ? json_object_new_int(e->code) : NULL);
    json_object_object_add(o, "signal", e->signal ? json_object_new_int(e->signal) : NULL);
    json_object_object_add(o, "errors", json_object_new_int64(e->errors));
    finish(o, out->file);
}

void cli_json_finding(FILE *file, const struct td_finding *f)
{
    static const char *const kinds[] = {[TD_FINDING_OK] = "ok", [TD_FINDING_NOTE] = "note", [TD_FINDING_OBSTACLE] = "obstacle"};
    json o = begin("finding");

    json_object_object_add(o, "kind", json_object_new_string(kinds[f->kind]));
    add_clean(o, "layer", f->layer);
    add_clean(o, "text", f->text);
    add_clean(o, "remedy", f->remedy);
    finish(o, file);
}

void cli_json_diagnosis(FILE *file, int code, const char *text)
{
    json o = begin("diagnosis");

    json_object_object_add(o, "usable", json_object_new_boolean(!code));
    json_object_object_add(o, "code", json_object_new_int(code));
    add_clean(o, "text", text);
    finish(o, file);
}

static json bench_numbers(const struct cli_bench_numbers *n)
{
    json o = json_object_new_object();

    json_object_object_add(o, "min", number(n->min));
    json_object_object_add(o, "median", number(n->median));
    json_object_object_add(o, "mean", number(n->mean));
    json_object_object_add(o, "stddev", number(n->deviation));
    json_object_object_add(o, "max", number(n->max));
    return o;
}

static void json_bench(struct cli_out *out, const struct cli_bench *b)
{
    json o = begin("bench"), events = json_object_new_array();

    json_object_object_add(o, "cpu", json_object_new_string(b->machine));
    json_object_object_add(o, "on", json_object_new_int(b->cpu));
    json_object_object_add(o, "runs", json_object_new_int64(b->runs));
    json_object_object_add(o, "empty_runs", json_object_new_int64(b->empties));
    for (size_t i = 0; i < b->n; i++) {
        json e = json_object_new_object();

        add_clean(e, "event", b->event[i].event);
        json_object_object_add(e, "config", json_object_new_int64((int64_t)b->event[i].config));
        json_object_object_add(e, "counted", bench_numbers(&b->event[i].counted));
        json_object_object_add(e, "cost", bench_numbers(&b->event[i].cost));
        json_object_array_add(events, e);
    }
    json_object_object_add(o, "events", events);
    finish(o, out->file);
}

const struct cli_format cli_format_json = {.name = "json", .begin = json_begin, .result = json_result,
                                           .spread = json_spread, .error = json_error, .end = json_end, .bench = json_bench};
