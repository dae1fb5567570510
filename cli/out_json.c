/* SPDX-License-Identifier: MIT */
/* JSON lines, schema tdprobe/1: one object per interval and scope. */
#include "cli.h"

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

static json time_of(const struct td_result *r)
{
    char text[40];
    uint64_t ns;

    if (!td_result_time(r, &ns))
        return NULL;
    snprintf(text, sizeof(text), "%llu.%09llu", (unsigned long long)(ns / 1000000000), (unsigned long long)(ns % 1000000000));
    return json_object_new_double_s((double)ns / 1e9, text);
}

static void json_result(struct cli_out *out, const struct td_result *r)
{
    json o = json_object_new_object(), metrics = json_object_new_object(), counts;
    char scope[TEXT];

    json_object_object_add(o, "schema", json_object_new_string("tdprobe/1"));
    json_object_object_add(o, "time", time_of(r));
    if (td_result_is_summary(r))
        json_object_object_add(o, "summary", json_object_new_boolean(1));
    json_object_object_add(o, "scope", json_object_new_string(clean(td_result_scope(r), scope)));
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
    fputs(json_object_to_json_string_ext(o, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE), out->file);
    fputc('\n', out->file);
    json_object_put(o);
}

static void json_begin(struct cli_out *out)
{
    (void)out;
}

const struct cli_format cli_format_json = {"json", json_begin, json_result};
