/* SPDX-License-Identifier: MIT */
/* JSON lines, schema tdprobe/1: one object per interval and scope. */
#include "report/flags.h"
#include "report/json_verdict.h"
#include "report/json_writer.h"
#include "report/report.h"
#include "report/shown.h"
#include "report/verdict_line.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Begins an object of the schema; without a type it is a result. */
static struct td_json_writer begin_line(struct td_report *r, const char *type)
{
    struct td_json_writer j = {.out = &r->out};

    td_json_put_open(&j, '{');
    td_json_put_key(&j, "schema");
    td_json_put_string(&j, "tdprobe/1");
    if (type) {
        td_json_put_key(&j, "type");
        td_json_put_string(&j, type);
    }
    return j;
}

static void end_line(struct td_json_writer *j)
{
    td_json_put_close(j, '}');
    td_output_char(j->out, '\n');
}

static inline void put_integer(struct td_json_writer *j, const char *key, int64_t value)
{
    td_json_put_key(j, key);
    td_json_put_integer(j, value);
}

static inline void put_number(struct td_json_writer *j, const char *key, double value)
{
    td_json_put_key(j, key);
    td_json_put_number(j, value);
}

/* ---- a result --------------------------------------------------------------- */

static void put_flag(void *json, const char *flag, const char *about)
{
    char text[128], *end;

    if (!about) {
        td_json_put_word(json, flag);
        return;
    }
    end = stpcpy(stpcpy(text, flag), ":");
    strncat(end, about, sizeof(text) - 1 - (size_t)(end - text));
    td_json_put_string(json, text);
}

/* A metric's own flags; those of the whole result come at the result's end. */
static void put_flags(struct td_json_writer *j, const struct td_result *r, const struct td_metric *m)
{
    td_json_put_key(j, "flags");
    td_json_put_open(j, '[');
    if (m)
        td_flags_each_of(r, m->flags, m->corrections, m->latencies, put_flag, j);
    else
        td_flags_each(r, NULL, put_flag, j);
    td_json_put_close(j, ']');
}

static void put_metric(struct td_json_writer *j, const struct td_result *r, const struct td_metric *m)
{
    char status[TD_STATUS_TEXT];

    td_json_put_key(j, m->name);
    td_json_put_open(j, '{');
    td_json_put_share(j, "value", m->value);
    if (m->status == TD_OK) {
        td_json_put_share(j, "low", m->low);
        td_json_put_share(j, "high", m->high);
        if (m->bounds != TD_BOUNDS_NONE) {
            td_json_put_key(j, "bounds");
            td_json_put_word(j, td_bounds_name(m->bounds));
        }
        if (strcmp(m->unit, "slots"))
            td_json_put_text(j, "unit", m->unit);
        if (m->over != TD_OVER_UNKNOWN) {
            td_json_put_key(j, "over");
            td_json_put_boolean(j, m->over == TD_OVER_YES);
        }
    } else {
        td_json_put_text(j, "status", td_status_text(m, status));
    }
    if (m->status == TD_IMPOSSIBLE)
        td_json_put_share(j, "raw", m->raw);
    if (m->event)
        td_json_put_text(j, "event", m->event);
    if (m->why)
        td_json_put_text(j, "why", m->why);
    if (m->flags)
        put_flags(j, r, m);
    td_json_put_close(j, '}');
}

static void put_head(struct td_json_writer *j, const struct td_report *report, const struct td_result *r)
{
    uint64_t ns;

    if (report->file)
        td_json_put_clean(j, "file", report->file);
    td_json_put_key(j, "time");
    if (td_result_time(r, &ns))
        td_json_put_seconds(j, ns);
    else
        td_json_put_string(j, NULL);
    if (td_result_is_summary(r)) {
        td_json_put_key(j, "summary");
        td_json_put_boolean(j, true);
    }
    td_json_put_clean(j, "scope", td_result_scope(r));
    td_json_put_text(j, "scope_kind", td_result_scope_kind(r));
    td_json_put_text(j, "core", td_result_core(r));
    td_json_put_text(j, "cpu", td_result_cpu(r));
    td_json_put_text(j, "backend", td_result_backend(r));
    td_json_put_text(j, "formula", td_result_formula(r));
    if (td_result_duration(r, &ns)) {
        td_json_put_key(j, "duration");
        td_json_put_seconds(j, ns);
    }
}

