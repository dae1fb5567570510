/* SPDX-License-Identifier: MIT */
/* The JSON lines of perf stat -j: one object per event, scaled already by perf.
 *
 *   {["interval" : s,] ["cpu" | "core" | ... : id,] "counter-value" : "n", "unit" : "", "event" : "name",
 *    ["cgroup" : "name",] ["variance" : n,] "event-runtime" : ns, "pcnt-running" : n, [metric]}
 *
 * Keys: Linux tools/perf/util/stat-display.c from 5.19 on, and what perf 6.1
 * really prints. Objects without a count are metrics. Run time and percentage
 * mean the same as in the CSV, see perf_csv.c. */
#include "formats/perf_stat/perf_json.h"

#include "util/number.h"
#include "formats/perf_stat/metric_names.h"
#include "formats/perf_stat/perf_rows.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct perf_json {
    struct td_recording recording; /* first: perf_json_of() */
    struct td_perf_rows rows;
    struct td_json_parser parser;
    struct td_printed_memory names;
    bool metrics; /* a line was one of a metric */
};

static struct perf_json *perf_json_of(struct td_recording *r)
{
    return (struct perf_json *)r; /* its first member */
}

enum { NAME_MAX_LEN = 4096 }; /* of a cgroup's path */

static bool sniff(const char *first, size_t len)
{
    const char *at = first + strspn(first, " \t");

    (void)len;
    return *at == '{' || *at == '[';
}

static bool sure(const char *line, size_t len)
{
    (void)len;
    return line[strspn(line, " \t[],")] == '{' && strstr(line, td_json_count);
}

/* Names go to reports: no control characters, and no NUL, at which C would end them. */
static int name_of(struct td_recording *r, const struct td_json_value *v, const char *what, const char **name,
                   size_t *len)
{
    *name = td_json_text(v, len);
    if (!*name || !*len)
        return td_recording_bad(r, "the %s has no name", what);
    if (*len > NAME_MAX_LEN)
        return td_recording_bad(r, "the name of the %s is longer than %d bytes", what, NAME_MAX_LEN);
    for (size_t i = 0; i < *len; i++)
        if ((unsigned char)(*name)[i] < ' ')
            return td_recording_bad(r, "a control character in the name of the %s", what);
    return 0;
}

static const enum td_scope_kind kinds[TD_JSON_KEYS] = {
    [TD_JSON_CGROUP] = TD_KIND_CGROUP, [TD_JSON_THREAD] = TD_KIND_THREAD, [TD_JSON_CPU] = TD_KIND_CPU,
    [TD_JSON_CORE] = TD_KIND_CORE,     [TD_JSON_CACHE] = TD_KIND_SOCKET,  [TD_JSON_CLUSTER] = TD_KIND_SOCKET,
    [TD_JSON_DIE] = TD_KIND_SOCKET,    [TD_JSON_SOCKET] = TD_KIND_SOCKET, [TD_JSON_NODE] = TD_KIND_NODE,
};

/* The name as in perf's CSV: CPU3, S0-D0-C1, comm-tid, a cgroup; for a cgroup
 * on a CPU both. */
static int find_scope(struct td_recording *r, const struct td_json_line *l)
{
    struct perf_json *p = perf_json_of(r);
    const char *id = "", *group = "";
    enum td_scope_kind kind = TD_KIND_SYSTEM;
    char name[2 * NAME_MAX_LEN + sizeof("CPU ")];
    size_t nid = 0, ngroup = 0, len;
    int at = TD_JSON_THREAD, err = 0;

    while (at < TD_JSON_KEYS && !td_json_has(l, (enum td_json_key)at))
        at++;
    if (at < TD_JSON_KEYS)
        err = name_of(r, &l->key[at], td_kind_name(kind = kinds[at]), &id, &nid);
    if (!err && td_json_has(l, TD_JSON_CGROUP))
        err = name_of(r, &l->key[TD_JSON_CGROUP], td_kind_name(kind = TD_KIND_CGROUP), &group, &ngroup);
    if (err || kind == TD_KIND_SYSTEM)
        return err; /* 0 is the system */
    len =
        (size_t)snprintf(name, sizeof(name), "%s%.*s%s%.*s", at == TD_JSON_CPU && *id >= '0' && *id <= '9' ? "CPU" : "",
                         (int)nid, id, nid && ngroup ? " " : "", (int)ngroup, group);
    return td_gather_scope(r, p->rows.gather, name, len, kind);
}

/* Fails, reporting what is wrong with a value. */
static int refuse(struct td_recording *r, const char *what, const struct td_json_value *v, const char *wrong)
{
    int len;
    const char *text = td_json_shown(v, &len);

    return td_recording_bad(r, "the %s '%.*s' %s", what, len, text, wrong);
}

