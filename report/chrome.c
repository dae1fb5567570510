/* SPDX-License-Identifier: MIT */
/* JSON of trace events, which Perfetto and chrome://tracing show: the host is a process, each scope a thread, whose
 * verdicts are slices, and whose level 1 is a counter. */
#include "report/json_writer.h"
#include "report/report.h"
#include "report/verdict_line.h"
#include "stats/scope_of.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

enum { PROCESS = 1 };

/* Which scopes were seen; the number of one, from 1, is its thread. */
struct td_chrome_state {
    struct td_scope_table scopes;
    bool follows; /* an event was written */
};

static struct td_chrome_state *state_of(struct td_report *r)
{
    if (!r->chrome)
        r->chrome = calloc(1, sizeof(*r->chrome));
    if (!r->chrome)
        r->out.error = -ENOMEM;
    return r->chrome;
}

/* Begins an event, which goes on to its arguments. */
static struct td_json_writer begin_event(struct td_report *r, const char *phase, long thread)
{
    struct td_json_writer j = {.out = &r->out};

    td_output_text(&r->out, r->chrome->follows ? ",\n" : "\n");
    r->chrome->follows = true;
    td_json_put_open(&j, '{');
    td_json_put_text(&j, "ph", phase);
    td_json_put_key(&j, "pid");
    td_json_put_integer(&j, PROCESS);
    td_json_put_key(&j, "tid");
    td_json_put_integer(&j, thread);
    return j;
}

/* A scope, with its kind of core. Returns buf. */
static const char *name_of(const struct td_result *result, char buf[TD_JSON_TEXT])
{
    const char *core = td_result_core(result);

    snprintf(buf, TD_JSON_TEXT, "%.900s%s%s", td_result_scope(result), core ? ", " : "", core ? core : "");
    return buf;
}

static void begin_arguments(struct td_json_writer *j)
{
    td_json_put_key(j, "args");
    td_json_put_open(j, '{');
}

static void end_event(struct td_json_writer *j)
{
    td_json_put_close(j, '}');
    td_json_put_close(j, '}');
}

/* Names the process or a thread. */
static void put_name(struct td_report *r, const char *what, long thread, const char *name)
{
    struct td_json_writer j = begin_event(r, "M", thread);

    td_json_put_text(&j, "name", what);
    begin_arguments(&j);
    td_json_put_clean(&j, "name", name);
    end_event(&j);
}

/* Puts a time in microseconds. */
static void put_time(struct td_json_writer *j, const char *key, uint64_t ns)
{
    td_json_put_key(j, key);
    td_json_put_number(j, (double)ns / 1000);
}

static bool is_top(const struct td_metric *m)
{
    return m->kind == TD_METRIC_NODE && m->level == TD_LEVEL_TOP && m->status == TD_OK;
}

/* Puts level 1 in percent, from a time on. */
static void put_counter(struct td_report *r, const struct td_result *result, long thread, uint64_t began)
{
    struct td_json_writer j = begin_event(r, "C", thread);
    char name[TD_JSON_TEXT];

    td_json_put_clean(&j, "name", name_of(result, name));
    td_json_put_text(&j, "cat", "level 1");
    td_json_put_key(&j, "id");
    td_json_put_integer(&j, thread);
    put_time(&j, "ts", began);
    begin_arguments(&j);
    for (size_t i = 0; i < td_result_metrics(result); i++)
        if (is_top(td_result_metric(result, i)))
            td_json_put_share(&j, td_result_metric(result, i)->name, 100 * td_result_metric(result, i)->value);
    end_event(&j);
}

static void put_share(struct td_json_writer *j, const struct td_metric *m)
{
    td_json_put_key(j, m->name);
    td_json_put_open(j, '{');
    td_json_put_share(j, "value", m->value);
    if (m->bounds != TD_BOUNDS_NONE) {
        td_json_put_share(j, "low", m->low);
        td_json_put_share(j, "high", m->high);
        td_json_put_text(j, "bounds", td_bounds_name(m->bounds));
    }
    td_json_put_close(j, '}');
}

/* Puts the verdict, with all values. */
static void put_slice(struct td_report *r, const struct td_result *result, long thread, uint64_t began, uint64_t ended)
{
    struct td_json_writer j = begin_event(r, "X", thread);
    char text[TD_VERDICT_TEXT];

    td_json_put_clean(&j, "name", td_verdict_line(&r->verdict, result, text));
    td_json_put_text(&j, "cat", "verdict");
    put_time(&j, "ts", began);
    put_time(&j, "dur", ended - began);
    begin_arguments(&j);
    td_json_put_text(&j, "status", td_verdict_name(r->verdict.status));
    td_json_put_text(&j, "cpu", td_result_cpu(result));
    td_json_put_text(&j, "formula", td_result_formula(result));
    for (size_t i = 0; i < td_result_metrics(result); i++)
        if (td_result_metric(result, i)->status == TD_OK)
            put_share(&j, td_result_metric(result, i));
    end_event(&j);
}

static void chrome_begin(struct td_report *r)
{
    td_output_text(&r->out, "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[");
}

/* The thread of a result's scope, which is named when it is seen first; -ENOMEM. */
static long thread_of(struct td_report *r, const struct td_result *result)
{
    const size_t before = r->chrome->scopes.n;
    const struct td_scope_id id = td_scope_of(result);
    const long number = td_scope_table_number(&r->chrome->scopes, &id);
    char name[TD_JSON_TEXT];

    if (number < 0)
        return number;
    if (!before)
        put_name(r, "process_name", 0, r->host ? r->host : "tdprobe");
    if (r->chrome->scopes.n > before)
        put_name(r, "thread_name", number + 1, name_of(result, name));
    return number + 1;
}

/* A sum, and what has no time, has no place among events. */
static void chrome_result(struct td_report *r, const struct td_result *result)
{
    uint64_t ended, duration;
    long thread;

    if (td_result_is_summary(result) || !td_result_time(result, &ended) || !td_result_duration(result, &duration) ||
        !state_of(r))
        return;
    thread = thread_of(r, result);
    if (thread < 0) {
        r->out.error = -ENOMEM;
        return;
    }
    duration = duration < ended ? duration : ended;
    ended += r->monotonic;
    put_counter(r, result, thread, ended - duration);
    put_slice(r, result, thread, ended - duration, ended);
}

static void chrome_end(struct td_report *r, const struct td_outcome *e)
{
    (void)e;
    td_output_text(&r->out, "\n]}\n");
    if (!r->chrome)
        return;
    td_scope_table_free(&r->chrome->scopes);
    free(r->chrome);
    r->chrome = NULL;
}

const struct td_report_format td_report_chrome = {.name = "chrome",
                                                  .page = true,
                                                  .intervals = true,
                                                  .begin = chrome_begin,
                                                  .result = chrome_result,
                                                  .end = chrome_end};