/* ---- counts ----------------------------------------------------------------- */

/* A count with its event's name, cleaned. */
struct named_count {
    const char *name;
    char *copy; /* the cleaned name; NULL: the result's own is clean */
    size_t at; /* the count's index in the result */
};

/* The counts of one event. */
struct event_counts {
    const struct named_count *first;
    size_t n;
};

static int by_name(const void *a, const void *b)
{
    const struct named_count *x = a, *y = b;
    int order = strcmp(x->name, y->name);

    return order ? order : (x->at > y->at) - (x->at < y->at);
}

static int by_place(const void *a, const void *b)
{
    const struct event_counts *x = a, *y = b;

    return (x->first->at > y->first->at) - (x->first->at < y->first->at);
}

/* Cleans the names of all counts. false: out of memory. */
static bool name_counts(const struct td_result *r, struct named_count *count, size_t n)
{
    char buf[TD_JSON_TEXT];

    for (size_t i = 0; i < n; i++) {
        const char *event = td_result_count(r, i)->event;

        count[i] = (struct named_count){.name = event, .at = i};
        if (!strcmp(td_json_clean(event, buf), event))
            continue;
        count[i].name = count[i].copy = strdup(buf);
        if (!count[i].copy)
            return false;
    }
    return true;
}

/* Lists each event once, where it was first counted; returns how many there are. */
static size_t group_counts(struct named_count *count, size_t n, struct event_counts *out)
{
    size_t groups = 0;

    qsort(count, n, sizeof(*count), by_name);
    for (size_t i = 0; i < n; i++) {
        if (!i || strcmp(count[i].name, count[i - 1].name))
            out[groups++] = (struct event_counts){.first = &count[i]};
        out[groups - 1].n++;
    }
    qsort(out, groups, sizeof(*out), by_place);
    return groups;
}

static void put_count(struct td_json_writer *j, const struct td_event_count *c)
{
    if (c->status == TD_OK)
        td_json_put_number(j, c->value);
    else
        td_json_put_string(j, NULL);
}

/* Puts an event's count; for one that was counted in several groups, an array of its counts. */
static void put_event(struct td_json_writer *j, const struct td_result *r, const struct event_counts *e)
{
    td_json_put_name(j, e->first->name);
    if (e->n > 1)
        td_json_put_open(j, '[');
    for (size_t i = 0; i < e->n; i++) {
        const struct td_event_count c = *td_result_count(r, e->first[i].at);

        put_count(j, &c);
    }
    if (e->n > 1)
        td_json_put_close(j, ']');
}

static void put_counts(struct td_json_writer *j, const struct td_result *r)
{
    const size_t n = td_result_counts(r);
    struct named_count *count = calloc(n + 1, sizeof(*count));
    struct event_counts *event = calloc(n + 1, sizeof(*event));

    td_json_put_key(j, "counts");
    td_json_put_open(j, '{');
    if (!count || !event || !name_counts(r, count, n))
        j->out->error = -ENOMEM;
    else
        for (size_t i = 0, events = group_counts(count, n, event); i < events; i++)
            put_event(j, r, &event[i]);
    td_json_put_close(j, '}');
    for (size_t i = 0; count && i < n; i++)
        free(count[i].copy);
    free(count);
    free(event);
}

static bool was_told(const struct td_report *r, const char *cpu)
{
    for (size_t i = r->ntold; i-- > 0;) /* mostly it is the last one */
        if (!strcmp(r->told[i], cpu))
            return true;
    return false;
}

static void set_told(struct td_report *r, const char *cpu)
{
    char **told = reallocarray(r->told, r->ntold + 1, sizeof(*told)), *copy = told ? strdup(cpu) : NULL;

    r->told = told ? told : r->told;
    if (copy)
        r->told[r->ntold++] = copy;
    else
        r->out.error = -ENOMEM;
}

static void forget_told(struct td_report *r)
{
    while (r->ntold)
        free(r->told[--r->ntold]);
    free(r->told);
    r->told = NULL;
}