static int parse_time(struct td_recording *r, const struct td_json_value *v, struct td_row *out)
{
    struct perf_json *p = perf_json_of(r);
    uint64_t time;
    size_t len;
    const char *text = td_json_text(v, &len);
    int err;

    out->has_time = true;
    if (!text || !td_perf_same_time(&p->rows, text, len)) {
        if (!text || !td_number_seconds(text, len, &time))
            return refuse(r, "interval", v, "is no time in seconds");
        err = td_perf_rows_time(r, &p->rows, text, len, time);
        if (err)
            return err;
    }
    out->time = p->rows.time;
    return 0;
}

static int parse_value(struct td_recording *r, const struct td_json_value *v, struct td_row *out)
{
    size_t len;
    const char *text = td_json_text(v, &len), *wrong;

    out->status = text ? td_perf_status(text, len) : TD_OK;
    if (out->status != TD_OK)
        return 0;
    wrong = td_json_number(v, &out->value);
    return wrong ? refuse(r, "count", v, wrong) : 0;
}

static int parse_coverage(struct td_recording *r, const struct td_json_line *l, struct td_row *out)
{
    const struct td_json_value *run = &l->key[TD_JSON_RUN], *share = &l->key[TD_JSON_PERCENT];
    double percent;
    const char *wrong;

    if (!td_json_has(l, TD_JSON_RUN) || !td_json_has(l, TD_JSON_PERCENT))
        return td_recording_bad(r, "the count has no %s",
                                td_json_has(l, TD_JSON_RUN) ? "'pcnt-running'" : "'event-runtime'");
    wrong = td_json_number(run, &out->running);
    if (wrong)
        return refuse(r, "run time", run, wrong);
    wrong = td_json_number(share, &percent);
    if (!wrong)
        wrong = td_perf_enabled(out->running, percent, &out->enabled);
    return wrong ? refuse(r, "percentage", share, wrong) : 0;
}

/* --per-core of a hybrid has each core in the rows of the other kind's events too, as 0 CPUs. */
static bool other_core(const struct td_recording *r, const struct td_row *row, const struct td_json_line *l)
{
    double n;

    return row->status == TD_NOT_COUNTED && r->stream.texts.entries[row->text].core &&
           td_json_has(l, TD_JSON_MEMBERS) && !td_json_number(&l->key[TD_JSON_MEMBERS], &n) && n == 0;
}

static int parse_row(struct td_recording *r, const struct td_json_line *l, struct td_row *out, bool *is_row)
{
    const char *event;
    size_t len;
    int err = parse_value(r, &l->key[TD_JSON_VALUE], out);

    if (!err)
        err = parse_coverage(r, l, out);
    if (!err)
        err = name_of(r, &l->key[TD_JSON_EVENT], "event", &event, &len);
    if (err)
        return err;
    out->text = td_recording_text(r, event, len);
    if (out->text < 0)
        return out->text;
    *is_row = !other_core(r, out, l);
    if (!*is_row)
        return 0;
    out->scope = find_scope(r, l);
    return out->scope < 0 ? out->scope : 0;
}

/* Finds out what the object of a line is: a count, or nothing to read. */
static int parse_object(struct td_recording *r, const struct td_json_line *l, struct td_row *out, bool *is_row)
{
    struct perf_json *p = perf_json_of(r);
    const bool timed = td_json_has(l, TD_JSON_TIME);
    int err = 0;

    *is_row = false;
    if (!td_json_has(l, TD_JSON_VALUE))
        return 0; /* a metric */
    if (p->rows.has_time && !timed) {
        td_perf_rows_summary(r, &p->rows);
        return 0;
    }
    if (timed && p->rows.any && !p->rows.has_time && !out->new_run)
        return td_recording_bad(r, "this line has an interval, the lines above have none");
    if (timed)
        err = parse_time(r, &l->key[TD_JSON_TIME], out);
    p->rows.has_time = out->has_time;
    return err ? err : parse_row(r, l, out, is_row);
}

/* The names of all metrics of a line. */
static uint32_t printed_on(struct td_hints *hints, struct td_printed_memory *names, const struct td_json_line *l)
{
    static const char unit[] = "\"metric-unit\" : \"";
    const char *at = l->rest, *name = NULL;
    size_t len = 0;
    uint32_t all;

    if (td_json_has(l, TD_JSON_METRIC))
        name = td_json_text(&l->key[TD_JSON_METRIC], &len);
    all = name ? td_printed_again(names, hints, name, len) : 0;
    while ((at = strstr(at, unit))) {
        at += strlen(unit);
        all = td_hints_join(hints, all, td_printed_again(names, hints, at, strcspn(at, "\"")));
    }
    return all;
}

/* Whether the line is a row, or continues with the metrics of one. Anything else with a
 * run time is a count that is left out, or a metric group, whose metrics follow it. */
static bool take_metrics(struct td_hints *hints, struct perf_json *p, const struct td_json_line *l, bool is_row,
                         struct td_row *out)
{
    p->rows.counted = is_row || (p->rows.counted && !td_json_has(l, TD_JSON_RUN));
    out->more = p->rows.counted && !is_row;
    out->printed = p->rows.counted ? printed_on(hints, &p->names, l) : 0;
    return p->rows.counted;
}

/* Whether it is perf's, of a metric without a count; objects of other programs may well have an "event" or "node", too.
 */
static bool is_metric(const struct td_json_line *l)
{
    return !l->cut_off && !td_json_has(l, TD_JSON_VALUE) &&
           (td_json_has(l, TD_JSON_TIME) || td_json_has(l, TD_JSON_METRIC) || td_json_has(l, TD_JSON_RATIO));
}

/* An object that is not empty and has nothing of perf's, which another program wrote. */
static bool is_foreign(const struct td_recording *r, const struct td_json_line *l, const char *line, size_t len)
{
    static const enum td_json_key own[] = {TD_JSON_VALUE, TD_JSON_RUN, TD_JSON_PERCENT, TD_JSON_METRIC, TD_JSON_RATIO};

    for (size_t i = 0; i < sizeof(own) / sizeof(*own); i++)
        if (td_json_has(l, own[i]))
            return false;
    return !td_json_has(l, TD_JSON_TIME) && line[strspn(line, " \t[],{")] != '}' &&
           !td_recording_names_event(r, line, len, NULL);
}

/* The next line with a count, or with metrics of the last one. */
static int next_line(struct td_recording *r, struct td_row *out)
{
    struct perf_json *p = perf_json_of(r);
    struct td_json_line l;
    bool is_row = false, taken = false;
    char *line;
    size_t len;
    int err;

    *out = (struct td_row){0};
    do {
        err = td_recording_line(r, &line, &len);
        if (err)
            return err;
        td_perf_rows_begin(r, &p->rows, line, out);
        err = td_json_line(r, &p->parser, line, len, &l);
        if (!err && l.any && is_foreign(r, &l, line, len)) {
            td_recording_skip(r);
            l.any = false;
        }
        if (!err && l.any)
            err = parse_object(r, &l, out, &is_row);
        p->metrics = p->metrics || is_metric(&l);
        if (!err && l.any)
            taken = take_metrics(&r->stream.hints, p, &l, is_row, out);
        json_object_put(l.object);
        if (l.cut_off) {
            td_recording_note(r, "the last line was cut off; it is left out");
            return -ENODATA;
        }
    } while (!err && !taken);
    p->rows.any = p->rows.any || !err;
    return err;
}

/* A row, or the error for the end of a file without one. */
static int next_row(struct td_recording *r, struct td_row *out)
{
    struct perf_json *p = perf_json_of(r);
    bool any = p->rows.any;
    int err = next_line(r, out);

    if (err != -ENODATA || any)
        return err;
    if (*p->parser.why)
        return td_log_fail(r->log, -EBADMSG, "%s", p->parser.why);
    return td_recording_bad(r, "no line has a 'counter-value'%s%s",
                            p->metrics ? ": " : ", which perf stat -j writes for each count",
                            p->metrics ? td_perf_ratios_only : "");
}

static int next(struct td_recording *r)
{
    return td_gather_next(r, perf_json_of(r)->rows.gather, next_row);
}

static void perf_json_close(struct td_recording *r)
{
    struct perf_json *p = perf_json_of(r);

    td_gather_free(p->rows.gather);
    td_json_close(&p->parser);
}

static int perf_json_open(struct td_recording *r, char *first, size_t len)
{
    struct perf_json *p = perf_json_of(r);
    int err;

    (void)first;
    (void)len;
    err = td_perf_rows_open(r, &p->rows);
    if (!err && !td_json_open(&p->parser))
        err = td_log_no_memory(r->log);
    td_bytes_again(&r->bytes);
    return err;
}

const struct td_reader td_reader_perf_json = {
    .name = "perf-json",
    .size = sizeof(struct perf_json),
    .sniff = sniff,
    .sure = sure,
    .open = perf_json_open,
    .next = next,
    .close = perf_json_close,
    .about = "perf stat -j, one object per line",
};