/* Puts what each metric of the following results is, in a separate line, once for each CPU. */
static void put_tree(struct td_report *report, const struct td_result *r)
{
    static const char *const kinds[] = {
        [TD_METRIC_NODE] = "node", [TD_METRIC_BOTTLENECK] = "bottleneck", [TD_METRIC_INFO] = "info"};
    struct td_json_writer j;

    if (was_told(report, td_result_cpu(r)))
        return;
    set_told(report, td_result_cpu(r));
    j = begin_line(report, "tree");
    td_json_put_text(&j, "cpu", td_result_cpu(r));
    td_json_put_key(&j, "nodes");
    td_json_put_open(&j, '{');
    for (size_t i = 0; i < td_result_metrics(r); i++) {
        const struct td_metric *m = td_result_metric(r, i);

        if (m->status == TD_NOT_ON_THIS_CPU)
            continue;
        td_json_put_key(&j, m->name);
        td_json_put_open(&j, '{');
        td_json_put_text(&j, "kind", kinds[m->kind]);
        put_integer(&j, "level", m->level);
        td_json_put_text(&j, "parent", *m->parent ? m->parent : NULL);
        td_json_put_text(&j, "unit", m->unit);
        td_json_put_close(&j, '}');
    }
    td_json_put_close(&j, '}');
    end_line(&j);
}

/* Puts the relations that the counts break, where there are any. */
static void put_contradictions(struct td_json_writer *j, const struct td_result *r)
{
    const char *text = td_result_contradiction(r, 0);

    if (!text)
        return;
    td_json_put_key(j, "contradictions");
    td_json_put_open(j, '[');
    for (size_t i = 0; (text = td_result_contradiction(r, i)); i++)
        td_json_put_string(j, text);
    td_json_put_close(j, ']');
}

static void json_result(struct td_report *report, const struct td_result *r)
{
    struct td_json_writer j;
    const struct td_verdict *v = &report->verdict;
    char text[TD_VERDICT_TEXT];

    put_tree(report, r);
    j = begin_line(report, NULL);

    put_head(&j, report, r);
    td_json_put_key(&j, "metrics");
    td_json_put_open(&j, '{');
    for (size_t i = 0; i < td_result_metrics(r); i++)
        if (td_report_shows(report, td_result_metric(r, i)))
            put_metric(&j, r, td_result_metric(r, i));
    td_json_put_close(&j, '}');
    td_json_put_share(&j, "coverage", td_result_coverage(r));
    put_flags(&j, r, NULL);
    put_contradictions(&j, r);
    td_json_put_verdict(&j, v, v->status, td_verdict_line(v, r, text));
    if (td_result_is_summary(r) || report->once)
        td_json_put_next(&j, report, r);
    if (report->counts)
        put_counts(&j, r);
    end_line(&j);
}

/* ---- several runs ----------------------------------------------------------- */

/* Puts a mean over several runs; m is the metric that it is of, or NULL. */
static void put_mean(struct td_json_writer *j, const char *key, const struct td_mean *s,
                     const struct td_repeat_metric *m)
{
    enum td_bounds bounds;
    double low, high;

    td_json_put_key(j, key);
    td_json_put_open(j, '{');
    td_json_put_share(j, "mean", s->n ? s->mean : (double)NAN);
    td_json_put_share(j, "stddev", td_mean_deviation(s));
    put_integer(j, "runs", s->n);
    if (m) {
        bounds = td_repeat_bounds(m, &low, &high);
        td_json_put_share(j, "low", low);
        td_json_put_share(j, "high", high);
        if (bounds != TD_BOUNDS_NONE)
            td_json_put_text(j, "bounds", td_bounds_name(bounds));
    }
    td_json_put_close(j, '}');
}

/* Begins the object of several runs; m is the first metric, or NULL if none has a value. */
static struct td_json_writer begin_runs(struct td_report *r, const struct td_repeat *s,
                                        const struct td_repeat_metric *m)
{
    struct td_json_writer j = begin_line(r, "runs");

    put_integer(&j, "runs", s->runs);
    put_mean(&j, "elapsed", &s->elapsed, NULL);
    td_json_put_clean(&j, "scope", m ? m->scope : NULL);
    td_json_put_text(&j, "core", m ? m->core : NULL);
    td_json_put_key(&j, "metrics");
    td_json_put_open(&j, '{');
    return j;
}

/* Puts one object for each scope and kind of core. */
static void json_repeat(struct td_report *r, const struct td_repeat *s)
{
    struct td_json_writer j = begin_runs(r, s, s->n ? &s->metric[0] : NULL);

    for (size_t i = 0; i < s->n; i++) {
        if (i && td_repeat_first(s, i)) {
            td_json_put_close(&j, '}');
            end_line(&j);
            j = begin_runs(r, s, &s->metric[i]);
        }
        put_mean(&j, s->metric[i].name, &s->metric[i].mean, &s->metric[i]);
    }
    td_json_put_close(&j, '}');
    end_line(&j);
}

/* ---- live runs, the doctor, the bench --------------------------------------- */

static void json_error(struct td_report *r, int code, const char *text)
{
    struct td_json_writer j = begin_line(r, "error");

    put_integer(&j, "code", code);
    td_json_put_clean(&j, "text", text);
    end_line(&j);
}

static void put_if(struct td_json_writer *j, const char *key, bool there, int value)
{
    td_json_put_key(j, key);
    if (there)
        td_json_put_integer(j, value);
    else
        td_json_put_string(j, NULL);
}

static void json_end(struct td_report *r, const struct td_outcome *e)
{
    struct td_json_writer j;

    forget_told(r);
    if (!e)
        return;
    j = begin_line(r, "end");
    td_json_put_key(&j, "elapsed");
    td_json_put_seconds(&j, (uint64_t)(e->elapsed * 1e9 + 0.5));
    put_integer(&j, "runs", e->runs);
    put_integer(&j, "code", e->code);
    put_if(&j, "status", e->command, e->status);
    put_if(&j, "signal", e->signal != 0, e->signal);
    put_integer(&j, "errors", e->errors);
    end_line(&j);
}

static void json_finding(struct td_report *r, const struct td_finding *f)
{
    static const char *const kinds[] = {
        [TD_FINDING_OK] = "ok", [TD_FINDING_NOTE] = "note", [TD_FINDING_OBSTACLE] = "obstacle"};
    struct td_json_writer j = begin_line(r, "finding");

    td_json_put_text(&j, "kind", kinds[f->kind]);
    td_json_put_clean(&j, "layer", f->layer);
    td_json_put_clean(&j, "text", f->text);
    td_json_put_clean(&j, "remedy", f->remedy);
    end_line(&j);
}

static void json_diagnosis(struct td_report *r, int code, const char *text)
{
    struct td_json_writer j = begin_line(r, "diagnosis");

    td_json_put_key(&j, "usable");
    td_json_put_boolean(&j, !code);
    put_integer(&j, "code", code);
    td_json_put_clean(&j, "text", text);
    end_line(&j);
}

static void put_sample(struct td_json_writer *j, const char *key, const struct td_spread *s)
{
    td_json_put_key(j, key);
    td_json_put_open(j, '{');
    put_number(j, "min", s->min);
    put_number(j, "median", s->median);
    put_number(j, "mean", s->mean);
    put_number(j, "stddev", s->deviation);
    put_number(j, "max", s->max);
    td_json_put_close(j, '}');
}

static void json_bench(struct td_report *r, const struct td_bench *b)
{
    struct td_json_writer j = begin_line(r, "bench");

    td_json_put_text(&j, "cpu", b->machine);
    put_integer(&j, "on", b->cpu);
    put_integer(&j, "runs", b->runs);
    put_integer(&j, "empty_runs", b->empties);
    td_json_put_key(&j, "events");
    td_json_put_open(&j, '[');
    for (size_t i = 0; i < b->n; i++) {
        td_json_put_open(&j, '{');
        td_json_put_clean(&j, "event", b->event[i].event);
        put_integer(&j, "config", (int64_t)b->event[i].config);
        put_sample(&j, "counted", &b->event[i].counted);
        put_sample(&j, "cost", &b->event[i].cost);
        td_json_put_close(&j, '}');
    }
    td_json_put_close(&j, ']');
    end_line(&j);
}

const struct td_report_format td_report_json = {.name = "json",
                                                .result = json_result,
                                                .repeat = json_repeat,
                                                .bench = json_bench,
                                                .finding = json_finding,
                                                .diagnosis = json_diagnosis,
                                                .error = json_error,
                                                .end = json_end};
